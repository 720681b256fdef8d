"""Moving chips between named places, with nothing appearing or vanishing (R-00)."""

from collections.abc import Iterable, Mapping

from dealer.rules.frame.commands import MAX_CHIPS
from dealer.rules.frame.events import ChipsMoved, Move
from dealer.rules.frame.refusal import ChipsBroken
from dealer.rules.frame.state import Table

CAGE = "cage"
"""The boundary of a table: holds minus the chips that stand at it."""
LISTED_AN_EVENT = 200
"""Moves, or stakes, that one event lists at most (design 4)."""
TRANSIT = "transit:"
"""Chips on their way to the cage wait in `transit:<owner>:<n>` until it has posted them (design 7)."""
HOUSE = "house"
"""The owner of the house's chips; every other owner is a pseudonym."""


def moved(chips: Mapping[str, int], moves: Iterable[Move]) -> dict[str, int]:
    """The chips after the moves; empty places are dropped.

    Raises:
        ChipsBroken: a move is not positive or leads nowhere, or a place but the cage would go below zero.
    """
    after = dict(chips)
    for move in moves:
        rest = after.get(move.origin, 0) - move.amount
        gain = after.get(move.to, 0) + move.amount
        wrong = move.amount < 1 or move.origin == move.to or gain > MAX_CHIPS
        if wrong or (rest < 0 and move.origin != CAGE):
            raise ChipsBroken(f"{move.amount} chips from {move.origin} to {move.to}")
        after[move.origin] = rest
        after[move.to] = gain
        if not rest:
            del after[move.origin]
        if not gain:
            del after[move.to]
    return after


def check_total(chips: Mapping[str, int]) -> int:
    """The chips at the table, checked against what the cage gave.

    Raises:
        ChipsBroken: they differ.
    """
    total = sum(n for place, n in chips.items() if place != CAGE)
    if total + chips.get(CAGE, 0) != 0:
        raise ChipsBroken(f"{total} chips stand at a table that was given {-chips.get(CAGE, 0)}")
    return total


def grouped(cause: str, moves: Iterable[Move]) -> list[ChipsMoved]:
    """Moves of one cause as events of at most 200 moves (design 4); nothing for no moves."""
    every = tuple(m for m in moves if m.amount)
    return [ChipsMoved(cause, every[i : i + LISTED_AN_EVENT]) for i in range(0, len(every), LISTED_AN_EVENT)]


def to_cage(table: Table, owner: str, places: Mapping[str, int]) -> list[ChipsMoved]:
    """Chips of several places leave for the account of `owner`."""
    transit = f"{TRANSIT}{owner}:{table.seq + 1}"
    return grouped("cash_out", [Move(n, place, transit) for place, n in places.items()])
