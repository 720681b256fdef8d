"""The desk: keys, batches, refusals and defects (design 5, fairness S-5)."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest

from dealer.cage.ledger import HOUSE, OpenAccount, Transfer
from dealer.croupier import desk as desks
from dealer.croupier.cages import BOOK
from dealer.croupier.node import Node
from dealer.croupier.order import Answer, Unavailable
from dealer.croupier.tasks import end
from dealer.journal.keys import keys_of
from dealer.journal.limits import BATCH_ENTRIES
from dealer.rules.bacara.commands import Stake
from dealer.rules.frame.commands import CashOut, Leave, Receive, SeatBot, Sit
from tests.croupier.spy import until
from tests.croupier.world import HOST, World, act, gather, kill, order, spy


@pytest.fixture
async def node(world: World) -> Node:
    """A node that acts only when asked."""
    return await world.node(watch=False)


async def _for_ever(entered: asyncio.Event) -> None:
    entered.set()
    await asyncio.Event().wait()


async def _stream_length(world: World, aggregate: str) -> int:
    return len(await world.plain.read(aggregate))


async def test_fifty_equal_orders_are_one_event(world: World, node: Node) -> None:
    """S-5: fifty parallel duplicates make one event and get one answer."""
    other = await world.node(watch=False)
    sent = order(node, OpenAccount("acc_a"), key="same")
    answers = await gather(*(n.cage.send(sent) for n in (node, other) for _ in range(25)))
    assert answers == [Answer("accepted", {}, 0, 0)] * 50
    assert await _stream_length(world, BOOK) == 1


async def test_a_later_repeat_gets_the_same_answer(world: World, node: Node) -> None:
    """A key answers the same for ever, at any node, also one that has just started."""
    table = await world.table(node)
    sent = order(node, SeatBot(seat=1, policy="steady"), key="same")
    first = await node.command(table, sent)
    await act(node, table, SeatBot(seat=2, policy="steady"))
    later = await world.node(watch=False)
    assert [await n.command(table, sent) for n in (node, later)] == [first, first]
    assert len((await world.state(table)).seats) == 2


async def test_a_key_with_another_body_is_refused(world: World, node: Node) -> None:
    """S-5: same key, other body: `key_reused`, while the first is under way and afterwards."""
    spy(node).gate.clear()
    first = asyncio.create_task(node.cage.send(order(node, OpenAccount("acc_a"), key="same")))
    await asyncio.sleep(0)
    second = await node.cage.send(order(node, OpenAccount("acc_b"), key="same"))
    spy(node).gate.set()
    third = await node.cage.send(order(node, OpenAccount("acc_c"), key="same"))
    assert [(await first).code, second.code, third.code] == ["accepted", "key_reused", "key_reused"]
    assert set((await world.cage()).balances) == {"acc_a"}


async def test_a_key_belongs_to_its_principal_and_aggregate(world: World, node: Node) -> None:
    """The same key of somebody else, or at another table, is another key."""
    tables = [await world.table(node) for _ in range(2)]
    for table in tables:
        for seat, account in enumerate(("acc_a", "acc_b"), 1):
            assert (await node.command(table, order(node, Sit(seat=seat), account, key="same"))).accepted


async def test_a_refusal_is_kept_and_repeated(world: World, node: Node) -> None:
    """A stored refusal is given again as it was although the same command would be taken now."""
    table = await world.table(node)
    await act(node, table, Sit(seat=3), "acc_a")
    sent = order(node, Sit(seat=3), "acc_b", key="same")
    refused = await node.command(table, sent)
    assert (refused.code, dict(refused.params)) == ("seat_taken", {"seat": 3})
    assert refused.first == refused.last + 1
    await act(node, table, Leave(), "acc_a")
    other = await world.node(watch=False)
    assert [await n.command(table, sent) for n in (node, other)] == [refused, refused]
    assert (await node.command(table, order(node, Sit(seat=3), "acc_b"))).accepted


async def test_a_refusal_writes_no_event(world: World, node: Node) -> None:
    """A refusal is stored under its key alone: the log does not grow."""
    table = await world.table(node)
    before = await world.log(table)
    assert (await node.command(table, order(node, CashOut(), "acc_a"))).code == "not_seated"
    assert await world.log(table) == before


async def test_waiting_commands_go_out_as_one_append(world: World, node: Node) -> None:
    """Commands that wait while an append is in flight make one batch, each decided on what the former do."""
    table = await world.table(node)
    journal = spy(node)
    journal.gate.clear()
    journal.appends.clear()
    first = asyncio.create_task(act(node, table, Sit(seat=1), "acc_a"))
    await asyncio.sleep(0.01)
    waiting = [
        asyncio.create_task(node.command(table, order(node, command, who)))
        for command, who in [
            (Sit(seat=2), "acc_b"),
            (Sit(seat=2), "acc_c"),
            (Leave(), "acc_b"),
            (Sit(seat=2), "acc_c"),
            (Leave(), "acc_a"),
        ]
    ]
    await asyncio.sleep(0.01)
    journal.gate.set()
    answers = [await first, *await asyncio.gather(*waiting)]
    assert [a.code for a in answers] == ["accepted"] * 2 + ["seat_taken"] + ["accepted"] * 3
    assert [(a.first, a.last) for a in answers] == [(2, 2), (3, 3), (4, 3), (4, 4), (5, 5), (6, 6)]
    assert journal.appends == [(f"t/{table}", 1, 1), (f"t/{table}", 5, 4)]
    assert (await world.state(table)) == (await node.table(table)).state


async def test_a_batch_has_its_limits(world: World, node: Node) -> None:
    """At most 64 commands an append (design 4); the rest follows, in order."""
    journal = spy(node)
    journal.gate.clear()
    waiting = [asyncio.create_task(node.cage.send(order(node, OpenAccount(f"acc_{n}")))) for n in range(200)]
    await asyncio.sleep(0.01)
    journal.gate.set()
    answers = await asyncio.gather(*waiting)
    assert [(a.first, a.last) for a in answers] == [(n, n) for n in range(200)]
    assert max(commands for _, commands, _ in journal.appends) == BATCH_ENTRIES
    assert len(journal.appends) == 4


async def test_an_append_stays_below_its_bytes(world: World, node: Node) -> None:
    """Sixty-four large commands are more than 1 MiB together; they go out in several appends."""
    account = await world.account(node, 100)
    journal = spy(node)
    journal.appends.clear()
    journal.gate.clear()
    large = [Transfer(1, account, HOUSE, f"{n}_{'x' * 30_000}") for n in range(64)]
    waiting = [asyncio.create_task(node.cage.send(order(node, command, body="large"))) for command in large]
    await asyncio.sleep(0.05)
    journal.gate.set()
    assert all(a.accepted for a in await asyncio.gather(*waiting))
    assert len(journal.appends) > 2
    assert (await world.cage()).balances[account] == 36


async def test_an_append_stays_below_its_events(
    world: World, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch ends where half the events an append may hold are reached, so the next command fits."""
    monkeypatch.setattr(desks, "MAX_EVENTS", 8)
    journal = spy(node)
    journal.gate.clear()
    waiting = [asyncio.create_task(node.cage.send(order(node, OpenAccount(f"acc_{n}")))) for n in range(12)]
    await asyncio.sleep(0.01)
    journal.gate.set()
    assert [(await a).first for a in waiting] == list(range(12))
    assert max(events for _, _, events in journal.appends) == 5


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(object(), id="decide raises"),
        pytest.param(Transfer(1, HOUSE, "acc_a", "\ud800"), id="cannot be encoded"),
        pytest.param(Transfer(1, HOUSE, "acc_a", "x" * 40_000), id="larger than an event may be"),
    ],
)
async def test_a_defect_harms_nobody_else(world: World, node: Node, broken: object) -> None:
    """S-30: a command we cannot handle fails alone; its neighbours are taken and the state is the log's."""
    account = "acc_a"
    await node.cage.send(order(node, OpenAccount(account)))
    journal = spy(node)
    journal.gate.clear()
    first = asyncio.create_task(node.cage.send(order(node, OpenAccount("acc_b"))))
    await asyncio.sleep(0.01)
    commands = [Transfer(5, HOUSE, account, "tr_1"), broken, Transfer(7, HOUSE, account, "tr_2")]
    waiting = [asyncio.create_task(node.cage.send(order(node, c, body=""))) for c in commands]
    await asyncio.sleep(0.01)
    journal.gate.set()
    before, failed, after = await asyncio.gather(*waiting, return_exceptions=True)
    assert (await first).accepted
    assert isinstance(before, Answer)
    assert isinstance(after, Answer)
    assert (before.last, after.last) == (2, 3)
    assert isinstance(failed, (AttributeError, UnicodeEncodeError, ValueError))
    assert node.cage.state == await world.cage()
    assert node.cage.state.balances[account] == 12


