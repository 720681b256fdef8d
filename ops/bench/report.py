"""What a benchmark run found: as data, as JSON, and as a table for people."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from ops.bench.growth import Growth
from ops.bench.harness import Measurement
from ops.bench.stats import Spread, ratios, spread

NOISY_CORES = 0.15
"""How much of a core other processes may use before a rate is worth little."""

ScenarioName = Literal["baciga", "baciga_stake", "hot_table", "latency_8", "listeners", "many_tables"]


class Figures(msgspec.Struct, frozen=True, gc=False):
    """What one subject did in one scenario, over all rounds; meanings and units as in `Measurement`.

    Attributes:
        bad: Requests of all rounds that were lost or not answered with 2xx; one is enough to spoil it.
        name: The subject's name.
        statuses: Answers of all rounds by HTTP status.
    """

    bad: int
    load_us: Spread
    name: str
    others_cores: Spread
    p50_ms: Spread
    p99_ms: Spread
    rate: Spread
    server_us: Spread
    statuses: dict[int, int]
    valkey_us: Spread


class Scenario(msgspec.Struct, frozen=True, gc=False):
    """The service beside the yardstick under one load; each ratio is service over yardstick, inside a round.

    In `baciga` the mean play of a hand of báciga stands for the service, and the mean command of whole coups
    of bacará is what it is judged by. In `baciga_stake` the same play stands beside a stake, which is the
    cheapest command of bacará: that is told, and promises nothing.

    In `listeners` a connection is one listener of a table, a request is what one command brings him, and the
    times are from a command to the last listener.

    Attributes:
        connections: Number of connections.
        cpu_ratio: Of server CPU a request.
        p50_ratio: Of the median time to the answer.
        p99_ratio: Of its 99th percentile.
        ratio: Of requests a second.
        service: The service's own figures.
        yardstick: The yardstick's.
    """

    connections: int
    cpu_ratio: Spread
    p50_ratio: Spread
    p99_ratio: Spread
    ratio: Spread
    service: Figures
    yardstick: Figures


class Machine(msgspec.Struct, frozen=True, gc=False):
    """Where it ran; figures of two machines cannot be compared, ratios nearly.

    Attributes:
        cores: Number of cores the benchmark could use.
        cpu: The processor's name.
        filesystem: What Valkey's log lay on.
        kernel: Release of the kernel.
        pinned: Whether server and all else had a core each.
        versions: Of Python and the libraries both subjects stand on.
    """

    cores: int
    cpu: str
    filesystem: str
    kernel: str
    pinned: bool
    versions: dict[str, str]


class Report(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A whole run.

    Attributes:
        baciga: All connections over many tables, with a play of báciga beside a command of whole coups; None
            if left out.
        baciga_stake: The same play beside a stake.
        growth: A long log beside a short one; None if that was left out.
        hot_table: All connections on one table.
        latency_8: Eight connections over many tables.
        listeners: One table and all its listeners; None if left out.
        machine: Where it ran.
        many_tables: All connections over many tables.
        rounds: Number of rounds.
        seconds: Length of each measurement.
    """

    baciga: Scenario | None = None
    baciga_stake: Scenario | None = None
    growth: Growth | None = None
    hot_table: Scenario
    latency_8: Scenario
    listeners: Scenario | None = None
    machine: Machine
    many_tables: Scenario
    rounds: int
    seconds: float


class Goal(msgspec.Struct, frozen=True, gc=False):
    """A promise of speed: the median of a ratio against a bound.

    Attributes:
        at_least: Whether the bound is a lower one.
        bound: The bound.
        figure: Which ratio.
        scenario: In which scenario.
    """

    at_least: bool
    bound: float
    figure: Literal["cpu_ratio", "p50_ratio", "p99_ratio", "ratio"]
    scenario: ScenarioName

    def met(self, report: Report) -> bool:
        """Tell whether a run kept the promise; a scenario with bad requests, or left out, keeps none."""
        scenario: Scenario | None = getattr(report, self.scenario)
        if scenario is None or scenario.service.bad or scenario.yardstick.bad:
            return False
        median = self.measured(report).median
        return median >= self.bound if self.at_least else median <= self.bound

    def measured(self, report: Report) -> Spread:
        """The ratio this promise is about."""
        found: Spread = getattr(getattr(report, self.scenario), self.figure)
        return found


GOALS = (
    Goal(at_least=True, bound=0.6, figure="ratio", scenario="many_tables"),
    Goal(at_least=False, bound=1.6, figure="cpu_ratio", scenario="many_tables"),
    Goal(at_least=True, bound=0.8, figure="ratio", scenario="hot_table"),
    Goal(at_least=False, bound=1.6, figure="cpu_ratio", scenario="hot_table"),
    Goal(at_least=False, bound=1.5, figure="p50_ratio", scenario="latency_8"),
    Goal(at_least=False, bound=1.5, figure="p99_ratio", scenario="latency_8"),
    Goal(at_least=True, bound=0.8, figure="ratio", scenario="listeners"),
    Goal(at_least=True, bound=0.83, figure="ratio", scenario="baciga"),
    Goal(at_least=False, bound=1.2, figure="cpu_ratio", scenario="baciga"),
)
"""The promises of speed that one run can check: by the yardstick, and of one game by another."""


GROWTH: tuple[tuple[str, Literal["command_ratio", "opening_ratio"], float], ...] = (
    ("CPU a command", "command_ratio", 1.05),
    ("time to open", "opening_ratio", 1.5),
)
"""The promises about a long log: label, which ratio to a log of about 100 events, and its upper bound."""


