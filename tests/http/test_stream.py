"""Following a table live: nothing missed, nothing twice, nobody's cards to others (design 5, S-7, S-20)."""

import asyncio
import socket
from contextlib import AsyncExitStack

import pytest
from aiohttp import ClientSession, TCPConnector
from structlog.testing import capture_logs

from dealer.croupier import feeds
from dealer.croupier.follow import BEHIND
from dealer.croupier.node import Node
from dealer.http import frames, stream, streams
from dealer.http.limits import STREAM_BUFFER_BYTES
from dealer.http.streams import STREAMS_KEY
from dealer.journal import Journal
from dealer.rules.frame.commands import Leave, Sit
from shoe.seal import Vault, key_id
from tests.croupier.spy import until
from tests.croupier.world import order
from tests.http.client import Client
from tests.http.conftest import SEAL_KEY
from tests.http.house import House
from tests.http.listener import MEDIA, Listener
from tests.journal.server import Server


@pytest.fixture(autouse=True)
def short_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A watch that is no longer wanted is over soon."""
    monkeypatch.setattr(feeds, "BLOCK_MS", 200)


def _listener(
    house: House, table: str, client: Client | None = None, query: str = "", last: int | None = None
) -> Listener:
    """Somebody who follows a table; an auditor unless it is somebody else."""
    token = (client or house.auditor)._token
    return Listener(house.session, token, f"{table}/events{query}", last)


async def _log(house: House, table: str) -> list[tuple[int, bytes]]:
    """Everything that listeners may have heard of a table."""
    return list(enumerate(await house.node.journal.read(f"t/{table.rpartition('/')[2]}")))


async def _coming_and_going(node: Node, table: str, times: int, seat: int = 1) -> None:
    """Two events each time: somebody sits down and leaves."""
    name = table.rpartition("/")[2]
    orders = [order(node, Sit(seat=seat) if n % 2 == 0 else Leave(), f"acc_{seat}") for n in range(2 * times)]
    answers = await asyncio.gather(*(node.command(name, each) for each in orders))
    assert {answer.code for answer in answers} == {"accepted"}


def _streams(house: House) -> list[stream.Stream]:
    return list(house.app[STREAMS_KEY]._tokens)


async def _freed(house: House) -> None:
    """Wait until nothing is left of any stream."""
    held = house.app[STREAMS_KEY]
    await until(lambda: not held._tokens)
    await until(lambda: not held._places)
    assert (held._channels, +held._using, +held._placed) == ({}, {}, {})
    await until(lambda: not house.node._feeds._watching)


async def test_live(house: House) -> None:
    """Design 8: a stream without a beginning begins with the next event, and each is its stored bytes."""
    table = await house.table()
    last = (await house.host.seen(table))["seq"]
    async with _listener(house, table) as listener:
        await listener.at(last)
        assert listener.raw.startswith(b"retry: 2000\n\n")
        assert listener.events == []
        await house.seated(table, 1)
        await until(lambda: len(listener.events) >= 3)
        first = listener.events[0][0]
        assert first == last + 1
        log = await _log(house, table)
        assert listener.events == log[first : first + len(listener.events)]
        assert listener._response is not None
        headers = listener._response.headers
        assert (headers["Cache-Control"], headers["X-Content-Type-Options"]) == ("no-store", "nosniff")
    await _freed(house)


async def test_resume(house: House) -> None:
    """Models 2: whoever comes back is sent what he missed, then told where he is; the header goes first."""
    table = await house.table()
    await _coming_and_going(house.node, table, 20)
    log = await _log(house, table)
    last = len(log) - 1
    for query, resumed, first in (
        ("?after=9", None, 10),
        ("", 30, 31),
        ("?after=9", 30, 31),
        ("", last, last + 1),
    ):
        async with _listener(house, table, query=query, last=resumed) as listener:
            await listener.at(last)
            assert listener.events == log[first:]
            assert [frame.name for frame in listener.frames][-1] == "sync"
            assert listener.frames[-1].id == str(last)
            await _coming_and_going(house.node, table, 1)
            log = await _log(house, table)
            last = len(log) - 1
            await listener.hears(last)
            assert listener.events == log[first:]
    await _freed(house)


async def test_from_the_beginning(house: House) -> None:
    """Design 5: a log of less than a thousand events can be had as a whole."""
    table = await house.table()
    async with _listener(house, table, query="?after=-1") as listener:
        await listener.at()
        assert listener.events == await _log(house, table)


async def test_resync(house: House) -> None:
    """Design 5: more than 1,000 behind, or beyond the end, it is resync: read pages up to N."""
    table = await house.table()
    await _coming_and_going(house.node, table, 510)
    log = await _log(house, table)
    last = len(log) - 1
    assert last > BEHIND
    for after in (-1, last - BEHIND - 1, last + 1, 10**15 - 1):
        async with _listener(house, table, query=f"?after={after}") as listener:
            await listener.at(last)
            assert [(frame.name, frame.id, frame.told) for frame in listener.frames] == [
                ("resync", str(last), {"seq": last}),
                ("sync", str(last), {"seq": last}),
            ]
    async with _listener(house, table, query=f"?after={last - BEHIND}") as listener:
        await listener.at(last)
        assert listener.events == log[-BEHIND:]
    await _freed(house)


async def test_joining_while_events_are_appended(house: House) -> None:
    """Design 5: no gap, no repetition, in order, however backlog and appends meet."""
    table = await house.table()
    await _coming_and_going(house.node, table, 100)

    async def follow(number: int) -> None:
        await asyncio.sleep(number * 0.002)
        async with _listener(house, table, query=f"?after={number * 7}") as listener:
            await busy
            log = await _log(house, table)
            await listener.hears(len(log) - 1)
            assert listener.events == log[number * 7 + 1 :]

    busy = asyncio.gather(*(_coming_and_going(house.node, table, 60, seat) for seat in (1, 2, 3, 4, 5)))
    await asyncio.gather(*(follow(number) for number in range(25)))
    await _freed(house)


async def test_three_hundred_listeners(house: House) -> None:
    """Design 9: everybody gets everything; each event is made once for all."""
    table = await house.table()
    url, path = house.session._base_url, f"{table}/events"
    async with ClientSession(url, connector=TCPConnector(limit=0)) as session, AsyncExitStack() as present:
        listeners = [
            await present.enter_async_context(Listener(session, house.auditor._token, path))
            for _ in range(300)
        ]
        last = {await listener.at() for listener in listeners}.pop()
        await _coming_and_going(house.node, table, 30)
        for listener in listeners:
            await listener.hears(last + 60)
        log = await _log(house, table)
        assert all(listener.events == log[last + 1 :] for listener in listeners)
        assert len({listener.raw for listener in listeners}) == 1
    await _freed(house)


async def test_hands_go_to_their_holders_only(house: House) -> None:
    """S-20, S-21: a hand goes to its holder alone; the public bytes of all are the same."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    _, watching = await house.player()
    async with (
        _listener(house, table) as auditor,
        _listener(house, table, house.host) as host,
        _listener(house, table, watching) as spectator,
        _listener(house, table, players[1]) as right,
        _listener(house, table, players[11]) as left,
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
        nonces = {
            seat: [card["nonce"] for card in listener.named("hand")[-1]["hand"]]
            for seat, listener in holders.items()
        }
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
    await _freed(house)


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
    async with _listener(house, table, players[1]) as listener:
        await listener.at()
        assert [frame.name for frame in listener.frames] == ["hand", "sync"]
        assert listener.named("hand") == [{"hand": own["hand"], "seat": 1, "seq": listener.synced}]
        async with _listener(house, table, players[1]) as second:
            await second.at()
            assert second.raw == listener.raw
    await _freed(house)


async def test_seat_of_a_newcomer(house: House) -> None:
    """A player who listens first and sits down then is told of the seat, and of its end."""
    table = await house.table()
    _, player = await house.player()
    async with _listener(house, table, player) as listener:
        await listener.at()
        await player.made(f"{table}/commands", {"type": "sit", "seat": 2})
        await player.made(f"{table}/commands", {"type": "leave"})
        await until(lambda: len(listener.named("hand")) == 3)
        assert [(told["seat"], told["hand"]) for told in listener.named("hand")] == [
            (0, []),
            (2, []),
            (0, []),
        ]
    await _freed(house)


async def _small(house: House, table: str) -> socket.socket:
    """A listener that reads nothing, over a connection that holds little."""
    base = house.session._base_url
    assert base is not None
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    connection.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connection, (base.host, base.port))
    request = (
        f"GET {table}/events HTTP/1.0\r\nHost: x\r\nAccept: {MEDIA}\r\n"
        f"Authorization: Bearer {house.auditor._token}\r\n\r\n"
    )
    await asyncio.get_running_loop().sock_sendall(connection, request.encode())
    await until(lambda: len(_streams(house)) == 1 and _streams(house)[0]._live)
    served = _streams(house)[0]._transport.get_extra_info("socket")
    served.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2_048)
    return connection