async def test_a_defect_at_a_table_changes_nothing(world: World, node: Node) -> None:
    """S-30: after a decision that broke, table, pseudonyms and seeds are as the log has them."""
    table = await world.table(node)
    with pytest.raises(ValueError, match="hold"):
        await node.command(table, order(node, Receive(1, "stack:1", "pid_x", "no_hold"), role="system"))
    await act(node, table, Sit(seat=1), "acc_a")
    assert (await node.table(table)).state == await world.state(table)


async def test_a_defect_met_again_after_a_conflict_is_told_once(world: World, node: Node) -> None:
    """A batch that has to be decided again does not answer twice whom it has answered."""
    other = await world.node(watch=False)
    await other.cage.send(order(other, OpenAccount("acc_b")))
    answers = await asyncio.gather(
        node.cage.send(order(node, object(), body="")),
        node.cage.send(order(node, OpenAccount("acc_c"))),
        return_exceptions=True,
    )
    assert isinstance(answers[0], AttributeError)
    assert answers[1] == Answer("accepted", {}, 1, 1)


async def test_a_cancelled_caller_does_not_stop_his_command(world: World, node: Node) -> None:
    """A command's task outlives its request: it is carried out, and the key tells the answer later."""
    sent = order(node, OpenAccount("acc_a"), key="same")
    spy(node).gate.clear()
    calls = [asyncio.create_task(node.cage.send(sent)) for _ in range(3)]
    await asyncio.sleep(0.01)
    for call in calls[:2]:
        call.cancel()
    spy(node).gate.set()
    assert await calls[2] == Answer("accepted", {}, 0, 0)
    assert calls[0].cancelled()
    assert await node.cage.send(sent) == Answer("accepted", {}, 0, 0)


