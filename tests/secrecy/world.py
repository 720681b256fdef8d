"""A whole service in which time stands unless it is told, ids are counted, and only the cards are its own.

Valkey, journal, node, doors, streams, figures and log lines are the real ones. Nothing is due by itself: the
script rings for the house's chores, so that everything happens in the same order in both worlds.
"""

import io
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256
from itertools import count
from typing import Any

import pytest
from aiohttp import ClientSession, TCPConnector
from redis.asyncio import Redis

from dealer.croupier import house, node, tables
from dealer.croupier.node import Node, created_id
from dealer.croupier.order import Order
from dealer.http import doors, keyring
from dealer.http.app import build
from dealer.http.keyring import Keyring, Role
from dealer.http.limits import Bounds
from dealer.http.serving import Serving
from dealer.journal import Journal
from dealer.journal.clock import Clock
from dealer.rules.frame.commands import OpenTable
from ops.metrics import Metrics
from shoe.seal import Vault, key_id
from tests.journal.server import Server
from tests.secrecy.guest import Guest
from tests.secrecy.quiet import logged
from tests.secrecy.wire import Wire

SEAL_KEY = bytes(range(32))
START_MS = 1_700_000_000_000
STEP_MS = 1_000
TOGETHER = 16
"""Requests that are under way at once where their order does not matter."""
FREE = Bounds(address_connections=0, address_rate=0, connections=0, host_rate=0, key_rate=0, table_rate=0)


class World:
    """A service with its people.

    Attributes:
        figures: where they are counted.
        hosts: two of them.
        log: every line that the service logs.
        now: what every clock says.
    """

    def __init__(self) -> None:
        self.now = START_MS
        self.log = io.StringIO()
        self.figures = Metrics()
        self.node: Node
        self.redis: Redis
        self.session: ClientSession
        self._keyring: Keyring
        self._tables = count(1)
        self._turns = self._draws = 0

    def turn(self) -> None:
        """Something is about to be done by itself: what it draws does not depend on what was tried before."""
        self._turns += 1
        self._draws = 0

    def draw(self, length: int) -> bytes:
        """Bytes that look random and are the same in every world."""
        self._draws += 1
        return sha256(f"{self._turns} {self._draws}".encode()).digest()[:length]

    async def _open(self, server: Server, stack: AsyncExitStack) -> None:
        self.redis = await stack.enter_async_context(server.client())
        await self.redis.flushall()
        journal = Journal(self.redis)
        await journal.open()
        stack.push_async_callback(journal.close)
        vault = Vault({key_id(SEAL_KEY): SEAL_KEY}, key_id(SEAL_KEY))
        self.node = Node(journal, "casa", vault, self.figures)
        stack.push_async_callback(self.node.close)
        self._keyring = Keyring(self.redis)
        app = build(
            self.node,
            self._keyring,
            metrics=self.figures.text,
            ready=_ready,
            version="0.0.0",
            sandbox=True,
            bounds=FREE,
        )
        serving = Serving(app, FREE)
        door = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        await serving.open(door)
        stack.push_async_callback(serving.close)
        self.port = door.getsockname()[1]
        connector = TCPConnector(limit=TOGETHER)
        session = ClientSession(f"http://127.0.0.1:{self.port}", connector=connector)
        self.session = await stack.enter_async_context(session)
        self.hosts = [await self.keyed("host") for _ in range(2)]
        self.auditor = await self.keyed("auditor")
        self.spectator = await self.player(0)
        self.stranger = Guest(self, "")

    async def keyed(self, role: Role, account: str = "") -> Guest:
        """Somebody with a fresh key."""
        self.turn()
        _, token = await self._keyring.add(role, account, role)
        return Guest(self, token, account)

    async def player(self, chips: int) -> Guest:
        """Somebody with an account and twice so many chips."""
        host = self.hosts[0]
        account = (await host.made("/v1/accounts", {}))["account"]
        if chips:
            await host.made("/v1/transfers", {"from": "house", "to": account, "amount": 2 * chips})
        return await self.keyed("player", account)

    async def table(self, body: Mapping[str, Any], cards: Sequence[str]) -> str:
        """Open a table, not through the door: nobody who is listened to has laid its cards."""
        opening = OpenTable(body["game"], body["profile"], body["mode"], body["options"], (), tuple(cards))
        self.turn()
        table = created_id("tbl", "nobody", str(next(self._tables)))
        order = Order("nobody", table, "", opening, "host", self.now)
        answer = await self.node.create_table(order, table)
        assert answer.accepted, answer
        return table

    async def ring(self, table: str) -> None:
        """The house does what is due at a table."""
        self.turn()
        await self.node._ring(f"t/{table}")

    def follow(self, guest: Guest, table: str) -> Wire:
        """All that goes over the wire to somebody who follows a table."""
        return Wire(self.port, guest.token, f"/v1/tables/{table}/events")


async def _ready() -> dict[str, Any]:
    return {"ready": True, "durability": "always"}


@asynccontextmanager
async def opened(server: Server, name: str, patch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """A world of that name on an empty store; its seeds are those of its name, everything else of no name."""
    world = World()
    seeds = count(1)

    def fresh(number: int) -> list[bytes]:
        return [sha256(f"{name} {next(seeds)}".encode()).digest() for _ in range(number)]

    with patch.context() as changed:
        changed.setattr(Clock, "now", lambda _: world.now)
        for module in (node, house):
            changed.setattr(module, "fresh_seeds", fresh)
        for module in (tables, keyring, doors):
            changed.setattr(module, "random_bytes", world.draw)
        with logged(world.log):
            async with AsyncExitStack() as stack:
                await world._open(server, stack)
                yield world
