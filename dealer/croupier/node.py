"""One node: the desks of the tables it has been asked for, the cage, the clocks, the listeners."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine, Sequence
from hashlib import sha256
from typing import Any
from weakref import WeakValueDictionary

import msgspec
import structlog
from msgspec.structs import replace

from dealer.cage.ledger import HOUSE
from dealer.croupier.backroom import Backroom
from dealer.croupier.cages import BOOK, CageDesk
from dealer.croupier.desk import Desk
from dealer.croupier.feeds import Feeds
from dealer.croupier.hooks import Hooks
from dealer.croupier.house import House
from dealer.croupier.order import Answer, NoSuchAggregate, Order, Unavailable
from dealer.croupier.purse import Purse
from dealer.croupier.steps import Steps
from dealer.croupier.tables import TableDesk, game_of
from dealer.croupier.tasks import end
from dealer.croupier.timekeeper import Gaps, Timekeeper
from dealer.journal.errors import JournalError
from dealer.journal.journal import Journal
from dealer.rules.frame.commands import BuyIn, Command, OpenTable
from dealer.rules.frame.event import Event
from dealer.rules.frame.game import Game
from dealer.rules.frame.refusal import Refusal
from dealer.rules.registry import GAMES
from dealer.table.shoes import BATCH
from shoe.entropy import fresh_seeds
from shoe.seal import Vault

SWEEP_S = 2.0
Listener = Callable[[str, Sequence[Event], Sequence[bytes]], None]
"""Told of (aggregate, events, their stored bytes), once they are durable."""

log = structlog.get_logger()


class Node:
    """Everything one process runs. Create, `open`, serve, `close`.

    Args:
        journal: opened by the caller.
        service: name of the installation, the first part of every log's origin.
        vault: seals and opens the seeds.
    """

    def __init__(self, journal: Journal, service: str, vault: Vault, hooks: Hooks | None = None) -> None:
        self.journal = journal
        self.service = service
        self.hooks = hooks or Hooks()
        self._steps = Steps()
        self.cage = CageDesk(journal, f"{service}/{BOOK}", self._news, self.hooks, self._steps)
        self._vault = vault
        self._purse = Purse(journal, self.cage)
        self._backroom = Backroom()
        self._house = House(journal, self._purse, self.hooks, self._backroom)
        self._clock = Timekeeper(journal, self._ring)
        self._feeds = Feeds(journal, self._wake)
        self._desks: dict[str, TableDesk] = {}
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._flows: set[asyncio.Task[Answer]] = set()
        self._listeners: dict[str, list[Listener]] = defaultdict(list)
        self._sweeper: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """End what was left behind, then begin to keep time."""
        await self._sweep()
        self._sweeper = asyncio.create_task(self._sweep_on())
        self._clock.start()

    async def close(self) -> None:
        """Stop the clocks and let every accepted command finish."""
        if self._sweeper is not None:
            await end(self._sweeper)
        await self._backroom.close()
        await self._clock.stop()
        await self._feeds.stop()
        await asyncio.gather(*self._flows, return_exceptions=True)
        await asyncio.gather(*(desk.rest() for desk in self._desks.values()))
        await self.cage.rest()

    def listen(self, aggregate: str, listener: Listener) -> Callable[[], None]:
        """Hear of every event of an aggregate from now on, whichever node appends it; the result ends it.

        `*` means all that this node hears of anyhow: what it appends itself, or reads for somebody else.
        """
        self._listeners[aggregate].append(listener)
        leave = None if aggregate == "*" else self._feeds.follow(aggregate)

        def end_listening() -> None:
            self._listeners[aggregate].remove(listener)
            if not self._listeners[aggregate]:
                del self._listeners[aggregate]
            if leave is not None:
                leave()

        return end_listening

    async def table(self, table_id: str) -> TableDesk:
        """The desk of a table, up to date.

        Raises:
            NoSuchAggregate: there is no such table.
            Unavailable: the journal cannot be read now.
        """
        desk = await self._desk(f"t/{table_id}")
        await desk.refresh()
        return desk

    async def create_table(self, order: Order, table_id: str) -> Answer:
        """Open a table; `order.command` is an `OpenTable` without seeds.

        Raises:
            Unavailable: there was no definite answer in time.
        """
        return await self._finish(self._create(f"t/{table_id}", order))

    async def _create(self, aggregate: str, order: Order) -> Answer:
        opening: OpenTable = order.command
        game = GAMES.get(opening.game)
        if game is None:
            return Answer("option_not_allowed", {"option": "game"}, 0, -1)
        async with self._lock(aggregate):
            desk = self._desks.get(aggregate) or self._new_desk(aggregate, game)
            seeded = replace(opening, seeds=tuple(fresh_seeds(BATCH)))
            answer = await desk.send(replace(order, command=seeded))
            if desk.state.seq >= 0:
                self._desks[aggregate] = desk
        return answer

    async def command(self, table_id: str, order: Order) -> Answer:
        """Any command of a table; what moves chips from the cage goes through the purse.

        Raises:
            NoSuchAggregate: there is no such table.
            Unavailable: there was no definite answer in time.
        """
        desk = self._desks.get(f"t/{table_id}") or await self.table(table_id)
        command = order.command
        if type(command) is BuyIn or (getattr(command, "FOR_HOUSE", False) and await self._adds(desk, order)):
            return await self._finish(self._buy_in(desk, order))
        return await desk.send(order)

    @staticmethod
    async def _adds(desk: TableDesk, order: Order) -> bool:
        """Whether a host would bring chips of the house to its bank now."""
        command = order.command
        if not isinstance(command, Command) or command.seat is not msgspec.UNSET or order.role != "host":
            return False
        await desk.refresh()
        return desk.game.house_adds(desk.state)

    async def _finish(self, flow: Coroutine[Any, Any, Answer]) -> Answer:
        """Go through with what takes several steps, whether or not its caller still waits."""
        task = asyncio.create_task(flow)
        self._flows.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    def _finished(self, task: asyncio.Task[Answer]) -> None:
        self._flows.discard(task)
        if not task.cancelled():
            task.exception()  # the caller, if there is one, is told by the task itself

    async def _buy_in(self, desk: TableDesk, order: Order) -> Answer:
        """Buy in for a seat, or the house's bank; who may not, or sits nowhere, is told before chips move."""
        await desk.refresh()
        while isinstance(act := desk.act_of(order), Refusal):
            refused = await desk.send(order)
            if refused.code != "unknown_command":  # what a desk says of a buy-in that has become possible
                return refused
        held = desk.state.seats.get(act.seat)
        own = held is None or held.bot
        account = HOUSE if own else desk.principal_of(act.person)
        place = f"stack:{act.seat}" if held else "bank"
        word = await self._purse.buy_in(desk, account, act.person, place, order.command.amount, order)
        self.hooks.answered(order.command, word.code)
        return word

    async def _desk(self, aggregate: str) -> TableDesk:
        async with self._lock(aggregate):
            desk = self._desks.get(aggregate)
            if desk is None:
                try:
                    first = await self.journal.read(aggregate, -1, limit=1)
                except JournalError as trouble:
                    raise Unavailable from trouble
                if not first:
                    raise NoSuchAggregate(aggregate)
                desk = self._new_desk(aggregate, GAMES[game_of(first[0])])
                await desk.refresh()
                self._desks[aggregate] = desk
            return desk

    def _lock(self, aggregate: str) -> asyncio.Lock:
        """A table is loaded or created once at a time; the lock lasts as long as somebody holds it."""
        return self._loading.setdefault(aggregate, asyncio.Lock())

    def _new_desk(self, aggregate: str, game: Game) -> TableDesk:
        origin = f"{self.service}/{aggregate}"
        return TableDesk(
            self.journal, aggregate, game, origin, self._vault, self._news, self.hooks, self._steps
        )

    def _news(self, desk: Desk[Any], events: Sequence[Event], stored: Sequence[bytes]) -> None:
        self._clock.heard(desk.aggregate, desk.next_due)
        for listener in (*self._listeners.get(desk.aggregate, ()), *self._listeners.get("*", ())):
            try:
                listener(desk.aggregate, events, stored)
            except Exception:
                log.exception("listener_failed", aggregate=desk.aggregate)

    async def _ring(self, aggregate: str, gaps: Gaps = ()) -> None:
        desk = await self._desk(aggregate)
        await desk.refresh()
        await self._house.make_up(desk, gaps)
        await self._house.act(desk)

    async def _wake(self, aggregate: str, last: int) -> None:
        desk: Desk[Any] = self.cage if aggregate == self.cage.aggregate else await self._desk(aggregate)
        await desk.refresh(last)

    async def _sweep(self) -> None:
        """Resolve holds that a killed node, or a lost answer, has left behind."""
        try:
            await self.cage.refresh()
        except NoSuchAggregate:
            return
        for x, aggregate in self._purse.stale():
            try:
                await self._resolve(x, aggregate)
            except (JournalError, Unavailable) as trouble:  # the next sweep finds it
                log.warning(
                    "hold_put_off",
                    hold=x,
                    aggregate=aggregate,
                    reason=type(trouble.__cause__ or trouble).__name__,
                )
            except Exception:
                log.exception("hold_unresolved", hold=x, aggregate=aggregate)

    async def _resolve(self, x: str, aggregate: str) -> None:
        try:
            desk = await self._desk(aggregate)
        except NoSuchAggregate:
            desk = None
        await self._purse.resolve(desk, x)

    async def _sweep_on(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            try:
                await self.journal.sync_clock()
                await self._sweep()
            except (JournalError, Unavailable) as trouble:
                log.warning("sweep_failed", reason=type(trouble).__name__)


def created_id(prefix: str, principal: str, key: str) -> str:
    """The id of what a principal creates under a key: a retried creation meets what the first one made."""
    scope = f"{len(principal)}:{principal},{key}"
    return f"{prefix}_{sha256(scope.encode()).hexdigest()[:20]}"