async def test_unstored_refusals_are_never_decided_on_an_old_state(world: World, node: Node) -> None:
    """`version_conflict` and `forbidden` are said only by a node that has read the log to its end."""
    behind = await world.node(watch=False)
    table = await world.table(node)
    await behind.table(table)
    await act(node, table, Sit(seat=3), "acc_a")
    last = (await node.table(table)).state.seq
    # On the state `behind` has, the first is a stale precondition and the second a foreign seat.
    await act(behind, table, SeatBot(seat=1, policy="steady", if_seq=last))
    await behind.table(table)
    await act(node, table, Sit(seat=4), "acc_b")
    await act(behind, table, Leave(seat=4), "acc_b")


async def test_unstored_refusals_leave_their_key_free(world: World, node: Node) -> None:
    """`version_conflict` is not kept: the same key may be used again with a precondition that holds."""
    table = await world.table(node)
    stale = await node.command(
        table, order(node, SeatBot(seat=1, policy="steady", if_seq=0), key="same", body="1")
    )
    assert (stale.code, dict(stale.params)) == ("version_conflict", {"seq": 1})
    await act(node, table, SeatBot(seat=1, policy="steady", if_seq=1), key="same", body="2")


async def test_an_accepted_key_is_not_forbidden_later(world: World, node: Node) -> None:
    """A repeat that would be `version_conflict` now is answered from its record."""
    table = await world.table(node)
    sent = order(node, SeatBot(seat=1, policy="steady", if_seq=1))
    first = await node.command(table, sent)
    assert first.accepted
    assert await node.command(table, sent) == first


async def test_stored_and_unstored_answers_share_a_batch(world: World, node: Node) -> None:
    """A batch may hold both: each caller gets his own answer, the unstored ones on the state it leads to."""
    table = await world.table(node)
    answers = await gather(
        *(
            node.command(table, order(node, command, who))
            for command, who in [
                (SeatBot(seat=9, policy="steady"), "acc_a"),
                (Sit(seat=1), "acc_a"),
                (SeatBot(seat=2, policy="steady", if_seq=1), HOST),
                (Stake(on="right", amount=1), "acc_a"),
            ]
        )
    )
    assert [a.code for a in answers] == ["forbidden", "accepted", "version_conflict", "wrong_phase"]
    assert answers[2].params == {"seq": 2}


