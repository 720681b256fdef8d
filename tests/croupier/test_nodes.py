"""Several nodes on one store: no owner, no gaps, nothing twice (design 5)."""

import asyncio
import random
from collections import Counter
from itertools import pairwise

import pytest

from dealer.croupier.hooks import Hooks
from dealer.croupier.node import Node, created_id
from dealer.croupier.order import Answer, NoSuchAggregate, Order, Unavailable
from dealer.rules.bacara.commands import Bet, Stake, Unstake
from dealer.rules.bacara.events import (
    BankConstituted,
    HandDrew,
    HandStood,
    StakePlaced,
    StakesClosed,
    StakesLastCalled,
    StakeWithdrawn,
)
from dealer.rules.frame.commands import BuyIn, CashOut, Leave, OpenTable, SeatBot, Sit
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import RoundStarted
from tests.croupier.spy import until
from tests.croupier.world import HOST, QUICK, STILL, World, act, gather, order

BETS: tuple[Bet, ...] = ("right", "left")


class Conflicts(Hooks):
    """How often another node was faster."""

    count = 0

    def conflicted(self) -> None:
        """Count."""
        self.count += 1


async def _insist(node: Node, table: str, sent: Order) -> Answer:
    """The answer, after as many 503 as it takes; the key stays the same."""
    while True:
        try:
            return await node.command(table, sent)
        except Unavailable:
            await asyncio.sleep(0.01)


async def _betting(world: World, node: Node, seats: list[int]) -> tuple[str, list[str]]:
    """A table in betting, its people with 500 chips each, where nothing happens by itself."""
    table = await world.table(node)
    accounts = [await world.seated(node, table, seat) for seat in seats]
    await node._ring(f"t/{table}")
    assert (await node.table(table)).state.phase == "betting"
    return table, accounts


async def test_two_nodes_serve_the_same_tables(world: World) -> None:
    """Many people stake at random through two nodes: no gap, nothing twice, every chip where it belongs."""
    conflicts = Conflicts()
    nodes = [await world.node(watch=False, hooks=conflicts) for _ in range(2)]
    tables = [await _betting(world, nodes[0], [1, 2, 3, 4, 11, 12]) for _ in range(2)]
    chosen = random.Random(7)  # noqa: S311 - a reproducible script
    sent: dict[str, list[tuple[Order, Answer]]] = {table: [] for table, _ in tables}

    async def person(table: str, account: str) -> None:
        for _ in range(25):
            on = chosen.choice(BETS)
            kind = chosen.choice((Stake, Stake, Unstake))
            node = chosen.choice(nodes)
            command = order(node, kind(on=on, amount=chosen.randint(1, 60)), account)
            answer = await _insist(node, table, command)
            assert await _insist(chosen.choice(nodes), table, command) == answer
            sent[table].append((command, answer))

    await asyncio.gather(*(person(table, who) for table, accounts in tables for who in accounts))
    assert conflicts.count > 10
    for table, _ in tables:
        events = await world.log(table)
        state = await world.state(table)
        desks = [await node.table(table) for node in nodes]
        assert desks[0].state == desks[1].state == state
        accepted = [(o, a) for o, a in sent[table] if a.accepted]
        spans = sorted((a.first, a.last) for _, a in accepted)
        assert all(last < first for (_, last), (first, _) in pairwise(spans))
        acts = [e for e in events if isinstance(e.data, StakePlaced | StakeWithdrawn)]
        assert len(acts) == len(accepted)
        for sender, answer in accepted:
            event = events[answer.first]
            assert desks[0].principal_of(event.actor) == sender.principal
            assert event.data.amount == sender.command.amount
        assert {a.code for _, a in sent[table]} <= {"accepted", "insufficient_chips", "stake_not_found"}
    await world.check_rest(*(table for table, _ in tables))


async def test_chips_come_and_go_through_two_nodes(world: World) -> None:
    """Sitting, buying in, cashing out and leaving at both nodes at once loses and makes no chip."""
    nodes = [await world.node() for _ in range(2)]
    table = await world.table(nodes[0])
    accounts = [await world.account(nodes[0], 1_000) for _ in range(6)]
    chosen = random.Random(11)  # noqa: S311 - a reproducible script

    async def person(seat: int, account: str) -> None:
        for _ in range(5):
            for command in (Sit(seat=seat), BuyIn(amount=chosen.randint(1, 300)), CashOut(), Leave()):
                node = chosen.choice(nodes)
                assert (await _insist(node, table, order(node, command, account))).accepted

    await asyncio.gather(
        *(person(seat, who) for seat, who in zip((1, 2, 3, 11, 12, 13), accounts, strict=True))
    )
    async with asyncio.timeout(20):
        while any(p.startswith("transit:") for p in (await world.state(table)).chips):
            await asyncio.sleep(0.01)
    for node in nodes:
        await node.close()
    await world.check_rest(table)
    book = await world.cage()
    assert [book.balances[account] for account in accounts] == [1_000] * 6


def _once(events: list[Event], *kinds: type) -> None:
    """Each decision that such events end, by round and hand, ended once."""
    ends = Counter(
        (e.round, type(e.data) in {HandDrew, HandStood}, getattr(e.data, "hand", type(e.data).__name__))
        for e in events
        if isinstance(e.data, kinds)
    )
    assert ends
    assert set(ends.values()) == {1}


