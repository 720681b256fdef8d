"""Connections have a number and an end: too many, silent, unread, endless (fairness S-7)."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress

import msgspec
import pytest
from structlog.testing import capture_logs

from dealer.http import connections
from dealer.http.limits import Bounds
from tests.croupier.spy import until
from tests.http.house import House
from tests.http.listener import coming_and_going, follower
from tests.journal.server import Server

CLOSING = "Connection: close\r\n"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is due is cut off soon."""
    monkeypatch.setattr(connections, "TICK_S", 0.05)


async def reached(house: House, sent: bytes = b"") -> socket.socket:
    """A connection that holds little and is not read, after these bytes."""
    base = house.session._base_url
    assert base is not None
    before = set(house.serving.connections._open)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    connection.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(connection, (base.host, base.port))
    await until(lambda: set(house.serving.connections._open) - before)
    (served,) = set(house.serving.connections._open) - before
    assert served._wire is not None
    served._wire.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2_048)
    await loop.sock_sendall(connection, sent)
    return connection


def asking(house: House, path: str, more: str = "") -> bytes:
    """A request of the host's, as bytes."""
    token = house.tokens[0]
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n{more}\r\n".encode()


def wires(house: House) -> list[asyncio.Transport]:
    """The transports of all connections."""
    return [each._wire for each in house.serving.connections._open if each._wire is not None]


async def hung_up(connection: socket.socket) -> bool:
    """Whether the house hangs up without a word."""
    async with asyncio.timeout(10):
        try:
            return not await asyncio.get_running_loop().sock_recv(connection, 1)
        except ConnectionError:
            return True


