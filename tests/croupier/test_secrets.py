"""What lies in the store: no seed, no unseen card, no name (fairness S-12, decision 11; design 4)."""

import asyncio
import json
from typing import Any

import pytest
from redis.asyncio import Redis

from dealer.croupier.node import Node, created_id
from dealer.croupier.order import Unavailable
from dealer.croupier.tables import TableDesk
from dealer.journal.keys import keys_of
from dealer.rules.bacara.commands import Draw, LayDown, Stake, Stand
from dealer.rules.bacara.game import BACARA
from dealer.rules.bacara.state import SPEAKING
from dealer.rules.frame.commands import BuyIn, CashOut, CommitSeeds, Expire, Leave, OpenTable, SeatBot, Sit
from dealer.rules.frame.events import SeedRevealed, SeedsCommitted, ShoeClosed
from dealer.table.view import hand, view
from shoe.corte import commitment
from shoe.entropy import fresh_seeds
from shoe.seal import SealBroken
from tests.croupier.spy import until
from tests.croupier.world import HOST, QUICK, STILL, World, act, gather, order, spy

OTHER_KEY = b"o" * 32


async def _keys(redis: Redis, pattern: str = "*") -> list[bytes]:
    return [key async for key in redis.scan_iter(pattern)]


async def _store(world: World) -> bytes:
    """Every key as the engine dumps it, uncompressed, and every byte on its disk."""
    await world.redis.config_set("rdbcompression", "no")
    dumps = [key + (await world.redis.dump(key) or b"") for key in await _keys(world.redis)]
    files = [path for path in world.server.directory.rglob("*") if path.is_file()]
    written = [path.read_bytes() for path in files if path.name != "valkey.log"]
    assert any(b"journal_append" in part or b"XADD" in part for part in written)
    return b"\n".join([*dumps, *written])


async def _speaking(world: World, node: Node) -> tuple[str, TableDesk, str]:
    """A table in mid-coup that has dealt, with unseen cards on the table, and who stakes on the right."""
    table = await world.table(node)
    account = await world.seated(node, table, 1)
    await node._ring(f"t/{table}")
    desk = await node.table(table)
    while desk.state.phase not in SPEAKING:
        if desk.state.phase == "betting":
            await act(node, table, Stake(on="right", amount=1), account)
        await act(node, table, Expire(decision=desk.state.decision()))
    return table, desk, account


async def test_the_store_holds_no_seed_and_no_unseen_card(world: World) -> None:
    """S-12: keys and disk tell no seed, no order and no nonce of the live shoe but of exposed cards."""
    node = await world.node(watch=False)
    table, desk, _ = await _speaking(world, node)
    state = desk.state
    assert state.shoe is not None
    shoe = desk.chance.current(state.shoe)
    raw = await _store(world)
    events = await world.log(table)
    exposed = {e.data.pos for e in events if e.type == "card.exposed"}
    for shuffle in (state.shoe.shuffle, *state.commitments):
        seed = desk.chance.seed(shuffle)
        assert commitment(state.log, shuffle, seed).encode() in raw
        assert seed not in raw
        assert seed.hex().encode() not in raw
    for pos in range(state.shoe.size):
        nonce = shoe.nonce(pos)
        assert (nonce.encode() in raw) is (pos in exposed)
        assert bytes.fromhex(nonce) not in raw
    ahead = shoe.order[state.shoe.pos :]
    for run in (ahead[i : i + 6] for i in range(len(ahead) - 6)):
        for form in (json.dumps(run), json.dumps(run, separators=(",", ":"))):
            assert form.strip("[]").encode() not in raw
        assert b"".join(card.to_bytes(2, "big") for card in run) not in raw
        assert bytes(card % 256 for card in run) not in raw


async def test_a_revealed_seed_is_no_longer_kept(world: World) -> None:
    """`shoe.closed` and `seed.revealed` go out in one append, and with it the sealed seed is gone."""
    node = await world.node()
    table = await world.table(node, **{**QUICK, "stop_card": 140})
    for seat in (1, 11):
        await act(node, table, SeatBot(seat=seat, policy="steady"))
        await act(node, table, BuyIn(seat=seat, amount=1_000))
    desk = await node.table(table)
    await until(lambda: desk.state.shuffles > 2)
    await node.close()
    events = await world.log(table)
    revealed = [e for e in events if isinstance(e.data, SeedRevealed)]
    closed = [e for e in events if isinstance(e.data, ShoeClosed)]
    assert [e.data.shuffle for e in revealed] == [e.data.shuffle for e in closed]
    log = f"casa/t/{table}"
    committed = [c for e in events if isinstance(e.data, SeedsCommitted) for c in e.data.commitments]
    for event in revealed:
        seed = bytes.fromhex(event.data.seed)
        assert commitment(log, event.data.shuffle, seed) == committed[event.data.shuffle - 1]
    kept = set(await world.plain.secrets(f"t/{table}"))
    over = {str(e.data.shuffle) for e in revealed}
    assert len(over) >= 2
    assert kept == {str(n) for n in range(1, len(committed) + 1)} - over
    entries: Any = await world.redis.xrange(keys_of(f"t/{table}").stream)
    together = [sum(b'"shoe.closed"' in v for v in fields.values()) for _, fields in entries]
    both = [sum(b'"seed.revealed"' in v for v in fields.values()) for _, fields in entries]
    assert together == both