async def test_two_timekeepers_end_each_decision_once(world: World) -> None:
    """Both nodes keep time and play the bots: each decision ends once, each bot acts once in it."""
    nodes = [await world.node() for _ in range(2)]
    table = await world.table(nodes[0], **{**QUICK, "bot_think_ms": 1, "speak_ms": 30})
    for seat in (1, 2, 11, 12):
        await act(nodes[seat % 2], table, SeatBot(seat=seat, policy="steady"))
        await act(nodes[seat % 2], table, BuyIn(seat=seat, amount=2_000))
    desks = [await node.table(table) for node in nodes]
    await until(lambda: max(d.state.round for d in desks) > 8)
    for node in nodes:
        await node.close()
    events = await world.log(table)
    _once(events, RoundStarted)
    _once(events, StakesLastCalled)
    _once(events, StakesClosed)
    _once(events, HandDrew, HandStood)
    staked = Counter((e.round, e.data.seat) for e in events if isinstance(e.data, StakePlaced))
    assert set(staked.values()) == {1}
    assert {seat for _, seat in staked} == {1, 2, 11, 12}
    assert sum(isinstance(e.data, BankConstituted) for e in events) == 1
    await world.check_rest(table)


async def test_two_nodes_play_one_bot_once(world: World) -> None:
    """Two nodes that both think it is a bot's turn send one command: its key is the decision (design 3)."""
    nodes = [await world.node(watch=False) for _ in range(2)]
    table = await world.table(nodes[0])
    await act(nodes[0], table, SeatBot(seat=1, policy="steady"))
    await act(nodes[0], table, BuyIn(seat=1, amount=1_000))
    await nodes[0]._ring(f"t/{table}")
    desks = [await node.table(table) for node in nodes]
    assert [d.kind for d in desks[1].due()] == ["timeout", "bot"]
    await asyncio.gather(*(n._house.act(d) for n, d in zip(nodes, desks, strict=True)))
    (staked,) = [e for e in await world.log(table) if isinstance(e.data, StakePlaced)]
    assert staked.actor == (await world.state(table)).seats[1].pid


async def test_a_creation_repeated_anywhere_makes_one_table(world: World) -> None:
    """One key, two nodes, fifty calls: one table (S-5); another body under that key is `key_reused`."""
    nodes = [await world.node(watch=False) for _ in range(2)]
    opening = OpenTable("bacara", "seed", "dos-panos", STILL, ())
    table = created_id("tbl", HOST, "same")
    sent = order(nodes[0], opening, key="same")
    answers = await gather(*(node.create_table(sent, table) for node in nodes for _ in range(25)))
    assert set(map(repr, answers)) == {repr(Answer("accepted", {}, 0, 1))}
    assert len(await world.log(table)) == 2
    other = order(nodes[1], OpenTable("bacara", "seed", "dos-panos", {}, ()), key="same")
    assert (await nodes[1].create_table(other, table)).code == "key_reused"


@pytest.mark.parametrize(
    ("opening", "code"),
    [
        (OpenTable("mus", "seed", "dos-panos", {}, ()), "option_not_allowed"),
        (OpenTable("bacara", "none", "dos-panos", {}, ()), "option_not_allowed"),
        (OpenTable("bacara", "seed", "dos-panos", {"colour": 1}, ()), "option_unknown"),
    ],
)
async def test_a_table_that_cannot_be_is_refused(world: World, opening: OpenTable, code: str) -> None:
    """A creation that is refused leaves no table behind, neither in the store nor in the node."""
    node = await world.node(watch=False)
    sent = order(node, opening, key="same")
    answers = [await node.create_table(sent, "tbl_x") for _ in range(2)]
    assert {a.code for a in answers} == {code}
    with pytest.raises(NoSuchAggregate):
        await node.command("tbl_x", order(node, Sit(seat=1), "acc_a"))
    assert not await world.plain.aggregates("t/")


async def test_a_view_is_up_to_date_while_commands_wait(world: World) -> None:
    """Asking for a table shows what other nodes have written, also when this node has work there."""
    nodes = [await world.node(watch=False) for _ in range(2)]
    table = await world.table(nodes[0])
    await nodes[1].table(table)
    await act(nodes[0], table, Sit(seat=1), "acc_a")
    waiting = asyncio.create_task(nodes[1].command(table, order(nodes[1], Sit(seat=2), "acc_b")))
    await asyncio.sleep(0)
    assert 1 in (await nodes[1].table(table)).state.seats
    assert (await waiting).accepted


async def test_listeners_hear_each_event_once_in_order(world: World) -> None:
    """Only what is durable is told, once, with its stored bytes; a listener that breaks harms nobody."""
    nodes = [await world.node(watch=False) for _ in range(2)]
    table = await world.table(nodes[0])
    await nodes[1].table(table)
    heard: list[tuple[int, bytes]] = []

    def broken(*_: object) -> None:
        raise RuntimeError

    ends = [
        nodes[1].listen(f"t/{table}", broken),
        nodes[1].listen(
            "*", lambda _, events, stored: heard.extend(zip([e.seq for e in events], stored, strict=True))
        ),
    ]
    for seat in range(1, 5):
        await act(nodes[seat % 2], table, Sit(seat=seat), f"acc_{seat}")
    await nodes[1].table(table)
    for end in ends:
        end()
    await act(nodes[1], table, Sit(seat=5), "acc_5")
    stored = await world.plain.read(f"t/{table}")
    assert heard == [(seq, stored[seq]) for seq in range(2, 6)]
