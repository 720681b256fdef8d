"""Following a table live: one's own cards, and nobody else's (fairness S-20, S-21)."""

import pytest

from dealer.http.streams import STREAMS_KEY
from dealer.rules.frame.chance import Chance
from tests.croupier.spy import until
from tests.http.house import House
from tests.http.listener import Listener, coming_and_going, follower, freed, streams_of


async def test_hands_go_to_their_holders_only(house: House) -> None:
    """S-20, S-21: a hand goes to its holder alone; the public bytes of all are the same."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    _, watching = await house.player()
    async with (
        follower(house, table) as auditor,
        follower(house, table, house.host) as host,
        follower(house, table, watching) as spectator,
        follower(house, table, players[1]) as right,
        follower(house, table, players[11]) as left,
    ):
        everybody = (auditor, host, spectator, right, left)
        await until(lambda: all(each.synced >= 0 for each in everybody))
        await house.speaking(table, players)
        holders = {1: right, 11: left}
        for seat, listener in holders.items():
            own = (await players[seat].seen(table))["you"]
            shown = await listener.holds(own["hand"])
            assert own["hand"]
            assert shown["seat"] == own["seat"] == seat
            view = await house.host.seen(table)
            assert shown["seq"] <= view["seq"]
            held = next(n for n, frame in enumerate(listener.frames) if frame.told == shown)
            before = [int(frame.id) for frame in listener.frames[:held] if frame.name == "event"]
            assert before[-1] == shown["seq"], "as of the event before it"
        laid_down = {hand for hand, cards in (await house.host.seen(table))["hands"].items() if all(cards)}
        nonces = {
            seat: [
                card["nonce"]
                for card in listener.named("hand")[-1]["hand"]
                if card["hand"] not in laid_down  # a natural is everybody's
            ]
            for seat, listener in holders.items()
        }
        assert any(nonces.values())
        for seat, listener in holders.items():
            assert all(nonce.encode() in listener.raw for nonce in nonces[seat])
            assert not any(nonce.encode() in listener.raw for nonce in nonces[12 - seat])
        hidden = [nonce.encode() for held in nonces.values() for nonce in held]
        assert not any(nonce in each.raw for nonce in hidden for each in (auditor, host, spectator))
        view = await house.finish(table, players)
        await until(lambda: all(each.events[-1][0] >= view["seq"] for each in everybody))
        for listener in holders.values():
            await listener.holds([])
            assert {frame.id for frame in listener.frames if frame.name == "hand"} == {""}
        assert spectator.named("hand") == [{"hand": [], "seat": 0, "seq": spectator.synced}]
        assert auditor.named("hand") == host.named("hand") == []
        public = [_public(each) for each in everybody]
        shortest = min(map(len, public))
        assert len({frames[:shortest] for frames in public}) == 1
        size = min(len(auditor.raw), len(host.raw))
        assert auditor.raw[:size] == host.raw[:size]
    await freed(house)


def _public(listener: Listener) -> bytes:
    """What a listener got, without its own hand."""
    blocks = listener.raw.split(b"\n\n")
    return b"\n\n".join(block for block in blocks if not block.startswith(b"event: hand\n"))


async def test_hand_when_coming_back(house: House) -> None:
    """Models 2: whoever comes back in the middle of a coup has his cards before he is told where he is."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    await house.speaking(table, players)
    own = (await players[1].seen(table))["you"]
    async with follower(house, table, players[1]) as listener:
        await listener.at()
        assert [frame.name for frame in listener.frames] == ["hand", "sync"]
        assert listener.named("hand") == [{"hand": own["hand"], "seat": 1, "seq": listener.synced}]
        async with follower(house, table, players[1]) as second:
            await second.at()
            assert second.raw == listener.raw
    await freed(house)


async def test_seat_of_a_newcomer(house: House) -> None:
    """A player who listens first and sits down then is told of the seat, and of its end."""
    table = await house.table()
    _, player = await house.player()
    async with follower(house, table, player) as listener:
        await listener.at()
        await player.made(f"{table}/commands", {"type": "sit", "seat": 2})
        await player.made(f"{table}/commands", {"type": "leave"})
        await until(lambda: len(listener.named("hand")) == 3)
        assert [(told["seat"], told["hand"]) for told in listener.named("hand")] == [
            (0, []),
            (2, []),
            (0, []),
        ]
        await player.made(f"{table}/commands", {"type": "sit", "seat": 2})
        await until(lambda: len(listener.named("hand")) == 4)
        async with follower(house, table) as staying:
            await staying.at()
            listener.close()
            await until(lambda: len(streams_of(house)) == 1)
            await coming_and_going(house.node, table, 1)
            await staying.hears(staying.synced + 2)
            (channel,) = house.app[STREAMS_KEY]._channels.values()
            assert (channel._players, channel._shown) == ({}, {}), "nothing is kept of who listens no more"
    await freed(house)


async def test_hand_of_a_shoe_not_known_yet(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that reads on meets a shoe before its seed; the hand follows as soon as it has that."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    view = await house.speaking(table, players)
    desk = await house.node.table(table.rpartition("/")[2])
    speaker = players[view["due"][0]["seats"][0]]
    own = (await speaker.seen(table))["you"]
    known = desk.chance
    desk.chance = Chance({})
    async with follower(house, table, speaker) as listener:
        await listener.at()
        assert [told["hand"] for told in listener.named("hand")] == [[]]
        desk.chance = known
        await coming_and_going(house.node, table, 1, seat=3)
        await listener.holds(own["hand"])
    await freed(house)


async def test_hand_that_comes_while_lagging(house: House) -> None:
    """Who lags is not sent a hand before the events that lead to it; he has it when he has caught up."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    async with follower(house, table, players[1]) as listener:
        await listener.at()
        (stream,) = streams_of(house)
        stream._live = False
        view = await house.speaking(table, players)
        assert listener.named("hand") == [{"hand": [], "seat": 1, "seq": listener.synced}]
        stream._wake()
        own = (await players[1].seen(table))["you"]
        shown = await listener.holds(own["hand"])
        assert shown["seq"] >= view["seq"]
        assert listener.frames[-2].told == shown, "after all that was missed, before `sync`"
    await freed(house)
