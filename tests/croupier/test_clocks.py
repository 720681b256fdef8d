"""Keeping time: restarts, moved deadlines, and a table at rest (design 3, 5)."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from structlog.typing import EventDict

from dealer.cage.ledger import HOUSE, Transfer
from dealer.croupier.node import Node
from dealer.croupier.order import Order
from dealer.croupier.tables import TableDesk
from dealer.journal.keys import PARTITIONS, keys_of, partition, partition_keys
from dealer.journal.model import Claimed
from dealer.rules.bacara.bots import POLICIES
from dealer.rules.bacara.commands import Bet, Stake, Unstake
from dealer.rules.bacara.events import HandDrew, HandStood, StakesClosed, StakesLastCalled
from dealer.rules.bacara.state import SPEAKING
from dealer.rules.frame.commands import MAX_CHIPS, BuyIn, Command, Expire, SeatBot
from dealer.rules.frame.event import CROUPIER
from dealer.rules.frame.game import Option
from tests.croupier.spy import until
from tests.croupier.world import QUICK, STILL, World, act, kill, order, reach, spy

BETS: tuple[Bet, ...] = ("right", "left")


async def _betting(world: World, node: Node, **options: int) -> tuple[str, TableDesk, list[str]]:
    """A table in betting with a person at each paño; no time runs before somebody stakes."""
    table = await world.table(node, **options)
    accounts = [await world.seated(node, table, seat) for seat in (1, 11)]
    return table, await reach(node, table, "betting"), accounts


async def _staked(world: World, node: Node, **options: int) -> tuple[str, TableDesk, list[str]]:
    """The same where both have a stake; their time runs since the first, and may be over."""
    table, desk, accounts = await _betting(world, node, **options)
    for on, account in zip(BETS, accounts, strict=True):
        await act(node, table, Stake(on=on, amount=50), account)
    return table, desk, accounts


async def _speaking(world: World, node: Node, **options: int) -> tuple[str, TableDesk]:
    """A table where somebody is asked for a card; coups that end before that are played on."""
    times = {"betting_ms": 20, "last_call_ms": 20, "between_rounds_ms": 20}
    table, desk, accounts = await _staked(world, node, **{**times, **options})
    while True:
        await until(lambda: desk.state.phase in {*SPEAKING, "betting"})
        if desk.state.phase in SPEAKING:
            return table, desk
        for on, account in zip(BETS, accounts, strict=True):
            await node.command(table, order(node, Stake(on=on, amount=1), account))
        await until(lambda: desk.state.phase != "betting")


@pytest.mark.parametrize("downtime", [False, True], ids=["at once", "after its time"])
async def test_a_new_node_goes_on_in_mid_coup(world: World, downtime: bool) -> None:
    """A node is killed while a hand is asked: the next one ends that decision at its time, once."""
    node = await world.node()
    table, desk = await _speaking(world, node, speak_ms=600, banker_ms=600)
    kill(node)
    (clock,) = [d for d in desk.due() if d.kind == "timeout"]
    assert clock.until is not None
    before = await world.state(table)
    assert before == desk.state
    if downtime:
        await until(lambda: world.plain.now() > (clock.until or 0) + 50)
        assert await world.state(table) == before
    heir = await world.node()
    later = await heir.table(table)
    await until(lambda: later.state.round > before.round)
    await heir.close()
    events = [e for e in await world.log(table) if e.round == before.round and e.seq > before.seq]
    ended = [e for e in events if isinstance(e.data, HandDrew | HandStood)]
    assert ended[0].at >= clock.until
    assert ended[0].data.source == "timeout"
    hands = [e.data.hand for e in ended]
    assert len(hands) == len(set(hands))
    await world.check_rest(table)


async def test_a_deadline_is_never_met_early(world: World) -> None:
    """Whatever a node's clock says, no decision ends before its time by the log's own times."""
    node = await world.node()
    ahead = await world.node(ahead_ms=20)
    behind = await world.node(ahead_ms=-20)
    table, desk, _ = await _staked(world, node, betting_ms=80, last_call_ms=40)
    for other in (ahead, behind):
        await other.table(table)
    await until(lambda: desk.state.playing is False or desk.state.phase in SPEAKING)
    events = await world.log(table)
    (called,) = [e for e in events if isinstance(e.data, StakesLastCalled)][:1]
    (closed,) = [e for e in events if isinstance(e.data, StakesClosed)][:1]
    first = next(e.at for e in events if e.type == "stake.placed")
    assert called.at >= first + 80
    assert closed.at >= called.at + 40


@pytest.mark.parametrize("ahead_ms", [-100, 100], ids=["behind", "ahead"])
async def test_clocks_that_differ_make_no_storm_and_lose_no_time(world: World, ahead_ms: int) -> None:
    """A node whose clock differs from the engine's claims a deadline once and acts on it under that claim."""
    node = await world.node(ahead_ms=ahead_ms)
    table, desk, accounts = await _betting(world, node, betting_ms=150)
    spy(node).claims.clear()
    await act(node, table, Stake(on="right", amount=50), accounts[0])
    await until(lambda: desk.state.phase == "last_call")
    mine = [due for number, due in spy(node).claims if number == partition(f"t/{table}")]
    assert mine.count([f"t/{table}"]) == 1
    assert len(mine) < 60


