"""What it costs to tell many listeners of one table: the service beside a bare aiohttp fan-out (design 9)."""

from collections.abc import Callable
from pathlib import Path
from random import SystemRandom
from typing import Protocol

import msgspec

from dealer.http.limits import STREAMS, STREAMS_OF_A_KEY
from ops.bench.audience import Stage
from ops.bench.harness import Measurement, figures, generate
from ops.bench.load import GRACE_SECONDS
from ops.bench.processes import START_SECONDS, Cores, allow_files
from ops.bench.report import Scenario, compare
from ops.bench.service import ServiceSubject
from ops.bench.store import valkey
from ops.bench.subject import Started, YardstickSubject

MOST = STREAMS
"""Listeners that one process of the service lets in."""
_OTHER_FILES = 256
"""What a process has open besides its listeners, at most."""


EVENTS = 2
"""A stake is one, the move of its chips another."""


class Speaker(Protocol):
    """A server that tells what was appended to all who listen; like a `Subject`, started again and again."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    async def start(self, valkey_socket: Path, core: int | None) -> Started:
        """Start on the given core and return once requests are accepted."""
        ...

    async def stage(self, listeners: int) -> Stage:
        """Make a table to which so many can listen."""
        ...

    async def stop(self) -> None:
        """End every process; also after a start that failed half-way."""
        ...


class ServiceSpeaker(ServiceSubject):
    """The service with a table of bacará, whose listeners hear each stake."""

    flags = ("--connections", "0")

    async def stage(self, listeners: int) -> Stage:
        """One table; as many hosts' keys as are needed for so many to be let in."""
        commands = await self.tables(1, 1)
        keys = [commands[0].headers]
        while len(keys) * STREAMS_OF_A_KEY < listeners:
            keys.append(await self.key("host"))
            async with self.session(keys[-1]):
                pass
        return Stage(commands, EVENTS, tuple(keys), commands[0].path.removesuffix("commands") + "events")


class BareSpeaker(YardstickSubject):
    """The yardstick, telling its listeners."""

    module = "ops.bench.broadcast"

    async def stage(self, listeners: int) -> Stage:
        """The yardstick's table."""
        commands = await self.plan("hot_table")
        return Stage(commands, 1, ({},), commands[0].path.removesuffix("commands") + "events")


async def fan_out(
    listeners: int,
    *,
    rounds: int,
    seconds: float,
    warmup_seconds: float,
    cores: Cores,
    parent: Path,
    progress: Callable[[int, str, Measurement], None],
) -> Scenario:
    """Measure the service beside the bare fan-out, once each a round, who goes first drawn anew each time.

    Args:
        listeners: How many listen to one table.
        rounds: Number of rounds.
        seconds: For how long events are made in each measurement, after its warm-up.
        warmup_seconds: For how long before.
        cores: Where the processes run.
        parent: Directory on a real disk in which Valkey's data lie meanwhile.
        progress: Called after each measurement with the number made so far and who was measured.

    Raises:
        BenchmarkError: A measurement could not be made.
    """
    speakers: tuple[Speaker, Speaker] = (ServiceSpeaker(), BareSpeaker())
    found: tuple[list[Measurement], list[Measurement]] = ([], [])
    chance = SystemRandom()
    allow_files(listeners + _OTHER_FILES)
    for done in range(rounds):
        for place, who in enumerate(chance.sample((0, 1), 2), 1):
            measurement = await _measure(speakers[who], listeners, seconds, warmup_seconds, cores, parent)
            found[who].append(measurement)
            progress(2 * done + place, speakers[who].name, measurement)
    return compare(listeners, (speakers[0].name, found[0]), (speakers[1].name, found[1]))


async def _measure(
    speaker: Speaker, listeners: int, seconds: float, warmup_seconds: float, cores: Cores, parent: Path
) -> Measurement:
    """Start everything afresh, have so many listen, measure, and end everything."""
    async with valkey(parent, cores.others) as store:
        try:
            started = await speaker.start(store.socket, cores.server)
            result = await generate(
                "ops.bench.audience",
                msgspec.json.encode(await speaker.stage(listeners)),
                *("--listeners", str(listeners)),
                *("--seconds", str(seconds), "--warmup-seconds", str(warmup_seconds)),
                port=started.port,
                core=cores.others,
                watch=(store.pid, *started.pids),
                limit=2 * START_SECONDS + seconds + warmup_seconds + 4 * GRACE_SECONDS,
            )
        finally:
            await speaker.stop()
    return figures(result, result.good * listeners - result.lost)
