"""An evening at a house: people play until it is over, then everything they were told is held to."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, Self

from dealer.croupier.node import created_id
from dealer.croupier.order import NEVER_STORED
from dealer.http.keyring import Keyring
from ops.service import opened_store
from ops.settings import StoreSettings
from tests.kills.callers import Asked, Person, Told, Wire
from tests.kills.checks import Dark, check_cage, check_shown, check_table
from tests.kills.logs import load
from tests.kills.people import Cashier, Guest, Host, Opener
from tests.ops.processes import LIMIT_S

QUIET = {"corte": "off", "last_call_ms": 100, "between_rounds_ms": 300, "bot_think_ms": 40}
CALM = {**QUIET, "betting_ms": 2_500, "speak_ms": 4_000}
HASTY = {**QUIET, "betting_ms": 800, "speak_ms": 300}
IDLE = {**QUIET, "betting_ms": 0}
"""Nothing goes on at such a table once its house banks."""
CHIPS = 5_000
FRIENDS = 4
"""So many players never come by themselves: hosts seat them."""
AT_ONCE = 16
"""Questions under way when everything is asked again."""
EXPECTED = frozenset({"store_health", "worker_ended"})
"""What the log may call an error on such an evening."""


class People:
    """Everybody with a key: one host, and as many players as accounts."""

    def __init__(self, host: Person, players: Sequence[Person]) -> None:
        self.host = host
        self.players = players

    @classmethod
    async def of(cls, data: Path, players: int) -> Self:
        """Give out keys before the house opens; the host's first commands open accounts of these names."""
        async with opened_store(StoreSettings(data=data)) as store:
            ring = Keyring(store.redis)
            record, token = await ring.add("host")
            accounts = [created_id("acc", record.principal, f"account-{n}") for n in range(players)]
            tokens = [(await ring.add("player", account))[1] for account in accounts]
        return cls(Person(record.principal, token), list(map(Person, accounts, tokens)))


