"""People at the tables and behind them. What they do is drawn by chance among what is offered to them."""

from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Any

from tests.kills.callers import Asked, Person, Told, Wire

WISHES = {
    "sit": 4.0,
    "join": 1.0,
    "buy_in": 3.0,
    "stake": 8.0,
    "unstake": 2.0,
    "cash_out": 0.7,
    "leave": 0.5,
}
"""How much a guest likes each kind of move; no other is made unless it is his turn to speak."""
MOST = 60
"""Chips of one move."""
WRONG: tuple[dict[str, Any], ...] = (
    {"type": "stake", "on": "right", "amount": 10**7},
    {"type": "unstake", "on": "left", "amount": 10**7},
    {"type": "buy_in", "amount": 10**7},
    {"type": "draw"},
    {"type": "stand", "decision": "speak_right:1"},
    {"type": "cash_out", "seat": 9999},
    {"type": "leave", "seat": 9999},
)
"""Moves that are refused, by the table or the cage; the last two leave no record, for the seat is foreign."""
SEATS = (1, 2, 3, 4, 5, 11, 12, 13, 14, 15)


class _Somebody:
    """Somebody who gives commands, each under a key of its own.

    Args:
        name: makes the keys unlike those of others with the same principal.
    """

    def __init__(self, wire: Wire, who: Person, name: str, chance: Random) -> None:
        self.wire = wire
        self.who = who
        self.name = name
        self.chance = chance
        self._keys = count(1)

    async def do(self, path: str, body: dict[str, Any]) -> Told | None:
        """Give a command until it is answered."""
        return await self.wire.do(Asked(self.who, path, body, f"{self.name}-{next(self._keys)}"))

    async def at(self, table: str, body: dict[str, Any]) -> Told | None:
        """Give a command at a table."""
        return await self.do(f"/v1/tables/{table}/commands", body)


class Guest(_Somebody):
    """A player: comes to a table, buys in, stakes, speaks when asked, takes the chips home, goes elsewhere.

    Args:
        silent: never says a word when it is his turn.
    """

    def __init__(
        self, wire: Wire, who: Person, tables: Sequence[str], chance: Random, *, silent: bool = False
    ) -> None:
        super().__init__(wire, who, "guest", chance)
        self.tables = tables
        self.table = chance.choice(tables)
        self.silent = silent

    async def step(self) -> None:
        """One move."""
        page = await self.wire.see(self.who, f"/v1/tables/{self.table}/options")
        command = self._choose(page["options"])
        if command is None:
            return
        told = await self.at(self.table, command)
        if command["type"] == "leave" and told is not None and told.accepted:
            self.table = self.chance.choice(self.tables)

    def _choose(self, offered: list[dict[str, Any]]) -> dict[str, Any] | None:
        words = [option for option in offered if option["type"] in {"draw", "stand"}]
        if words:
            return None if self.silent else self._command(self.chance.choice(words))
        if self.chance.random() < 0.12:
            return self.chance.choice(WRONG)
        kinds = [option["type"] for option in offered]
        wishes = [WISHES.get(kind, 0) / kinds.count(kind) for kind in kinds]
        return self._command(self.chance.choices(offered, wishes)[0]) if any(wishes) else None

    def _command(self, option: dict[str, Any]) -> dict[str, Any]:
        """The command that an option offers, with an amount within its bounds."""
        fields = {name: value for name, value in option.get("fields", {}).items() if name != "home"}
        command = {"type": option["type"], **fields}
        if "decision" in option and self.chance.random() < 0.5:
            command["decision"] = option["decision"]
        if "min" in option:
            most = min(MOST, option.get("max", MOST))
            command["amount"] = self.chance.randint(option["min"], max(option["min"], most))
        return command


class Host(_Somebody):
    """A host who seats friends and bots, acts for them, and now and then ends a decision himself.

    Args:
        friends: accounts that he seats.
    """

    def __init__(
        self,
        wire: Wire,
        who: Person,
        name: str,
        tables: Sequence[str],
        friends: Sequence[str],
        chance: Random,
    ) -> None:
        super().__init__(wire, who, name, chance)
        self.tables = tables
        self.friends = friends
        self._seated: list[tuple[str, int]] = []

    async def step(self) -> None:
        """One act."""
        if not self._seated or self.chance.random() < 0.2:
            await self._seat()
        elif self.chance.random() < 0.1:
            await self._hurry()
        else:
            await self._act(*self.chance.choice(self._seated))

    async def _seat(self) -> None:
        table, seat = self.chance.choice(self.tables), self.chance.choice(SEATS)
        somebody: dict[str, Any] = {"type": "sit", "account": self.chance.choice(self.friends)}
        if self.chance.random() < 0.2:
            somebody = {"type": "seat_bot", "policy": "steady"}
        told = await self.at(table, {**somebody, "seat": seat})
        if told is not None and told.accepted:
            self._seated.append((table, seat))

    async def _hurry(self) -> None:
        table = self.chance.choice(self.tables)
        due = (await self.wire.see(self.who, f"/v1/tables/{table}"))["due"]
        if due:
            await self.at(table, {"type": "expire", "decision": due[0]["decision"]})

    async def _act(self, table: str, seat: int) -> None:
        kind = self.chance.choices(("buy_in", "stake", "unstake", "cash_out", "leave"), (4, 6, 2, 1, 1))[0]
        command: dict[str, Any] = {"type": kind, "seat": seat}
        if kind in {"buy_in", "stake", "unstake"}:
            command["amount"] = self.chance.randint(1, MOST)
        if kind in {"stake", "unstake"}:
            command["on"] = self.chance.choice(("right", "left"))
        told = await self.at(table, command)
        if kind == "leave" and told is not None and told.accepted:
            self._seated.remove((table, seat))


class Cashier(_Somebody):
    """Whoever keeps the cage: chips between accounts, a new account now and then."""

    def __init__(self, wire: Wire, who: Person, name: str, accounts: Sequence[str], chance: Random) -> None:
        super().__init__(wire, who, name, chance)
        self.accounts = accounts

    async def step(self) -> None:
        """One entry."""
        if self.chance.random() < 0.15:
            await self.do("/v1/accounts", {})
            return
        origin, to = self.chance.sample(("house", *self.accounts), 2)
        amount = 10**7 if self.chance.random() < 0.1 else self.chance.randint(1, MOST)
        await self.do("/v1/transfers", {"from": origin, "to": to, "amount": amount})


class Opener(_Somebody):
    """Opens one table after the other and puts a bot with chips at each, so that the house banks there."""

    def __init__(self, wire: Wire, who: Person, name: str, options: dict[str, Any], chance: Random) -> None:
        super().__init__(wire, who, name, chance)
        self.options = options

    async def step(self) -> None:
        """One table."""
        opening = {"game": "bacara", "profile": "seed", "mode": "dos-panos", "options": self.options}
        made = await self.do("/v1/tables", opening)
        if made is not None:
            table = made.answer["table"]
            await self.at(table, {"type": "seat_bot", "seat": 1, "policy": "steady"})
            await self.at(table, {"type": "buy_in", "seat": 1, "amount": 100})
