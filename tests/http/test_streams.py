"""Streams have an end and a measure: slow, gone, revoked, too many, stopped (fairness S-7)."""

import asyncio
import socket

import pytest
from structlog.testing import capture_logs

from dealer.croupier.follow import Tail
from dealer.http import frames, stream, streams
from dealer.http.limits import STREAM_BUFFER_BYTES
from dealer.http.streams import STREAMS_KEY
from tests.croupier.spy import until
from tests.http.client import Client
from tests.http.house import House
from tests.http.listener import MEDIA, Listener, coming_and_going, follower, freed, log_of, streams_of


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
    await until(lambda: len(streams_of(house)) == 1 and streams_of(house)[0]._live)
    served = streams_of(house)[0]._transport.get_extra_info("socket")
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
        async with follower(house, table) as quick:
            await quick.at()
            (slow,) = [each for each in streams_of(house) if not each._chunked]
            await coming_and_going(house.node, table, 300)
            await until(lambda: not slow._live)
            held = slow._transport.get_write_buffer_size()
            await coming_and_going(house.node, table, 600)
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
        await coming_and_going(house.node, table, 1)
        await _read_until(connection, b"id: %d\n" % (last + 2))
    await freed(house)


async def test_listener_that_lags_a_little(house: House) -> None:
    """S-7: who reads again in time gets what he missed, and nothing twice."""
    table = await house.table()
    with await _small(house, table) as connection:
        (slow,) = streams_of(house)
        first = (await house.host.seen(table))["seq"] + 1
        await coming_and_going(house.node, table, 400)
        await until(lambda: not slow._live)
        heard = b""
        while slow._transport.get_write_buffer_size() > STREAM_BUFFER_BYTES // 2:
            heard += await asyncio.get_running_loop().sock_recv(connection, 2_048)
            await asyncio.sleep(0)
        assert not slow._live, "it has taken some, but not enough"
        await coming_and_going(house.node, table, 1)  # not to be sent before what it has missed
        log = await log_of(house, table)
        heard += await _read_until(connection, b'event: sync\ndata: {"seq":%d}\n\n' % (len(log) - 1))
        assert b"resync" not in heard
        ids = [int(line[4:]) for line in heard.split(b"\n") if line.startswith(b"id: ")]
        assert ids == [first - 1, *range(first, len(log)), len(log) - 1]
    await freed(house)