class Evening:
    """What goes on in a house.

    Args:
        wire: the way to it.
        people: who may come.
        chance: decides what they do.

    Attributes:
        tables: those that the guests play at.
        over: set when everybody is to go.
    """

    def __init__(self, wire: Wire, people: People, chance: Random) -> None:
        self.wire = wire
        self.people = people
        self.tables: list[str] = []
        self.over = asyncio.Event()
        self._chance = chance

    async def prepare(self, tables: int) -> None:
        """Accounts with chips, calm tables and hasty ones; bots at every third."""
        await self.open_accounts()
        paces = islice(cycle((CALM, CALM, HASTY, HASTY)), tables)
        self.tables += await asyncio.gather(*(self.open_table(n, pace) for n, pace in enumerate(paces)))
        await asyncio.gather(*(self._seat_bots(table) for table in self.tables[1::3]))

    async def open_accounts(self) -> None:
        """An account for every player, with chips on it."""
        players = self.people.players
        await asyncio.gather(*(self.ask("/v1/accounts", {}, f"account-{n}") for n in range(len(players))))
        issues = [{"from": "house", "to": who.principal, "amount": CHIPS} for who in players]
        await asyncio.gather(
            *(self.ask("/v1/transfers", body, f"chips-{n}") for n, body in enumerate(issues))
        )

    async def open_table(self, number: int, options: dict[str, Any], **more: Any) -> str:
        """A new table."""
        body = {"game": "bacara", "profile": "seed", "mode": "dos-panos", "options": options, **more}
        told = await self.ask("/v1/tables", body, f"table-{number}")
        table: str = told.answer["table"]
        return table

    async def ask(self, path: str, body: dict[str, Any], idem: str) -> Told:
        """A command of the host that must be accepted."""
        told = await self.wire.do(Asked(self.people.host, path, body, idem))
        assert told is not None
        assert told.accepted, told
        return told

    async def see(self, path: str) -> Any:
        """What the host sees."""
        return await self.wire.see(self.people.host, path)

    def begin(self, group: asyncio.TaskGroup, pace_s: float) -> None:
        """Everybody comes: guests, two hosts, a cashier, and somebody who opens table after table."""
        host, players, wire = self.people.host, self.people.players, self.wire
        accounts = [who.principal for who in players]
        steps: list[tuple[Callable[[], Awaitable[None]], float]] = [
            (Guest(wire, who, self.tables, self._dice(), silent=n % 4 == 3).step, pace_s)
            for n, who in enumerate(players[FRIENDS:])
        ]
        for n in range(2):
            friends = accounts[n:FRIENDS:2]
            steps.append((Host(wire, host, f"host-{n}", self.tables, friends, self._dice()).step, pace_s))
        steps.append((Cashier(wire, host, "cashier", accounts, self._dice()).step, pace_s))
        steps.append((Opener(wire, host, "opener", IDLE, self._dice()).step, 4 * pace_s))
        for step, pause_s in steps:
            group.create_task(self._go_on(step, pause_s))

    async def heard(self, since: float) -> None:
        """Wait until commands are accepted that were first sent after a moment, in monotonic s."""
        seen = len(self.wire.told)
        async with asyncio.timeout(LIMIT_S):
            while sum(told.accepted and told.since > since for told in self.wire.told[seen:]) < 2:
                await asyncio.sleep(0.005)

    async def close(self) -> Mapping[str, Any]:
        """Everybody has gone: pause every table, and wait until all chips are where they belong.

        Whoever asks anything again is told what he was told first.

        Returns:
            Every table as the API shows it, by its id.
        """
        await self.wire.catch_up()
        made = [told.answer["table"] for told in self.wire.told if told.asked.path == "/v1/tables"]
        paths = {table: f"/v1/tables/{table}" for table in made}
        await asyncio.gather(
            *(self.ask(f"{path}/commands", {"type": "pause"}, "pause") for path in paths.values())
        )
        async with asyncio.timeout(LIMIT_S):
            while await self._chips_on_their_way(paths.values()):
                await asyncio.sleep(0.1)
        few = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(*(self._ask_again(told, few) for told in self.wire.told))
        return {table: await self.see(path) for table, path in paths.items()}

    async def _chips_on_their_way(self, tables: Iterable[str]) -> bool:
        if (await self.see("/v1/accounts?limit=1"))["book"]["transit"]:
            return True
        shown = [await self.see(path) for path in tables]
        return any(place.startswith("transit:") for table in shown for place in table["chips"])

    async def _ask_again(self, told: Told, few: asyncio.Semaphore) -> None:
        """The same command under the same key gets the same answer, if there is a record of it."""
        async with few:
            status, raw = await self.wire.again(told)
        if not told.accepted and told.answer["code"] in NEVER_STORED:
            assert json.loads(raw)["code"] == told.answer["code"]
        else:
            assert (status, raw) == (told.status, told.raw), told.asked

    async def _go_on(self, step: Callable[[], Awaitable[None]], pause_s: float) -> None:
        while not self.over.is_set():
            await step()
            await asyncio.sleep(self._chance.uniform(0.2, 1.8) * pause_s)

    async def _seat_bots(self, table: str) -> None:
        path = f"/v1/tables/{table}/commands"
        for seat in (3, 13):
            bot = {"type": "seat_bot", "seat": seat, "policy": "steady"}
            await self.ask(path, bot, f"bot-{table}-{seat}")
            await self.ask(path, {"type": "buy_in", "seat": seat, "amount": 800}, f"fund-{table}-{seat}")

    def _dice(self) -> Random:
        return Random(self._chance.random())  # noqa: S311 - the same evening in each run


async def check_books(data: Path, told: Sequence[Told], shown: Mapping[str, Any], dark: Dark = ()) -> int:
    """Once no service runs: the logs hold what was told, and lead to what was shown.

    Returns:
        How many coups were played.
    """
    assert {t.status for t in told if not t.accepted} <= {403, 409}
    book, logs = await load(data)
    tables = {}
    coups = 0
    for log in logs:
        name = log.aggregate.removeprefix("t/")
        path = f"/v1/tables/{name}/commands"
        theirs = [t for t in told if path == t.asked.path or t.answer.get("table") == name]
        table = check_table(log, theirs, dark)
        check_shown(log, shown[name])
        tables[log.aggregate] = log, table
        coups += table.round
    assert len(shown) == len(tables)
    check_cage(book, [t for t in told if t.asked.path in {"/v1/accounts", "/v1/transfers"}], tables)
    return coups


def check_log(text: str) -> None:
    """The services call nothing an error but what was done to them; a line may be cut off by a kill."""
    for line in text.splitlines():
        if '"level":"error"' in line:
            assert json.loads(line)["event"] in EXPECTED, line
