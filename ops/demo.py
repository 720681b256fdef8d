"""The demonstration: one table on which the house's bots play real coups, told on the terminal."""

import asyncio
import contextlib
from collections.abc import Sequence

import structlog

from dealer.croupier.node import Node, created_id
from dealer.croupier.order import NoSuchAggregate, Order, Unavailable
from dealer.croupier.tables import TableDesk
from dealer.journal.errors import JournalError
from dealer.rules.frame.commands import BuyIn, Command, OpenTable, SeatBot
from dealer.rules.frame.event import Event
from ops.terminal.printer import Printer

PRINCIPAL = "demo"
TABLE = created_id("tbl", PRINCIPAL, "table")
SEATS = {1: 400, 2: 1000, 3: 250, 11: 600, 12: 300, 13: 1500}
"""Who sits where, and with how many chips he buys in."""
WAITS = {
    "betting_ms": 5000,
    "last_call_ms": 1500,
    "speak_ms": 8000,
    "between_rounds_ms": 4000,
    "bot_think_ms": 600,
}
HOUSE_BANK = 5000
REST_S = 1.0

log = structlog.get_logger()


class Demo:
    """Keeps the demonstration table going and tells it; a later start goes on with the same table.

    Args:
        printer: where it is told.
        pace: by how much the waiting times are divided when the table is opened.
    """

    def __init__(self, printer: Printer, pace: float = 1.0) -> None:
        self._printer = printer
        self._pace = pace
        self._heard: asyncio.Queue[Sequence[Event]] = asyncio.Queue()

    def hear(self, aggregate: str, events: Sequence[Event], stored: Sequence[bytes]) -> None:
        """Listen to a node, from before it plays, so that nothing of what it does goes untold."""
        if aggregate == f"t/{TABLE}":
            self._heard.put_nowait(events)

    async def run(self, node: Node) -> None:
        """Open the table if need be, tell what happens, and give broke bots new chips, until cancelled.

        Raises:
            OSError: nobody reads it any more.
        """
        desk = await self._table(node)
        news = () if self._heard.empty() else self._heard.get_nowait()
        await self._recall(node, desk, news[0].seq if news else desk.state.seq + 1)
        self._tell(news)
        while True:
            try:
                await self._provide(node, desk)
            except (JournalError, Unavailable) as trouble:
                log.warning("demonstration_waits", reason=type(trouble).__name__)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(REST_S):
                    while True:
                        self._tell(await self._heard.get())

    def finish(self) -> None:
        """Tell what happened while the service was drained; the next start takes it for told.

        Raises:
            OSError: nobody reads it any more.
        """
        while not self._heard.empty():
            self._tell(self._heard.get_nowait())

    async def _table(self, node: Node) -> TableDesk:
        try:
            return await node.table(TABLE)
        except NoSuchAggregate:
            waits = {name: max(1, round(ms / self._pace)) for name, ms in WAITS.items()}
            opening = OpenTable("bacara", "seed", "dos-panos", {**waits, "house_bank": HOUSE_BANK}, ())
            await node.create_table(_order(node, "table", opening), TABLE)
            return await node.table(TABLE)

    async def _recall(self, node: Node, desk: TableDesk, before: int) -> None:
        """Let the printer know what was told before of the coup under way, without telling it again."""
        rounds = await node.journal.rounds(desk.aggregate, before=before, newest=True, limit=1)
        first = rounds[0].first if rounds else 0
        for event in await desk.events(first - 1, before - first):
            self._printer.recall(event)

    def _tell(self, events: Sequence[Event]) -> None:
        for event in events:
            self._printer.show(event)

    async def _provide(self, node: Node, desk: TableDesk) -> None:
        """Seat missing bots, and let whoever has nothing left, at stake or in the stack, buy in again.

        A table that a host has paused or closed is left alone: it would write down each refusal.
        """
        if desk.state.status != "open":
            return
        for seat, chips in SEATS.items():
            table = desk.state
            key = f"{seat}:{table.seq}"
            at_stake = any(p.startswith("stake:") and p.endswith(f":{seat}") for p in table.chips)
            if seat not in table.seats:
                await node.command(TABLE, _order(node, f"sit:{key}", SeatBot(seat=seat, policy="steady")))
            elif table.stack(seat) or at_stake:
                continue
            await node.command(TABLE, _order(node, f"buy:{key}", BuyIn(seat=seat, amount=chips)))


def _order(node: Node, key: str, command: Command | OpenTable) -> Order:
    return Order(PRINCIPAL, key, "", command, "host", node.journal.now())