async def _read_until(connection: socket.socket, end: bytes) -> bytes:
    heard = b""
    async with asyncio.timeout(20):
        while end not in heard:
            part = await asyncio.get_running_loop().sock_recv(connection, 65_536)
            assert part, "the stream has ended"
            heard += part
    return heard


async def test_slow_listener(house: House) -> None:
    """S-7: who does not read is not waited for and holds a full connection at most; then it is resync."""
    table = await house.table()
    with await _small(house, table) as connection:
        async with _listener(house, table) as quick:
            await quick.at()
            (slow,) = [each for each in _streams(house) if not each._chunked]
            await _coming_and_going(house.node, table, 300)
            await until(lambda: not slow._live)
            held = slow._transport.get_write_buffer_size()
            await _coming_and_going(house.node, table, 600)
            await until(lambda: len(quick.events) == 1_800)
            assert slow._transport.get_write_buffer_size() <= held
            assert held < 3 * STREAM_BUFFER_BYTES
        last = quick.events[-1][0]
        heard = await _read_until(connection, b'event: sync\ndata: {"seq":%d}\n\n' % last)
        assert b'event: resync\ndata: {"seq":%d}\n\n' % last in heard
        whole = [
            block for block in heard.partition(b"\r\n\r\n")[2].split(b"\n\n") if b"event: event" in block
        ]
        assert b"".join(whole) in b"".join(
            block for block in quick.raw.split(b"\n\n") if b"event: event" in block
        )
        await _coming_and_going(house.node, table, 1)
        await _read_until(connection, b"id: %d\n" % (last + 2))
    await _freed(house)


