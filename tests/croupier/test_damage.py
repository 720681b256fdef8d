"""A log that is not what it once was is not played on: it is said what is wrong with it (platform 1.4)."""

from collections.abc import Callable
from typing import Any

import pytest
from structlog.typing import EventDict

from dealer.croupier.node import Node
from dealer.croupier.order import Unavailable
from dealer.journal import JournalDamaged
from dealer.rules.frame.events import RoundStarted
from tests.croupier.logs import append, kept_of, kept_table, lengthen, put, seated_table, spoil, told
from tests.croupier.world import World


@pytest.fixture
async def node(world: World) -> Node:
    """A node that acts only when asked."""
    return await world.node(watch=False)


def _flip(entry: tuple[bytes, dict[bytes, bytes]]) -> None:
    """Another source of the last event of an entry, which is as good an event as before."""
    fields = entry[1]
    last = list(fields)[-1]
    one, other = (b'"source":"%s"' % source for source in (b"host", b"player"))
    was, made = (one, other) if one in fields[last] else (other, one)
    fields[last] = fields[last].replace(was, made)


def _flip_last(entries: list[Any]) -> None:
    _flip(entries[-1])


def _cut_off(entries: list[Any]) -> None:
    del entries[-1]


async def _damage(world: World, table: str, logs: list[EventDict]) -> str:
    """What is said when a cold node opens the table, which it does not."""
    cold = await world.node(watch=False)
    with pytest.raises(Unavailable) as raised:
        await cold.table(table)
    assert isinstance(raised.value.__cause__, JournalDamaged)
    (said,) = told(logs, "journal_damaged")
    return said


@pytest.mark.parametrize("change", [_flip_last, _cut_off])
async def test_a_log_whose_end_is_another_is_damaged(
    world: World, node: Node, logs: list[EventDict], change: Callable[[list[Any]], None]
) -> None:
    """Truncation, or another event where the snapshot ends, is said in words (platform 1.4)."""
    table, _ = await kept_table(world, node)
    last = await world.plain.last(f"t/{table}")
    await spoil(world, f"t/{table}", change)
    assert await _damage(world, table, logs) == (
        f"t/{table}: event {last} is not the one its snapshot ends with"
    )


async def test_any_other_event_shows_when_the_log_is_read_whole(
    world: World, node: Node, logs: list[EventDict]
) -> None:
    """After a change of schema the old snapshot is still a witness of every byte it was made of."""
    table, _ = await kept_table(world, node)
    kept = await kept_of(world, table)
    kept[0] = "another"
    await put(world, table, kept)
    await spoil(world, f"t/{table}", lambda entries: _flip(entries[-2]))
    assert "is not the one its snapshot saw" in await _damage(world, table, logs)


async def test_a_shorter_log_shows_when_it_is_read_whole(
    world: World, node: Node, logs: list[EventDict]
) -> None:
    """Half of a file missing leaves a good log, only too short a one (platform 1.4)."""
    table, _ = await kept_table(world, node)
    last = await world.plain.last(f"t/{table}")
    kept = await kept_of(world, table)
    kept[0] = "another"
    await put(world, table, kept)
    await spoil(world, f"t/{table}", _cut_off)
    assert f"the log ends at event {last - 1}, its snapshot at {last}" in await _damage(world, table, logs)


async def test_a_log_that_leads_to_no_possible_state_is_damaged(
    world: World, node: Node, logs: list[EventDict]
) -> None:
    """The table is not opened, and it is said why; nothing is made of it."""
    table, _ = await seated_table(world, node)
    await append(world, f"t/{table}", [RoundStarted(1)])
    assert "a round without a number is played" in await _damage(world, table, logs)


async def test_an_event_that_cannot_be_read_is_damage(
    world: World, node: Node, logs: list[EventDict]
) -> None:
    """A flipped bit that makes nonsense of an event is not taken for a defect of the service."""
    table, _ = await seated_table(world, node)

    def nonsense(entries: list[Any]) -> None:
        fields = entries[-1][1]
        fields[next(iter(fields))] = b"{"

    await spoil(world, f"t/{table}", nonsense)
    assert "truncated" in await _damage(world, table, logs)


async def test_no_snapshot_is_taken_of_a_log_that_is_gone(
    world: World, node: Node, logs: list[EventDict]
) -> None:
    """A node that has the table in memory does not vouch for events the journal has lost."""
    table, _ = await kept_table(world, node)
    before = await kept_of(world, table)
    desk = await node.table(table)
    await lengthen(world, table, 1, 5)
    await desk.refresh()
    await spoil(world, f"t/{table}", lambda entries: entries.pop())
    desk._snapshots.take(desk.state)
    await desk.rest()
    assert "is missing" in told(logs, "snapshot_not_kept")[0]
    assert await kept_of(world, table) == before
