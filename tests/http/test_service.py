"""What the service says of itself, and of what goes wrong inside it (fairness S-7, S-17, S-30)."""

import asyncio
import signal
import socket
import struct
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs

from dealer.croupier.node import Node
from dealer.http import bodies, connections
from dealer.http.limits import HEADER_BYTES, HEADERS
from dealer.journal.link import Link
from dealer.words import LANGUAGES, sentence
from tests.croupier.spy import until
from tests.http.client import Client
from tests.http.house import House
from tests.journal.server import Server


async def test_alive_ready_measured(house: House) -> None:
    """Design 8: liveness, readiness and figures are open to all."""
    assert await house.stranger.seen("/healthz") == {"status": "ok", "version": "0.0.0"}
    assert await house.stranger.seen("/readyz") == {"durability": "always", "ready": True}
    assert await house.stranger.seen("/metrics") == "# EOF\n"
    assert house.stranger.headers["Content-Type"].startswith("text/plain; version=")


async def test_not_ready(house: House) -> None:
    """Design 8: not to be ready is a problem, 503, with what was found and when to ask again."""
    house.state["ready"] = False
    status, problem = await house.stranger.get("/readyz")
    assert (status, problem["code"], problem["params"]["ready"]) == (503, "unavailable", False)
    assert house.stranger.headers["Retry-After"] == "1"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/v1/tables", "GET, POST"),
        ("PUT", "/v1/tables/tbl_1", "GET"),
        ("GET", "/v1/tables/tbl_1/commands", "POST"),
        ("POST", "/healthz", "GET"),
        ("HEAD", "/docs", "GET"),
        ("OPTIONS", "/v1/tables", "GET, POST"),
    ],
)
async def test_other_methods(house: House, method: str, path: str, allowed: str) -> None:
    """Design 8: a method that a door does not take is 405 and told which it takes, with a key or without."""
    for client in (house.host, house.stranger):
        status, _ = await client.send(method, path)
        assert (status, client.headers["Allow"]) == (405, allowed)


async def test_no_foreign_page_gets_in(house: House) -> None:
    """S-17: a foreign origin gets no CORS header, asked beforehand or not; the client checks each answer."""
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    status, _ = await house.host.send("OPTIONS", "/v1/tables", headers=asked)
    assert status == 405
    assert (await house.host.get("/v1/tables", Origin="https://example.org"))[0] == 200


async def test_languages(house: House) -> None:
    """Design 8: a problem is put into the reader's words; the code is the same in each."""
    wishes = {
        "en": ("", "en", "fr,de;q=0.9", "es;q=0,en;q=x", "*"),
        "es": ("es-ES,en;q=0.5", "en;q=0.1, es;q=0.2", "gl,es;q=0.8,ca;q=0.7"),
        "ca": ("ca", "CA-es", "ca-valencia,es;q=0.9", "fr,ca;q=0.9"),
    }
    assert wishes.keys() == {*LANGUAGES}
    for lang, accepted in wishes.items():
        for wished in accepted:
            _, problem = await house.host.get("/v1/tables/none", **{"Accept-Language": wished})
            assert problem["code"] == "no_such_table"
            assert problem["detail"] == sentence("no_such_table", None, lang)
            assert house.host.headers["Content-Language"] == lang


async def test_expectations(house: House) -> None:
    """RFC 9110: `100-continue` is met, another expectation is a problem that names its key."""
    headers = {"Expect": "100-continue", "Idempotency-Key": "k"}
    assert (await house.host.send("POST", "/v1/accounts", b"{}", headers))[0] == 201
    status = await house.raw(
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nIdempotency-Key: k\r\n"
        b"Connection: close\r\n\r\n"
    )
    assert status.startswith(b"HTTP/1.1 417 ")
    assert b"application/problem+json" in status
    assert b"\r\nIdempotency-Key: k\r\n" in status


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that waits for nobody's head."""
    for bound in ("HEAD_S", "IDLE_S"):
        monkeypatch.setattr(connections, bound, 0.2)


def told(answer: bytes) -> tuple[int, Any]:
    """Status and problem of the one answer that these bytes are."""
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *headers = head.decode().split("\r\n")
    assert {"Server: croupier", "Content-Type: application/problem+json"} <= set(headers)
    return int(status.split()[1]), msgspec.json.decode(body)


