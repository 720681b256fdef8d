"""Pairs drawn by lot: the two highest cards play together, and everybody sits down anew.

Baciga 10, butifarra 4.2.
"""

from collections.abc import Sequence

from dealer.rules.frame import lot
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import LotDrawn, Move
from dealer.rules.frame.state import Table
from dealer.rules.matches.state import everybody, match_of, players
from dealer.rules.tricks import seats
from dealer.rules.tricks.events import PairsMade

PURPOSE = "pairing"
"""What the lot decides."""


def wanted(table: Table) -> bool:
    """Whether pairs have to be drawn before the match: once for those who sit here."""
    by_lot = table.options["pairing"] == "lot" and players(table) == seats.PAIRS
    return by_lot and match_of(table).paired != people(table)


def people(table: Table) -> tuple[str, ...]:
    """Who sits in seats 1 to 4, as pseudonyms."""
    return tuple(table.seats[seat].pid for seat in everybody(table))


def made(table: Table, chance: Chance) -> list[Data]:
    """The lot, the new seats, and the chips that go along; nothing while no seed is committed for the lot."""
    if not lot.possible(table):
        return []
    steps = lot.draw(table, chance, everybody(table), PURPOSE)
    drawn = next(step for step in steps if isinstance(step, LotDrawn))
    order = seating([lot.strength(opening.card) for opening in drawn.cards])
    stacks = [(table.stack(old), old, new) for new, old in enumerate(order, 1) if old != new]
    moves = [Move(chips, f"stack:{old}", f"stack:{new}") for chips, old, new in stacks]
    return [*steps, PairsMade(tuple(order)), *grouped("pairing", moves)]


def seating(strengths: Sequence[tuple[int, int]]) -> list[int]:
    """The seats of whoever drew highest, third, second, lowest: they become seats 1 to 4."""
    first, second, third, last = sorted(range(1, 5), key=lambda seat: strengths[seat - 1], reverse=True)
    return [first, third, second, last]