@pytest.mark.parametrize("house", [Bounds(connections=4)], indirect=True)
async def test_so_many_in_all(house: House) -> None:
    """S-7: beyond its number the house hangs up at once and logs how often; a place freed is free."""
    away: list[str] = []
    house.serving.connections.turned_away = away.append
    with capture_logs() as logged, ExitStack() as stack:
        for _ in range(4 - house.connections):
            stack.enter_context(await reached(house))
        base = house.session._base_url
        assert base is not None
        for _ in range(2):
            reader, writer = await asyncio.open_connection(base.host, base.port)
            async with asyncio.timeout(10):
                with suppress(ConnectionError):
                    assert await reader.read() == b""
            writer.close()
        await house.host.seen("/v1/tables")
        await until(lambda: sum(line["count"] for line in logged) == 2)  # in one line, or in one each
    assert {line["event"] for line in logged} == {"connections_refused"}
    assert away == ["connections"] * 2
    await until(lambda: house.connections < 4)
    with await reached(house, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n") as connection:
        assert not await hung_up(connection)


@pytest.mark.parametrize("house", [Bounds(address_connections=2)], indirect=True)
async def test_so_many_of_one_address(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-7: of one address there may be so many; of the others, and of this machine, that says nothing."""
    away: list[str] = []
    house.serving.connections.turned_away = away.append
    monkeypatch.setattr(connections, "network_of", lambda _: "192.0.2.7")
    with await reached(house), await reached(house):
        base = house.session._base_url
        assert base is not None
        with socket.create_connection((base.host, base.port)) as third:
            third.setblocking(False)
            assert await hung_up(third)
        monkeypatch.setattr(connections, "network_of", lambda _: "192.0.2.8")
        with await reached(house):
            await house.host.seen("/v1/tables")
    await until(lambda: not house.serving.connections._of_one)
    assert away == ["address_connections"]


@pytest.mark.parametrize("house", [Bounds(host_rate=1)], indirect=True)
async def test_requests_beyond_a_rate_are_counted(house: House) -> None:
    """S-8: whoever asks too often is counted, for each answer 429 once."""
    away: list[str] = []
    house.serving.connections.turned_away = away.append
    answers = await house.raw(asking(house, "/v1/tables") * 5 + asking(house, "/v1/tables", CLOSING))
    assert answers.count(b"HTTP/1.1 429 ") == len(away) > 0
    assert {*away} == {"host_rate"}


@pytest.mark.parametrize("asked", [1, 3])
async def test_a_client_that_sends_no_more(house: House, asked: int) -> None:
    """RFC 9112, 9.6: whoever closes its half of the connection is answered all that it has asked for."""
    async with house.connect() as (reader, writer), asyncio.timeout(10):
        writer.write(asking(house, "/v1/tables") * asked)
        writer.write_eof()
        assert (await reader.read()).count(b"HTTP/1.1 200 ") == asked


@asynccontextmanager
async def fed(house: House) -> AsyncIterator[tuple[connections.Connection, asyncio.StreamReader]]:
    """A connection into which bytes are put piece by piece as a test wants them to arrive."""
    before = set(house.serving.connections._open)
    async with house.connect() as (reader, _), asyncio.timeout(10):
        await until(lambda: set(house.serving.connections._open) - before)
        (served,) = set(house.serving.connections._open) - before
        yield served, reader


def opening(house: House, key: str, more: str) -> bytes:
    """The head of a request for an account."""
    who = f"Host: x\r\nAuthorization: Bearer {house.tokens[0]}\r\nIdempotency-Key: {key}\r\n"
    return f"POST /v1/accounts HTTP/1.1\r\n{who}Content-Type: application/json\r\n{more}\r\n".encode()


async def test_many_in_a_row(house: House) -> None:
    """RFC 9112, 9.3.2: however many come at once, after a body that came alone, each is answered."""
    many = b"".join(opening(house, f"k{n}", "Content-Length: 2\r\n") + b"{}" for n in range(49))
    many += 49 * asking(house, "/v1/tables") + asking(house, "/v1/tables", CLOSING)
    async with fed(house) as (served, reader):
        served.data_received(opening(house, "k", "Content-Length: 2\r\n"))
        await until(lambda: served._body is not None and not served._messages)
        served.data_received(b"{}" + many)
        answers = await reader.read()
    assert (answers.count(b"HTTP/1.1 201 "), answers.count(b"HTTP/1.1 200 ")) == (50, 50)


async def test_a_body_after_one_of_many_pieces(house: House) -> None:
    """RFC 9112, 7.1: a body in so many pieces that reading is held up as it ends holds up no other."""
    pieces = b"2\r\n{}\r\n" + 2**14 * b"1\r\n \r\n" + b"0\r\n\r\n"
    async with fed(house) as (served, reader):
        served.data_received(
            opening(house, "k1", "Transfer-Encoding: chunked\r\n")
            + pieces
            + opening(house, "k2", f"Content-Length: 2\r\n{CLOSING}")
            + b"{}"
        )
        assert (await reader.read()).count(b"HTTP/1.1 201 ") == 2


async def test_a_client_that_breaks_off(house: House) -> None:
    """S-7: whoever closes its half in the midst of a request, or asks nothing, is let go at once."""
    before = house.connections
    body = f"POST /v1/accounts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {house.tokens[0]}\r\n"
    for sent in (b"", b"GET / HT", f"{body}Idempotency-Key: k\r\nContent-Length: 9\r\n\r\n{{".encode()):
        async with house.connect() as (_, writer):
            await until(lambda: house.connections > before)
            writer.write(sent)
            writer.write_eof()
            await until(lambda: house.connections == before)


async def test_an_answer_that_nobody_reads(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-7: a client that asks and asks and reads nothing is cut off; what is kept for it does not grow."""
    table = await house.table()
    await coming_and_going(house.node, table, 250)
    others = house.connections
    monkeypatch.setattr(connections, "REQUEST_S", 1.0)
    with await reached(house, asking(house, f"{table}/events?limit=500") * 8):
        most = 0
        while house.connections != others:
            most = max(most, *(wire.get_write_buffer_size() for wire in wires(house)))
            await asyncio.sleep(0.01)
    page = await house.host.seen(f"{table}/events?limit=500")
    assert 0 < most < 2 * len(msgspec.json.encode(page))


async def test_what_is_left_in_a_closed_connection(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-7: an answer that ends the connection does not keep it when nobody takes the answer."""
    table = await house.table()
    await coming_and_going(house.node, table, 60)
    monkeypatch.setattr(connections, "IDLE_S", 0.1)
    monkeypatch.setattr(connections, "UNREAD_S", 0.5)
    with await reached(house, asking(house, f"{table}/events", "Connection: close\r\n")):
        await until(lambda: any(wire.is_closing() for wire in wires(house)))
        await until(lambda: not any(wire.is_closing() for wire in wires(house)))


async def test_a_request_without_end(house: House, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-7, design 5: a request that takes too long is cut off, and what it has begun is done all the same."""
    table = await house.table()
    _, player = await house.player()
    monkeypatch.setattr(connections, "REQUEST_S", 0.1)
    body = b'{"type":"sit","seat":5}'
    head = (
        f"POST {table}/commands HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {player._token}\r\n"
        f"Idempotency-Key: k\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    server.signal(signal.SIGSTOP)
    try:
        with await reached(house, head.encode() + body) as connection:
            assert await hung_up(connection)
    finally:
        server.signal(signal.SIGCONT)
    monkeypatch.setattr(connections, "REQUEST_S", 30.0)
    assert (await player.post(f"{table}/commands", {"type": "sit", "seat": 5}, "k"))[0] == 200
    assert (await player.seen(table))["you"]["seat"] == 5


async def test_a_stream_has_no_end(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-7: whoever follows a table is cut off by none of these."""
    table = await house.table()
    for bound in ("HEAD_S", "IDLE_S", "REQUEST_S", "UNREAD_S"):
        monkeypatch.setattr(connections, bound, 0.5)
    ticks: list[float] = []
    async with follower(house, table) as listener:
        await listener.at()
        plain = asyncio.get_running_loop().time
        ticks.append(plain())
        await until(lambda: plain() > ticks[0] + 1.1)
        await coming_and_going(house.node, table, 1)
        await until(lambda: len(listener.events) == 2)
