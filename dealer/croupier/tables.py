"""The desk of a table: pseudonyms, sealed seeds and the game around the aggregate."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from dealer.croupier import refused
from dealer.croupier.desk import Desk, News
from dealer.croupier.draft import TAKEN, Draft, Outcome
from dealer.croupier.hooks import Hooks
from dealer.croupier.order import Answer, Order
from dealer.croupier.snapshots import EVERY, Snapshots
from dealer.croupier.steps import Steps
from dealer.journal.journal import Journal
from dealer.journal.model import Entry, Record
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import SeatBot
from dealer.rules.frame.event import CROUPIER, Event
from dealer.rules.frame.events import ChipsRejected, SeedsCommitted
from dealer.rules.frame.game import Act, Due, Game
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.table.aggregate import codec, due, handle, replay
from dealer.table.authority import Caller, to_act
from dealer.table.outage import standing
from dealer.table.snapshot import flaw, form
from shoe.corte import commitment
from shoe.entropy import random_bytes
from shoe.seal import Vault

NEVER = 2**53 - 1
"""A deadline that does not come, ms UTC."""


class _Peek(msgspec.Struct, frozen=True):
    class _Data(msgspec.Struct, frozen=True):
        game: str

    data: _Data


def game_of(first: bytes) -> str:
    """The game of a table, read from its first event."""
    return msgspec.json.decode(first, type=_Peek).data.game


class TableDesk(Desk[Table]):
    """One table inside a node.

    Args:
        game: the game played at it.
        origin: full origin of its log, `<service>/t/<table id>`.
        vault: seals the seeds that lie beside the log.
    """

    def __init__(
        self,
        journal: Journal,
        aggregate: str,
        game: Game,
        origin: str,
        vault: Vault,
        news: News,
        hooks: Hooks,
        steps: Steps,
    ) -> None:
        keeper = Snapshots(journal, aggregate, origin, form(game), partial(flaw, game))
        super().__init__(journal, aggregate, Table(log=origin), news, hooks, steps, keeper)
        self.game = game
        self.chance = Chance({})
        self._codec = codec(game)
        self._vault = vault
        self._people: dict[str, str] = {}
        self._pids: dict[str, str] = {}

    def pid_of(self, principal: str) -> str:
        """The pseudonym of somebody at this table, empty if he has never acted here."""
        return self._pids.get(principal, "")

    def principal_of(self, pid: str) -> str:
        """Who stands behind a pseudonym, empty for a bot of the house or an erased person."""
        return self._people.get(pid, "")

    def due(self) -> Sequence[Due]:
        """What will be decided at this table, and when."""
        return due(self.game, self.state)

    def act_of(self, order: Order) -> Act | Refusal:
        """What the sender may do with a command now, or why not; nothing is decided by it."""
        return to_act(self.state, self._caller(Draft(self.state), order, {}), order.command, order.at)

    def decide(self, draft: Draft[Table], order: Order) -> list[Event] | Refusal:
        """Decide for the sender's pseudonym; a new one is drawn for a newcomer and kept if he is let in.

        An order that the cage has refused comes as that refusal, which is kept under its key.
        """
        if type(order.command) is Refusal:
            return order.command
        named: dict[str, str] = {}
        caller = self._caller(draft, order, named)
        act = to_act(draft.state, caller, order.command, order.at)
        if not isinstance(act, Act):
            return act
        outcome = handle(self.game, draft.state, self.chance, act)
        if isinstance(outcome, Refusal):
            return outcome
        draft.state = outcome.table
        draft.people.update(named)
        draft.rounds.update(outcome.rounds)
        for shuffle, seed in outcome.secrets.items():
            draft.secrets[str(shuffle)] = seed and self._seal(shuffle, seed)
            if shuffle == 1 and draft.state.stacked:
                draft.secrets[_FACES] = seed and self._seal_faces(outcome.faces)
        return outcome.events

    def _caller(self, draft: Draft[Table], order: Order, named: dict[str, str]) -> Caller:
        if order.role == "system":
            return Caller(CROUPIER, "system", CROUPIER)
        if order.role == "bot":
            return Caller(order.principal, "bot", order.principal)
        pid = self._pseudonym(draft, order.principal, named)
        if type(order.command) is SeatBot:
            return Caller(pid, order.role, _new_pid())
        person = self._pseudonym(draft, order.account, named) if order.account else pid
        return Caller(pid, order.role, person)

    def _pseudonym(self, draft: Draft[Table], principal: str, named: dict[str, str]) -> str:
        known = self._pids.get(principal)
        if known is None:
            fresh = {who: pid for people in (draft.people, named) for pid, who in people.items()}
            known = fresh.get(principal) or _new_pid()
            named[known] = principal
        return known

    def _seal(self, shuffle: int, seed: bytes) -> bytes:
        log = self.state.log
        return self._vault.seal(seed, _aad(log, shuffle, commitment(log, shuffle, seed)))

    def _seal_faces(self, faces: Sequence[str]) -> bytes:
        return self._vault.seal(msgspec.json.encode(faces), _aad(self.state.log, 1, _FACES))

    def outcome_of(self, events: Sequence[Event]) -> Outcome:
        """Chips that were turned away are an answer of their own, though the refusal is an event."""
        data = events[0].data
        return Outcome(data.reason, {}) if type(data) is ChipsRejected else TAKEN

    def entry(self, order: Order, outcome: Outcome, events: tuple[bytes, ...]) -> Entry:
        """A refusal that tells of a hidden card is kept sealed."""
        if refused.tells(order, outcome):
            answer = refused.seal(self._vault, self.state.log, order, outcome)
            return Entry(order.principal, order.key, refused.SEALED, answer, events)
        return super().entry(order, outcome, events)

    def recalled(self, order: Order, record: Record) -> Answer:
        """The same answer, sealed or not."""
        return super().recalled(order, refused.opened(self._vault, self.state.log, order, record))

    def settled(self, draft: Draft[Table]) -> None:
        """Newcomers keep their pseudonyms."""
        if draft.people:
            self._name(draft.people)

    def _name(self, people: Mapping[str, str]) -> None:
        self._people.update(people)
        self._pids.update({who: pid for pid, who in people.items()})

    async def events(self, after: int, limit: int | None = None) -> list[Event]:
        """Events of the log after a sequence number."""
        return [self._codec.decode(e) for e in await self._journal.read(self.aggregate, after, limit)]

    def read(self, state: Table, stored: Sequence[bytes]) -> tuple[Table, list[Event]]:
        """The table that stored events lead to."""
        events = [self._codec.decode(e) for e in stored]
        return replay(self.game, state, events), events

    async def recall(self, state: Table) -> None:
        """Learn who everybody is, and open all seeds that are not revealed."""
        await asyncio.gather(self._learn_people(), self._learn_seeds(state))

    def snapshot_due(self, behind: int) -> bool:
        """A table is kept between two rounds, when little lies on it and few wait, if one ends in time."""
        return behind >= (2 * EVERY if self.state.playing else EVERY)

    async def learn(self, state: Table, events: Sequence[Event]) -> bool:
        """Learn who the newcomers are, and open the seeds committed elsewhere.

        Seeds that this node drew for the same shuffles in vain are forgotten thereby.
        """
        bots = {seat.pid for seat in state.seats.values() if seat.bot}
        pids = {e.actor for e in events} | {getattr(e.data, "pid", CROUPIER) for e in events}
        if pids - bots - self._people.keys() - {CROUPIER}:
            await self._learn_people()
        committed = any(type(e.data) is SeedsCommitted for e in events)
        if committed:
            await self._learn_seeds(state)
        return committed

    async def _learn_people(self) -> None:
        people = await self._journal.people(self.aggregate)
        self._people, self._pids = {}, {}
        self._name(people)

    async def _learn_seeds(self, state: Table) -> None:
        sealed = await self._journal.secrets(self.aggregate)
        self.chance.learn(self._opened(state, sealed))
        if _FACES in sealed:
            laid = self._vault.open(sealed[_FACES], _aad(state.log, 1, _FACES))
            self.chance.lay(msgspec.json.decode(laid, type=tuple[str, ...]))

    def _opened(self, state: Table, sealed: Mapping[str, bytes]) -> dict[int, bytes]:
        commitments = dict(state.commitments)
        if state.shoe is not None:
            commitments[state.shoe.shuffle] = state.shoe.transcript.commitment
        return {
            shuffle: self._vault.open(sealed[str(shuffle)], _aad(state.log, shuffle, committed))
            for shuffle, committed in commitments.items()
            if str(shuffle) in sealed
        }

    def clock(self, state: Table) -> tuple[int | None, int | None]:
        """The earliest of all that is due, and since when the oldest of it has been open.

        A decision whose clock stands in a pause is due `NEVER`, so that outages that have caught it are kept.
        """
        timed = [d for d in due(self.game, state) if d.until is not None]
        stand = standing(self.game, state)
        if not timed and not stand:
            return None, None
        until = min([d.until or 0 for d in timed], default=NEVER)
        return until, min([d.since or state.at for d in timed + stand])


_FACES = "faces"
"""Name of the secret that holds the cards laid by hand on the first shoe."""


def _aad(log: str, shuffle: int, committed: str) -> bytes:
    """Whose seed a sealed blob is (fairness S-12)."""
    return f"{log}\n{shuffle}\n{committed}".encode()


def _new_pid() -> str:
    return f"pid_{random_bytes(16).hex()}"
