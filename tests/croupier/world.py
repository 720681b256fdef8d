"""An installation: one Valkey, the nodes started on it, and short ways to make things happen."""

import asyncio
import json
from itertools import count
from typing import Any

from redis.asyncio import Redis

from dealer.cage.ledger import CODEC, HOUSE, TRANSIT, Cage, OpenAccount, Transfer, evolve
from dealer.croupier.cages import BOOK
from dealer.croupier.hooks import Hooks
from dealer.croupier.node import Node, created_id
from dealer.croupier.order import Answer, Order
from dealer.croupier.tables import TableDesk
from dealer.journal import Journal
from dealer.rules.frame.chips import check_total
from dealer.rules.frame.commands import BuyIn, Command, OpenTable, Sit
from dealer.rules.frame.event import Event
from dealer.rules.frame.state import Table
from dealer.rules.registry import GAMES
from dealer.table.aggregate import codec, replay
from dealer.table.authority import Role
from shoe.seal import Vault, key_id
from tests.croupier.spy import Spy, until
from tests.journal.server import Server

SERVICE = "casa"
HOST = "key_host"
KEY = b"k" * 32
STILL = {
    "betting_ms": 0,
    "last_call_ms": 0,
    "speak_ms": 0,
    "banker_ms": 0,
    "between_rounds_ms": 0,
    "bot_think_ms": 0,
}
"""Nothing happens unless somebody does it."""
QUICK = {
    "betting_ms": 60,
    "last_call_ms": 30,
    "speak_ms": 200,
    "banker_ms": 200,
    "between_rounds_ms": 40,
    "bot_think_ms": 5,
}
"""A coup takes a fraction of a second."""

_numbers = count(1)


def fresh(prefix: str) -> str:
    """A name that no other test has."""
    return f"{prefix}{next(_numbers)}"


def vault(*keys: bytes) -> Vault:
    """A vault whose first key is the active one."""
    held = keys or (KEY,)
    return Vault({key_id(k): k for k in held}, key_id(held[0]))


def order(
    node: Node,
    command: Any,
    principal: str = HOST,
    *,
    key: str = "",
    role: Role | None = None,
    account: str = "",
    body: str | None = None,
) -> Order:
    """A command as a door hands it over; a key and the body's digest are made up unless given."""
    who: Role = role or ("host" if principal == HOST else "player")
    digest = repr(command) if body is None else body
    return Order(principal, key or fresh("k"), digest, command, who, node.journal.now(), account)


