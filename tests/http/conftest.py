"""One Valkey for all tests, emptied for each, and a house on top of it."""

import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from aiohttp import ClientSession
from redis.asyncio import Redis

from dealer.croupier import feeds
from dealer.croupier.node import Node
from dealer.http.app import build
from dealer.http.keyring import Keyring
from dealer.http.limits import Bounds
from dealer.http.serving import Serving
from dealer.journal import Journal
from shoe.seal import Vault, key_id
from tests.http.client import Contract
from tests.http.house import House
from tests.journal.server import Server

SEAL_KEY = bytes(range(32))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A durable Valkey."""
    server = Server(tmp_path_factory.mktemp("valkey"))
    server.start()
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture(autouse=True)
def short_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A watch that is no longer wanted is over soon."""
    monkeypatch.setattr(feeds, "BLOCK_MS", 200)


@pytest.fixture
async def redis(server: Server) -> AsyncIterator[Redis]:
    """A client on an empty store."""
    async with server.client() as client:
        await client.flushall()
        yield client


@pytest.fixture
async def journal(redis: Redis) -> AsyncIterator[Journal]:
    """An open journal."""
    journal = Journal(redis)
    await journal.open()
    yield journal
    await journal.close()


@pytest.fixture
async def node(journal: Journal) -> AsyncIterator[Node]:
    """A node that keeps time."""
    node = Node(journal, "casa", Vault({key_id(SEAL_KEY): SEAL_KEY}, key_id(SEAL_KEY)))
    await node.open()
    yield node
    await node.close()


@pytest.fixture
async def house(redis: Redis, node: Node, request: pytest.FixtureRequest) -> AsyncIterator[House]:
    """A house whose doors are open.

    A test may ask by a parameter for a "sandbox", a store that is "declared", or for bounds of its own.
    """
    asked = getattr(request, "param", "")
    keyring = Keyring(redis)

    state: dict[str, Any] = {"ready": True, "durability": "always"}

    async def ready() -> dict[str, Any]:
        return state

    bounds = asked if isinstance(asked, Bounds) else Bounds()
    app = build(
        node,
        keyring,
        metrics=lambda: b"# EOF\n",
        ready=ready,
        version="0.0.0",
        sandbox=asked == "sandbox",
        durability="declared" if asked == "declared" else "checked",
        bounds=bounds,
    )
    serving = Serving(app, bounds)
    with socket.create_server(("127.0.0.1", 0)) as door:
        try:
            await serving.open(door)
            async with ClientSession("http://{}:{}".format(*door.getsockname())) as session:
                async with session.get("/openapi.json") as response:
                    contract = Contract(await response.json())
                yield await House(serving, node, keyring, session, contract, state).open()
        finally:
            await serving.close()
