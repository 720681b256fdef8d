"""The service as a subject of the benchmark: `croupier serve` with tables on which betting never closes."""

import asyncio
import shutil
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

from dealer.http.keyring import Keyring, Role
from ops.bench.plan import MANY_TABLES, Kind, Plan, Template
from ops.bench.processes import START_SECONDS, BenchmarkError, first_line, spawn, stop
from ops.bench.subject import Started
from ops.valkey.client import client

_SEATS = (1, 2, 3, 4, 5, 11, 12, 13, 14, 15)
_CHIPS = 1_000_000_000
"""Enough for a stake of one chip a request, for longer than any benchmark lasts."""
_OPTIONS = {"betting_ms": 0, "house_bank": _CHIPS}
_AT_ONCE = 16


class ServiceSubject:
    """One service process against the benchmark's Valkey."""

    name = "service"
    once = False
    flags: tuple[str, ...] = ()
    """What `croupier serve` is told besides."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._home = ""
        self._socket = Path()
        self._port = 0

    async def start(self, valkey_socket: Path, core: int | None) -> Started:
        """Run `croupier serve` on a free port."""
        self._home = tempfile.mkdtemp(prefix="croupier-bench-")
        self._socket = valkey_socket
        self._process = await spawn(
            core,
            sys.executable,
            "-c",
            "from ops.cli import main; main()",
            "serve",
            "--redis",
            f"unix://{valkey_socket}",
            "--data",
            self._home,
            "--port",
            "0",
            "--log-level",
            "error",
            *self.flags,
            stdout=PIPE,
            stderr=DEVNULL,
        )
        self._port = int((await first_line(self._process)).rsplit(":", 1)[1])
        return Started(pids=(self._process.pid,), port=self._port)

    async def plan(self, kind: Kind) -> Plan:
        """Tables with punters whose stakes of one chip are always taken."""
        return await (self.tables(MANY_TABLES, 1) if kind == "many_tables" else self.tables(1, len(_SEATS)))

    async def tables(self, tables: int, punters: int) -> Plan:
        """So many tables with so many punters each; of these all but the first are bots."""
        headers, seats = await self.key("host"), _SEATS[:punters]
        async with self.session(headers) as session:
            account = (await self.post(session, "/v1/accounts", "account", {}))["account"]
            chips = {"from": "house", "to": account, "amount": _CHIPS * tables}
            await self.post(session, "/v1/transfers", "issue", chips)
            made = await asyncio.gather(
                *(self._table(session, account, number, seats) for number in range(tables))
            )
        return tuple(
            Template(
                body=msgspec.Raw(b'{"type":"stake","seat":%d,"on":"right","amount":1}' % seat),
                headers=headers,
                path=f"/v1/tables/{table}/commands",
            )
            for table in made
            for seat in seats
        )

    async def key(self, role: Role, account: str = "") -> dict[str, str]:
        """The headers of somebody with a fresh key."""
        redis = client(f"unix://{self._socket}", retry=False)
        _, token = await Keyring(redis).add(role, account, "bench")
        await redis.aclose()
        return {"Authorization": f"Bearer {token}"}

    @asynccontextmanager
    async def session(self, headers: dict[str, str]) -> AsyncIterator[aiohttp.ClientSession]:
        """Somebody who talks to the service, once it has read his key, as it does within a second."""
        self._turns = asyncio.Semaphore(_AT_ONCE)
        async with aiohttp.ClientSession(f"http://127.0.0.1:{self._port}", headers=headers) as session:
            async with asyncio.timeout(START_SECONDS):
                while "tables" not in await self._get(session, "/v1/tables"):
                    await asyncio.sleep(0.05)
            yield session

    async def _table(
        self, session: aiohttp.ClientSession, account: str, number: int, seats: tuple[int, ...]
    ) -> str:
        """One table with its punters: the first seat is a person's, the others are bots' without a clock."""
        game = {"game": "bacara", "profile": "seed", "mode": "dos-panos", "options": _OPTIONS}
        table: str = (await self.post(session, "/v1/tables", f"table-{number}", game))["table"]
        commands = f"/v1/tables/{table}/commands"
        for seat in seats:
            who = {"account": account} if seat == seats[0] else {}
            sit = {"type": "sit" if who else "seat_bot", "seat": seat, **(who or {"policy": "steady"})}
            await self.post(session, commands, f"sit-{seat}", sit)
            amount = _CHIPS // 2
            await self.post(
                session, commands, f"buy-{seat}", {"type": "buy_in", "seat": seat, "amount": amount}
            )
        await self.reached(session, table, "betting")
        return table

    async def reached(self, session: aiohttp.ClientSession, table: str, phase: str) -> None:
        """Wait until a table is in this phase."""
        async with asyncio.timeout(START_SECONDS):
            while (await self._get(session, f"/v1/tables/{table}"))["phase"] != phase:
                await asyncio.sleep(0.05)

    async def post(self, session: aiohttp.ClientSession, path: str, key: str, body: dict[str, Any]) -> Any:
        """The answer to a change that has to be taken."""
        async with (
            self._turns,
            session.post(path, json=body, headers={"Idempotency-Key": key}) as answer,
        ):
            found = await answer.json(content_type=None)
            if answer.status >= 300:
                raise BenchmarkError(f"the benchmark's tables could not be set: {found}")
            return found

    async def _get(self, session: aiohttp.ClientSession, path: str) -> Any:
        async with self._turns, session.get(path) as answer:
            return await answer.json(content_type=None)

    async def stop(self) -> None:
        """End the process and forget its data."""
        if self._process is not None:
            await stop(self._process)
            self._process = None
        if self._home:
            shutil.rmtree(self._home, ignore_errors=True)
            self._home = ""
