"""Seats 1 to n in order of play, and the sides they play for; of four, those opposite are partners."""

from collections.abc import Sequence

PAIRS = 4
"""So many players form two sides; otherwise each plays alone."""


def following(seat: int, players: int) -> int:
    """The seat that plays after this one."""
    return seat % players + 1


def previous(seat: int, players: int) -> int:
    """The seat that plays before this one."""
    return (seat - 2) % players + 1


def from_seat(first: int, players: int) -> list[int]:
    """All seats in order of play, beginning with this one."""
    return [(first - 1 + place) % players + 1 for place in range(players)]


def partner(seat: int) -> int:
    """The seat opposite, of four."""
    return (seat + 1) % PAIRS + 1


def sides(players: int) -> int:
    """How many sides there are."""
    return 2 if players == PAIRS else players


def side_of(seat: int, players: int) -> int:
    """The side of a seat (glossary, section 2)."""
    return (seat - 1) % sides(players) + 1


def seats_of(side: int, players: int) -> Sequence[int]:
    """The seats of a side."""
    return range(side, players + 1, sides(players))
