"""Nobody is timed out by an outage, whatever it was that was away (design 5)."""

import asyncio
import time
from random import Random
from typing import Any

from dealer.rules.bacara.events import HandDrew
from dealer.rules.frame.events import DeadlineMoved
from tests.kills.callers import Asked, Person, Wire
from tests.kills.conftest import MakeHouse
from tests.kills.evening import QUIET, Evening, People, check_books, check_log
from tests.kills.houses import House
from tests.kills.logs import Log, load

FACES = ["Q", "2", "A", "4", "8"]
"""In dealing order, one paño against the bank: it has one point, so it has to draw; the bank has six."""
OPTIONS = {**QUIET, "betting_ms": 200, "speak_ms": 3_000}
DARK_S = 3.3
"""Three seconds without a pulse are an outage."""


class Pair:
    """Two people at tables of their own, both to speak when the lights go out; one of them never will."""

    def __init__(self, wire: Wire, people: People) -> None:
        self.evening = Evening(wire, people, Random(1))  # noqa: S311 - nothing here is left to chance
        self.tables: list[str] = []

    async def sit_down(self) -> None:
        """Until both are asked for their word."""
        await self.evening.open_accounts()
        players = self.evening.people.players
        for number, who in enumerate(players):
            self.tables.append(await self.evening.open_table(number, OPTIONS, stacked=FACES))
            await self.give(who, self.tables[number], {"type": "sit", "seat": 1})
            await self.give(who, self.tables[number], {"type": "buy_in", "amount": 100})
        for table in self.tables:
            await self.phase(table, "betting")
        for who, table in zip(players, self.tables, strict=True):
            await self.give(who, table, {"type": "stake", "on": "right", "amount": 10})
        for table in self.tables:
            await self.phase(table, "speak_right")

    async def speak(self) -> None:
        """One answers, though his time was over long ago; for the other the house does, when his is."""
        talker = self.evening.people.players[0]
        decision = (await self.show(self.tables[0]))["due"][0]["decision"]
        await self.give(talker, self.tables[0], {"type": "draw", "decision": decision})
        while (await self.show(self.tables[1]))["phase"] == "speak_right":
            await asyncio.sleep(0.1)

    async def give(self, who: Person, table: str, command: dict[str, Any]) -> None:
        """A command that must be accepted."""
        asked = Asked(who, f"/v1/tables/{table}/commands", command, command["type"])
        told = await self.evening.wire.do(asked)
        assert told is not None
        assert told.accepted, told

    async def phase(self, table: str, wanted: str) -> None:
        """Wait for a phase."""
        while (await self.show(table))["phase"] != wanted:
            await asyncio.sleep(0.02)

    async def show(self, table: str) -> Any:
        """The table as everybody sees it."""
        return await self.evening.see(f"/v1/tables/{table}")


def darken(here: House, victim: str) -> tuple[int, int]:
    """Kill all services, or the server in a way that none comes back; then let there be light.

    Returns:
        When that had been done, and when it was about to end, ms UTC.
    """
    if victim == "services":
        here.fell()
        start = time.time_ns()
        time.sleep(DARK_S)
        end = time.time_ns()
        here.start()
    else:
        with here.services[0].without_store():
            start = time.time_ns()
            time.sleep(DARK_S)
            end = time.time_ns()
    return start // 1_000_000 + 1, end // 1_000_000


async def an_outage(here: House, victim: str) -> None:
    """One who speaks after it is heard; one who does not has five seconds from its end, and is moved once."""
    people = await People.of(here.data, 2)
    await asyncio.to_thread(here.start)
    async with Wire(here.addresses, Random(1)) as wire:  # noqa: S311 - any address will do
        pair = Pair(wire, people)
        await pair.sit_down()
        dark = await asyncio.to_thread(darken, here, victim)
        await pair.speak()
        shown = await pair.evening.close()
    await asyncio.to_thread(here.stop)
    await check_books(here.data, wire.told, shown, [dark])
    check_log(here.log())
    _, logs = await load(here.data)
    moved = {_spoken(log): sum(type(e.data) is DeadlineMoved for e in log.events) for log in logs}
    assert moved.keys() == {"player", "timeout"}
    assert moved["timeout"] == 1


def _spoken(log: Log) -> str:
    """In what capacity the word of the first coup was given."""
    (word,) = [e.data.source for e in log.events if type(e.data) is HandDrew and e.round == 1]
    return str(word)


async def test_nobody_is_timed_out_by_an_outage(house: MakeHouse) -> None:
    """Design 5: a decision caught by an outage keeps the time it had, five seconds at least, in any house."""
    async with asyncio.TaskGroup() as group:
        for victim in ("services", "server"):
            for here in (house(), house(workers=2), house(services=2)):
                group.create_task(an_outage(here, victim))
