"""The demonstration: one table on which the house's bots play real coups, told on the terminal."""

import asyncio
from collections.abc import Sequence
from itertools import count

from dealer.croupier.node import Node, created_id
from dealer.croupier.order import NoSuchAggregate, Order
from dealer.croupier.tables import TableDesk
from dealer.rules.frame.commands import BuyIn, Command, OpenTable, SeatBot
from dealer.rules.frame.event import Event
from ops.terminal.printer import Printer

PRINCIPAL = "demo"
TABLE = created_id("tbl", PRINCIPAL, "table")
SEATS = {1: 400, 2: 1000, 3: 250, 11: 600, 12: 300, 13: 1500}
"""Who sits where, and with how many chips he buys in."""
OPTIONS = {
    "betting_ms": 5000,
    "last_call_ms": 1500,
    "speak_ms": 8000,
    "between_rounds_ms": 4000,
    "bot_think_ms": 600,
    "house_bank": 5000,
}
REST_S = 1.0


class Demo:
    """Keeps the demonstration table going; a later start goes on with the same table."""

    def __init__(self, node: Node, printer: Printer) -> None:
        self._node = node
        self._printer = printer
        self._number = count()

    async def run(self) -> None:
        """Open the table if need be, tell what happens, and give broke bots new chips, until cancelled."""
        desk = await self._table()
        await self._recall(desk)
        end = self._node.listen(desk.aggregate, self._tell)
        try:
            while True:
                await self._provide(desk)
                await asyncio.sleep(REST_S)
        finally:
            end()

    async def _table(self) -> TableDesk:
        try:
            return await self._node.table(TABLE)
        except NoSuchAggregate:
            opening = OpenTable("bacara", "seed", "dos-panos", OPTIONS, ())
            await self._node.create_table(self._order("table", opening), TABLE)
            return await self._node.table(TABLE)

    def _order(self, key: str, command: Command | OpenTable) -> Order:
        return Order(PRINCIPAL, key, "", command, "host", self._node.journal.now())

    async def _recall(self, desk: TableDesk) -> None:
        """Let the printer know the coup under way, without telling it again."""
        rounds = await self._node.journal.rounds(desk.aggregate, newest=True, limit=1)
        first = rounds[0].first if rounds else 0
        for event in await desk.events(first - 1):
            self._printer.recall(event)

    def _tell(self, aggregate: str, events: Sequence[Event], stored: Sequence[bytes]) -> None:
        for event in events:
            self._printer.show(event)

    async def _provide(self, desk: TableDesk) -> None:
        """Seat missing bots, and let whoever has nothing left, at stake or in the stack, buy in again."""
        table = desk.state
        for seat, chips in SEATS.items():
            key = f"{seat}:{table.seq}"
            if seat not in table.seats:
                await self._node.command(
                    TABLE, self._order(f"sit:{key}", SeatBot(seat=seat, policy="steady"))
                )
                await self._node.command(TABLE, self._order(f"buy:{key}", BuyIn(seat=seat, amount=chips)))
            elif not table.stack(seat) and not any(
                place.startswith("stake:") and place.endswith(f":{seat}") for place in table.chips
            ):
                await self._node.command(TABLE, self._order(f"buy:{key}", BuyIn(seat=seat, amount=chips)))
