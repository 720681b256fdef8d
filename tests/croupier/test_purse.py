"""Chips between the cage and a table, killed, failed and cancelled at every step (design 7, S-30)."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Any

import pytest
from structlog.typing import EventDict

from dealer.cage.events import TransferHeld, TransferPosted, TransferVoided
from dealer.cage.ledger import CODEC, HOUSE, TRANSIT, Hold, split_return
from dealer.croupier.cages import BOOK
from dealer.croupier.node import Node
from dealer.croupier.order import Order, Unavailable
from dealer.journal.keys import keys_of
from dealer.rules.bacara.commands import Stake
from dealer.rules.bacara.events import BankConstituted
from dealer.rules.frame.commands import BuyIn, CashOut, Leave, SeatBot, Sit
from dealer.rules.frame.events import ChipsBoughtIn, ChipsRejected
from tests.croupier.spy import until
from tests.croupier.world import HOST, QUICK, World, act, gather, kill, order, spy

OLD_MS = 6_000
"""A node whose clock is so far ahead finds every hold old enough to be resolved."""
DEADLY = pytest.mark.parametrize("after", [False, True], ids=["before", "after"])


class Scene:
    """A table with somebody who has 500 chips there and 500 on the account."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.account = ""
        self.table = ""

    async def set_up(self) -> Node:
        """On an empty store: the table and the person; the node that made them does nothing more."""
        await self.world.redis.flushdb()
        node = await self.world.node(watch=False)
        self.table = await self.world.table(node)
        self.account = await self.world.seated(node, self.table, 1)
        return node

    async def ends(self, node: Node) -> None:
        """Wait until nothing is on its way and close the node; then each hold and return has ended once."""
        async with asyncio.timeout(20):
            while (await self.world.cage()).holds or any(
                place.startswith("transit:") for place in (await self.world.state(self.table)).chips
            ):
                await asyncio.sleep(0.01)
        await node.close()
        await self.world.check_rest(self.table)
        book = [CODEC.decode(e).data for e in await self.world.plain.read(BOOK)]
        held = {d.x for d in book if isinstance(d, TransferHeld)}
        ended = Counter(
            d.x
            for d in book
            if isinstance(d, TransferVoided) or (isinstance(d, TransferPosted) and d.origin == TRANSIT)
        )
        assert ended == Counter(held)
        posted = {d.x for d in book if isinstance(d, TransferPosted) and d.origin == TRANSIT}
        words = [
            e.data
            for e in await self.world.log(self.table)
            if isinstance(e.data, ChipsBoughtIn | ChipsRejected)
        ]
        assert max(Counter(d.x for d in words).values()) == 1
        assert {d.x for d in words if isinstance(d, ChipsBoughtIn)} == posted

    async def total(self) -> int:
        """What the person has, on the account and at the table."""
        chips = (await self.world.state(self.table)).chips
        return (await self.world.cage()).balances[self.account] + chips.get("stack:1", 0)

    def buy_in(self, node: Node) -> Order:
        """An order for 100 chips; whoever repeats it uses the same key."""
        return order(node, BuyIn(amount=100), self.account, key="buy")


Step = Callable[[Scene, Node], Awaitable[Any]]


async def _buys_in(scene: Scene, node: Node) -> None:
    await node.command(scene.table, scene.buy_in(node))


async def _cashes_out(scene: Scene, node: Node) -> None:
    await node.command(scene.table, order(node, CashOut(), scene.account, key="cash"))
    await node._ring(f"t/{scene.table}")


async def _leaves(scene: Scene, node: Node) -> None:
    await node.command(scene.table, order(node, Leave(), scene.account, key="leave"))
    await node._ring(f"t/{scene.table}")


async def _is_funded(scene: Scene, node: Node) -> None:
    await node._ring(f"t/{scene.table}")


STEPS = pytest.mark.parametrize("step", [_buys_in, _cashes_out, _leaves, _is_funded])


@pytest.mark.usefixtures("uncounted")
@STEPS
@DEADLY
async def test_killed_at_any_call_it_ends_by_itself(world: World, step: Step, after: bool) -> None:
    """A node dies at each of its calls in turn; the next one brings every chip to one of its two ends."""
    scene = Scene(world)
    for number in count(1):
        await scene.set_up()
        dying = await world.node(watch=False)
        await dying.table(scene.table)
        spy(dying).die_at(number, after=after)
        work = asyncio.ensure_future(step(scene, dying))
        dead = asyncio.ensure_future(spy(dying).dead.wait())
        await asyncio.wait([work, dead], return_when=asyncio.FIRST_COMPLETED)
        finished = work.done()
        kill(dying)
        work.cancel()
        dead.cancel()
        heir = await world.node(ahead_ms=OLD_MS)
        await scene.ends(heir)
        assert await scene.total() == 1_000
        if finished:
            assert number > 4
            return