async def test_stalled_listener(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-7: a full connection that takes nothing for long is given up."""
    monkeypatch.setattr(stream, "STALLED_S", 1)
    table = await house.table()
    with await _small(house, table):
        await coming_and_going(house.node, table, 400)
        await freed(house)


async def test_revoked_key(house: House) -> None:
    """S-2: a stream ends soon after its key is revoked; those of other keys go on."""
    table = await house.table()
    record, token = await house.keyring.add("auditor", name="short")
    async with (
        Listener(house.session, token, f"{table}/events") as revoked,
        follower(house, table) as other,
    ):
        await until(lambda: revoked.synced >= 0 and other.synced >= 0)
        await house.keyring.revoke(record.id)
        await until(lambda: revoked.over, seconds=3 * stream.TICK_S)
        assert not other.over
    await freed(house)


async def test_heartbeat(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A silent table shows a sign of life, which is no frame."""
    monkeypatch.setattr(streams, "HEARTBEAT_S", 1)
    table = await house.table()
    async with follower(house, table) as listener:
        await until(lambda: listener.raw.endswith(b"\n\n:\n\n"))
        assert [frame.name for frame in listener.frames] == ["sync"]


async def test_listener_that_leaves(house: House) -> None:
    """Whoever hangs up is noticed without being written to, and nothing is kept for him."""
    table = await house.table()
    for _ in range(3):
        async with follower(house, table) as listener:
            await listener.at()
    await freed(house)


async def test_leaving_in_the_midst(house: House) -> None:
    """Whoever hangs up while he is written to disturbs nobody, and nothing is logged of it."""
    table = await house.table()
    async with follower(house, table) as staying:
        await staying.at()
        busy = asyncio.create_task(coming_and_going(house.node, table, 200))
        for _ in range(20):
            async with follower(house, table, query=f"?after={staying.synced}"):
                await asyncio.sleep(0.002)
        await busy
        await until(lambda: len(staying.events) == 400)
    await freed(house)


async def test_limits(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-7: so many streams a key and in all; one more is 429 and counted, and a place freed is free."""
    away: list[str] = []
    house.serving.connections.turned_away = away.append
    monkeypatch.setattr(streams, "STREAMS_OF_A_PLAYER", 2)
    monkeypatch.setattr(streams, "STREAMS_OF_A_KEY", 3)
    monkeypatch.setattr(streams, "STREAMS", 4)
    table = await house.table()
    _, player = await house.player()

    async def refused(client: Client) -> bool:
        async with asyncio.timeout(5):
            status, problem = await client.send("GET", f"{table}/events", headers={"Accept": MEDIA})
        assert (status, problem["code"], client.headers["Retry-After"]) == (429, "rate_limited", "1")
        return True

    mine = [await follower(house, table, player).__aenter__() for _ in range(2)]
    assert await refused(player)
    others = [await follower(house, table, house.host).__aenter__() for _ in range(2)]
    assert await refused(house.host)
    await mine.pop().__aexit__(None, None, None)
    await until(lambda: len(streams_of(house)) == 3)
    others.append(await follower(house, table, house.host).__aenter__())
    await others.pop().__aexit__(None, None, None)
    await mine.pop().__aexit__(None, None, None)
    await until(lambda: len(streams_of(house)) == 2)
    others.append(await follower(house, table, house.host).__aenter__())
    assert await refused(house.host)
    await until(lambda: away == ["streams"] * 3)
    for listener in others:
        await listener.__aexit__(None, None, None)
    await freed(house)


async def test_shutdown(house: House) -> None:
    """A service that stops ends its streams at once, also those whose connection is full; none begins."""
    table = await house.table()
    with await _small(house, table):
        async with follower(house, table) as listener:
            await listener.at()
            await coming_and_going(house.node, table, 400)
            await until(lambda: [each._live for each in streams_of(house)] == [False, True])
            await until(lambda: len(listener.events) == 800)
            await house.app.shutdown()
            await until(lambda: listener.over)
            assert listener._rest == b"", "it ends with a whole frame"
        await freed(house)
    async with follower(house, table) as late:
        await until(lambda: late.over)
        assert late.frames == []


async def test_defect(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-30: an error inside ends the stream and is logged; nothing of it gets out."""
    table = await house.table()

    def broken(_: int) -> bytes:
        raise RuntimeError("secret of the house")

    monkeypatch.setattr(frames, "sync", broken)
    with capture_logs() as logged:
        async with follower(house, table) as listener:
            await until(lambda: listener.over)
        await freed(house)
    assert [line["event"] for line in logged] == ["stream_failed"]
    assert b"secret" not in listener.raw


async def test_listener_count(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each listener is counted while it listens."""
    changes: list[int] = []
    monkeypatch.setattr(house.node.hooks, "listening", changes.append)
    table = await house.table()
    async with follower(house, table) as listener:
        await listener.at()
        assert changes == [1]
    await freed(house)
    assert changes == [1, -1]


async def test_gone_before_the_answer(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever hangs up while his backlog is read gets no stream, and nothing is kept of him."""
    asked, gone = asyncio.Event(), asyncio.Event()

    async def slow(*_: object) -> None:
        asked.set()
        await gone.wait()

    monkeypatch.setattr(Tail, "reach_back", slow)
    table = await house.table()
    held = house.app[STREAMS_KEY]
    async with asyncio.timeout(10):
        asking = asyncio.create_task(follower(house, table).__aenter__())
        await asked.wait()
        assert held._places == 1
        asking.cancel()
        await asyncio.wait([asking])
        await asyncio.sleep(0.1)
    gone.set()
    await freed(house)