async def test_another_key_opens_nothing(world: World) -> None:
    """A node without the key cannot serve the table; one that holds it among others can."""
    node = await world.node(watch=False)
    table, desk, _ = await _speaking(world, node)
    stranger = await world.node(keys=(OTHER_KEY,), watch=False)
    for _ in range(2):
        with pytest.raises(SealBroken):
            await stranger.table(table)
    rotated = await world.node(keys=(OTHER_KEY, b"k" * 32), watch=False)
    await act(rotated, table, Expire(decision=desk.state.decision()))


async def test_two_nodes_with_the_key_deal_the_same_cards(world: World) -> None:
    """Both nodes open the same seeds: a hand seen at either is the same, and both go on with the coup."""
    nodes = [await world.node(watch=False) for _ in range(2)]
    table, desk, _ = await _speaking(world, nodes[0])
    other = await nodes[1].table(table)
    hands = [hand(d.game, d.state, d.chance, 1) for d in (desk, other)]
    assert hands[0] == hands[1]
    for node in (nodes[1], nodes[0], nodes[1]):
        d = await node.table(table)
        await act(node, table, Expire(decision=d.state.decision()))
    await desk.refresh()
    await other.refresh()
    assert desk.state == other.state
    assert view(desk.game, desk.state) == view(other.game, other.state)


async def test_seeds_drawn_in_vain_are_forgotten(world: World) -> None:
    """S-12: of two nodes that commit to new seeds at once both go on with the durable ones (decision 11)."""
    nodes = [await world.node(watch=False) for _ in range(2)]
    for same_key in (True, False):
        table = await world.table(nodes[0], stop_card=155)
        account = await world.seated(nodes[0], table, 1)
        await nodes[0]._ring(f"t/{table}")
        desks = [await node.table(table) for node in nodes]
        while len(desks[0].state.commitments) > 16:
            if desks[0].state.phase == "betting":
                await act(nodes[0], table, Stake(on="right", amount=1), account)
            await act(nodes[0], table, Expire(decision=desks[0].state.decision()))
        await desks[1].refresh()
        (due,) = [d for d in desks[0].due() if d.decision.startswith("seeds:")]
        answers = await gather(
            *(
                desk.send(
                    order(
                        node,
                        CommitSeeds(due.decision, tuple(fresh_seeds(32))),
                        "croupier",
                        role="system",
                        key=due.decision if same_key else f"{due.decision}:{number}",
                        body="",
                    )
                )
                for number, (node, desk) in enumerate(zip(nodes, desks, strict=True))
            )
        )
        assert sorted(a.code for a in answers) == ["accepted", "accepted" if same_key else "decision_over"]
        for node in nodes:
            await node.table(table)
        state = desks[0].state
        assert desks[1].state == state == await world.state(table)
        assert len(state.commitments) == 48
        for shuffle, committed in state.commitments.items():
            for desk in desks:
                assert commitment(state.log, shuffle, desk.chance.seed(shuffle)) == committed


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_seeds_of_an_append_without_an_answer_are_those_of_the_log(world: World, after: bool) -> None:
    """A table whose creation had no answer deals from whatever seeds the repeat has made durable."""
    node = await world.node(watch=False)
    table = created_id("tbl", HOST, "same")
    sent = order(node, OpenTable("bacara", "seed", "dos-panos", STILL, ()), key="same")
    spy(node).fail_at(1, after=after)
    with pytest.raises(Unavailable):
        await node.create_table(sent, table)
    assert (await node.create_table(sent, table)).accepted
    desk = await node.table(table)
    assert len(desk.state.commitments) == 32
    for shuffle, committed in desk.state.commitments.items():
        assert commitment(desk.state.log, shuffle, desk.chance.seed(shuffle)) == committed


async def test_a_table_log_names_nobody(world: World) -> None:
    """No principal and no account is in any event of a table; the people beside it tell who is who."""
    nodes = [await world.node(watch=False) for _ in range(2)]
    table = await world.table(nodes[0])
    people = [await world.seated(nodes[0], table, seat) for seat in (1, 2, 11)]
    await act(nodes[1], table, Sit(seat=12), HOST, account=(guest := await world.account(nodes[1])))
    await act(nodes[1], table, BuyIn(seat=12, amount=20))
    await nodes[0]._ring(f"t/{table}")
    await act(nodes[0], table, Stake(on="right", amount=5), people[0])
    await act(nodes[0], table, Leave(), people[2])
    await act(nodes[1], table, CashOut(), people[1])
    for node in nodes:
        await node._ring(f"t/{table}")
    stored = b"\n".join(await world.plain.read(f"t/{table}"))
    names = [*people, guest, HOST]
    assert all(name.encode() not in stored for name in names)
    mapping = await world.plain.people(f"t/{table}")
    assert sorted(mapping.values()) == sorted(names)
    assert all(pid.startswith("pid_") and pid.encode() in stored for pid in mapping)
    state = await world.state(table)
    assert mapping[state.seats[12].pid] == guest
    book = await world.cage()
    assert [book.balances[p] for p in people[1:]] == [1_000, 1_000]


