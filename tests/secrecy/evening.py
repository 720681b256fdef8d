"""Many rounds of bots and people at several tables of a service as it is run, and all it leaves behind."""

import asyncio
import gc
import io
import socket
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
from aiohttp import ClientSession

from dealer.croupier.node import Node
from dealer.croupier.tables import TableDesk
from dealer.croupier.tasks import end
from dealer.http.answers import encode
from dealer.http.keyring import Keyring, Role
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import CardExposed, RoundStarted
from dealer.rules.frame.game import Option, Policy
from dealer.rules.frame.state import Table
from dealer.rules.registry import GAMES
from dealer.table.view import view as view_of
from ops.backup.backup import back_up
from ops.service import House, running
from ops.settings import Settings
from ops.valkey.directory import SEAL_KEY
from shoe.seal import Vault
from tests.secrecy import doors, sinks
from tests.secrecy.games import SITTINGS
from tests.secrecy.guest import Guest
from tests.secrecy.known import codes_in
from tests.secrecy.quiet import logged
from tests.secrecy.trial import Body
from tests.secrecy.wire import Wire

PATIENCE_S = 240
"""A table that does not go on is a defect, not a long evening."""
GIVEN = ("sit", "join", "leave", "buy_in", "cash_out", "set_cut_willing", "seat_bot")
"""What a host had better not do in somebody's name, for it might be taken."""


class Left(msgspec.Struct, frozen=True):
    """What is left of a table.

    Attributes:
        desk: of the node that played it.
        log: its events as they are stored.
        kept: its snapshot, empty if there is none.
        opened: the same table as another node opens it, from its snapshot.
        view: what an auditor saw at last.
    """

    desk: TableDesk
    log: Sequence[bytes]
    kept: bytes
    opened: Table
    view: bytes


class Person(msgspec.Struct, frozen=True):
    """Somebody who plays over the doors as a bot of the house would."""

    guest: Guest
    policy: Policy
    seat: int
    table: str
    wire: Wire


