"""A pause and an outage of one decision: what nobody watched is given back, and none of it twice (design 5).

Nobody waits here: what lies in the past was done by a node whose clock was that much behind.
"""

from collections.abc import Awaitable, Callable

import pytest

from dealer.croupier.node import Node
from dealer.croupier.tables import TableDesk
from dealer.journal import Extras
from dealer.journal.keys import PARTITIONS, keys_of, partition
from dealer.rules.bacara.commands import Stake
from dealer.rules.frame.commands import CloseTable, Command, Pause, Resume
from dealer.rules.frame.events import DeadlineMoved, TablePaused, TableResumed
from tests.croupier.world import World, act, fresh, spy
from tests.journal.makers import entry

BETTING_MS = 60_000
LONG_AGO_MS = 100_000
"""When the one decision of these tests was opened."""
DARK_MS = 90_000
"""Since when nobody has watched; ten seconds of the decision were over."""


class Evening:
    """A table with one stake on it, and so one clock, and the lights just on again."""

    def __init__(self, world: World, node: Node, table: str, desk: TableDesk) -> None:
        self.world = world
        self.node = node
        self.table = table
        self.desk = desk
        (clock,) = [d for d in desk.due() if d.kind == "timeout"]
        self.since, self.ends = clock.since, clock.until or 0
        self.dark = node.journal.now() - DARK_MS

    async def host(self, command: Command) -> None:
        """A host's word, now."""
        await act(self.node, self.table, command)

    async def claim(self) -> tuple[list[str], tuple[tuple[int, int], ...]]:
        """What whoever watches the clocks is told; he dies before he does anything about it."""
        claimed = await self.node.journal.claim(partition(self.desk.aggregate), 0)
        return claimed.due, tuple((gap.from_ms, gap.to_ms) for gap in claimed.gaps)

    async def ring(self) -> tuple[int, int]:
        """The table's time has come, as far as the engine knows, and the house acts; the gap it was told."""
        due, gaps = await self.claim()
        assert due == [self.desk.aggregate]
        await self.node._ring(self.desk.aggregate, gaps)
        (gap,) = gaps
        return gap

    async def at(self, kind: type) -> int:
        """When something happened, by the log."""
        (event,) = [e for e in await self.world.log(self.table) if type(e.data) is kind]
        return event.at

    async def stood(self) -> tuple[int, int]:
        """From when to when the clocks stood."""
        return await self.at(TablePaused), await self.at(TableResumed)

    @property
    def until(self) -> int:
        """When the decision now ends."""
        (clock,) = [d for d in self.desk.due() if d.kind == "timeout"]
        return clock.until or 0


@pytest.fixture
async def evening(world: World) -> Evening:
    """A decision of a minute, of which ten seconds were over when the lights went out, an age ago."""
    node = await world.node(watch=False, ahead_ms=-LONG_AGO_MS)
    table = await world.table(node, betting_ms=BETTING_MS)
    account = await world.seated(node, table, 1)
    await node._ring(f"t/{table}")
    desk = await node.table(table)
    await act(node, table, Stake(on="right", amount=50), account)
    spy(node).ahead_ms = 0
    found = Evening(world, node, table, desk)
    await world.redis.set(keys_of(desk.aggregate).shared.pulse, found.dark)
    return found


async def _nothing(evening: Evening) -> None:
    """Nobody is there before the host."""


async def _told_in_vain(evening: Evening) -> None:
    """Somebody was told of the outage, and died."""
    await evening.claim()


async def _neighbour(evening: Evening) -> None:
    """Another table of the same partition gets its first clock."""
    here = partition(evening.desk.aggregate)
    name = next(n for n in (fresh("t/n") for _ in range(40 * PARTITIONS)) if partition(n) == here)
    until = evening.node.journal.now() + BETTING_MS
    await evening.node.journal.append(name, -1, [entry("a", b"0")], Extras(deadline=until))


@pytest.mark.parametrize("before", [_nothing, _told_in_vain])
@pytest.mark.parametrize("after", [_nothing, _told_in_vain, _neighbour])
async def test_a_pause_forgets_no_outage(
    evening: Evening,
    before: Callable[[Evening], Awaitable[None]],
    after: Callable[[Evening], Awaitable[None]],
) -> None:
    """Paused as soon as the lights are on, a decision has the time it had when they went out (design 5)."""
    await before(evening)
    await evening.host(Pause())
    await after(evening)
    await evening.host(Resume())
    gap = await evening.ring()
    stopped, resumed = await evening.stood()
    watched, again = max(0, stopped - gap[1]), max(resumed, gap[1])
    assert gap[0] == evening.dark
    assert evening.until == again + evening.ends - evening.dark - watched
    assert evening.desk.state.phase == "betting"
    moved = [e.data for e in await evening.world.log(evening.table) if isinstance(e.data, DeadlineMoved)]
    assert moved[-1].gap == gap[1]


async def test_an_outage_within_a_pause_is_given_back_once(evening: Evening) -> None:
    """The clocks stood anyway: the decision ends neither earlier nor later for it (design 5, 7)."""
    spy(evening.node).ahead_ms = evening.dark - 1_000 - evening.node.journal.now()
    await evening.host(Pause())
    spy(evening.node).ahead_ms = 0
    due, gaps = await evening.claim()
    assert (due, gaps[0][0]) == ([], evening.dark)
    await evening.host(Resume())
    stopped, resumed = await evening.stood()
    assert evening.until == resumed + evening.ends - stopped
    await evening.node._ring(evening.desk.aggregate, gaps)
    assert evening.until == resumed + evening.ends - stopped


async def test_a_table_that_closes_in_a_pause_leaves_nothing_behind(evening: Evening) -> None:
    """When nothing is open any more, no outage is kept for it."""
    await evening.claim()
    await evening.host(Pause())
    shared = keys_of(evening.desk.aggregate).shared
    assert await evening.world.redis.exists(shared.gaps) == 1
    await evening.host(CloseTable(now=True))
    while evening.desk.state.status != "closed":
        await evening.node._ring(evening.desk.aggregate)
    assert await evening.claim() == ([], ())
    assert await evening.world.redis.exists(shared.gaps) == 0