async def test_listener_that_lags_a_little(house: House) -> None:
    """S-7: who reads again in time gets what he missed, and nothing twice."""
    table = await house.table()
    with await _small(house, table) as connection:
        (slow,) = _streams(house)
        first = (await house.host.seen(table))["seq"] + 1
        await _coming_and_going(house.node, table, 400)
        await until(lambda: not slow._live)
        log = await _log(house, table)
        heard = await _read_until(connection, b'event: sync\ndata: {"seq":%d}\n\n' % (len(log) - 1))
        assert b"resync" not in heard
        ids = [int(line[4:]) for line in heard.split(b"\n") if line.startswith(b"id: ")]
        assert ids == [first - 1, *range(first, len(log)), len(log) - 1]
    await _freed(house)


async def test_stalled_listener(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-7: a full connection that takes nothing for long is given up."""
    monkeypatch.setattr(stream, "STALLED_S", 1)
    table = await house.table()
    with await _small(house, table):
        await _coming_and_going(house.node, table, 400)
        await _freed(house)


async def test_another_node(house: House, server: Server) -> None:
    """Design 5: a listener hears what another node appends, and a hand that follows from it."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    async with _listener(house, table, players[1]) as listener:
        await listener.at()
        async with server.client() as client:
            journal = Journal(client)
            await journal.open()
            other = Node(journal, "casa", Vault({key_id(SEAL_KEY): SEAL_KEY}, key_id(SEAL_KEY)))
            name = table.rpartition("/")[2]
            answer = await other.command(name, order(other, Sit(seat=5), "acc_5"))
            assert answer.accepted
            await until(lambda: listener.events and listener.events[-1][0] >= answer.last)
            await other.close()
            await journal.close()
        first = listener.events[0][0]
        log = await _log(house, table)
        assert listener.events == log[first : first + len(listener.events)]
    await _freed(house)


async def test_store_away(house: House, server: Server) -> None:
    """Design 5: while the store is away a stream stays; it goes on without a gap."""
    table = await house.table()
    async with _listener(house, table) as listener:
        await listener.at()
        first = listener.synced + 1
        await _coming_and_going(house.node, table, 2)
        server.kill()
        await asyncio.sleep(0.2)
        server.start()
        await _coming_and_going(house.node, table, 2)
        await until(lambda: len(listener.events) == 8)
        assert listener.events == (await _log(house, table))[first:]
        assert not listener.over
    await _freed(house)


async def test_revoked_key(house: House) -> None:
    """S-2: a stream ends soon after its key is revoked; those of other keys go on."""
    table = await house.table()
    record, token = await house.keyring.add("auditor", name="short")
    async with (
        Listener(house.session, token, f"{table}/events") as revoked,
        _listener(house, table) as other,
    ):
        await until(lambda: revoked.synced >= 0 and other.synced >= 0)
        await house.keyring.revoke(record.id)
        await until(lambda: revoked.over, seconds=3 * stream.TICK_S)
        assert not other.over
    await _freed(house)


async def test_heartbeat(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A silent table shows a sign of life, which is no frame."""
    monkeypatch.setattr(streams, "HEARTBEAT_S", 1)
    table = await house.table()
    async with _listener(house, table) as listener:
        await until(lambda: listener.raw.endswith(b"\n\n:\n\n"))
        assert [frame.name for frame in listener.frames] == ["sync"]


async def test_listener_that_leaves(house: House) -> None:
    """Whoever hangs up is noticed without being written to, and nothing is kept for him."""
    table = await house.table()
    for _ in range(3):
        async with _listener(house, table) as listener:
            await listener.at()
    await _freed(house)


async def test_leaving_in_the_midst(house: House) -> None:
    """Whoever hangs up while he is written to disturbs nobody, and nothing is logged of it."""
    table = await house.table()
    async with _listener(house, table) as staying:
        await staying.at()
        busy = asyncio.create_task(_coming_and_going(house.node, table, 200))
        for _ in range(20):
            async with _listener(house, table, query=f"?after={staying.synced}"):
                await asyncio.sleep(0.002)
        await busy
        await until(lambda: len(staying.events) == 400)
    await _freed(house)


@pytest.mark.parametrize(
    ("path", "headers", "status", "code"),
    [
        ("/v1/tables/none/events", {}, 404, "no_such_table"),
        ("/v1/tables/NONE/events", {}, 404, "no_such_table"),
        ("{table}/events?after=x", {}, 422, "malformed"),
        ("{table}/events?after=-2", {}, 422, "malformed"),
        ("{table}/events?limit=0", {}, 422, "malformed"),
        ("{table}/events", {"Last-Event-ID": "x"}, 422, "malformed"),
        ("{table}/events", {"Last-Event-ID": "-1"}, 422, "malformed"),
        ("{table}/events", {"Last-Event-ID": "9" * 16}, 422, "malformed"),
        ("{table}/events", {"Authorization": "Bearer x"}, 401, "unauthorized"),
    ],
)
async def test_problems(house: House, path: str, headers: dict[str, str], status: int, code: str) -> None:
    """Design 8: what cannot be followed is a problem like any other, before anything is streamed."""
    path = path.format(table=await house.table())
    given, problem = await house.auditor.send("GET", path, headers={"Accept": MEDIA, **headers})
    assert (given, problem["code"]) == (status, code)
    await _freed(house)


@pytest.mark.parametrize("accept", ["", "*/*", "application/json", "text/event-streams", "text/html;q=0.9"])
async def test_pages_for_all_others(house: House, accept: str) -> None:
    """Design 8: only who asks for a stream gets one."""
    table = await house.table()
    status, page = await house.auditor.send("GET", f"{table}/events", headers={"Accept": accept})
    assert (status, page["next"]) == (200, len(page["events"]) - 1)


async def test_limits(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-7: so many streams a key and in all; one more is 429 with Retry-After, and a place freed is free."""
    monkeypatch.setattr(streams, "STREAMS_OF_A_PLAYER", 2)
    monkeypatch.setattr(streams, "STREAMS_OF_A_KEY", 3)
    monkeypatch.setattr(streams, "STREAMS", 4)
    table = await house.table()
    _, player = await house.player()

    async def refused(client: Client) -> bool:
        status, problem = await client.send("GET", f"{table}/events", headers={"Accept": MEDIA})
        assert (status, problem["code"], client.headers["Retry-After"]) == (429, "rate_limited", "1")
        return True

    mine = [await _listener(house, table, player).__aenter__() for _ in range(2)]
    assert await refused(player)
    others = [await _listener(house, table, house.host).__aenter__() for _ in range(2)]
    assert await refused(house.host)
    await mine.pop().__aexit__(None, None, None)
    await until(lambda: len(_streams(house)) == 3)
    others.append(await _listener(house, table, house.host).__aenter__())
    await others.pop().__aexit__(None, None, None)
    await mine.pop().__aexit__(None, None, None)
    await until(lambda: len(_streams(house)) == 2)
    others.append(await _listener(house, table, house.host).__aenter__())
    assert await refused(house.host)
    for listener in others:
        await listener.__aexit__(None, None, None)
    await _freed(house)


async def test_shutdown(house: House) -> None:
    """A service that stops ends its streams at once, also those whose connection is full; none begins."""
    table = await house.table()
    with await _small(house, table):
        async with _listener(house, table) as listener:
            await listener.at()
            await _coming_and_going(house.node, table, 400)
            await until(lambda: [each._live for each in _streams(house)] == [False, True])
            await until(lambda: len(listener.events) == 800)
            await house.app.shutdown()
            await until(lambda: listener.over)
            assert listener._rest == b"", "it ends with a whole frame"
        await _freed(house)
    async with _listener(house, table) as late:
        await until(lambda: late.over)
        assert late.frames == []


async def test_defect(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-30: an error inside ends the stream and is logged; nothing of it gets out."""
    table = await house.table()

    def broken(_: int) -> bytes:
        raise RuntimeError("secret of the house")

    monkeypatch.setattr(frames, "sync", broken)
    with capture_logs() as logged:
        async with _listener(house, table) as listener:
            await until(lambda: listener.over)
        await _freed(house)
    assert [line["event"] for line in logged] == ["stream_failed"]
    assert b"secret" not in listener.raw


async def test_listener_count(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each listener is counted while it listens."""
    changes: list[int] = []
    monkeypatch.setattr(house.node.hooks, "listening", changes.append)
    table = await house.table()
    async with _listener(house, table) as listener:
        await listener.at()
        assert changes == [1]
    await _freed(house)
    assert changes == [1, -1]
