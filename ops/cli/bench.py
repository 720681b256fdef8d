"""`croupier bench`: the service beside the yardstick, in one run (design 9)."""

import asyncio
import sys
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from ops.bench.baciga import BacigaSubject
from ops.bench.coup import CoupSubject
from ops.bench.fanout import MOST
from ops.bench.growth import EVENTS
from ops.bench.processes import BenchmarkError
from ops.bench.report import render, to_json
from ops.bench.run import Step, run
from ops.bench.service import ServiceSubject
from ops.whole import whole


def bench(
    *,
    rounds: Annotated[int, whole(1, 100)] = 9,
    seconds: Annotated[float, Parameter(validator=Number(gte=0.1, lte=60))] = 4.0,
    events: Annotated[int, whole(0, 10_000_000)] = EVENTS,
    listeners: Annotated[int, whole(0, MOST)] = 0,
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Measure durable commands per second and latency as ratios to the yardstick, and báciga to bacará.

    A mean is compared with a mean: a play of a hand of báciga, a command of
    whole coups of bacará. What the play is to a stake alone stands beside it.

    Args:
        rounds: interleaved rounds; medians and spread are over these.
        seconds: length of each measurement, after a warm-up of a second at most.
        events: length of the log that is compared with a short one; 0 leaves this out.
        listeners: how many are told the events of one table, beside a bare fan-out; 0 leaves this out.
        json: print one JSON object.
    """
    try:
        report = asyncio.run(
            run(
                ServiceSubject(),
                games=(BacigaSubject(), CoupSubject()),
                rounds=rounds,
                seconds=seconds,
                events=events,
                listeners=listeners,
                warmup_seconds=min(1.0, seconds),
                progress=_tell,
            )
        )
    except BenchmarkError as trouble:
        print(f"croupier: {trouble}", file=sys.stderr)
        return 1
    print(to_json(report).decode() if json else render(report))
    return 0


def _tell(step: Step) -> None:
    found = step.measurement
    piece = "delivery" if step.scenario == "listeners" else "command"
    figures = (
        f"{found.rate:,.0f}/s, {found.server_us:.0f} us of server CPU a {piece}, p99 {found.p99_ms:.1f} ms"
    )
    print(f"{step.done}/{step.total} {step.scenario} {step.subject}: {figures}", file=sys.stderr)