@pytest.mark.usefixtures("uncounted")
@STEPS
@DEADLY
async def test_without_an_answer_at_any_call_a_repeat_ends_it(world: World, step: Step, after: bool) -> None:
    """One call of a living node has no answer; the same step again goes through, nothing happens twice."""
    scene = Scene(world)
    for number in count(1):
        node = await scene.set_up()
        spy(node).fail_at(number, after=after)
        with suppress(Unavailable):
            await step(scene, node)
        finished = spy(node).calls < number
        spy(node).spare()
        await step(scene, node)
        await scene.ends(await world.node(ahead_ms=OLD_MS))
        table = await world.state(scene.table)
        chips = table.chips
        if step is _buys_in:
            assert (chips["stack:1"], await scene.total()) == (600, 1_000)
        elif step is _is_funded:
            assert (chips["bank"], table.phase) == (10_000, "betting")
        else:
            assert ("stack:1" in chips, await scene.total()) == (False, 1_000)
        if finished:
            return


async def test_a_cancelled_caller_at_any_call_stops_nothing(world: World) -> None:
    """The buy-in of somebody who hangs up at any step goes through all the same (design 5)."""
    scene = Scene(world)
    for number in count(1):
        node = await scene.set_up()
        call = asyncio.ensure_future(node.command(scene.table, scene.buy_in(node)))

        async def hang_up(call: asyncio.Future[Any] = call) -> None:
            call.cancel()

        spy(node).at_call(number, after=False, fate=hang_up)
        await asyncio.wait([call])
        await node.close()
        await world.check_rest(scene.table)
        assert (await world.state(scene.table)).stack(1) == 600
        if not call.cancelled():
            return


async def test_a_cash_out_does_not_wait_for_the_sweep(world: World) -> None:
    """Chips taken but not yet posted are posted first, so the table can always pay out what it holds."""
    scene = Scene(world)
    node = await scene.set_up()
    dying = await world.node(watch=False)
    await dying.cage.refresh()
    await dying.table(scene.table)
    spy(dying).die_at(3, after=True)
    work = asyncio.ensure_future(_buys_in(scene, dying))
    await spy(dying).dead.wait()
    kill(dying)
    work.cancel()
    assert (await world.state(scene.table)).stack(1) == 600
    assert (await world.cage()).holds
    await _leaves(scene, node)
    await scene.ends(node)
    assert (await world.cage()).balances[scene.account] == 1_000


async def test_returns_are_paid_in_their_order_whoever_pays(world: World) -> None:
    """The cage takes the returns of a table in one order only; two nodes that pay at once lose none."""
    nodes = [await world.node(watch=False) for _ in range(2)]
    table = await world.table(nodes[0])
    seats = [1, 2, 3, 4, 5, 11, 12]
    accounts = [await world.seated(nodes[0], table, seat) for seat in seats]
    for account in accounts:
        await act(nodes[0], table, Leave(), account)
    desks = [await node.table(table) for node in nodes]
    places = sorted((p for p in desks[1].state.chips if p.startswith("transit:")), key=split_return)
    await nodes[1]._purse.cash_out(desks[1], places[-1])
    assert len((await world.cage()).returned) == 0
    for _ in seats:
        await asyncio.gather(*(node._ring(f"t/{table}") for node in nodes))
    await world.check_rest(table)
    book = await world.cage()
    assert [book.balances[account] for account in accounts] == [1_000] * len(seats)


async def test_a_hold_for_no_table_is_void(world: World) -> None:
    """No such table: the chips go back (design 7); one hold that cannot be looked at stops no other."""
    node = await world.node(watch=False)
    account = await world.account(node, 100)
    await world.redis.xadd(keys_of("t/tbl_damaged").stream, {"0": "?"}, id="7-0")
    for name in ("damaged", "none"):
        hold = Hold(30, account, f"t/tbl_{name}", f"x_{node.journal.now()}_{name}")
        assert (await node.cage.send(order(node, hold, "croupier", role="system"))).accepted
    await world.node(ahead_ms=OLD_MS)
    book = await world.cage()
    assert [h.to for h in book.holds.values()] == ["t/tbl_damaged"]
    assert book.balances[account] == 70


async def test_a_young_hold_is_left_alone(world: World) -> None:
    """A hold is resolved only when it is older than 5 s: its buy-in may be on the way."""
    node = await world.node(watch=False)
    account = await world.account(node, 100)
    hold = Hold(30, account, "t/tbl_none", f"x_{node.journal.now()}_a")
    assert (await node.cage.send(order(node, hold, "croupier", role="system"))).accepted
    await (await world.node()).close()
    assert len((await world.cage()).holds) == 1


async def test_a_buy_in_is_made_once_and_answered_the_same(world: World) -> None:
    """S-5: fifty parallel buy-ins under one key, at two nodes, move the chips once."""
    nodes = [await world.node(watch=False) for _ in range(2)]
    table = await world.table(nodes[0])
    account = await world.seated(nodes[0], table, 1, 500)
    sent = order(nodes[0], BuyIn(amount=200), account, key="same")
    answers = await gather(*(node.command(table, sent) for node in nodes for _ in range(25)))
    assert {(a.code, a.first, a.last) for a in answers} == {("accepted", 5, 6)}
    await world.check_rest(table)
    assert (await world.state(table)).stack(1) == 700
    other = order(nodes[0], BuyIn(amount=201), account, key="same")
    assert (await nodes[1].command(table, other)).code == "key_reused"
    assert (await world.cage()).balances[account] == 300


