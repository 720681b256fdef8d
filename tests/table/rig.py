"""One table with everything around it that a node would be: its chance, a clock, a log, and people.

Whatever is accepted is encoded, read back and evolved a second time from the bytes alone; that second state
has to equal the first after every command, so each test is also a test of replay (design 3, 15.4 property 7).
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dealer.rules.bacara.commands import Call, Deal, Draw, LayDown, Settle, Show, Stake, Stand, Unstake
from dealer.rules.bacara.state import SPEAKING
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import check_total
from dealer.rules.frame.event import Data, Event, encode
from dealer.rules.frame.game import Act, Due, Option
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.registry import GAMES
from dealer.table.aggregate import Outcome, codec, due, handle, replay
from dealer.table.authority import Caller, Role, to_act
from dealer.table.view import hand, options, view
from shoe import canonical
from shoe.entropy import simulation_seed

LOG = "test/t/tbl_1"
START_MS = 1_790_000_000_000
STEP_MS = 10
"""Between two commands."""
HOST = "pid_host"
OTHER_HOST = "pid_other_host"
WORDS = {"draw": Draw(), "stand": Stand(), "lay_down": LayDown()}
"""What a hand may say."""
COUP = "27KAK65"
"""Right 3 and a five to make 8, left 7, bank 6: both paños win."""
BY_HAND = (
    "preparing",
    "betting",
    "last_call",
    "dealing",
    "speak_right",
    "speak_left",
    "showdown",
    "settling",
    "between_rounds",
)
"""The phases in which a table rests that has no automation."""


def seeds(first: int, count: int, luck: int = 0) -> tuple[bytes, ...]:
    """The seeds of so many shuffles from `first` on, the same in every run; other luck, other seeds."""
    return tuple(simulation_seed("rig", luck, n) for n in range(first, first + count))


def pid(seat: int) -> str:
    """Who sits, or stands, under this number."""
    return f"pid_{seat}"


def stake(on: str, amount: int) -> Stake:
    """The command as it comes through a door."""
    return msgspec.convert({"type": "stake", "on": on, "amount": amount}, Stake)


def unstake(on: str, amount: int) -> Unstake:
    """The command as it comes through a door."""
    return msgspec.convert({"type": "unstake", "on": on, "amount": amount}, Unstake)


class Rig:
    """An open table: bacará's, unless a subclass names another game.

    Args:
        laid: cards on top of the first shoe, as faces or bare ranks; none for a table that is not stacked.
        batch: how many seeds the table opens with.
        luck: which seeds they are.
        profile: of bacará.
        mode: of the profile.
        chosen: options of the table.
    """

    GAME = ("bacara", "seed", "dos-panos")
    """Game, profile and mode, unless another profile is named."""

    def __init__(
        self,
        laid: Sequence[str] = (),
        batch: int = 32,
        luck: int = 0,
        profile: str = "",
        mode: str = "",
        **chosen: Any,
    ) -> None:
        game, usual, usual_mode = self.GAME
        self.game = GAMES[game]
        self._decode = codec(self.game).decode
        self.chance = Chance({})
        self.table = Table(log=LOG)
        self.events: list[Event] = []
        self.stored: list[bytes] = []
        self.secrets: dict[int, bytes | None] = {}
        self.now = START_MS
        self._holds = 0
        self._replayed = Table(log=LOG)
        named = (profile, mode) if profile else (usual, mode or usual_mode)
        opening = cmd.OpenTable(game, *named, chosen, seeds(1, batch, luck), tuple(laid))
        self.send(opening, HOST)

    def attempt(
        self, command: cmd.Command | cmd.Internal, sender: str, role: Role, person: str = ""
    ) -> list[Event] | Refusal:
        """What comes of a command; the events of an accepted one are in the log."""
        self.now += STEP_MS
        caller = Caller(sender, role, person or sender)
        act = to_act(self.table, caller, command, self.now)
        return act if isinstance(act, Refusal) else self.act(act)

    def act(self, act: Act) -> list[Event] | Refusal:
        """The same for an act that needs no authority."""
        outcome = handle(self.game, self.table, self.chance, act)
        if isinstance(outcome, Refusal):
            canonical.encode(outcome.params)
            assert self.table == self._replayed, "a refusal changed the state"
            return outcome
        self.accept(outcome)
        return outcome.events

    def accept(self, outcome: Outcome) -> None:
        """Take in what was decided."""
        for event in outcome.events:
            self._record(event)
        self.table = outcome.table
        self.secrets.update(outcome.secrets)
        assert self.table == self._replayed, "the log tells another state"

    def send(
        self,
        command: cmd.Command | cmd.Internal,
        sender: str = "croupier",
        role: Role = "system",
        person: str = "",
    ) -> list[Event]:
        """Give a command that is taken."""
        events = self.attempt(command, sender, role, person)
        assert not isinstance(events, Refusal), events
        return events

    def refusal(
        self,
        command: cmd.Command | cmd.Internal,
        sender: str = "croupier",
        role: Role = "system",
        person: str = "",
    ) -> Refusal:
        """Give a command that is refused."""
        answer = self.attempt(command, sender, role, person)
        assert isinstance(answer, Refusal), [event.type for event in answer]
        return answer

    def play(self, seat: int, command: cmd.Command) -> list[Event]:
        """The person under this number gives a command that is taken."""
        return self.send(command, pid(seat), "player")

    def refused(self, seat: int, command: cmd.Command) -> str:
        """The code with which the command of the person under this number is refused."""
        return self.refusal(command, pid(seat), "player").code

    def host(self, command: cmd.Command, person: str = "") -> list[Event]:
        """The host gives a command that is taken."""
        return self.send(command, HOST, "host", person)

    def sit(self, seat: int, chips: int = 1_000) -> None:
        """Somebody sits down, or joins standing under the next number, and brings chips."""
        self.play(seat, cmd.Sit(seat=seat) if seat < 1_000 else cmd.Join())
        if chips:
            self.buy_in(seat, chips)

    def hold(self) -> str:
        """The id of a hold the cage makes now."""
        self._holds += 1
        return f"x_{self.now}_{self._holds}"

    def buy_in(self, seat: int, amount: int) -> list[Event]:
        """Chips of the cage become a stack."""
        return self.send(cmd.Receive(amount, f"stack:{seat}", self.table.seats[seat].pid, self.hold()))

    def fund(self) -> list[Event]:
        """The house puts up the bank it owes."""
        assert [d.kind for d in self.due() if d.decision.startswith("house:")] == ["chore"]
        return self.send(cmd.Receive(self.game.house_bank(self.table), "bank", "house", self.hold()))

    def due(self) -> list[Due]:
        """What will be decided, and when."""
        return due(self.game, self.table)

    def clock(self) -> Due:
        """The one decision whose time runs."""
        (only,) = [d for d in self.due() if d.kind == "timeout"]
        return only

    def expire(self) -> list[Event]:
        """Time passes until the present decision is over, and the croupier ends it."""
        clock = self.clock()
        assert clock.until is not None, "nobody's time runs"
        self.now = max(self.now, clock.until)
        return self.send(cmd.Expire(decision=clock.decision))

    def expire_until(self, *phases: str) -> None:
        """Nobody says anything until the table is in one of these phases."""
        while self.table.phase not in phases:
            self.expire()

    def options(self, seat: int, stranger: str = "") -> list[Option]:
        """What a seat may do now; for seat 0, what this person may do who has none."""
        return options(self.game, self.table, self.chance, seat, stranger)

    def words(self, seat: int) -> list[str]:
        """What a seat may say of its hand now."""
        return [o.type for o in self.options(seat) if o.type in WORDS]

    def obey(self) -> list[Event]:
        """The person on turn says the one thing the tableau allows."""
        (seat,) = self.clock().seats
        (word,) = self.words(seat)
        return self.play(seat, WORDS[word])

    def close_stakes(self) -> list[Event]:
        """«No va más», and all that follows until somebody is awaited."""
        self.expire_until("last_call")
        return self.expire()

    def coup(self, *stakes: tuple[int, str, int]) -> None:
        """One coup with these stakes (seat, paño, chips), every hand played by the tableau."""
        self.expire_until("betting")
        for seat, on, amount in stakes:
            self.play(seat, stake(on, amount))
        self.close_stakes()
        while self.table.phase in SPEAKING:
            self.obey()

    def view(self) -> dict[str, Any]:
        """What everybody sees."""
        return view(self.game, self.table)

    def hand(self, seat: int) -> list[dict[str, Any]]:
        """What a seat alone sees."""
        return hand(self.game, self.table, self.chance, seat)

    def total(self, seat: int) -> int:
        """Chips of a seat, in its stack and on the cloth."""
        own = f"stack:{seat}"
        return sum(
            n
            for place, n in self.table.chips.items()
            if place == own or (place.startswith("stake:") and place.endswith(f":{seat}"))
        )

    def of(self, kind: type[Data]) -> list[Any]:
        """The data of all events of one type so far."""
        return [event.data for event in self.events if type(event.data) is kind]

    def replay(self, stored: Sequence[bytes]) -> Table:
        """The state that a part of the log leads to."""
        return replay(self.game, Table(log=LOG), map(self._decode, stored))

    def _record(self, event: Event) -> None:
        stored = encode(event)
        plain = json.loads(stored)
        assert stored == json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        assert stored == canonical.encode(plain)
        read = self._decode(stored)
        assert read.data == event.data
        assert event.seq == len(self.stored)
        self.events.append(event)
        self.stored.append(stored)
        self._replayed = replay(self.game, self._replayed, [read])
        check_total(self._replayed.chips)
        assert all(n > 0 for place, n in self._replayed.chips.items() if place != "cage")


def types(events: Sequence[Event]) -> list[str]:
    """The types of events in order."""
    return [event.type for event in events]


def opened(seats: Mapping[int, int], laid: Sequence[str] = (), **chosen: Any) -> Rig:
    """A table in its first `betting`: people with their stacks by number, and the house's bank.

    Nobody has staked, so no time runs.
    """
    rig = Rig(laid, **chosen)
    for seat, chips in seats.items():
        rig.sit(seat, chips)
    rig.fund()
    assert rig.table.phase == "betting"
    return rig


def by_hand(phase: str, laid: Sequence[str] = COUP, **chosen: Any) -> Rig:
    """A table without automations that its host has brought into this phase, with 10 chips on each paño.

    Seats 1 and 11 have brought 100 each; both hands have said what they may.
    """
    rig = Rig(laid, automations=[], **chosen)
    for seat in (1, 11):
        rig.sit(seat, 100)
    rig.fund()
    while rig.table.phase != phase:
        by_hand_step(rig)
        if rig.table.phase == "betting":
            rig.play(1, stake("right", 10))
            rig.play(11, stake("left", 10))
    return rig


def by_hand_step(rig: Rig) -> list[Event]:
    """The host, or whoever is on turn, does what ends the present phase."""
    does: dict[str, cmd.Command] = {
        "preparing": Call(call="place_bets"),
        "betting": Call(call="last_call"),
        "last_call": Call(call="no_more_bets"),
        "dealing": Deal(),
        "showdown": Show(),
        "settling": Settle(),
        "between_rounds": Call(call="place_bets"),
    }
    return rig.obey() if rig.table.phase in SPEAKING else rig.host(does[rig.table.phase])
