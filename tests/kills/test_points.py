"""Killed at every named await of the command path: the service itself, and the server it waits for."""

import asyncio
import logging
import signal
from collections.abc import Iterator
from importlib import import_module
from inspect import getmembers, isasyncgenfunction, isclass, iscoroutinefunction
from pkgutil import iter_modules
from random import Random

import pytest

from dealer import croupier, journal
from tests.kills import points
from tests.kills.callers import Wire
from tests.kills.conftest import MakeHouse
from tests.kills.evening import Evening, People, check_books, check_log
from tests.kills.mortals import Mortal
from tests.kills.nursery import Stop

log = logging.getLogger(__name__)

TABLES = 20
PLAYERS = 14
PACES_S = {1: 0.05, 2: 0.3}
"""Between two moves of one person, by the number of nodes."""
SOON = {
    "dealer.croupier.cages:EVERY": 48,
    "dealer.croupier.node:SWEEP_S": 0.3,
    "dealer.croupier.tables:EVERY": 48,
    "ops.valkey.embedded:_LONGEST_PAUSE_S": 0.1,
}
"""Snapshots and sweeps come soon, and so does a server that has been killed again and again."""
SOONER = {**SOON, "dealer.croupier.purse:STALE_MS": 400}
"""So does the end of what was left behind."""


def lives(chance: Random, nodes: int) -> Iterator[tuple[Stop, ...]]:
    """Where a service dies, life after life; or where it loses its server first."""
    named = (*points.DOORS, *points.CROUPIER, *points.STORE, *(points.NEIGHBOURS if nodes > 1 else ()))
    for point in named:
        most = 1 if point in points.RARE or nodes > 1 else 4
        for after in (False, True):
            yield (Stop(point, after=after, number=chance.randint(1, most)),)
    without = {point: Stop(point, after=False, server=True) for point in named if point not in points.START}
    for point in sorted(points.OPENING):
        yield without.pop(point), Stop(point, after=True)
    yield *without.values(), Stop(points.SENT, after=True)
    for remedy in points.REMEDIES:
        for after in (False, True):
            # An append is on its way to a server that is no more.
            yield Stop(points.APPEND, after=True, server=True), Stop(remedy, after=after)


async def die_everywhere(mortal: Mortal, wire: Wire, nodes: int, chance: Random) -> None:
    """Live and die at every point; at the last ones for holds that nobody asks for any more."""
    for stops in lives(chance, nodes):
        assert await mortal.live(*stops, **SOON) == -signal.SIGKILL, stops
    for point in points.LEFT_BEHIND:
        for after in (False, True):
            wire.deferring = True
            arriving = Stop("dealer.croupier.line:Line.send", after=False, only="Receive")
            assert await mortal.live(arriving, **SOON) == -signal.SIGKILL
            wire.deferring = False
            assert await mortal.live(Stop(point, after=after), **SOONER) == -signal.SIGKILL, point


@pytest.mark.parametrize("nodes", [1, 2])
async def test_killed_at_every_await(house: MakeHouse, nodes: int) -> None:
    """Design 5 and 7, S-5: before and after every await, alone and beside a node that goes on.

    Whatever was accepted is there once and whole, whatever is asked again is told the same, and every chip
    gets to one of its ends.
    """
    chance = Random(nodes)  # noqa: S311 - the same in each run
    here = house()
    people = await People.of(here.data, PLAYERS)
    if nodes > 1:
        await asyncio.to_thread(here.start)
    err = here.data.parent / "mortal"
    async with (
        Mortal(here.data, err) as mortal,
        Wire(lambda: [*here.addresses(), *3 * mortal.addresses], chance) as wire,
        asyncio.TaskGroup() as good_lives,
    ):
        evening = Evening(wire, people, chance)
        life = good_lives.create_task(mortal.live(**SOON))
        await evening.prepare(TABLES)
        await mortal.stop()
        assert await life == 0
        async with asyncio.TaskGroup() as group:
            evening.begin(group, PACES_S[nodes])
            await die_everywhere(mortal, wire, nodes, chance)
            evening.over.set()
            life = good_lives.create_task(mortal.live(**SOON))
        shown = await evening.close()
        await mortal.stop()
        assert await life == 0
    if nodes > 1:
        await asyncio.to_thread(here.stop)
    coups = await check_books(here.data, wire.told, shown)
    log.info("%d lives, %s, %d coups", mortal.lives, wire.figures(), coups)
    check_log(here.log() if nodes > 1 else "")
    check_log(err.read_text(encoding="utf-8"))


def test_every_await_is_named() -> None:
    """Whoever adds an await to the command path says whether a kill is tried there."""
    named = {*points.DOORS, *points.CROUPIER, *points.STORE, *points.NEIGHBOURS, *points.LEFT_BEHIND}
    named |= {*points.REMEDIES, *(name for names in points.ASIDE.values() for name in names)}
    awaited = {name for module in command_path() for name in awaits_of(module)}
    assert {name for name in named if name.startswith("dealer.")} - points.MOMENTS == awaited


def command_path() -> Iterator[str]:
    """The modules that a command comes through."""
    yield from ("dealer.http.bodies", "dealer.http.taken")
    for package in (croupier, journal):
        yield from (found.name for found in iter_modules(package.__path__, f"{package.__name__}."))


def awaits_of(module: str) -> Iterator[str]:
    """The coroutine functions and methods that a module defines."""
    own = import_module(module)
    holders = {"": own} | {f"{name}.": kind for name, kind in getmembers(own, isclass)}
    for prefix, holder in holders.items():
        if holder is own or holder.__module__ == module:
            for name, held in vars(holder).items():
                value = getattr(held, "__func__", held)  # of a static method or one of the class
                if (iscoroutinefunction(value) or isasyncgenfunction(value)) and value.__module__ == module:
                    yield f"{module}:{prefix}{name}"
