"""The cost of a long log, measured on one too short to mean anything."""

from pathlib import Path

import msgspec

from ops.bench.growth import Growth, grow
from ops.bench.report import from_json, render, to_json
from ops.bench.stats import spread
from tests.bench.test_report import measurement, report, scenario
from tests.bench.test_run import is_empty

GROWN = Growth(
    command_ratio=spread([1.05]), events=1_000_000, idle_bytes=27_102, opening_ratio=spread([1.51])
)


async def test_a_long_table_beside_a_short_one(tmp_path: Path) -> None:
    """Both are played and opened; the long log is as long as was asked for (design 9)."""
    grown = await grow(tmp_path, None, events=1_500, rounds=1)
    assert grown.events == 1_500
    assert min(grown.command_ratio.min, grown.opening_ratio.min) > 0
    assert 1_000 < grown.idle_bytes < 1_000_000
    assert is_empty(tmp_path)


def test_promises_about_a_long_log_are_shown() -> None:
    """1.05 for a command is kept, 1.51 for an opening is not; the report reads back equal (design 9)."""
    made = msgspec.structs.replace(report(scenario(measurement(6000, 80, 3))), growth=GROWN)
    assert from_json(to_json(made)) == made
    text = render(made)
    assert "a log of 1,000,000 events" in text
    assert "1.05 [1.05-1.05]  <= 1.05 kept" in text
    assert "1.51 [1.51-1.51]  <= 1.5 MISSED" in text
    assert "27,102" in text