async def test_a_claim_a_little_early_is_acted_on_under_its_lease(world: World) -> None:
    """Where the engine's clock is ahead, whoever was given the deadline waits for it, not for the lease."""
    node = await world.node(watch=False)
    table = await world.table(node, betting_ms=150)
    account = await world.seated(node, table, 1)
    await node._ring(f"t/{table}")
    await act(node, table, Stake(on="right", amount=10), account)
    await node._ring(f"t/{table}")
    assert (await world.state(table)).phase == "last_call"


async def test_a_decision_refused_because_its_time_has_moved_still_ends(world: World) -> None:
    """Stakes taken back stop the betting clock; an `expire` that came too early spoils no later one."""
    node = await world.node(watch=False)
    table = await world.table(node, betting_ms=100)
    account = await world.seated(node, table, 1)
    await node._ring(f"t/{table}")
    desk = await node.table(table)
    await act(node, table, Stake(on="right", amount=10), account)
    (early,) = desk.due()
    await act(node, table, Unstake(on="right", amount=10), account)
    await node._house._do(desk, early)
    assert desk.state.phase == "betting"
    await act(node, table, Stake(on="right", amount=10), account)
    await node.open()
    await until(lambda: desk.state.phase == "last_call")


async def test_an_expired_decision_ends_once(world: World) -> None:
    """A late answer to a decision that is over is `decision_over`, by whomever it was ended."""
    node = await world.node()
    table, desk, accounts = await _betting(world, node, betting_ms=30)
    decision = desk.state.decision()
    await act(node, table, Stake(on="right", amount=50), accounts[0])
    await until(lambda: desk.state.phase == "last_call")
    late = await node.command(table, order(node, Expire(decision=decision)))
    assert (late.code, dict(late.params)) == ("decision_over", {"decision": decision})


async def _fcalls(world: World) -> int:
    stats: dict[str, Any] = await world.redis.info("commandstats")
    return int(stats["cmdstat_fcall"]["calls"])


async def _count(world: World, node: Node, table: str, seconds: float = 1.3) -> int:
    """Function calls of the engine within a while; no append may be among them that writes an event."""
    await asyncio.sleep(0.2)
    before, length = await _fcalls(world), await world.plain.last(f"t/{table}")
    spy(node).appends.clear()
    await asyncio.sleep(seconds)
    assert await world.plain.last(f"t/{table}") == length
    return await _fcalls(world) - before


async def test_a_table_at_rest_writes_nothing(world: World) -> None:
    """Nobody to play: no append at all, and about one claim a partition a second keeps the pulse."""
    node = await world.node()
    table = await world.table(node, **QUICK)
    await act(node, table, SeatBot(seat=1, policy="steady"))
    assert await world.redis.zcard(keys_of(f"t/{table}").shared.due) == 0
    beats = [await world.redis.get(partition_keys(n).pulse) for n in range(PARTITIONS)]
    calls = await _count(world, node, table)
    assert not spy(node).appends
    assert PARTITIONS <= calls <= 4 * PARTITIONS
    later = [await world.redis.get(partition_keys(n).pulse) for n in range(PARTITIONS)]
    assert all(was != now for was, now in zip(beats, later, strict=True))


async def test_people_who_do_not_stake_cost_nothing(world: World) -> None:
    """A table open for stakes that nobody makes has no clock and writes nothing."""
    node = await world.node()
    table = await world.table(node, **QUICK)
    await world.seated(node, table, 1)
    await reach(node, table, "betting")
    assert await _count(world, node, table) <= 4 * PARTITIONS
    assert not spy(node).appends


def _mute(
    view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]], options: Sequence[Option]
) -> Command | None:
    return None


def _bold(
    view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]], options: Sequence[Option]
) -> Command | None:
    return Stake(on="right", amount=10**9)


@pytest.mark.parametrize("policy", [_mute, _bold], ids=["no move", "a refused move"])
async def test_a_bot_that_cannot_act_makes_no_storm(
    world: World, monkeypatch: pytest.MonkeyPatch, policy: Any
) -> None:
    """A bot without a legal move, or whose command is refused, is asked now and then and writes no event."""
    monkeypatch.setitem(POLICIES, "odd", policy)
    node = await world.node()
    table = await world.table(node, **QUICK)
    await act(node, table, SeatBot(seat=1, policy="odd"))
    await act(node, table, BuyIn(seat=1, amount=100))
    await reach(node, table, "betting")
    assert await _count(world, node, table) <= 4 * PARTITIONS
    assert len(spy(node).appends) <= 2


