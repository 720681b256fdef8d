"""The yardstick does what it is compared for: decode, append durably with idempotency, answer."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as StoreUnreachableError
from redis.exceptions import ResponseError

from ops.bench.store import valkey
from ops.bench.yardstick import LIBRARY, Appender, application

Client = TestClient[web.Request, web.Application]

PATH = "/v1/tables/7/commands"
STAKE = b'{"type":"stake","seat":1,"on":"right","amount":1}'


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Redis]:
    """A client of an empty Valkey with the yardstick's function."""
    async with valkey(tmp_path, None) as running:
        client = Redis(unix_socket_path=str(running.socket))
        await client.function_load(LIBRARY)
        yield client
        await client.aclose()


@pytest.fixture
async def http(store: Redis) -> AsyncIterator[Client]:
    """A client of the yardstick's HTTP server."""
    async with TestClient(TestServer(application(Appender(store)))) as client:
        yield client


async def test_a_command_is_one_entry(http: Client, store: Redis) -> None:
    """Each command appends one event of ordinary size and is answered with its sequence."""
    for number in (1, 2):
        answer = await http.post(PATH, data=STAKE, headers={"Idempotency-Key": f"k-{number}"})
        assert (answer.status, await answer.json()) == (
            200,
            {"code": "accepted", "first": number, "last": number},
        )
    entries: Any = await store.xrange("t:7")
    assert [key for key, _ in entries] == [b"1-0", b"2-0"]
    event = entries[0][1][b"e"]
    assert json.loads(event)["data"] == json.loads(STAKE)
    assert 280 <= len(event) <= 320


async def test_a_known_key_writes_nothing(http: Client, store: Redis) -> None:
    """The same key is answered the same and appends once; the key has a life."""
    answers = [await http.post(PATH, data=STAKE, headers={"Idempotency-Key": "k"}) for _ in range(2)]
    assert await answers[0].json() == await answers[1].json()
    assert await store.xlen("t:7") == 1
    assert await store.pttl("i:k") > 0


async def test_an_append_is_published(store: Redis) -> None:
    """Listeners of the table hear the sequence, once a command."""
    async with store.pubsub() as listener:
        await listener.subscribe("c:7")
        await listener.get_message(timeout=5)
        await Appender(store).append("t:7", "i:k", "c:7", b"{}")
        message = await listener.get_message(timeout=5)
    assert message is not None
    assert message["data"] == b"1"


@pytest.mark.parametrize(
    ("headers", "body"), [({}, STAKE), ({"Idempotency-Key": "k"}, b"{"), ({"Idempotency-Key": "k"}, b"{}")]
)
async def test_a_bad_request_is_the_clients(
    http: Client, store: Redis, headers: dict[str, str], body: bytes
) -> None:
    """No key, no JSON or no type of command is a 400 and writes nothing."""
    answer = await http.post(PATH, data=body, headers=headers)
    assert answer.status == 400
    assert await store.keys() == []


async def test_an_error_reaches_its_caller_alone(store: Redis) -> None:
    """An append the store refuses fails by itself; its neighbours in the pipeline succeed."""
    await store.set("t:bad", "not a stream")
    appender = Appender(store)
    good, bad, other = (
        appender.append(f"t:{table}", f"i:{table}", "c", b"{}") for table in ("a", "bad", "b")
    )
    assert await good == [1, 1]
    assert await other == [1, 1]
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await bad


async def test_many_at_once_are_carried_by_few_pipelines(store: Redis) -> None:
    """What arrives while both pipelines are out waits and goes together (design 9)."""
    appender = Appender(store)
    first = appender.append("t:1", "i:0", "c", b"{}")
    futures = [appender.append("t:1", f"i:{number}", "c", b"{}") for number in range(1, 200)]
    first.cancel()
    sequences = [(await future)[0] for future in futures]
    assert sequences == list(range(2, 201))
    clients = await store.info("clients")
    assert clients["connected_clients"] <= 2


async def test_a_lost_store_fails_every_caller(tmp_path: Path) -> None:
    """When the store is not there every waiting caller gets the error; none waits for ever."""
    client = Redis(unix_socket_path=str(tmp_path / "nobody"), retry=Retry(NoBackoff(), 0))
    appender = Appender(client)
    futures = [appender.append("t", f"i:{number}", "c", b"{}") for number in range(3)]
    for future in futures:
        with pytest.raises(StoreUnreachableError):
            await future
    await client.aclose()
