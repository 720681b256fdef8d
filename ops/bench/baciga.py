"""Báciga as a subject of the benchmark: the cards are laid, so that every play is known beforehand."""

import asyncio
from typing import Any

import aiohttp
import msgspec

from dealer.rules.frame import commands as cmd
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.game import Act
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.registry import GAMES
from dealer.rules.tricks.commands import Play
from dealer.table.aggregate import handle
from ops.bench.plan import MANY_TABLES, Kind, Plan, Template
from ops.bench.processes import BenchmarkError
from ops.bench.service import ServiceSubject
from shoe.entropy import simulation_seed

_GAME = GAMES["baciga"]
_PLAYERS = 2
OPTIONS: dict[str, Any] = {"first_dealer": 1, "packs": 4, "play_ms": 600_000, "players": _PLAYERS}
"""As many packs as two may play with under `seed`, so that the stock lasts long."""
_DECK = _GAME.cards(OPTIONS)
_STRIDE = 37
"""Prime to the size of the deck, so that all cards come and neighbours are of many faces."""
LAID = tuple(_DECK.face(place * _STRIDE % _DECK.size) for place in range(_DECK.size))


class BacigaSubject(ServiceSubject):
    """A service at whose tables two people play cards while the stock lasts, and declare nothing."""

    name = "baciga"
    once = True
    flags = ("--sandbox", "--key-rate", "0", "--table-rate", "0")

    async def plan(self, kind: Kind) -> Plan:
        """Each table's next card, table by table; a plan that is to be sent once."""
        async with self.session(await self.key("host")) as session:
            accounts = [
                (await self.post(session, "/v1/accounts", f"account-{seat}", {}))["account"]
                for seat in range(1, _PLAYERS + 1)
            ]
            made = await asyncio.gather(
                *(self._set(session, accounts, n) for n in range(MANY_TABLES if kind == "many_tables" else 1))
            )
        people = {seat: await self.key("player", account) for seat, account in enumerate(accounts, 1)}
        for headers in people.values():
            async with self.session(headers):
                pass
        return tuple(
            Template(
                body=msgspec.Raw(b'{"type":"play","card":"%b"}' % code.encode()),
                headers=people[seat],
                path=f"/v1/tables/{table}/commands",
            )
            for seat, code in plays()
            for table in made
        )

    async def _set(self, session: aiohttp.ClientSession, accounts: list[str], number: int) -> str:
        game = {"game": _GAME.id, "profile": "seed", "options": OPTIONS, "stacked": LAID}
        table: str = (await self.post(session, "/v1/tables", f"table-{number}", game))["table"]
        for seat, account in enumerate(accounts, 1):
            sit = {"type": "sit", "seat": seat, "account": account}
            await self.post(session, f"/v1/tables/{table}/commands", f"sit-{seat}", sit)
        return table


def plays() -> list[tuple[int, str]]:
    """Who plays which card as long as there is a stock: what he may play first, at a table of the pure core.

    Raises:
        BenchmarkError: no such hand can be played.
    """
    chance, table = Chance({}), Table(log="bench/t/plays")

    def give(command: cmd.Command | cmd.Internal, seat: int = 0) -> Table:
        pid = f"pid_{seat}"
        done = handle(_GAME, table, chance, Act(command, pid, "player", pid, seat, 0))
        if isinstance(done, Refusal):
            raise BenchmarkError(f"the benchmark's hand could not be played: {done.code}")
        return done.table

    seeds = (simulation_seed("bench", 0, 1),)
    table = give(cmd.OpenTable(_GAME.id, "seed", "", OPTIONS, seeds, LAID))
    for seat in range(1, _PLAYERS + 1):
        table = give(cmd.Sit(seat=seat), seat)
    found: list[tuple[int, str]] = []
    while (view := _GAME.view(table))["stock"]:
        seat = view["turn"]
        option = next(o for o in _GAME.options(table, chance, seat) if o.type == "play")
        found.append((seat, option.fields["card"]))
        table = give(Play(card=option.fields["card"]), seat)
    return found