@pytest.mark.parametrize("first", [None, Stake(on="right", amount=10**9)], ids=["no move", "a refused move"])
async def test_a_bot_rests_until_something_happens(
    world: World, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict], first: Command | None
) -> None:
    """Asked in vain it is not asked again until the table has moved on; one line of the log says so."""
    moves = [first, Stake(on="right", amount=10)]
    monkeypatch.setitem(POLICIES, "odd", lambda *_: moves.pop(0))
    node = await world.node(watch=False)
    table = await world.table(node)
    await act(node, table, SeatBot(seat=1, policy="odd"))
    await act(node, table, BuyIn(seat=1, amount=100))
    for _ in range(4):
        await node._ring(f"t/{table}")
    assert (await world.state(table)).phase == "betting"
    assert len(moves) == 1
    assert len([e for e in logs if e["event"] in {"bot_has_no_move", "bot_was_refused"}]) == 1
    await act(node, table, SeatBot(seat=2, policy="steady"))
    await node._ring(f"t/{table}")
    assert not moves
    assert (await world.state(table)).chips["stake:right:1"] == 10


async def test_a_bank_that_cannot_be_issued_is_told_once_and_comes_later(
    world: World, logs: list[EventDict]
) -> None:
    """All chips are out: the log says why the table waits, and it begins when some have come back."""
    node = await world.node(watch=False)
    table = await world.table(node, house_bank=10_000)
    account = await world.seated(node, table, 1)
    out = 2 * 500 + 9_999
    flood = Transfer(MAX_CHIPS - out, HOUSE, account, "tr_flood")
    assert (await node.cage.send(order(node, flood))).accepted
    for _ in range(3):
        await node._ring(f"t/{table}")
    told = [e for e in logs if e["event"] == "house_bank_refused"]
    assert [(e["aggregate"], e["code"]) for e in told] == [(f"t/{table}", "amount_out_of_range")]
    assert (await node.table(table)).state.play.seeking.mode == "house"
    back = Transfer(1, account, HOUSE, "tr_back")
    assert (await node.cage.send(order(node, back))).accepted
    await node._ring(f"t/{table}")
    assert (await world.state(table)).chips["bank"] == 10_000


async def test_a_broken_ring_is_logged_and_tried_again(
    world: World, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    """S-30: a policy that raises harms no other table, and the clock goes on."""

    def broken(*_: object) -> None:
        raise RuntimeError("a defect of a policy")

    monkeypatch.setitem(POLICIES, "odd", broken)
    node = await world.node()
    tables = [await world.table(node, **{**QUICK, "betting_ms": 50}) for _ in range(2)]
    for table, policy in zip(tables, ("odd", "steady"), strict=True):
        await act(node, table, SeatBot(seat=1, policy=policy))
        await act(node, table, BuyIn(seat=1, amount=100))
    desk = await node.table(tables[1])
    await until(lambda: desk.state.round > 2)
    await until(lambda: [e for e in logs if e["event"] == "deadline_failed"])
    assert (await world.state(tables[0])).phase == "betting"


async def test_what_is_due_without_a_store_is_put_off(world: World, logs: list[EventDict]) -> None:
    """Design 5: an outage is no defect of whatever was due in it; the next claim finds it again."""
    node = await world.node(watch=False)
    table = await world.table(node)
    await act(node, table, SeatBot(seat=1, policy="steady"))
    await act(node, table, BuyIn(seat=1, amount=100))
    await node._ring(f"t/{table}")
    spy(node).fail_at(1, after=False)
    await node._clock._ring_safely(f"t/{table}", ())
    assert [(e["event"], e["reason"]) for e in logs] == [("deadline_put_off", "JournalUnavailable")]
    await node._clock._ring_safely(f"t/{table}", ())
    assert (await world.state(table)).chips["stake:right:1"] > 0


async def test_a_broken_claim_is_logged_and_tried_again(
    world: World, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    """S-30: whatever goes wrong while deadlines are claimed, the tables of a partition keep their clocks."""
    node = await world.node(watch=False)
    table = await world.table(node, **{**QUICK, "betting_ms": 50})
    await act(node, table, SeatBot(seat=1, policy="steady"))
    await act(node, table, BuyIn(seat=1, amount=100))
    journal, broken = node.journal, {partition(f"t/{table}")}
    claim = journal.claim

    async def claim_badly(number: int, lease_ms: int) -> Claimed:
        if number in broken:
            broken.remove(number)
            raise RuntimeError("a defect of a reader")
        return await claim(number, lease_ms)

    monkeypatch.setattr(journal, "claim", claim_badly)
    await node.open()
    desk = await node.table(table)
    await until(lambda: desk.state.round > 2)
    assert [e["event"] for e in logs if e["event"] == "claim_failed"] == ["claim_failed"]


async def test_only_the_house_and_hosts_end_decisions(world: World) -> None:
    """`expire` of the clock carries the croupier's name; a player's is `forbidden`."""
    node = await world.node()
    table, desk, accounts = await _staked(world, node, **{**STILL, "betting_ms": 40})
    sent: Order = order(node, Expire(decision=desk.state.decision()), accounts[0])
    assert (await node.command(table, sent)).code == "forbidden"
    await until(lambda: desk.state.phase == "last_call")
    (called,) = [e for e in await world.log(table) if isinstance(e.data, StakesLastCalled)]
    assert (called.actor, called.data.source) == (CROUPIER, "automation")
