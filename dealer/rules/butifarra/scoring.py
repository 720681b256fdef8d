"""What a hand brings, and when a match is over (butifarra 10, 11)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dealer.rules.butifarra.cards import TABLES

_FURTHER = 2
"""Hands that are played on where the totals are equal after the last one, under `two_more`."""


class Verdict(NamedTuple):
    """How a match stands at the end of a hand: over or not, and the side that has won or 0 for a draw."""

    over: bool
    side: int


def half(options: Mapping[str, Any]) -> int:
    """The raw points above which a side scores."""
    return TABLES[options["card_values"]].half


def score(options: Mapping[str, Any], raw: Sequence[int], multiplier: int) -> tuple[int, ...]:
    """What each side scores with its raw points, those of its cards and one for each trick (10.2)."""
    return tuple(multiplier * max(0, points - half(options)) for points in raw)


def noted(options: Mapping[str, Any], totals: Sequence[int], gained: Sequence[int]) -> tuple[int, ...]:
    """What of these points is noted beside the totals: nobody gets beyond `score_cap` (11)."""
    cap = options["score_cap"]
    if not cap:
        return tuple(gained)
    return tuple(min(points, cap - total) for total, points in zip(totals, gained, strict=True))


def verdict(options: Mapping[str, Any], totals: Sequence[int], hands: int) -> Verdict:
    """Whether the match is over with these totals after so many hands (11)."""
    best = max(totals)
    ahead = 0 if min(totals) == best else totals.index(best) + 1
    last = options["deals"]
    if not last:
        return Verdict(True, ahead) if best >= options["target"] else Verdict(False, 0)
    if hands < last or (hands - last) % _FURTHER:
        return Verdict(False, 0)
    return Verdict(bool(ahead) or _drawn(options, best), ahead)


def _drawn(options: Mapping[str, Any], both: int) -> bool:
    """Whether equal totals are a draw; at the cap they are, for no further hand could part them."""
    cap: int = options["score_cap"]
    return options["tie"] == "draw" or 0 < cap <= both
