"""A whole house: Valkey, node, keys, doors, and the people at a table."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from aiohttp import ClientSession

from dealer.croupier.node import Node
from dealer.http.keyring import Keyring, Role
from dealer.http.serving import Serving
from dealer.http.shoes import SHOES
from tests.http.client import Client, Contract

PATIENT = {
    "betting_ms": 0,
    "last_call_ms": 0,
    "speak_ms": 0,
    "banker_ms": 0,
    "between_rounds_ms": 0,
}
"""Nobody's time ever runs: the tests call every end themselves."""


class House:
    """The service under test, and whoever deals with it.

    Attributes:
        host: a client with a host's key.
        auditor: one that may only read.
        stranger: one without a key.
        state: what the house says of its readiness.
        tokens: all that were issued; the first is the host's.
    """

    def __init__(
        self,
        serving: Serving,
        node: Node,
        keyring: Keyring,
        session: ClientSession,
        contract: Contract,
        state: dict[str, Any],
    ) -> None:
        self.app = serving.app
        self.serving = serving
        self.node = node
        self.keyring = keyring
        self.session = session
        self.contract = contract
        self.state = state
        self.tokens: list[str] = []
        self.stranger = self.client("")

    async def open(self) -> "House":
        """Make the keys everybody needs."""
        self.host = await self.keyed("host")
        self.auditor = await self.keyed("auditor")
        return self

    def client(self, token: str) -> Client:
        """Somebody with this token."""
        return Client(self.session, self.contract, token)

    async def keyed(self, role: Role, account: str = "") -> Client:
        """Somebody with a fresh key."""
        _, token = await self.keyring.add(role, account, role)
        self.tokens.append(token)
        return self.client(token)

    async def player(self, chips: int = 1_000) -> tuple[str, Client]:
        """An account with chips on it, and its owner."""
        made = await self.host.made("/v1/accounts", {})
        account: str = made["account"]
        if chips:
            await self.host.made("/v1/transfers", {"from": "house", "to": account, "amount": chips})
        return account, await self.keyed("player", account)

    async def table(self, **options: Any) -> str:
        """The address of a fresh table."""
        body = {"game": "bacara", "profile": "seed", "mode": "dos-panos", "options": {**PATIENT, **options}}
        made = await self.host.made("/v1/tables", body)
        return f"/v1/tables/{made['table']}"

    async def seated(self, table: str, seat: int, chips: int = 1_000) -> Client:
        """A player with chips at a seat."""
        _, player = await self.player(chips)
        await player.made(f"{table}/commands", {"type": "sit", "seat": seat})
        await player.made(f"{table}/commands", {"type": "buy_in", "amount": chips})
        return player

    async def until(self, table: str, *phases: str) -> Any:
        """The view of a table as soon as it is in one of these phases; the house works on its own."""
        async with asyncio.timeout(10):
            while True:
                view = await self.host.seen(table)
                if view["phase"] in phases:
                    return view
                await asyncio.sleep(0.01)

    async def call(self, table: str) -> Any:
        """A host ends the present decision; the view after it."""
        view = await self.host.seen(table)
        (due,) = view["due"]
        await self.host.made(f"{table}/commands", {"type": "expire", "decision": due["decision"]})
        return await self.host.seen(table)

    async def deal(self, table: str, players: Mapping[int, Client]) -> Any:
        """Stakes, calls and cards; the view when the croupier awaits a word, or the coup is over already."""
        await self.until(table, "betting")
        for seat, player in players.items():
            stake = {"type": "stake", "on": "right" if seat < 11 else "left", "amount": 10}
            await player.made(f"{table}/commands", stake)
        await self.call(table)
        return await self.call(table)

    async def speaking(self, table: str, players: Mapping[int, Client]) -> Any:
        """Deal until the first to speak is awaited: whoever has a natural lays it down unasked (R-35)."""
        while True:
            view = await self.deal(table, players)
            if view["phase"].startswith("speak_"):
                return view
            await self.call(table)

    async def finish(self, table: str, players: Mapping[int, Client]) -> Any:
        """Whoever is on turn says what he may; the view after the coup."""
        while (view := await self.host.seen(table))["phase"].startswith("speak_"):
            (due,) = view["due"]
            speaker = players[due["seats"][0]]
            legal = await speaker.seen(f"{table}/options")
            said = {"type": legal["options"][0]["type"], "decision": due["decision"]}
            await speaker.made(f"{table}/commands", said)
        return view

    @property
    def authorization(self) -> dict[str, str]:
        """The host's."""
        return {"Authorization": f"Bearer {self.tokens[0]}"}

    async def raw(self, sent: bytes) -> bytes:
        """Everything that comes back for these bytes on a connection of their own."""
        async with self.connect() as (reader, writer):
            writer.write(sent)
            async with asyncio.timeout(10):
                return await reader.read()

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A connection of one's own, closed afterwards."""
        url = self.session._base_url
        assert url is not None
        reader, writer = await asyncio.open_connection(url.host, url.port)
        try:
            yield reader, writer
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    @property
    def connections(self) -> int:
        """How many connections the house has not done with."""
        return len(self.serving.connections)

    async def busy(self, table: str) -> None:
        """Wait until a command of the table is under way."""
        desk = await self.node._desk(f"t/{table.rpartition('/')[2]}")
        async with asyncio.timeout(10):
            while desk.idle.is_set():
                await asyncio.sleep(0.001)

    def forget(self) -> None:
        """Let the node and its doors forget every table, as a restart would."""
        self.node._desks.clear()
        self.app[SHOES]._known.clear()
