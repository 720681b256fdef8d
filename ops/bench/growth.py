"""What the length of a log costs: a long table beside a short one, in one process without HTTP (design 9)."""

import asyncio
import time
import tracemalloc
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from random import SystemRandom

import msgspec
from msgspec.structs import replace

from dealer.cage.ledger import HOUSE, OpenAccount, Transfer
from dealer.croupier.draft import TAKEN
from dealer.croupier.node import Node, created_id
from dealer.croupier.order import Order
from dealer.http.messages import AnyCommand
from dealer.journal.journal import Journal
from dealer.journal.limits import BATCH_ENTRIES
from dealer.journal.model import Entry, Extras
from dealer.rules.frame.commands import BuyIn, OpenTable, Sit
from dealer.rules.frame.event import encode
from ops.bench.processes import START_SECONDS, BenchmarkError
from ops.bench.procfs import cpu_seconds
from ops.bench.stats import Spread, ratios
from ops.bench.store import valkey
from ops.valkey.client import client
from shoe.seal import Vault, key_id

EVENTS = 1_000_000
"""Length of the long log that the promises speak of; that of the short one is about 100."""
IDLE_TABLES = 16
_SHORT = 100
_COMMANDS = 40
_OPENINGS = 2
_TURNS = 10
"""The two tables take so many turns within a round: a slow moment of the machine then meets both."""
_CHIPS = 1_000_000
_HOST = "key_bench"
_PAIR = [
    msgspec.convert({"type": word, "seat": 1, "on": "right", "amount": 1}, AnyCommand)
    for word in ("stake", "unstake")
]
_SEAL = bytes(32)


class Growth(msgspec.Struct, frozen=True, gc=False):
    """The long table over the short one; each ratio is taken inside a round.

    Attributes:
        command_ratio: Of CPU time a command, of this process and Valkey together.
        events: Length of the long log.
        idle_bytes: Memory that a node needs for a table that was opened and rests.
        opening_ratio: Of the time in which a node opens a table that it does not know.
    """

    command_ratio: Spread
    events: int
    idle_bytes: int
    opening_ratio: Spread


