"""The few statistics a benchmark report is made of."""

import math
import statistics
from collections.abc import Sequence

import msgspec


class Spread(msgspec.Struct, frozen=True, gc=False):
    """How one figure was spread over the rounds of a benchmark.

    Attributes:
        max: Largest value seen.
        median: The value to quote.
        min: Smallest value seen.
        q1: First quartile.
        q3: Third quartile.
        rounds: Number of values, one a round.
    """

    max: float
    median: float
    min: float
    q1: float
    q3: float
    rounds: int


def spread(values: Sequence[float]) -> Spread:
    """Sum up the values of all rounds.

    Quartiles are the inclusive ones: the rounds are taken as the whole population, so that no quartile lies
    outside what was seen.

    Raises:
        ValueError: There are no values.
    """
    if not values:
        raise ValueError("a spread needs at least one value")
    if len(values) == 1:
        q1 = q3 = values[0]
    else:
        q1, _, q3 = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(
        max=max(values), median=statistics.median(values), min=min(values), q1=q1, q3=q3, rounds=len(values)
    )


def ratios(numerators: Sequence[float], denominators: Sequence[float]) -> Spread:
    """Compare two subjects round by round.

    A machine's fast and slow phases last longer than a round, so a ratio taken inside a round means far more
    than a ratio of two medians.

    Raises:
        ValueError: The two have not the same rounds, or there are none.
    """
    return spread([above / below for above, below in zip(numerators, denominators, strict=True)])


def percentile(ordered: Sequence[float], share: float) -> float:
    """Give the smallest value that `share` of all values do not exceed (nearest rank).

    Args:
        ordered: The values, in ascending order.
        share: 0 < share <= 1, such as 0.99.

    Raises:
        ValueError: There are no values, or the share is none.
    """
    if not ordered or not 0 < share <= 1:
        raise ValueError("a percentile needs values and a share above 0 and up to 1")
    return ordered[math.ceil(share * len(ordered)) - 1]
