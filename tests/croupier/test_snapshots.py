"""Snapshots: a cold table opens quickly, and without them it is the same table (design 5, 9)."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from structlog.typing import EventDict

from dealer.cage.ledger import HOUSE, OpenAccount, Transfer
from dealer.croupier import cages
from dealer.croupier import desk as desks
from dealer.croupier.cages import BOOK
from dealer.croupier.node import Node
from dealer.croupier.snapshots import EVERY
from dealer.journal import JournalUnavailable
from dealer.journal.keys import keys_of
from dealer.journal.range import Range, leaf_hash
from dealer.rules.bacara.commands import Call, Stake
from dealer.table.snapshot import form
from dealer.table.view import hand, view
from tests.croupier.logs import PAUSED, kept_of, kept_table, lengthen, put, seated_table, told
from tests.croupier.world import SERVICE, World, act, gather, order, spy


@pytest.fixture
async def node(world: World) -> Node:
    """A node that acts only when asked."""
    return await world.node(watch=False)


@pytest.mark.usefixtures("uncounted")
async def test_a_cold_table_of_20000_events_reads_only_its_end(
    world: World, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not more than the events since the last snapshot, and a handful around it (section 9)."""
    monkeypatch.setattr(desks, "REREAD", 0)
    table, _ = await kept_table(world, node, 19_000)
    await lengthen(world, table, 1, 1_000)
    cold = await world.node(watch=False)
    desk = await cold.table(table)
    assert desk.state.seq > 20_000
    assert 1_000 < spy(cold).events_read < 1_100
    assert desk.state == await world.state(table)
    await act(cold, table, PAUSED[0])


