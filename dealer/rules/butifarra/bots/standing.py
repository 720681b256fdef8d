"""What the outcome of a hand is worth as the match stands."""

from collections.abc import Mapping, Sequence
from typing import Any

_WON = 0.25
"""What winning the match is worth beyond the points for it, as a part of the target."""


def worth(options: Mapping[str, Any], scores: Sequence[int], ahead: int) -> float:
    """What it is worth to side 1 to score so much, or to let side 2 score it if it is negative.

    Points that are not needed any more to win the match are worth nothing.
    """
    if options["deals"] or not ahead:
        return ahead
    missing = options["target"] - scores[0 if ahead > 0 else 1]
    size: float = abs(ahead)
    if size >= missing:
        size = missing + _WON * options["target"]
    return size if ahead > 0 else -size