class World:
    """One Valkey with the nodes started on it."""

    def __init__(self, server: Server, redis: Redis) -> None:
        self.server = server
        self.redis = redis
        self.plain: Journal
        self._nodes: list[tuple[Node, Spy, Redis]] = []

    async def start(self) -> None:
        """Open the journal that the checks read by."""
        self.plain = Journal(self.redis)
        await self.plain.open()

    async def node(
        self,
        *,
        keys: tuple[bytes, ...] = (),
        ahead_ms: int = 0,
        hooks: Hooks | None = None,
        watch: bool = True,
    ) -> Node:
        """A node with a journal of its own; unless it is to `watch`, it sweeps and keeps no time."""
        client = self.server.client()
        journal = Spy(client)
        await journal.open()
        journal.ahead_ms = ahead_ms
        node = Node(journal, SERVICE, vault(*keys), hooks)
        self._nodes.append((node, journal, client))
        if watch:
            await node.open()
        return node

    async def close(self) -> None:
        """Hang up; nodes that were not closed are dropped."""
        for node, journal, client in self._nodes:
            kill(node)
            await Journal.close(journal)
            await client.aclose()
        await self.plain.close()

    async def account(self, node: Node, chips: int = 1_000) -> str:
        """A new account with chips."""
        name = fresh("acc_")
        opened = await node.cage.send(order(node, OpenAccount(name)))
        assert opened.accepted, opened
        if chips:
            given = await node.cage.send(order(node, Transfer(chips, HOUSE, name, fresh("tr_"))))
            assert given.accepted, given
        return name

    async def table(self, node: Node, **options: Any) -> str:
        """A new bacará table; nothing happens there by itself unless the options say so."""
        key = fresh("open_")
        table_id = created_id("tbl", HOST, key)
        opening = OpenTable("bacara", "seed", "dos-panos", {**STILL, **options}, ())
        answer = await node.create_table(order(node, opening, key=key), table_id)
        assert answer.accepted, answer
        return table_id

    async def seated(self, node: Node, table_id: str, seat: int, chips: int = 500) -> str:
        """A new account that sits at a table with chips, twice as many as it brings."""
        account = await self.account(node, 2 * chips)
        assert (await node.command(table_id, order(node, Sit(seat=seat), account))).accepted
        if chips:
            assert (await node.command(table_id, order(node, BuyIn(amount=chips), account))).accepted
        return account

    async def cage(self) -> Cage:
        """The book as its log tells it, checked: it sums to zero, and only the house is overdrawn."""
        book = Cage(log=f"{SERVICE}/{BOOK}")
        for number, stored in enumerate(await self.plain.read(BOOK)):
            event = CODEC.decode(stored)
            assert event.seq == number
            assert stored == _canonical(stored)
            book = evolve(book, event)
            assert sum(book.balances.values()) == 0
            assert all(n >= 0 for account, n in book.balances.items() if account != HOUSE)
        assert book.balances.get(TRANSIT, 0) == sum(h.amount for h in book.holds.values())
        return book

    async def log(self, table_id: str) -> list[Event]:
        """The events of a table, checked: gap-free, canonical, and time never goes back."""
        stored = await self.plain.read(f"t/{table_id}")
        events = [codec(GAMES["bacara"]).decode(e) for e in stored]
        assert [e.seq for e in events] == list(range(len(events)))
        assert all(e == _canonical(e) for e in stored)
        assert [e.at for e in events] == sorted(e.at for e in events)
        return events

    async def state(self, table_id: str) -> Table:
        """A table as its log tells it, its chips checked."""
        start = Table(log=f"{SERVICE}/t/{table_id}")
        table = replay(GAMES["bacara"], start, await self.log(table_id))
        check_total(table.chips)
        return table

    async def check_rest(self, *table_ids: str) -> None:
        """Nothing is on its way, and the cage's account of each table is what stands there (design 7)."""
        book = await self.cage()
        assert not book.holds
        for table_id in table_ids:
            table = await self.state(table_id)
            assert not [place for place in table.chips if place.startswith("transit:")]
            assert book.balances.get(f"t/{table_id}", 0) == -table.chips.get("cage", 0)


def _canonical(stored: bytes) -> bytes:
    plain = json.loads(stored)
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def kill(node: Node) -> None:
    """Drop a node as a kill does: none of its tasks goes on, and nothing is tidied up."""
    for task in (
        node._sweeper,
        *node._clock._tasks,
        *node._clock._ringing,
        *node._flows,
        *node._feeds._watching.values(),
        node.cage.errand,
        *(desk.errand for desk in node._desks.values()),
    ):
        if task is not None:
            task.cancel()


def spy(node: Node) -> Spy:
    """The journal of a node, as the tests made it."""
    assert isinstance(node.journal, Spy)
    return node.journal


async def act(node: Node, table_id: str, command: Command, principal: str = HOST, **more: Any) -> Answer:
    """Give a command that is accepted."""
    answer = await node.command(table_id, order(node, command, principal, **more))
    assert answer.accepted, answer
    return answer


async def reach(node: Node, table_id: str, phase: str) -> TableDesk:
    """The desk of a table once that is in a phase."""
    desk = await node.table(table_id)
    await until(lambda: desk.state.phase == phase)
    return desk


async def gather(*answers: Any) -> list[Answer]:
    """The answers to orders given at once."""
    return list(await asyncio.gather(*answers))
