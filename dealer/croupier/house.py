"""What the house does when a deadline comes: end a decision, play a bot, do a chore (design 3)."""

import asyncio
from collections.abc import Awaitable, Sequence
from functools import partial

import msgspec
import structlog
from msgspec.structs import replace

from dealer.cage.ledger import HOUSE
from dealer.croupier.backroom import Backroom, NotAsked
from dealer.croupier.hooks import Hooks
from dealer.croupier.order import Order
from dealer.croupier.purse import Purse
from dealer.croupier.tables import TableDesk
from dealer.croupier.thinker import Question
from dealer.croupier.timekeeper import Gaps
from dealer.journal.journal import Journal
from dealer.rules.frame.chips import TRANSIT
from dealer.rules.frame.commands import CommitSeeds, Expire, MoveDeadlines
from dealer.rules.frame.event import CROUPIER
from dealer.rules.frame.game import Deep, Due
from dealer.table.outage import caught
from dealer.table.shoes import BATCH
from dealer.table.view import hand, options, recalled
from shoe.entropy import fresh_seeds

SKEW_MS = 250
"""How far the clocks of engine and node may differ; `sync_clock` keeps them far closer."""

log = structlog.get_logger()


class House:
    """Acts on whatever is due at a table; the keys of its orders make each act happen once."""

    def __init__(self, journal: Journal, purse: Purse, hooks: Hooks, backroom: Backroom) -> None:
        self._journal = journal
        self._purse = purse
        self._hooks = hooks
        self._backroom = backroom
        self._busy: set[tuple[str, str]] = set()
        self._vain: dict[tuple[str, str], int] = {}
        """By table and decision: the version of the table, or of the book, at which nothing came of it."""

    async def make_up(self, desk: TableDesk, gaps: Gaps) -> None:
        """Give back the time in which nobody watched, before anything is ended by it (design 5)."""
        if caught(desk.game, desk.state, gaps):
            key = f"gap:{gaps[-1][1]}:{desk.state.seq}"
            await desk.send(self._order(key, MoveDeadlines(gaps)))

    async def act(self, desk: TableDesk) -> None:
        """Do everything that is due now.

        Whoever claims a deadline by the engine's clock may be ahead of this node's, so he waits a moment.
        """
        first = min((d.until for d in desk.due() if d.until is not None), default=0)
        early_ms = first - self._journal.now()
        if 0 < early_ms <= SKEW_MS:
            await asyncio.sleep((early_ms + 1) / 1000)
        now = self._journal.now()
        every = desk.due()
        self._forget(desk.aggregate, every)
        due = [d for d in every if d.until is not None and d.until <= now]
        returns = [d for d in due if d.decision.startswith(TRANSIT)]
        await asyncio.gather(
            *(self._once(desk, d, now) for d in due if d not in returns), self._in_turn(desk, returns, now)
        )

    def _forget(self, aggregate: str, every: Sequence[Due]) -> None:
        """What was tried in vain for a decision that is over matters no more."""
        if self._vain:
            due = {d.decision for d in every}
            for scope in [each for each in self._vain if each[0] == aggregate and each[1] not in due]:
                del self._vain[scope]

    def _in_vain(self, desk: TableDesk, due: Due, version: int, event: str, **more: str) -> None:
        """Let rest what is still due but comes to nothing at this version, and say so the first time."""
        if all(d.decision != due.decision for d in desk.due()):
            return
        scope = (desk.aggregate, due.decision)
        if scope not in self._vain:
            log.warning(event, aggregate=desk.aggregate, decision=due.decision, **more)
        self._vain[scope] = version

    async def _in_turn(self, desk: TableDesk, returns: Sequence[Due], now: int) -> None:
        """Chips go home one after the other: the cage takes no return that comes before one it has posted."""
        scope = (desk.aggregate, TRANSIT)
        if scope in self._busy:
            return
        self._busy.add(scope)
        try:
            for due in returns:
                await self._once(desk, due, now)
        finally:
            self._busy.discard(scope)

    async def _once(self, desk: TableDesk, due: Due, now: int) -> None:
        scope = (desk.aggregate, due.decision)
        if scope in self._busy:
            return
        self._busy.add(scope)
        try:
            self._hooks.rang(due.kind, now - (due.until or now))
            await self._do(desk, due)
        finally:
            self._busy.discard(scope)

    def _do(self, desk: TableDesk, due: Due) -> Awaitable[object]:
        if due.kind == "timeout":
            # With its time in the key: refused because it has been moved, it is still to come.
            key = f"expire:{due.decision}:{due.until}"
            return desk.send(self._order(key, Expire(decision=due.decision)))
        if due.kind == "bot":
            return self._play(desk, due)
        if due.decision.startswith(TRANSIT):
            return self._purse.cash_out(desk, due.decision)
        if due.decision.startswith("seeds:"):
            seeds = tuple(fresh_seeds(BATCH))
            return desk.send(self._order(due.decision, CommitSeeds(due.decision, seeds)))
        return self._bank(desk, due)

    def _order(self, key: str, command: object) -> Order:
        return Order(CROUPIER, key, "", command, "system", self._journal.now())

    async def _bank(self, desk: TableDesk, due: Due) -> None:
        """The house's chips come to the table; one repeat of a failed try has a key of its own.

        As long as neither table nor book have moved on, a no stays a no.
        """
        amount, book = desk.game.house_bank(desk.state), self._purse.version
        version = desk.state.seq + book
        if not amount or self._vain.get((desk.aggregate, due.decision)) == version:
            return
        order = self._order(f"{due.decision}:{desk.state.seq}:{book}", None)
        word = await self._purse.buy_in(desk, HOUSE, HOUSE, "bank", amount, order)
        if not word.accepted:
            self._in_vain(desk, due, version, "house_bank_refused", code=word.code)

    async def _play(self, desk: TableDesk, due: Due) -> None:
        """A bot decides on what its seat may see, and sends its command like anybody else.

        One that has no move, or was refused, is asked again when something has happened at the table.
        """
        table, game, seat = desk.state, desk.game, due.seats[0]
        sitting = table.seats.get(seat)
        before = self._vain.get((desk.aggregate, due.decision))
        if sitting is None or not sitting.bot or before == table.seq:
            return
        policy = game.policies[sitting.bot]
        seen = recalled(game, table), hand(game, table, desk.chance, seat)
        legal = options(game, table, desk.chance, seat)
        if isinstance(policy, Deep):
            question = Question(game.id, sitting.bot, *seen, legal)
            try:
                command = await self._backroom.choose(game, question, partial(_stands, desk, due))
            except NotAsked:
                return
        else:
            command = policy(*seen, legal)
        if command is None:
            self._in_vain(desk, due, table.seq, "bot_has_no_move", policy=sitting.bot)
            return
        # Naming its turn, a bot that is late is told so instead of acting a second time.
        command = replace(command, decision=due.decision)
        digest = msgspec.json.encode(command).hex()
        key = f"bot:{due.decision}" if before is None else f"bot:{due.decision}:{table.seq}"
        answer = await desk.send(Order(sitting.pid, key, digest, command, "bot", self._journal.now()))
        if not answer.accepted:  # without its code in the log: that may tell a card
            self._in_vain(desk, due, answer.last, "bot_was_refused", policy=sitting.bot)


def _stands(desk: TableDesk, due: Due) -> bool:
    """Whether a decision is still open."""
    return any(each.decision == due.decision for each in desk.game.due(desk.state))
