"""Snapshots: a cold table opens quickly, and without them it is the same table (design 5, 9)."""

import asyncio
from collections.abc import Callable
from hashlib import sha256
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
from dealer.croupier.order import Unavailable
from dealer.croupier.snapshots import EVERY
from dealer.journal import JournalDamaged, JournalUnavailable
from dealer.journal.keys import keys_of
from dealer.journal.range import Range, leaf_hash
from dealer.rules.bacara.commands import Call, Stake
from dealer.rules.frame.commands import SetCutWilling
from dealer.rules.frame.events import RoundStarted
from dealer.table.snapshot import form
from dealer.table.view import hand, view
from tests.croupier.logs import append, lengthen, spoil
from tests.croupier.world import SERVICE, World, act, gather, order, spy

WILLING = (SetCutWilling(willing=True), SetCutWilling(willing=False))


@pytest.fixture
async def node(world: World) -> Node:
    """A node that acts only when asked."""
    return await world.node(watch=False)


async def _table(world: World, node: Node) -> tuple[str, str]:
    """A table with a player at seat 1."""
    table = await world.table(node)
    return table, await world.seated(node, table, 1)


async def _kept(world: World, table: str) -> list[Any]:
    """What a snapshot holds: schema, range (size, nodes, tip), state."""
    blob = await world.plain.snapshot(f"t/{table}")
    assert blob is not None
    assert sha256(blob[32:]).digest() == blob[:32]
    kept: list[Any] = msgspec.msgpack.decode(blob[32:])
    return kept


async def _keep(world: World, table: str, kept: list[Any]) -> None:
    """Put other contents into a snapshot, as if they had been kept so."""
    body = msgspec.msgpack.encode(kept)
    await world.redis.hset(keys_of(f"t/{table}").snapshot, "blob", sha256(body).digest() + body)


async def _long(world: World, node: Node, events: int = EVERY + 10) -> tuple[str, str]:
    """A table with so many events, and a snapshot of all of them."""
    table, account = await _table(world, node)
    await lengthen(world, table, 1, events)
    await act(node, table, WILLING[1], account)
    await (await node.table(table)).rest()
    assert (await _kept(world, table))[1][0] == await world.plain.last(f"t/{table}") + 1
    return table, account


def _told(logs: list[EventDict], event: str) -> list[str]:
    return [str(line["reason"]) for line in logs if line["event"] == event]


