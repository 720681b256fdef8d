"""The public state of any match: who deals, whose turn it is, the scores, the tricks of a hand."""

from collections.abc import Iterable, Sequence
from operator import add
from typing import Any

import msgspec
from msgspec.structs import replace

from dealer.rules.frame.event import Event
from dealer.rules.frame.state import Table
from dealer.rules.tricks import seats

TRICK = "trick"
"""The cards of the open trick, in the order in which they were played."""
WAITS = ("between_rounds", "match_over")
"""The phases in which the next hand, or match, is waited for."""


class Match(msgspec.Struct, frozen=True, gc=False):
    """A game's part of a table, to which it adds fields of its own.

    What is by side stands in the order of the sides, side 1 first.

    Attributes:
        match: number of the last match, 0 before the first.
        running: whether it is still played.
        dealer: the seat that deals this hand, or the next one.
        scores: points of the match as they are noted, by side.
        won: tricks of this hand, by side.
        trump: what is trump, empty before it is known.
        turn: the seat on turn; 0 while nobody is.
        leader: the seat that led to the open trick, or is to lead.
        offered: seats that would concede, while their partner has not said so.
        conceded: seats that are out of the match, in that order.
        winner: the side that won the last match, 0 while there is none.
        paired: pseudonyms of those for whom pairs were drawn, in the order of their seats.
    """

    match: int = 0
    running: bool = False
    dealer: int = 0
    scores: tuple[int, ...] = ()
    won: tuple[int, ...] = ()
    trump: str = ""
    turn: int = 0
    leader: int = 0
    offered: frozenset[int] = frozenset()
    conceded: tuple[int, ...] = ()
    winner: int = 0
    paired: tuple[str, ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of the match so far, by side; those of the open hand too where they count at once."""
        return self.scores

    @property
    def by_side(self) -> Sequence[tuple[int, ...]]:
        """All that stands there side by side."""
        return (self.scores, self.won)


def match_of(table: Table) -> Match:
    """The game's part of a table's state, as far as all matches are alike."""
    match: Match = table.play
    return match


def players(table: Table) -> int:
    """How many play at this table."""
    number: int = table.options["players"]
    return number


def everybody(table: Table) -> list[int]:
    """The seats in order of play."""
    return seats.from_seat(1, players(table))


def side_of(table: Table, seat: int) -> int:
    """The side a seat plays for."""
    return seats.side_of(seat, players(table))


def nothing(table: Table) -> tuple[int, ...]:
    """Nought for every side."""
    return (0,) * seats.sides(players(table))


def added(one: Iterable[int], other: Iterable[int]) -> tuple[int, ...]:
    """Side by side, the sum."""
    return tuple(map(add, one, other))


def more(each: tuple[int, ...], side: int, points: int) -> tuple[int, ...]:
    """Side by side as before, and so much more for one."""
    return (*each[: side - 1], each[side - 1] + points, *each[side:])


def for_side(table: Table, side: int, points: int) -> tuple[int, ...]:
    """So many points for one side and none for the others."""
    return more(nothing(table), side, points)


def enter(table: Table, event: Event, phase: str, play: Match, **changes: Any) -> Table:
    """The table in a phase, or at a further turn in it, whose clock starts with the event."""
    return replace(table, phase=phase, since=event.at, opened=event.seq, play=play, **changes)


def hand_of(seat: int) -> str:
    """Name of the cards a seat holds."""
    return str(seat)


def moved(table: Table, positions: Iterable[int], to: str) -> Table:
    """The table with these cards elsewhere."""
    gone = set(positions)
    hands = {name: tuple(pos for pos in lying if pos not in gone) for name, lying in table.hands.items()}
    hands = {name: lying for name, lying in hands.items() if lying}
    return replace(table, hands={**hands, to: (*hands.get(to, ()), *sorted(gone))})


def cleared(table: Table) -> dict[str, Any]:
    """The fields of the table without the open trick: its cards are taken away from sight."""
    trick = table.hands[TRICK]
    return {
        "hands": {name: lying for name, lying in table.hands.items() if name != TRICK},
        "faces": {pos: card for pos, card in table.faces.items() if pos not in trick},
    }
