"""The promise about a fan-out in the report; it is measured in `tests/ops/test_bench.py`."""

import msgspec
import pytest

from ops.bench.report import GOALS, from_json, render, to_json
from tests.bench.test_report import measurement, report, scenario


@pytest.mark.parametrize(("rate", "met"), [(8_000, True), (7_999, False)])
def test_four_fifths_are_the_bound(rate: float, met: bool) -> None:
    """0.8 of a bare fan-out keeps the promise, less does not, and none is made where it is left out."""
    (goal,) = (goal for goal in GOALS if goal.scenario == "listeners")
    plain = report(scenario(measurement(10_000, 50, 2)))
    made = msgspec.structs.replace(plain, listeners=scenario(measurement(rate, 60, 2)))
    assert goal.met(made) is met
    assert not goal.met(plain)
    assert from_json(to_json(made)) == made
    text = render(made)
    (line,) = (line for line in text.splitlines() if line.startswith("deliveries/s"))
    assert line.endswith(f">= 0.8 {'kept' if met else 'MISSED'}")
    assert "server us/delivery" in text
    assert "deliver" not in render(plain)