def compare(
    connections: int,
    service: tuple[str, Sequence[Measurement]],
    yardstick: tuple[str, Sequence[Measurement]],
) -> Scenario:
    """Make a scenario of both subjects' names and measurements, the n-th of both taken in the same round.

    Raises:
        ValueError: The two have not the same rounds, or there are none.
    """
    above, below = service[1], yardstick[1]
    return Scenario(
        connections=connections,
        cpu_ratio=ratios([m.server_us for m in above], [m.server_us for m in below]),
        p50_ratio=ratios([m.p50_ms for m in above], [m.p50_ms for m in below]),
        p99_ratio=ratios([m.p99_ms for m in above], [m.p99_ms for m in below]),
        ratio=ratios([m.rate for m in above], [m.rate for m in below]),
        service=_figures(*service),
        yardstick=_figures(*yardstick),
    )


def _figures(name: str, measurements: Sequence[Measurement]) -> Figures:
    statuses: dict[int, int] = {}
    for measurement in measurements:
        for status, number in measurement.statuses.items():
            statuses[status] = statuses.get(status, 0) + number
    return Figures(
        bad=sum(m.bad for m in measurements),
        load_us=spread([m.load_us for m in measurements]),
        name=name,
        others_cores=spread([m.others_cores for m in measurements]),
        p50_ms=spread([m.p50_ms for m in measurements]),
        p99_ms=spread([m.p99_ms for m in measurements]),
        rate=spread([m.rate for m in measurements]),
        server_us=spread([m.server_us for m in measurements]),
        statuses=dict(sorted(statuses.items())),
        valkey_us=spread([m.valkey_us for m in measurements]),
    )


def to_json(report: Report) -> bytes:
    """Write a report as JSON with the keys in order."""
    return msgspec.json.encode(report)


def from_json(data: bytes) -> Report:
    """Read a report back.

    Raises:
        msgspec.ValidationError: It is none.
    """
    return msgspec.json.decode(data, type=Report)


_ROWS: tuple[tuple[str, str, str | None, int], ...] = (
    ("requests/s", "rate", "ratio", 0),
    ("server us/request", "server_us", "cpu_ratio", 1),
    ("p50 ms", "p50_ms", "p50_ratio", 2),
    ("p99 ms", "p99_ms", "p99_ratio", 2),
    ("Valkey us/request", "valkey_us", None, 1),
    ("load us/request", "load_us", None, 1),
    ("cores others used", "others_cores", None, 2),
)
"""Of each line of the table: its label, its figure, its ratio and the figure's decimals."""
_DELIVERED = {
    "requests/s": "deliveries/s",
    "server us/request": "server us/delivery",
    "Valkey us/request": "Valkey us/delivery",
    "load us/request": "load us/delivery",
}
"""The labels that are others where listeners are told."""


def render(report: Report) -> str:
    """Write a report as a plain table: medians with [least-greatest], ratios, promises kept or missed."""
    machine = report.machine
    lines = [
        f"{report.rounds} rounds of {report.seconds:g} s, {'pinned' if machine.pinned else 'NOT pinned'}",
        f"{machine.cpu}, {machine.cores} cores, {machine.filesystem}, kernel {machine.kernel}",
        ", ".join(f"{name} {version}" for name, version in machine.versions.items()),
    ]
    names: tuple[ScenarioName, ...] = (
        *("many_tables", "hot_table", "latency_8"),
        *("listeners", "baciga", "baciga_stake"),
    )
    for name in names:
        scenario: Scenario | None = getattr(report, name)
        if scenario is None:
            continue
        title = f"{name}, {scenario.connections} connections"
        lines += ["", _line(title, scenario.service.name, scenario.yardstick.name, "ratio", "goal").rstrip()]
        for plain, figure, ratio, decimals in _ROWS:
            label = _DELIVERED.get(plain, plain) if name == "listeners" else plain
            ours = _show(getattr(scenario.service, figure), decimals)
            theirs = _show(getattr(scenario.yardstick, figure), decimals)
            quotient = _show(getattr(scenario, ratio), 2) if ratio else ""
            goals = [_verdict(g, report) for g in GOALS if g.scenario == name and g.figure == ratio]
            lines.append(_line(label, ours, theirs, quotient, *goals).rstrip())
        lines += [
            f"{f.name}: {f.bad} BAD requests, statuses {f.statuses}"
            for f in (scenario.service, scenario.yardstick)
            if f.bad
        ]
        lines += [
            f"{f.name}: NOISY, others kept cores busy; its CPU times hold, its rates and latencies hardly"
            for f in (scenario.service, scenario.yardstick)
            if f.others_cores.median > NOISY_CORES
        ]
    if report.growth is not None:
        lines += ["", *_growth(report.growth)]
    return "\n".join(lines) + "\n"


def _growth(growth: Growth) -> list[str]:
    title = f"a log of {growth.events:,} events to one of about 100"
    lines = [f"{title:<82}{'ratio':>20}  goal"]
    for label, figure, bound in GROWTH:
        found: Spread = getattr(growth, figure)
        verdict = "kept" if found.median <= bound else "MISSED"
        lines.append(f"{label:<82}{_show(found, 2):>20}  <= {bound:g} {verdict}")
    return [*lines, f"{'bytes a table at rest':<82}{growth.idle_bytes:>20,}"]


def _line(label: str, ours: str, theirs: str, ratio: str, goal: str = "") -> str:
    return f"{label:<30}{ours:>26}{theirs:>26}{ratio:>20}  {goal}"


def _show(value: Spread, decimals: int) -> str:
    return f"{value.median:,.{decimals}f} [{value.min:,.{decimals}f}-{value.max:,.{decimals}f}]"


def _verdict(goal: Goal, report: Report) -> str:
    sign = ">=" if goal.at_least else "<="
    return f"{sign} {goal.bound:g} {'kept' if goal.met(report) else 'MISSED'}"