async def test_a_refusal_that_comes_to_be_kept(world: World, node: Node) -> None:
    """What was stale while its batch was decided may be refused for good after it, and is then kept."""
    table = await world.table(node)
    sent = order(node, SeatBot(seat=1, policy="steady", if_seq=2))
    refused, taken = await gather(
        node.command(table, sent), node.command(table, order(node, Sit(seat=1), "acc_a"))
    )
    assert (refused.code, taken.code) == ("seat_taken", "accepted")
    await act(node, table, Leave(), "acc_a")
    assert await node.command(table, sent) == refused


@pytest.mark.parametrize("place", ["decide", "outcome_of", "entry", "clock", "settled"])
async def test_no_defect_stops_a_desk(
    world: World, node: Node, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """S-30: even of what no future takes the caller is told, and the desk serves who comes next."""
    table = await world.table(node)
    desk = await node.table(table)

    def broken(*_: object) -> None:
        raise StopIteration

    sent = order(node, SeatBot(seat=1, policy="steady"))
    with monkeypatch.context() as patch:
        patch.setattr(desk, place, broken)
        with pytest.raises(RuntimeError):
            await asyncio.wait_for(node.command(table, sent), 10)
    await act(node, table, SeatBot(seat=2, policy="steady"))
    await desk.rest()
    assert desk.state == await world.state(table)


async def test_nobody_waits_for_what_was_cancelled(world: World, node: Node) -> None:
    """S-30: if what a desk waits for is cancelled, callers and readers are told; later ones are served."""
    table = await world.table(node)
    desk = await node.table(table)
    stale = order(node, SeatBot(seat=1, policy="steady", if_seq=0))
    journal = spy(node)
    works: list[Callable[[], Coroutine[Any, Any, object]]] = [desk.refresh, partial(desk.send, stale)]
    for number, first in enumerate(works):
        entered = asyncio.Event()
        journal.at_call(1, after=False, fate=partial(_for_ever, entered))
        begun = asyncio.ensure_future(first())
        await entered.wait()
        bot = order(node, SeatBot(seat=2 + number, policy="steady"))
        others = [asyncio.ensure_future(work) for work in (desk.send(bot), desk.refresh())]
        await asyncio.sleep(0)
        assert desk.errand is not None
        desk.errand.cancel()
        async with asyncio.timeout(10):
            told = await asyncio.gather(begun, *others, return_exceptions=True)
        assert [type(each) for each in told] == [Unavailable] * 3
        await desk.rest()
        assert (await desk.send(bot)).accepted


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_an_append_without_an_answer_is_told_by_its_key(world: World, node: Node, after: bool) -> None:
    """Unknown outcome: `Unavailable`; the same key then makes it, or meets what was made, once."""
    spy(node).fail_at(1, after=after)
    sent = order(node, OpenAccount("acc_a"))
    with pytest.raises(Unavailable):
        await node.cage.send(sent)
    assert await node.cage.send(sent) == Answer("accepted", {}, 0, 0)
    assert len(await world.plain.read(BOOK)) == 1
    assert node.cage.state == await world.cage()


async def test_what_cannot_be_read_is_not_half_taken_in(world: World, node: Node) -> None:
    """S-30: a failure at any read leaves a desk that catches up completely the next time."""
    other = await world.node(watch=False)
    table = await world.table(node)
    desk = await other.table(table)
    for number in range(1, 3):
        await act(node, table, Sit(seat=number), f"acc_{number}")
        spy(other).fail_at(number, after=True)
        with pytest.raises(Unavailable):
            await desk.refresh()
        await desk.refresh()
        assert desk.state == await world.state(table)
        assert desk.principal_of(desk.state.seats[number].pid) == f"acc_{number}"


async def test_who_asks_meanwhile_shares_a_reading(world: World, node: Node) -> None:
    """Fifty who look at a table read its log twice at most: the second time for who came later."""
    table = await world.table(node)
    desk = await node.table(table)
    spy(node).calls = 0
    asked = [asyncio.create_task(desk.refresh()) for _ in range(25)]
    await asyncio.sleep(0)
    asked += [asyncio.create_task(desk.refresh()) for _ in range(25)]
    asked[3].cancel()
    await asyncio.wait(asked)
    assert [task.cancelled() for task in asked].count(True) == 1
    assert 1 <= spy(node).calls <= 2


async def test_an_event_that_is_here_is_not_read_for(world: World, node: Node) -> None:
    """Design 5: the feed tells a node of its own events too; nothing is read for them."""
    table = await world.table(node)
    desk = await node.table(table)
    last = desk.state.seq + 1
    spy(node).calls = 0
    await asyncio.gather(act(node, table, SeatBot(seat=1, policy="steady")), desk.refresh(last))
    await desk.refresh(last)
    assert desk.state.seq == last
    assert spy(node).calls == 1


async def test_readers_and_commands_take_turns(world: World, node: Node) -> None:
    """Whoever looks all the while keeps no command waiting, nor do commands keep him."""
    table = await world.table(node)
    desk = await node.table(table)
    looks = [0] * 8

    async def look(who: int) -> None:
        while True:
            await desk.refresh()
            looks[who] += 1

    async def seen_again() -> None:
        before = min(looks)
        await until(lambda: min(looks) > before)

    watching = [asyncio.create_task(look(who)) for who in range(8)]
    for seat in range(1, 6):
        await act(node, table, SeatBot(seat=seat, policy="steady"))
        await seen_again()
    await end(*watching)


async def test_two_desks_take_turns(world: World, node: Node) -> None:
    """Conflicts are decided again: of two nodes that write at once both get everything in."""
    other = await world.node(watch=False)
    nodes = (node, other)
    sent = [order(node, OpenAccount(f"acc_{n}")) for n in range(120)]

    async def insist(number: int) -> Answer:
        while True:
            try:
                return await nodes[number % 2].cage.send(sent[number])
            except Unavailable:
                await asyncio.sleep(0.01)

    answers = await gather(*map(insist, range(120)))
    assert sorted(a.last for a in answers) == list(range(120))
    await asyncio.gather(*(n.cage.refresh() for n in nodes))
    assert node.cage.state == other.cage.state == await world.cage()


async def test_rest_waits_for_what_is_queued(world: World, node: Node) -> None:
    """Closing a node drains the commands it has accepted (design 5)."""
    journal = spy(node)
    journal.gate.clear()
    table_task = asyncio.create_task(world.table(node))
    calls = [asyncio.create_task(node.cage.send(order(node, OpenAccount(f"acc_{n}")))) for n in range(90)]
    await asyncio.sleep(0.01)
    closing = asyncio.create_task(node.close())
    await asyncio.sleep(0.01)
    assert not closing.done()
    journal.gate.set()
    await closing
    assert all(call.done() and call.result().accepted for call in calls)
    assert len((await world.cage()).balances) == 90
    assert await world.state(await table_task) == node._desks[f"t/{table_task.result()}"].state


async def test_a_killed_node_leaves_nothing_half_done(world: World, node: Node) -> None:
    """The log after a kill in mid-append has the whole batch or nothing of it."""
    for after in (False, True):
        dying = await world.node(watch=False)
        journal = spy(dying)
        await dying.cage.send(order(dying, OpenAccount(f"acc_{after}")))
        before = await _stream_length(world, BOOK)
        journal.die_at(1, after=after)
        calls = [
            asyncio.create_task(dying.cage.send(order(dying, OpenAccount(f"acc_{after}_{n}"))))
            for n in range(9)
        ]
        await journal.dead.wait()
        kill(dying)
        for call in calls:
            call.cancel()
        assert await _stream_length(world, BOOK) == before + 9 * after


async def test_a_deadline_is_set_when_it_is_news(
    world: World, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Design 5: it is set if it has changed, if it has come, or if somebody else has appended meanwhile."""
    table = await world.table(node)
    desk = await node.table(table)
    due, soon = keys_of(desk.aggregate).shared.due, node.journal.now() + 3_600_000
    clock: list[int | None] = [None]
    monkeypatch.setattr(desk, "clock", lambda _: (clock[0], clock[0]))

    async def set_by_an_append(until: int | None) -> bool:
        clock[0] = until
        await world.redis.zadd(due, {desk.aggregate: 1})
        assert (await node.command(table, order(node, Leave(), "acc_a"))).code == "not_seated"
        left = await world.redis.zscore(due, desk.aggregate)
        assert left in {until, 1}
        return left == until

    assert [await set_by_an_append(until) for until in (soon, soon, soon + 1, soon + 1)] == [True, False] * 2
    assert [await set_by_an_append(until) for until in (None, None, 2, 2)] == [True, False, True, True]
    assert [await set_by_an_append(soon) for _ in range(2)] == [True, False]
    await act(await world.node(watch=False), table, SeatBot(seat=1, policy="steady"))
    assert [await set_by_an_append(soon) for _ in range(2)] == [True, False]
