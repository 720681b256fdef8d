"""A tournant evening: the bank goes round, and whoever likes plays for all of it."""

import asyncio

from tests.evening.evening import KILL_AFTER_S, OPTIONS, SEATS, Evening

BANK = 150
RING = 14
"""Seats at this table, so that the guests sit where they do at the other one."""
TOURNANT = {
    name: value
    for name, value in OPTIONS.items()
    if name not in {"bank_modes", "corte", "consent_ms", "auction_call_ms"}
} | {
    "banco_ms": 150,
    "banker_away_ms": 300,
    "banker_ms": 300,
    "corte": "off",
    "min_bank": 100,
    "seats": RING,
    "speak_ms": 300,
    "stop_card": 96,
}
"""The shoe ends early, so that a whole one is played in a short time."""
CALLERS = ("ben", "carla")


class Tournant(Evening):
    """Four guests and two bots at one paño."""

    async def opened(self) -> None:
        """Ana has the first bank; Ben, Carla and she take one whenever it comes to them, and Dan does not."""
        await self.begun("tournant", **TOURNANT)
        for name in ("ana", *CALLERS):
            self.guests[name].wants = {"accept_bank": BANK}
        await self.heard.next("bank.constituted", banker=SEATS["ana"])

    async def broke(self) -> None:
        """Dan takes all his chips back to his account, and stays; no bank is his any more."""
        dan = self.guests["dan"]
        dan.stakes = False
        dan.wants = {"cash_out": 1}
        await self.heard.next("chips.cashed_out")

    async def collided(self) -> None:
        """From two connections, in one window: both would play alone against the bank."""
        for name in CALLERS:
            self.guests[name].wants["banco"] = 1
        at, callers = self.heard.last, 0
        while callers < len(CALLERS):
            at = (await self.heard.next("banco.awarded", after=at))["seq"]
            callers = len(self.called_before(at))

    def called_before(self, award: int) -> list[int]:
        """The seats that called in the window that an award has ended, in the order of their calls."""
        found: list[int] = []
        for event in reversed(self.heard.events[:award]):
            if event["type"] == "banco.opened":
                break
            if event["type"] == "banco.called":
                found.insert(0, event["data"]["seat"])
        return found

    async def left(self) -> None:
        """Ana banks, and is gone in the middle of it: her bank passes on, and a host gets her up."""
        ana = self.guests["ana"]
        for name in CALLERS:
            self.guests[name].wants = {"accept_bank": BANK}
        banks = await self.heard.next("bank.constituted", after=self.heard.last, banker=ana.seat)
        ana.gone = True
        await self._tasks.pop(ana.name)
        ended = await self.heard.next("bank.ended", after=banks["seq"], banker=ana.seat)
        await self.insist(self.hosts[0], {"type": "leave", "seat": ana.seat})
        await self.heard.next("bank.constituted", after=ended["seq"])

    async def over(self) -> None:
        """The shoe is played to its stop card; then the table is closed."""
        await self.heard.next("stop_card.reached")
        await self.host({"type": "close_table"})
        await self.heard.next("table.closed")

    async def struck(self) -> None:
        """The service is killed while somebody calls a banco, and goes on from there."""
        caller, dead = self.guests[CALLERS[0]], asyncio.Event()

        def kill() -> None:
            self._service.kill()
            dead.set()

        def warned() -> None:
            caller.before = {}
            asyncio.get_running_loop().call_later(KILL_AFTER_S, kill)

        caller.before = {"banco": warned}
        await dead.wait()
        self.deaths.append(await self._on_disk())
        await asyncio.to_thread(self._service.start)
        await self.heard.next("round.ended", after=len(self.deaths[-1]) - 1)
