"""The seats of a table, and options that do not go together.

R-08, R-12, R-14, R-25, R-29, R-56, R-61, R-104.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dealer.rules.bacara.modes import HOUSE
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import MOST_WITHOUT_SEAT

_LEFT = 10
"""Seats of the left paño are numbered from 11 on (glossary, section 2)."""


def seat_numbers(options: Mapping[str, Any]) -> Sequence[int]:
    """Right paño from 1, left from 11 (R-12); a ring from 1 (R-14, R-95)."""
    if options["panos"] == 1:
        return range(1, options["seats"] + 1)
    n = options["seats_per_pano"]
    return [*range(1, n + 1), *range(_LEFT + 1, _LEFT + n + 1)]


def cut_order(options: Mapping[str, Any]) -> Sequence[int]:
    """Who is asked to cut: right and left in turn from the first seats on; a ring in its order (R-05)."""
    if options["panos"] == 1:
        return seat_numbers(options)
    return [seat for k in range(1, options["seats_per_pano"] + 1) for seat in (k, _LEFT + k)]


def conflict(options: Mapping[str, Any]) -> Refusal | None:
    """Refuse a table whose stakes could never be played, or bank constituted."""
    found = next(_conflicts(options), None)
    return Refusal("options_conflict", {"options": list(found)}) if found else None


def _conflicts(options: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    most = options.get("max_stake")
    if most is not None and most < options["min_stake"]:
        yield "max_stake", "min_stake"
    if most is not None and options["liability"] == "open":
        yield "liability", "max_stake"
    least = options.get("min_bank", options["min_stake"])
    if least < options["min_stake"]:
        yield "min_bank", "min_stake"
    if options.get("max_bank", least) < least:
        yield "max_bank", "min_bank"
    if HOUSE in options["bank_modes"] and options["house_bank"] < options["min_stake"]:
        yield "house_bank", "min_stake"
    if options["stop_card"] >= 52 * options["packs"]:
        yield "packs", "stop_card"
    if options.get("six_pays_half", not options["commission_bp"]) == bool(options["commission_bp"]):
        yield "commission_bp", "six_pays_half"
    seats = "seats" if options["panos"] == 1 else "seats_per_pano"
    if options.get("min_seated", 0) > len(seat_numbers(options)):
        yield "min_seated", seats
    contributors = len(seat_numbers(options)) + MOST_WITHOUT_SEAT
    if options["corte"] == "required" and options["min_contributors"] > contributors:
        yield "min_contributors", seats
