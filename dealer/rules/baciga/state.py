"""The public state of a báciga match: whose turn it is, the scores, the tricks, what was declared."""

from collections.abc import Iterable
from itertools import chain
from operator import add
from typing import Any

import msgspec
from msgspec.structs import replace

from dealer.rules.baciga.melds import Scored
from dealer.rules.frame.event import Event
from dealer.rules.frame.state import Table
from dealer.rules.tricks import seats

TRICK = "trick"
"""The cards of the open trick, in the order in which they were played."""
TRUMP = "trump"
"""The card that lies face up under the stock."""
EXCHANGED = "exchanged"
"""The card that was taken for a seven; it comes to its new owner with the draw (12.3)."""
HAND = ("dealing", "stock", "declaring", "last_tricks")
"""The phases of a hand."""


class Play(msgspec.Struct, frozen=True, gc=False):
    """Báciga's part of a table. What is by side stands in the order of the sides, side 1 first.

    Attributes:
        match: number of the last match, 0 before the first.
        running: whether it is still played.
        dealer: the seat that deals this hand, or the next one.
        scores: points of the hands before this one, by side.
        gained: points of this hand, by side.
        won: tricks of this hand, by side.
        briscas: aces and tens in those tricks, by side.
        trumps: trumps in those tricks, of both or all.
        trump: suit of trumps, empty before the deal.
        turn: the seat on turn; 0 while nobody is.
        leader: the seat that led to the open trick, or is to lead.
        scored: what was declared in this hand.
        melded: somebody has declared since the last trick.
        sevens: the sevens of trumps that have scored in this hand, as physical cards (12.4).
        spoke: when somebody last declared or showed, ms UTC.
        offered: seats that would concede, while their partner has not said so (13.2).
        conceded: seats that are out of the match, in that order.
        winner: the side that won the last match, 0 while there is none.
        paired: pseudonyms of those for whom pairs were drawn, in the order of their seats.
    """

    match: int = 0
    running: bool = False
    dealer: int = 0
    scores: tuple[int, ...] = ()
    gained: tuple[int, ...] = ()
    won: tuple[int, ...] = ()
    briscas: tuple[int, ...] = ()
    trumps: int = 0
    trump: str = ""
    turn: int = 0
    leader: int = 0
    scored: tuple[Scored, ...] = ()
    melded: bool = False
    sevens: tuple[int, ...] = ()
    spoke: int = 0
    offered: frozenset[int] = frozenset()
    conceded: tuple[int, ...] = ()
    winner: int = 0
    paired: tuple[str, ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of the match so far, by side."""
        return added(self.scores, self.gained)


def play_of(table: Table) -> Play:
    """The báciga part of a table's state."""
    play: Play = table.play
    return play


def players(table: Table) -> int:
    """How many play at this table."""
    number: int = table.options["players"]
    return number


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


def enter(table: Table, event: Event, phase: str, play: Play, **changes: Any) -> Table:
    """The table in a phase, or at a further turn in it, whose clock starts with the event."""
    return replace(table, phase=phase, since=event.at, opened=event.seq, play=play, **changes)


def hand_of(seat: int) -> str:
    """Name of the cards a seat holds."""
    return str(seat)


def laid_by(seat: int) -> str:
    """Name of the cards a seat has laid on the table."""
    return f"table:{seat}"


def owned(table: Table, seat: int) -> tuple[int, ...]:
    """Positions of all cards of a seat, those in the hand first."""
    return (*table.hands.get(hand_of(seat), ()), *table.hands.get(laid_by(seat), ()))


def moved(table: Table, positions: Iterable[int], to: str) -> Table:
    """The table with these cards elsewhere."""
    gone = set(positions)
    hands = {name: tuple(pos for pos in lying if pos not in gone) for name, lying in table.hands.items()}
    hands = {name: lying for name, lying in hands.items() if lying}
    return replace(table, hands={**hands, to: (*hands.get(to, ()), *sorted(gone))})


def hidden_left(table: Table) -> int:
    """Cards that lie face down in the stock."""
    if table.shoe is None:
        return 0
    turned: bool = table.options["trump_card"] == "last_of_pack"
    return max(0, table.shoe.remaining - turned)


def stock_left(table: Table) -> int:
    """Cards in the stock, with the one that lies face up under it."""
    return hidden_left(table) + len(table.hands.get(TRUMP, ()))


def lying(table: Table) -> frozenset[int]:
    """Positions of all cards that lie somewhere at the table."""
    return frozenset(chain.from_iterable(table.hands.values()))
