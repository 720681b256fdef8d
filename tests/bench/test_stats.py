"""The statistics of a report, by example."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ops.bench.stats import Spread, percentile, ratios, spread

EXAMPLES = json.loads(Path(__file__).with_name("examples.json").read_text())


@pytest.mark.parametrize("example", EXAMPLES["percentile"])
def test_percentile_is_the_nearest_rank(example: dict[str, Any]) -> None:
    """A percentile is a value that was really seen, the first not exceeded by that share."""
    assert percentile(example["ordered"], example["share"]) == example["gives"]


@pytest.mark.parametrize(("ordered", "share"), [([], 0.5), ([1.0], 0.0), ([1.0], 1.1)])
def test_percentile_of_nothing_is_refused(ordered: list[float], share: float) -> None:
    """No values, or a share that picks none, is an error and not a zero."""
    with pytest.raises(ValueError, match="percentile"):
        percentile(ordered, share)


@pytest.mark.parametrize("example", EXAMPLES["spread"])
def test_spread_sums_up_the_rounds(example: dict[str, Any]) -> None:
    """Median, extremes and quartiles lie within what was seen (design 9: medians)."""
    assert spread(example["values"]) == msgspec.convert(example["gives"], Spread)


def test_spread_of_nothing_is_refused() -> None:
    """A report cannot be made of no rounds."""
    with pytest.raises(ValueError, match="at least one"):
        spread([])


@pytest.mark.parametrize("example", EXAMPLES["ratios"])
def test_ratios_are_taken_inside_a_round(example: dict[str, Any]) -> None:
    """Each round gives one ratio, and the median is of those: not the ratio of two medians."""
    found, wanted = msgspec.to_builtins(ratios(example["above"], example["below"])), example["gives"]
    assert found == pytest.approx(wanted)


def test_ratios_need_the_same_rounds() -> None:
    """A round that only one subject has is an error, not silently dropped."""
    with pytest.raises(ValueError, match="shorter"):
        ratios([1.0, 2.0], [1.0])