class Evening:
    """A service while people play there.

    Attributes:
        early: cards that were seen before they were open.
        heard: by name, everything that was told or is kept anywhere, but for what people hear of their cards.
        people: those who play over the doors.
        tables: by id.
    """

    def __init__(self, directory: Path) -> None:
        self.early: list[str] = []
        self.heard: dict[str, bytes] = {}
        self.people: list[Person] = []
        self.session: ClientSession
        self.tables: dict[str, Left] = {}
        self._directory = directory
        self._house: House
        self._settings = Settings(data=directory / "data", port=0, key_rate=0, table_rate=0)
        self._shown: dict[str, set[str]] = {}
        self._views: list[bytes] = []
        self._watching: dict[str, Wire] = {}

    def turn(self) -> None:
        """Nothing here depends on the order in which things are asked."""

    async def play(self, rounds: int) -> None:
        """Play so many rounds; then look into everything while the tables are paused."""
        log, threshold = io.StringIO(), gc.get_threshold()
        with logged(log), socket.create_server(("127.0.0.1", 0)) as door:
            async with running(self._settings, door, self._hear) as self._house, AsyncExitStack() as stack:
                self.session = await stack.enter_async_context(ClientSession(self._house.address))
                await self._open(door.getsockname()[1], stack)
                async with asyncio.timeout(PATIENCE_S):
                    await self._until(rounds)
                await self._search()
        gc.unfreeze()  # what a service does once, for good
        gc.set_threshold(*threshold)
        self.heard["log lines"] = log.getvalue().encode()

    async def _open(self, port: int, stack: AsyncExitStack) -> None:
        """Everybody has a key, sits down and listens."""
        self._keys = Keyring(self._house.store.redis)
        self._host, self._auditor = await self._key("host"), await self._key("auditor")
        await self._admitted(self._auditor)
        tables = {(await self._host.made("/v1/tables", each.body))["table"]: each for each in SITTINGS}
        people = {
            (table, seat): await self._sit(table, {"type": "sit", "seat": seat}, chips)
            for table, sitting in tables.items()
            for seat, chips in sitting.people.items()
        }
        for guest in people.values():
            await self._admitted(guest)

        async def follow(table: str, guest: Guest) -> Wire:
            return await stack.enter_async_context(Wire(port, guest.token, f"/v1/tables/{table}/events"))

        for (table, seat), guest in people.items():
            sitting = tables[table]
            policy = sitting.plainly or GAMES[sitting.body["game"]].policies[sitting.policy]
            self.people.append(Person(guest, policy, seat, table, await follow(table, guest)))
        for table, sitting in tables.items():
            self._watching[table] = await follow(table, self._auditor)
            for seat, chips in sitting.bots.items():
                await self._sit(table, {"type": "seat_bot", "seat": seat, "policy": sitting.policy}, chips)

    async def _key(self, role: Role, account: str = "") -> Guest:
        _, token = await self._keys.add(role, account, role)
        return Guest(self, token, account)

    async def _admitted(self, guest: Guest) -> None:
        """Wait until the service knows a key."""
        while (await guest.ask("GET", "/v1/tables")).startswith(b"401"):
            await asyncio.sleep(0.05)

    async def _sit(self, table: str, command: Body, chips: int) -> Guest:
        host, path = self._host, f"/v1/tables/{table}/commands"
        account = ""
        if command["type"] == "sit":
            account = (await host.made("/v1/accounts", {}))["account"]
            await host.made("/v1/transfers", {"from": "house", "to": account, "amount": chips})
            command = {**command, "account": account}
        await host.made(path, command)
        await host.made(path, {"type": "buy_in", "seat": command["seat"], "amount": chips})
        return await self._key("player", account) if account else host

    def _hear(self, aggregate: str, events: Sequence[Event], stored: Sequence[bytes]) -> None:
        """At every moment a view shows no card that the log has not turned."""
        kind, _, table = aggregate.partition("/")
        if kind != "t":
            return
        desk = self._house.node._desks.get(aggregate)
        if desk is None or desk.state.deck is None:
            return
        deck, shown = desk.state.deck, self._shown.setdefault(table, set())
        for event in events:
            if isinstance(event.data, RoundStarted):
                shown.clear()
            elif isinstance(event.data, CardExposed):
                shown.add(deck.code(event.data.card))
        view = encode(view_of(desk.game, desk.state))
        if len(stored) > 1:
            self._views.append(view)
        self.early += sorted(codes_in(view) - shown)

    async def _until(self, rounds: int) -> None:
        """People play, and a host tries in their names, until so many rounds are over."""
        desks = [await self._house.node.table(table) for table in self._watching]
        playing = [asyncio.create_task(self._play(person)) for person in self.people]
        try:
            while sum(desk.state.round for desk in desks) < rounds:
                for person in self.people:
                    path = f"/v1/tables/{person.table}"
                    game = self._house.node._desks[f"t/{person.table}"].game
                    await self._host.all(doors.tries(game, path, (), person.seat, GIVEN))
                await asyncio.sleep(0.3)
                for task in playing:
                    assert not task.done(), task.exception()
        finally:
            await end(*playing)

    async def _play(self, person: Person) -> None:
        """Do what the policy says, as soon as there is something to do."""
        guest, path = person.guest, f"/v1/tables/{person.table}"
        while True:
            view = await guest.seen(path)
            told = (await guest.seen(f"{path}/options"))["options"]
            command = person.policy(view, view["you"]["hand"], msgspec.convert(told, list[Option]))
            if command is not None:
                await guest.ask("POST", f"{path}/commands", command)
            await asyncio.sleep(0.01)

    async def _search(self) -> None:
        """Read whatever there is to read, and copy whatever is stored."""
        node, store = self._house.node, self._house.store
        for table in self._watching:
            await self._host.made(f"/v1/tables/{table}/commands", {"type": "pause"})
        other = Node(node.journal, node.service, Vault(store.keys, store.active_key_id))
        for table, wire in self._watching.items():
            path, desk = f"/v1/tables/{table}", await node.table(table)
            await desk.rest()
            view = (await self._auditor.ask("GET", path)).partition(b"\n\n")[2]
            log = await node.journal.read(f"t/{table}")
            kept = await node.journal.snapshot(f"t/{table}") or b""
            self.tables[table] = Left(desk, log, kept, (await other.table(table)).state, view)
            await wire.heard(desk.state.seq)
            await self._auditor.all(doors.others(path, msgspec.json.decode(view), range(64)))
            await self._auditor.all(doors.of_house(path, msgspec.json.decode(view)))
        await self._auditor.all([*doors.OF_ALL, ("GET", "/openapi.json", None)])
        for person in self.people:
            await person.wire.heard(self.tables[person.table].desk.state.seq)
        await store.redis.config_set("rdbcompression", "no")
        await store.redis.save()
        await back_up(store, self._settings, self._directory / "backup", with_seal_key=False)
        self.heard |= {f"key {key!r}": b"\n".join(v) for key, v in (await sinks.stored(store.redis)).items()}
        files = sinks.files(self._directory)
        assert files.pop(f"data/{SEAL_KEY}"), "the only file that may hold it"
        self.heard |= {f"file {name}": held for name, held in files.items()}
        self.heard["views"] = b"\n".join(self._views)
        for name, guest in {"host": self._host, "auditor": self._auditor}.items():
            self.heard[name] = b"\n".join(told for _, told in guest.heard)
        for table, wire in self._watching.items():
            self.heard[f"wire of {table}"] = b"".join(wire.chunks())

    @property
    def tokens(self) -> list[str]:
        """All that were issued."""
        return [each.token for each in (self._host, self._auditor, *(p.guest for p in self.people))]

    @property
    def seal_key(self) -> bytes:
        """The key that seals the seeds."""
        store = self._house.store
        return store.keys[store.active_key_id]
