"""Killed at fifty random moments while thirty people play at twenty tables and more."""

import asyncio
import logging
import time
from itertools import cycle, islice
from random import Random

import pytest

from tests.kills.callers import Wire
from tests.kills.conftest import MakeHouse
from tests.kills.evening import Evening, People, check_books, check_log

log = logging.getLogger(__name__)

TABLES = 20
PLAYERS = 30
PACE_S = 0.2
"""Between two moves of one person, on average."""
STORMS = {
    "one node": (1, 1, ("server", "server", "server", "service"), 50),
    "two workers": (1, 2, ("server", "worker", "service"), 25),
    "two services": (2, 1, ("server", "server", "service", "server", "all"), 25),
}
"""Services, processes of each, who is killed in turn, and how often: fifty on one node, fifty on two."""


@pytest.mark.parametrize("storm", STORMS)
async def test_killed_at_random_moments(house: MakeHouse, storm: str) -> None:
    """Design 5 and 7, S-5: what was accepted is there once and whole, and is told again in the same bytes.

    Chips add up at every event, and the cage has given each table what stands there. Nothing stays on its
    way, no decision ends twice, and none before its time.
    """
    services, workers, victims, kills = STORMS[storm]
    chance = Random(storm)  # noqa: S311 - the same moments in each run
    here = house(services, workers)
    people = await People.of(here.data, PLAYERS)
    await asyncio.to_thread(here.start)
    recovered_s = []
    async with Wire(here.addresses, chance) as wire:
        evening = Evening(wire, people, chance)
        await evening.prepare(TABLES)
        async with asyncio.TaskGroup() as group:
            evening.begin(group, PACE_S)
            for victim in islice(cycle(victims), kills):
                await asyncio.sleep(chance.uniform(0.02, 0.25))
                struck = time.monotonic()
                await asyncio.to_thread(here.strike, victim, chance)
                await evening.heard(struck)
                recovered_s.append(round(time.monotonic() - struck, 2))
            evening.over.set()
        shown = await evening.close()
    await asyncio.to_thread(here.stop)
    coups = await check_books(here.data, wire.told, shown)
    log.info("%d kills, %s, %d coups; back after %s s", len(recovered_s), wire.figures(), coups, recovered_s)
    check_log(here.log())