async def test_people_have_another_name_at_every_table(world: World) -> None:
    """Pseudonyms are random per table: nothing in two logs says that the same person played."""
    node = await world.node(watch=False)
    tables = [await world.table(node) for _ in range(2)]
    for table in tables:
        await act(node, table, Sit(seat=1), "acc_a")
    pids = [(await world.state(table)).seats[1].pid for table in tables]
    assert pids[0] != pids[1]


async def test_a_newcomer_has_one_name_whichever_nodes_he_uses(world: World) -> None:
    """Two first commands at two nodes at once give one pseudonym."""
    nodes = [await world.node(watch=False) for _ in range(2)]
    table = await world.table(nodes[0])
    for node in nodes:
        await node.table(table)
    answers = await gather(
        *(node.command(table, order(node, Sit(seat=s), "acc_a")) for s, node in enumerate(nodes, 1))
    )
    assert sorted(a.code for a in answers) == ["accepted", "already_seated"]
    assert list((await world.plain.people(f"t/{table}")).values()).count("acc_a") == 1


async def test_an_erased_person_leaves_the_table_playable(world: World) -> None:
    """Without the mapping nobody knows who sat there; the others, and new nodes, play on."""
    node = await world.node()
    table = await world.table(node, **QUICK)
    people = [await world.seated(node, table, seat) for seat in (1, 11)]
    state = (await node.table(table)).state
    erased = state.seats[1].pid
    await world.redis.hdel(keys_of(f"t/{table}").people, erased)
    await node.close()
    heir = await world.node()
    desk = await heir.table(table)
    assert desk.principal_of(erased) == ""
    for _ in range(2):
        await until(lambda: desk.state.phase == "betting")
        if not desk.state.chips.get("stake:left:11"):  # a push has left it there, and its time runs
            await act(heir, table, Stake(on="left", amount=10), people[1])
        await until(lambda: desk.state.phase not in {"betting", "last_call"})
    stranger = await heir.command(table, order(heir, Leave(), people[0]))
    assert stranger.code == "not_seated"
    while not (await heir.command(table, order(heir, Leave(), people[1]))).accepted:
        await asyncio.sleep(0.01)
    await heir.close()
    assert people[0].encode() not in b"".join(await world.plain.read(f"t/{table}"))


async def test_the_store_does_not_tell_which_word_a_hand_was_refused(world: World) -> None:
    """S-20: such a record is as long as any other of its kind, and names neither the word nor the reason."""
    node = await world.node(watch=False)
    table, desk, account = await _speaking(world, node)
    keys = keys_of(f"t/{table}")
    asked = [
        order(node, word, account, key=f"k{place}")
        for place, word in enumerate((LayDown(), *_forbidden(desk)))
    ]
    told = [await node.command(table, each) for each in asked]
    assert {answer.code for answer in told} == {"illegal_action"}
    stored = [await world.redis.get(keys.record(each.principal, each.key)) for each in asked]
    assert len({len(record or b"") for record in stored}) == 1
    for each, record in zip(asked, stored, strict=True):
        assert isinstance(record, bytes)
        assert each.body_hash.encode() not in record
        assert b"illegal" not in record
    other = await world.node(watch=False)
    for each, answer in zip(asked, told, strict=True):
        assert await other.command(table, each) == answer
    changed = order(node, Draw(), account, key="k0", body="another")
    assert (await other.command(table, changed)).code == "key_reused"


async def test_the_record_of_a_refused_word_is_nobody_elses(world: World) -> None:
    """S-12: sealed for one person, key and table, it opens for no other."""
    node = await world.node(watch=False)
    table, _, account = await _speaking(world, node)
    keys = keys_of(f"t/{table}")
    first = order(node, LayDown(), account, key="k0")
    assert (await node.command(table, first)).code == "illegal_action"
    blob = await world.redis.get(keys.record(account, "k0"))
    assert isinstance(blob, bytes)
    await world.redis.set(keys.record(account, "k1"), blob)
    with pytest.raises(SealBroken):
        await node.command(table, order(node, LayDown(), account, key="k1"))


def _forbidden(desk: TableDesk) -> list[Draw | Stand]:
    """The word that the hand on turn may not say, if there is one."""
    words: dict[str, Draw | Stand] = {"draw": Draw(), "stand": Stand()}
    legal = {option.type for option in BACARA.options(desk.state, desk.chance, 1)}
    return [word for name, word in words.items() if name not in legal]