class _House:
    """One node on an empty Valkey, and the means to play at its tables."""

    def __init__(self, journal: Journal, valkey_pid: int) -> None:
        self.journal = journal
        self.node = self.fresh()
        self._pid = valkey_pid
        self._keys = count()

    def fresh(self) -> Node:
        """A node that knows no table yet."""
        return Node(self.journal, "bench", Vault({key_id(_SEAL): _SEAL}, key_id(_SEAL)))

    def order(self, command: object, account: str = "") -> Order:
        """A host's order under a key of its own."""
        key = f"bench-{next(self._keys)}"
        return Order(_HOST, key, "", command, "host", self.journal.now(), account)

    async def table(self) -> str:
        """A table at which bets are open for ever, with a punter who has none."""
        account = f"acc_{next(self._keys)}"
        await self.node.cage.send(self.order(OpenAccount(account)))
        await self.node.cage.send(self.order(Transfer(_CHIPS, HOUSE, account, f"tr_{account}")))
        options = {"betting_ms": 0, "house_bank": _CHIPS}
        opening = self.order(OpenTable("bacara", "seed", "dos-panos", options, ()))
        table = created_id("tbl", _HOST, opening.key)
        await self.node.create_table(opening, table)
        await self.act(table, Sit(seat=1), account)
        await self.act(table, BuyIn(seat=1, amount=_CHIPS))
        async with asyncio.timeout(START_SECONDS):
            while (await self.node.table(table)).state.phase != "betting":
                await asyncio.sleep(0.01)
        return table

    async def act(self, table: str, command: object, account: str = "") -> None:
        """Give a command that is taken.

        Raises:
            BenchmarkError: It was refused.
        """
        answer = await self.node.command(table, self.order(command, account))
        if not answer.accepted:
            raise BenchmarkError(f"a command of the long table was refused: {answer.code}")

    async def play(self, table: str, commands: int) -> None:
        """Stake a chip and take it back, so that the table is what it was."""
        for _ in range(commands // 2):
            for command in _PAIR:
                await self.act(table, command)

    async def lengthen(self, table: str, events: int) -> None:
        """Append a stake and its end again and again, as many at once as an append holds.

        An entry holds two such pairs: more than one of a game does, so that making it takes less time.
        """
        desk = await self.node.table(table)
        before = desk.state.seq
        await self.play(table, 2)
        again = await desk.events(before)
        pairs = 2 * again
        last = desk.state.seq
        while last < events:
            expected, entries = last, []
            for _ in range(BATCH_ENTRIES):
                stored = tuple(encode(replace(event, seq=seq)) for seq, event in enumerate(pairs, last + 1))
                entries.append(Entry(_HOST, f"bench-{next(self._keys)}", "", TAKEN.stored(), stored))
                last += len(pairs)
            await self.journal.append(desk.aggregate, expected, entries, Extras())
        desk.state = replace(desk.state, seq=last)  # the rest of it is what it was

    async def command_s(self, table: str) -> float:
        """CPU time of this process and Valkey for a number of commands."""
        before = time.process_time() + cpu_seconds(self._pid)
        await self.play(table, _COMMANDS)
        return time.process_time() + cpu_seconds(self._pid) - before

    async def opening_s(self, table: str) -> float:
        """How long it takes to open a table a number of times, each time by a node that does not know it."""
        took = 0.0
        for _ in range(_OPENINGS):
            node = self.fresh()
            began = time.perf_counter()
            desk = await node.table(table)
            took += time.perf_counter() - began
            await desk.rest()
            await node.close()
        return took

    async def idle_bytes(self, tables: Sequence[str]) -> int:
        """Memory of one of many tables that a node has opened."""
        node = self.fresh()
        tracemalloc.start()
        try:
            for table in tables:
                await (await node.table(table)).rest()
            return tracemalloc.get_traced_memory()[0] // len(tables)
        finally:
            tracemalloc.stop()
            await node.close()


async def grow(parent: Path, core: int | None, *, events: int = EVENTS, rounds: int) -> Growth:
    """Make a long table and a short one and compare them.

    Args:
        parent: Directory on a real disk for Valkey's data.
        core: Where Valkey runs, None for anywhere.
        events: Length of the long log.
        rounds: How often both are measured, in changing order.

    Raises:
        BenchmarkError: A table could not be set.
    """
    async with valkey(parent, core) as store, _house(str(store.socket), store.pid) as house:
        short, long = await house.table(), await house.table()
        await house.play(short, _SHORT // 4 * 2)
        await house.lengthen(long, events)
        idle = [short, *[await house.table() for _ in range(IDLE_TABLES - 1)]]
        for table in (short, long):  # once with all that has to be read, so that a snapshot is kept
            await house.opening_s(table)
        chance = SystemRandom()
        commands = {short: [0.0] * rounds, long: [0.0] * rounds}
        openings = {short: [0.0] * rounds, long: [0.0] * rounds}
        for number in range(rounds):
            for _ in range(_TURNS):
                for table in chance.sample((short, long), 2):
                    openings[table][number] += await house.opening_s(table)
                    commands[table][number] += await house.command_s(table)
        return Growth(
            command_ratio=ratios(commands[long], commands[short]),
            events=events,
            idle_bytes=await house.idle_bytes(idle),
            opening_ratio=ratios(openings[long], openings[short]),
        )


@asynccontextmanager
async def _house(socket: str, pid: int) -> AsyncIterator[_House]:
    redis = client(socket, retry=False)
    journal = Journal(redis)
    await journal.open()
    house = _House(journal, pid)
    await house.node.open()
    try:
        yield house
    finally:
        await house.node.close()
        await journal.close()
        await redis.aclose()