async def test_slow_body(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-7: a body that does not come is given up, with a problem."""
    monkeypatch.setattr(bodies, "BODY_S", 0.05)
    key = f"Authorization: Bearer {house.tokens[0]}\r\nConnection: close\r\n"
    status, problem = told(await house.raw(begun_post(key)))
    assert (status, problem["code"]) == (408, "request_timeout")


def begun_post(authorization: str = "") -> bytes:
    """The head of a request that changes something, and the first byte of twenty of its body."""
    return (
        f"POST /v1/accounts HTTP/1.1\r\nHost: x\r\n{authorization}Idempotency-Key: k\r\n"
        "Content-Length: 20\r\n\r\n{"
    ).encode()


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
@pytest.mark.parametrize("part", ["head", "refused body", "body"])
async def test_hung_up(house: House, caplog: pytest.LogCaptureFixture, part: str, reset: bool) -> None:
    """S-30: a client that goes in the middle of its request is no error of the house: nothing is logged."""
    key = f"Authorization: Bearer {house.tokens[0]}\r\n"
    sent = {"head": b"GET /v1/tab", "refused body": begun_post(), "body": begun_post(key)}[part]
    others = house.connections
    with capture_logs() as logged:
        async with house.connect() as (reader, writer):
            writer.write(sent)
            if part == "refused body":
                assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 401 ")
            await until(lambda: house.connections > others)
            if reset:
                linger = struct.pack("ii", 1, 0)
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        await until(lambda: house.connections == others)
    assert (logged, caplog.records) == ([], [])


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Half: ",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ids=["nothing", "half a word", "half a head", "one request and then nothing"],
)
async def test_nobody_holds_a_connection(house: House, caplog: pytest.LogCaptureFixture, sent: bytes) -> None:
    """S-7: a connection on which no whole head comes in time is closed, before and after a request."""
    answer = await house.raw(sent)
    assert (answer[:15] == b"HTTP/1.1 200 OK") == sent.endswith(b"\r\n\r\n")
    assert caplog.records == []


@pytest.mark.usefixtures("hasty")
async def test_drop_by_drop(house: House) -> None:
    """S-7: a head that comes byte by byte does not hold a connection either."""
    async with house.connect() as (reader, writer):
        writer.write(b"GET /")
        ending = asyncio.create_task(reader.read())
        async with asyncio.timeout(10):
            while not ending.done():
                writer.write(b"x")
                await asyncio.wait([ending], timeout=0.01)
        (answer,) = await asyncio.gather(ending, return_exceptions=True)
    assert answer == b"" or isinstance(answer, ConnectionError)


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"x" * 5_000 + b" HTTP/1.1",
        b"GET / HTTP/1.1\r\nX: " + b"x" * (HEADER_BYTES + 1),
        b"GET / HTTP/1.1" + b"".join(b"\r\nX-%d: 1" % n for n in range(HEADERS + 1)),
        b"\x16\x03\x01\x02",
    ],
    ids=["address", "header", "headers", "no HTTP"],
)
async def test_head_beyond_its_bounds(house: House, caplog: pytest.LogCaptureFixture, head: bytes) -> None:
    """S-7: a head that is too large, or none, is a problem before anything is looked at, and fills no log."""
    status, problem = told(await house.raw(head + b"\r\nHost: x\r\n\r\n"))
    assert (status, problem["code"], problem["params"]) == (400, "malformed", {})
    assert caplog.records == []


@pytest.mark.parametrize("line", ["OPTIONS *", "CONNECT x:443", "GET /a%0ab", "GET //x"])
async def test_no_door(house: House, line: str) -> None:
    """Design 8: whatever is asked for, what leads nowhere is the same problem."""
    asked = f"{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    status, problem = told(await house.raw(asked.encode()))
    assert (status, problem["code"]) == (404, "not_found")


async def test_error_inside(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-30: a defect is a 500 with an id that the log has too, and nothing else of it gets out."""

    async def broken(*_: Any) -> None:
        raise RuntimeError("secret of the house")

    monkeypatch.setattr(Node, "table", broken)
    with capture_logs() as logged:
        async with house.session.get("/v1/tables/tbl_1", headers=house.authorization) as response:
            assert (response.status, response.content_type) == (500, "application/problem+json")
            problem = await response.json()
    assert problem["code"] == "internal"
    assert "secret" not in str(problem)
    (line,) = [each for each in logged if each["event"] == "request_failed"]
    assert problem["instance"] == f"urn:croupier:error:{line['error']}"
    assert (line["method"], line["route"]) == ("GET", "/v1/tables/{table}")


async def test_nothing_is_logged_of_a_good_request(house: House) -> None:
    """Design 9: the log of events is the record; neither a taken nor a refused command writes a line."""
    table = await house.table()
    with capture_logs() as logged:
        await house.seated(table, 1)
        await house.host.refused(f"{table}/commands", {"type": "draw", "seat": 1})
    assert logged == []


async def test_store_away(
    house: House, redis: Redis, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Design 5: without a definite answer it is 503 with Retry-After; the same key tells it later."""
    table = await house.table()
    _, player = await house.player()
    link = Link(redis, patience_ms=400)
    monkeypatch.setattr(house.node.journal, "_link", link)
    sitting = {"type": "sit", "seat": 1}
    server.signal(signal.SIGSTOP)
    try:
        answers = await asyncio.gather(
            player.get(table),
            player.get(f"{table}/events"),
            player.get("/v1/tables"),
            player.post(f"{table}/commands", sitting, "k"),
            house.host.post("/v1/accounts", {}, "k"),
        )
    finally:
        server.signal(signal.SIGCONT)
    assert [(status, problem["code"]) for status, problem in answers] == [(503, "unavailable")] * 5
    assert player.headers["Retry-After"] == "1"
    status, _ = await _patiently(player, f"{table}/commands", sitting)
    assert status == 200
    assert (await player.seen(table))["you"]["seat"] == 1
    await link.close()


async def _patiently(client: Client, path: str, body: Any) -> tuple[int, Any]:
    """Repeat a request under its key until there is a definite answer."""
    async with asyncio.timeout(20):
        while True:
            status, answer = await client.post(path, body, "k")
            if status != 503:
                return status, answer
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("house", ["", "declared"], indirect=True)
async def test_every_table_shows_what_stands_behind_accepted(
    house: House, request: pytest.FixtureRequest
) -> None:
    """Design 5, Durability: where somebody answers for the store himself, each table says so to everybody."""
    table = await house.table()
    _, player = await house.player()
    shown = request.node.callspec.params["house"] or "checked"
    for who in (house.host, house.auditor, player):
        assert (await who.seen(table))["durability"] == shown
