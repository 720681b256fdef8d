"""Subjects of the benchmark at whose tables the cards are laid by hand: the plan is known, and sent once."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import ClassVar

import aiohttp
import msgspec

from ops.bench.plan import MANY_TABLES, Kind, Plan, Template
from ops.bench.rehearsal import HOST, Script, Setting
from ops.bench.service import ServiceSubject


class LaidSubject(ServiceSubject, ABC):
    """A service at whose tables everybody says what was rehearsed, each under a key of his own.

    The tables are not in step: `cycle` of them in a row stand one command apart from each other, so that at
    any time the commands of a whole cycle are sent alike and their mean does not hang on when one measures.
    """

    once = True
    flags = ("--sandbox", "--key-rate", "0", "--table-rate", "0")
    setting: ClassVar[Setting]
    cycle: ClassVar[int]
    """After how many commands about the same is said again."""

    @abstractmethod
    def script(self) -> Script:
        """What is said at every table.

        Raises:
            BenchmarkError: It cannot be said.
        """

    async def plan(self, kind: Kind) -> Plan:
        """Each table's next command, table by table; a plan that is to be sent once."""
        tables, script = MANY_TABLES if kind == "many_tables" else 1, self.script()
        keys = {HOST: await self.key("host")}
        async with AsyncExitStack() as stack:
            sessions = {HOST: await stack.enter_async_context(self.session(keys[HOST]))}
            accounts = {
                seat: await self._account(sessions[HOST], seat, tables) for seat in self.setting.seats
            }
            keys |= {seat: await self.key("player", account) for seat, account in accounts.items()}
            for seat in accounts:
                sessions[seat] = await stack.enter_async_context(self.session(keys[seat]))
            made = await asyncio.gather(
                *(self._set(sessions, accounts, n, script[: n % self.cycle]) for n in range(tables))
            )
        return tuple(
            Template(
                body=msgspec.Raw(msgspec.json.encode(body)),
                headers=keys[seat],
                path=f"/v1/tables/{table}/commands",
            )
            for turn in range(len(script) - self.cycle + 1)
            for number, table in enumerate(made)
            for seat, body in [script[number % self.cycle + turn]]
        )

    async def _account(self, session: aiohttp.ClientSession, seat: int, tables: int) -> str:
        """An account with chips for so many tables."""
        account: str = (await self.post(session, "/v1/accounts", f"account-{seat}", {}))["account"]
        if self.setting.chips:
            chips = {"from": "house", "to": account, "amount": self.setting.chips * tables}
            await self.post(session, "/v1/transfers", f"issue-{seat}", chips)
        return account

    async def _set(
        self,
        sessions: Mapping[int, aiohttp.ClientSession],
        accounts: Mapping[int, str],
        number: int,
        ahead: Script,
    ) -> str:
        """A table at which all sit and this much has been said."""
        setting, host = self.setting, sessions[HOST]
        opened = {
            "game": setting.game,
            "profile": "seed",
            "mode": setting.mode,
            "options": setting.options,
            "stacked": setting.laid,
        }
        table: str = (await self.post(host, "/v1/tables", f"table-{number}", opened))["table"]
        commands = f"/v1/tables/{table}/commands"
        for seat, account in accounts.items():
            sit = {"type": "sit", "seat": seat, "account": account}
            await self.post(host, commands, f"sit-{seat}", sit)
            if setting.chips:
                chips = {"type": "buy_in", "seat": seat, "amount": setting.chips}
                await self.post(host, commands, f"buy-{seat}", chips)
        await self.reached(host, table, setting.phase)
        for said, (seat, body) in enumerate(ahead):
            await self.post(sessions[seat], commands, f"ahead-{said}", body)
        return table