async def test_a_cold_table_of_20000_events_reads_only_its_end(
    world: World, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not more than the events since the last snapshot, and a handful around it (section 9)."""
    monkeypatch.setattr(desks, "REREAD", 0)
    table, account = await _long(world, node, 19_000)
    await lengthen(world, table, 1, 1_000)
    cold = await world.node(watch=False)
    desk = await cold.table(table)
    assert desk.state.seq > 20_000
    assert 1_000 < spy(cold).events_read < 1_100
    assert desk.state == await world.state(table)
    await act(cold, table, WILLING[1], account)


async def test_a_long_tail_is_not_read_twice(world: World, node: Node) -> None:
    """Whoever had to read far to open a table leaves a snapshot to the next."""
    table, _ = await _long(world, node)
    await lengthen(world, table, 1, EVERY // 2)
    for _ in range(2):
        cold = await world.node(watch=False)
        await (await cold.table(table)).rest()
    assert spy(cold).events_read < 20


async def test_nothing_but_time_depends_on_snapshots(world: World, node: Node) -> None:
    """With hidden cards on the table: state, view and hands are the same with and without (design 5)."""
    table, account = await _long(world, node)
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
    table, account = await _long(world, node)
    desk = await node.table(table)
    await node._house.act(desk)
    await act(node, table, Stake(on="right", amount=10), account)
    for call in ("last_call", "no_more_bets"):
        await act(node, table, Call(call=call))
    cold = await world.node(watch=False)
    opened = await cold.table(table)
    assert hand(opened.game, opened.state, opened.chance, 1)
    assert hand(opened.game, opened.state, opened.chance, 1) == hand(desk.game, desk.state, desk.chance, 1)
    assert opened.chance.seed(opened.state.shuffles + 1) == desk.chance.seed(desk.state.shuffles + 1)


async def test_it_is_taken_between_rounds(world: World, node: Node) -> None:
    """From 1,024 events on, when a round ends; a round that does not end is not waited for for ever."""
    table, account = await _table(world, node)
    desk = await node.table(table)
    await node._house.act(desk)
    assert desk.state.playing
    await lengthen(world, table, 1, EVERY)
    await act(node, table, WILLING[0], account)
    await desk.rest()
    assert await world.plain.snapshot(f"t/{table}") is None
    await lengthen(world, table, 1, EVERY)
    await act(node, table, WILLING[1], account)
    await desk.rest()
    assert (await _kept(world, table))[1][0] > 2 * EVERY


async def test_answers_do_not_wait_for_it_and_there_is_one_at_a_time(world: World, node: Node) -> None:
    """Commands are answered while the snapshot hangs, and no second one is begun (design 5)."""
    table, account = await _table(world, node)
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
        for word in WILLING:
            await act(node, table, word, account)
    assert len(begun) == 1
    gate.set()
    await desk.rest()
    assert (await _kept(world, table))[1][0] == begun[0] + 1
    await act(node, table, WILLING[0], account)
    await desk.rest()
    assert (await _kept(world, table))[1][0] == await world.plain.last(f"t/{table}") + 1


@pytest.mark.parametrize(
    ("trouble", "event"),
    [(JournalUnavailable("away"), "snapshot_not_kept"), (RuntimeError("broken"), "snapshot_failed")],
)
async def test_a_failure_is_logged_and_changes_nothing(
    world: World, node: Node, logs: list[EventDict], trouble: Exception, event: str
) -> None:
    """The table plays on, and the next snapshot is tried when it is due, not at every command."""
    table, account = await _table(world, node)
    desk = await node.table(table)
    keep = node.journal.keep_snapshot

    async def fail(aggregate: str, seq: int, blob: bytes) -> bool:
        raise trouble

    node.journal.keep_snapshot = fail  # type: ignore[method-assign]
    await lengthen(world, table, 1, EVERY)
    for word in WILLING:
        await act(node, table, word, account)
        await desk.rest()
    assert [line["event"] for line in logs] == [event]
    node.journal.keep_snapshot = keep  # type: ignore[method-assign]
    await lengthen(world, table, 1, EVERY)
    await act(node, table, WILLING[0], account)
    await desk.rest()
    assert (await _kept(world, table))[1][0] > 2 * EVERY


async def test_a_state_that_cannot_be_is_not_kept(
    world: World, node: Node, logs: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is checked on the way in is checked on the way out."""
    table, _ = await _table(world, node)
    desk = await node.table(table)
    await lengthen(world, table, 1, EVERY)
    await desk.refresh()
    desk.state = replace(desk.state, absent=frozenset({17}))
    desk._keep()
    await desk.rest()
    assert _told(logs, "state_unreachable") == ["somebody is absent who has no place"]
    assert await world.plain.snapshot(f"t/{table}") is None


async def test_two_nodes_keep_the_later_one(world: World, node: Node) -> None:
    """Both may write at once; what stays is the one with more events."""
    table, _ = await _table(world, node)
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
    assert (await _kept(world, table))[1][0] == late.state.seq + 1


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
        (_no_options, "seats_per_pano"),
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
    table, _ = await _long(world, node)
    kept = await _kept(world, table)
    change(kept)
    await _keep(world, table, kept)
    cold = await world.node(watch=False)
    desk = await cold.table(table)
    assert desk.state == await world.state(table)
    assert spy(cold).events_read > EVERY
    (told,) = _told(logs, "snapshot_ignored")
    assert reason in told
    await desk.rest()
    third = await world.node(watch=False)
    assert (await third.table(table)).state == desk.state
    assert spy(third).events_read < 20
    assert len(_told(logs, "snapshot_ignored")) == 1


async def test_a_flipped_bit_in_it_is_noticed(world: World, node: Node, logs: list[EventDict]) -> None:
    """Wherever it is, also in a place that would still give a possible state."""
    table, _ = await _long(world, node)
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
    assert len(_told(logs, "snapshot_ignored")) == 4


def _flip(entry: tuple[bytes, dict[bytes, bytes]]) -> None:
    """Another time in the last event of an entry, which is as good an event as before."""
    fields = entry[1]
    last = list(fields)[-1]
    fields[last] = fields[last].replace(b'"source":"player"', b'"source":"host"')


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
    (told,) = _told(logs, "journal_damaged")
    return told


@pytest.mark.parametrize("change", [_flip_last, _cut_off])
async def test_a_log_whose_end_is_another_is_damaged(
    world: World, node: Node, logs: list[EventDict], change: Callable[[list[Any]], None]
) -> None:
    """Truncation, or another event where the snapshot ends, is said in words (platform 1.4)."""
    table, _ = await _long(world, node)
    last = await world.plain.last(f"t/{table}")
    await spoil(world, f"t/{table}", change)
    assert await _damage(world, table, logs) == (
        f"t/{table}: event {last} is not the one its snapshot ends with"
    )


async def test_any_other_event_shows_when_the_log_is_read_whole(
    world: World, node: Node, logs: list[EventDict]
) -> None:
    """After a change of schema the old snapshot is still a witness of every byte it was made of."""
    table, _ = await _long(world, node)
    kept = await _kept(world, table)
    _schema(kept)
    await _keep(world, table, kept)
    await spoil(world, f"t/{table}", lambda entries: _flip(entries[-2]))
    assert "is not the one its snapshot saw" in await _damage(world, table, logs)


async def test_a_shorter_log_shows_when_it_is_read_whole(
    world: World, node: Node, logs: list[EventDict]
) -> None:
    """Half of a file missing leaves a good log, only too short a one (platform 1.4)."""
    table, _ = await _long(world, node)
    last = await world.plain.last(f"t/{table}")
    kept = await _kept(world, table)
    _schema(kept)
    await _keep(world, table, kept)
    await spoil(world, f"t/{table}", _cut_off)
    assert f"the log ends at event {last - 1}, its snapshot at {last}" in await _damage(world, table, logs)


async def test_a_log_that_leads_to_no_possible_state_is_damaged(
    world: World, node: Node, logs: list[EventDict]
) -> None:
    """The table is not opened, and it is said why; nothing is made of it."""
    table, _ = await _table(world, node)
    await append(world, f"t/{table}", [RoundStarted(1)])
    assert "a round without a number is played" in await _damage(world, table, logs)


async def test_an_event_that_cannot_be_read_is_damage(
    world: World, node: Node, logs: list[EventDict]
) -> None:
    """A flipped bit that makes nonsense of an event is not taken for a defect of the service."""
    table, _ = await _table(world, node)

    def nonsense(entries: list[Any]) -> None:
        fields = entries[-1][1]
        fields[next(iter(fields))] = b"{"

    await spoil(world, f"t/{table}", nonsense)
    assert "truncated" in await _damage(world, table, logs)


async def test_the_range_is_that_of_the_stored_bytes(world: World, node: Node) -> None:
    """Anybody can check it against the log (design 5)."""
    table, _ = await _long(world, node)
    _, (size, nodes, tip), _ = await _kept(world, table)
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
    table, account = await _table(world, node)
    await lengthen(world, table, 1, EVERY)
    await act(node, table, WILLING[0], account)
    await node.close()
    assert (await _kept(world, table))[1][0] > EVERY