async def test_who_may_not_buy_in_is_told_and_it_is_kept(world: World) -> None:
    """A buy-in without a seat, for a foreign seat or beyond the account moves no chip."""
    node = await world.node(watch=False)
    table = await world.table(node)
    account = await world.account(node, 100)
    standing = order(node, BuyIn(amount=10), account, key="early")
    assert (await node.command(table, standing)).code == "not_seated"
    await act(node, table, Sit(seat=1), account)
    assert (await node.command(table, standing)).code == "not_seated"
    foreign = order(node, BuyIn(amount=10, seat=2), account)
    assert (await node.command(table, foreign)).code == "forbidden"
    stale = order(node, BuyIn(amount=10, seat=1, if_seq=1))
    assert (await node.command(table, stale)).code == "version_conflict"
    poor = await node.command(table, order(node, BuyIn(amount=101), account, key="poor"))
    assert (poor.code, dict(poor.params)) == ("insufficient_chips", {"balance": 100})
    await act(node, table, BuyIn(amount=100), account)
    assert (await node.command(table, order(node, BuyIn(amount=101), account, key="poor"))) == poor
    await world.check_rest(table)


async def test_sitting_and_buying_in_at_once(world: World) -> None:
    """A buy-in that arrives with its seat is taken or `not_seated`, never misunderstood."""
    node = await world.node(watch=False)
    table = await world.table(node)
    for seat in range(1, 6):
        account = await world.account(node, 100)
        sat, bought = await gather(
            node.command(table, order(node, Sit(seat=seat), account)),
            node.command(table, order(node, BuyIn(amount=10), account)),
        )
        assert sat.accepted
        assert bought.code in {"accepted", "not_seated"}
    await world.check_rest(table)


async def test_a_late_buy_in_comes_back(world: World) -> None:
    """A table takes a hold for 5 s only; the answer says so, and the chips are on the account again."""
    node = await world.node(watch=False)
    table = await world.table(node)
    account = await world.seated(node, table, 1)
    sent = order(node, BuyIn(amount=50), account)
    spy(node).ahead_ms = OLD_MS
    assert (await node.command(table, sent)).code == "hold_expired"
    await world.check_rest(table)
    assert (await world.cage()).balances[account] == 500


async def test_the_house_funds_one_bank(world: World) -> None:
    """R-50: two nodes that put up the bank at once, on the same state or not, constitute one."""
    nodes = [await world.node(watch=False) for _ in range(2)]
    for behind in (False, True, False, True):
        table = await world.table(nodes[0])
        await world.seated(nodes[0], table, 1)
        desks = [await node.table(table) for node in nodes]
        if behind:
            await act(nodes[0], table, SeatBot(seat=2, policy="steady"))
        await asyncio.gather(*(n._house.act(d) for n, d in zip(nodes, desks, strict=True)))
        await world.check_rest(table)
        assert (await world.state(table)).chips["bank"] == 10_000
        constituted = [e for e in await world.log(table) if isinstance(e.data, BankConstituted)]
        assert len(constituted) == 1


async def test_a_broke_bot_waits_for_new_chips(world: World, logs: list[EventDict]) -> None:
    """Nobody waits for a bot that cannot stake; with chips of the house, brought by a host, it plays."""
    node = await world.node()
    table = await world.table(node, **QUICK, min_stake=10)
    await act(node, table, SeatBot(seat=1, policy="steady"))
    await act(node, table, BuyIn(seat=1, amount=9))
    desk = await node.table(table)
    assert desk.clock(desk.state) == (None, None)
    await act(node, table, BuyIn(seat=1, amount=91))
    await until(lambda: desk.state.round >= 2)
    await node.close()
    assert not [entry for entry in logs if entry["log_level"] in {"error", "warning"}]
    await world.check_rest(table)
    book = await world.cage()
    assert book.balances[HOUSE] == -book.balances[f"t/{table}"]


async def test_leaving_pays_out_what_was_won(world: World) -> None:
    """The whole stack goes to the person's own account, and the bot's to the house."""
    node = await world.node()
    table = await world.table(node, **QUICK)
    account = await world.seated(node, table, 1)
    await act(node, table, SeatBot(seat=11, policy="steady"))
    await act(node, table, BuyIn(seat=11, amount=300))
    desk = await node.table(table)
    for command, who in [
        (Stake(on="right", amount=400), account),
        (Leave(), account),
        (Leave(seat=11), HOST),
    ]:
        while not (await node.command(table, order(node, command, who))).accepted:
            await asyncio.sleep(0.005)
    await until(lambda: set(desk.state.chips) <= {"bank", "cage"})
    await node.close()
    await world.check_rest(table)
    book = await world.cage()
    bank = (await world.state(table)).chips.get("bank", 0)
    assert book.balances[account] + bank + book.balances[HOUSE] == 0
    assert book.balances[account] in {600, 1_000, 1_400}