async def test_a_long_tail_is_not_read_twice(world: World, node: Node) -> None:
    """Whoever had to read far to open a table leaves a snapshot to the next."""
    table, _ = await kept_table(world, node)
    await lengthen(world, table, 1, EVERY // 2)
    for _ in range(2):
        cold = await world.node(watch=False)
        await (await cold.table(table)).rest()
    assert spy(cold).events_read < 20


async def test_nothing_but_time_depends_on_snapshots(world: World, node: Node) -> None:
    """With hidden cards on the table: state, view and hands are the same with and without (design 5)."""
    table, account = await kept_table(world, node)
    await node._house.act(await node.table(table))
    await act(node, table, Stake(on="right", amount=10), account)
    opened = []
    for seen in (True, False):
        if not seen:
            await world.redis.delete(keys_of(f"t/{table}").snapshot)
        cold = await world.node(watch=False)
        desk = await cold.table(table)
        assert (spy(cold).events_read < EVERY) is seen
        opened.append((cold, desk))
    first, second = [desk for _, desk in opened]
    assert first.state == second.state
    assert form(first.game).pack(first.state) == form(second.game).pack(second.state)
    assert view(first.game, first.state) == view(second.game, second.state)
    assert first.pid_of(account) == second.pid_of(account) != ""
    await act(opened[0][0], table, Stake(on="right", amount=10), account)
    assert (await world.state(table)).chips["stake:right:1"] == 20


async def test_hidden_cards_are_there_after_a_cold_opening(world: World, node: Node) -> None:
    """Seeds do not lie in a snapshot; they are read from where they are sealed (design 6)."""
    table, account = await kept_table(world, node)
    desk = await node.table(table)
    await node._house.act(desk)
    await act(node, table, Stake(on="right", amount=10), account)
    for call in ("last_call", "no_more_bets"):
        await act(node, table, Call(call=call))
    cold = await world.node(watch=False)
    opened = await cold.table(table)
    assert bool(hand(desk.game, desk.state, desk.chance, 1)) is desk.state.playing
    assert opened.state.shoe is not None
    assert opened.chance.current(opened.state.shoe).root == opened.state.shoe.root
    assert hand(opened.game, opened.state, opened.chance, 1) == hand(desk.game, desk.state, desk.chance, 1)
    assert opened.chance.seed(opened.state.shuffles + 1) == desk.chance.seed(desk.state.shuffles + 1)


async def test_it_is_taken_between_rounds(world: World, node: Node) -> None:
    """From so many events on, when a round ends; a round that does not end is not waited for for ever."""
    table, _ = await seated_table(world, node)
    desk = await node.table(table)
    await node._house.act(desk)
    assert desk.state.playing
    await lengthen(world, table, 1, EVERY)
    await act(node, table, PAUSED[0])
    await desk.rest()
    assert await world.plain.snapshot(f"t/{table}") is None
    await lengthen(world, table, 1, EVERY)
    await act(node, table, PAUSED[1])
    await desk.rest()
    assert (await kept_of(world, table))[1][0] > 2 * EVERY


async def test_answers_do_not_wait_for_it_and_there_is_one_at_a_time(world: World, node: Node) -> None:
    """Commands are answered while the snapshot hangs, and no second one is begun (design 5)."""
    table, _ = await seated_table(world, node)
    desk = await node.table(table)
    gate, begun = asyncio.Event(), []
    keep = node.journal.keep_snapshot

    async def slow(aggregate: str, seq: int, blob: bytes) -> bool:
        begun.append(seq)
        await gate.wait()
        return await keep(aggregate, seq, blob)

    node.journal.keep_snapshot = slow  # type: ignore[method-assign]
    for _ in range(3):
        await lengthen(world, table, 1, EVERY)
        for word in PAUSED:
            await act(node, table, word)
    assert len(begun) == 1
    gate.set()
    await desk.rest()
    assert (await kept_of(world, table))[1][0] == begun[0] + 1
    await act(node, table, PAUSED[0])
    await desk.rest()
    assert (await kept_of(world, table))[1][0] == await world.plain.last(f"t/{table}") + 1


@pytest.mark.parametrize(
    ("trouble", "event"),
    [(JournalUnavailable("away"), "snapshot_not_kept"), (RuntimeError("broken"), "snapshot_failed")],
)
async def test_a_failure_is_logged_and_changes_nothing(
    world: World, node: Node, logs: list[EventDict], trouble: Exception, event: str
) -> None:
    """The table plays on, and the next snapshot is tried when it is due, not at every command."""
    table, _ = await seated_table(world, node)
    desk = await node.table(table)
    keep = node.journal.keep_snapshot

    async def fail(aggregate: str, seq: int, blob: bytes) -> bool:
        raise trouble

    node.journal.keep_snapshot = fail  # type: ignore[method-assign]
    await lengthen(world, table, 1, EVERY)
    for word in PAUSED:
        await act(node, table, word)
        await desk.rest()
    assert [line["event"] for line in logs] == [event]
    node.journal.keep_snapshot = keep  # type: ignore[method-assign]
    await lengthen(world, table, 1, EVERY)
    await act(node, table, PAUSED[0])
    await desk.rest()
    assert (await kept_of(world, table))[1][0] > 2 * EVERY


async def test_a_state_that_cannot_be_is_not_kept(
    world: World, node: Node, logs: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is checked on the way in is checked on the way out."""
    table, _ = await seated_table(world, node)
    desk = await node.table(table)
    await lengthen(world, table, 1, EVERY)
    await desk.refresh()
    desk.state = replace(desk.state, absent=frozenset({17}))
    desk._keep()
    await desk.rest()
    assert told(logs, "state_unreachable") == ["somebody is absent who has no place"]
    assert await world.plain.snapshot(f"t/{table}") is None


async def test_two_nodes_keep_the_later_one(world: World, node: Node) -> None:
    """Both may write at once; what stays is the one with more events."""
    table, _ = await seated_table(world, node)
    other = await world.node(watch=False)
    desks = [await node.table(table)]
    await lengthen(world, table, 1, EVERY)
    desks.append(await other.table(table))
    await desks[0].refresh()
    early, late = desks[0], desks[1]
    await lengthen(world, table, 1, 5)
    await late.refresh()
    for desk in (late, early):
        desk._snapshots.take(desk.state)
    await gather(late.rest(), early.rest())
    assert late.state.seq == early.state.seq + 5
    assert (await kept_of(world, table))[1][0] == late.state.seq + 1


def _schema(kept: list[Any]) -> None:
    kept[0] = "0" * 64


def _unreachable(kept: list[Any]) -> None:
    state = msgspec.msgpack.decode(kept[2], strict=False)
    state["absent"] = [17]
    kept[2] = msgspec.msgpack.encode(state)


def _strange(kept: list[Any]) -> None:
    state = msgspec.msgpack.decode(kept[2])
    state["log"] = f"{SERVICE}/t/tbl_other"
    kept[2] = msgspec.msgpack.encode(state)


def _half(kept: list[Any]) -> None:
    kept[2] = kept[2][:-1]


def _no_options(kept: list[Any]) -> None:
    state = msgspec.msgpack.decode(kept[2])
    state["options"] = {}
    kept[2] = msgspec.msgpack.encode(state)


def _another_size(kept: list[Any]) -> None:
    kept[1][0] += 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_schema, "another schema"),
        (_unreachable, "somebody is absent"),
        (_strange, "of casa/t/tbl_other"),
        (_half, "truncated"),
        (_no_options, "panos"),
        (_another_size, "do not stand for"),
    ],
)
async def test_one_that_cannot_be_used_is_ignored(
    world: World,
    node: Node,
    logs: list[EventDict],
    change: Callable[[list[Any]], None],
    reason: str,
) -> None:
    """The log is read from its beginning, a line says why, and a snapshot of this release takes its place."""
    table, _ = await kept_table(world, node)
    kept = await kept_of(world, table)
    change(kept)
    await put(world, table, kept)
    cold = await world.node(watch=False)
    desk = await cold.table(table)
    assert desk.state == await world.state(table)
    assert spy(cold).events_read > EVERY
    (said,) = told(logs, "snapshot_ignored")
    assert reason in said
    await desk.rest()
    third = await world.node(watch=False)
    assert (await third.table(table)).state == desk.state
    assert spy(third).events_read < 20
    assert len(told(logs, "snapshot_ignored")) == 1


async def test_a_flipped_bit_in_it_is_noticed(world: World, node: Node, logs: list[EventDict]) -> None:
    """Wherever it is, also in a place that would still give a possible state."""
    table, _ = await kept_table(world, node)
    blob = await world.plain.snapshot(f"t/{table}")
    assert blob is not None
    for at in (0, 40, len(blob) // 2, len(blob) - 1):
        spoilt = bytearray(blob)
        spoilt[at] ^= 1
        await world.redis.hset(keys_of(f"t/{table}").snapshot, "blob", bytes(spoilt))
        cold = await world.node(watch=False)
        desk = await cold.table(table)
        assert desk.state == await world.state(table)
        await desk.rest()
    assert len(told(logs, "snapshot_ignored")) == 4


async def test_the_range_is_that_of_the_stored_bytes(world: World, node: Node) -> None:
    """Anybody can check it against the log (design 5)."""
    table, _ = await kept_table(world, node)
    _, (size, nodes, tip), _ = await kept_of(world, table)
    stored = await world.plain.read(f"t/{table}")
    assert Range(size, tuple(nodes), tip) == Range().extended(stored)
    assert tip == leaf_hash(stored[-1])


async def test_the_cage_opens_from_its_snapshot(
    world: World, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Balances, open holds and references are there, and only the end of its log is read."""
    monkeypatch.setattr(cages, "EVERY", 40)
    for n in range(25):
        opened = order(node, OpenAccount(f"acc_{n}"), account=f"ref {n}")
        assert (await node.cage.send(opened)).accepted
        assert (await node.cage.send(order(node, Transfer(5, HOUSE, f"acc_{n}", f"tr_{n}")))).accepted
        await node.cage.rest()
    cold = await world.node(watch=False)
    await cold.cage.refresh()
    assert spy(cold).events_read < 30
    assert cold.cage.state == node.cage.state == await world.cage()
    assert cold.cage.references == {f"acc_{n}": f"ref {n}" for n in range(25)}
    assert (await cold.cage.send(order(cold, Transfer(5, "acc_1", "acc_2", "tr")))).accepted


async def test_a_large_book_is_kept_more_rarely(
    world: World, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not before as many events as it has accounts, so that its writing costs the same for each event."""
    monkeypatch.setattr(cages, "EVERY", 2)
    sizes = []
    for n in range(20):
        assert (await node.cage.send(order(node, OpenAccount(f"acc_{n}")))).accepted
        await node.cage.rest()
        blob = await world.plain.snapshot(BOOK)
        sizes.append(len(blob) if blob else 0)
    assert len(set(sizes)) < 7


async def test_a_node_that_closes_waits_for_it(world: World, node: Node) -> None:
    """A snapshot under way is finished, and nothing is left running."""
    table, _ = await seated_table(world, node)
    await lengthen(world, table, 1, EVERY)
    await act(node, table, PAUSED[0])
    await node.close()
    assert (await kept_of(world, table))[1][0] > EVERY
