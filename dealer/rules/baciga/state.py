"""The public state of a báciga match: whose turn it is, the scores, the tricks, what was declared."""

from collections.abc import Sequence
from itertools import chain

from dealer.rules.baciga.melds import Scored
from dealer.rules.frame.state import Table
from dealer.rules.matches.state import Match, added, hand_of

TRUMP = "trump"
"""The card that lies face up under the stock."""
EXCHANGED = "exchanged"
"""The card that was taken for a seven; it comes to its new owner with the draw (12.3)."""
HAND = ("dealing", "stock", "declaring", "last_tricks")
"""The phases of a hand."""


class Play(Match, frozen=True, gc=False):
    """Báciga's part of a table; `scores` are those of the hands before this one, `trump` is a suit.

    Attributes:
        gained: points of this hand, by side.
        briscas: aces and tens in its tricks, by side.
        trumps: trumps in those tricks, of both or all.
        scored: what was declared in this hand.
        melded: somebody has declared since the last trick.
        sevens: the sevens of trumps that have scored in this hand, as physical cards (12.4).
        spoke: when somebody last declared or showed, ms UTC.
    """

    gained: tuple[int, ...] = ()
    briscas: tuple[int, ...] = ()
    trumps: int = 0
    scored: tuple[Scored, ...] = ()
    melded: bool = False
    sevens: tuple[int, ...] = ()
    spoke: int = 0

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of the match so far, by side; those of a hand count at once."""
        return added(self.scores, self.gained)

    @property
    def by_side(self) -> Sequence[tuple[int, ...]]:
        """All that stands there side by side."""
        return (self.scores, self.gained, self.won, self.briscas)


def play_of(table: Table) -> Play:
    """The báciga part of a table's state."""
    play: Play = table.play
    return play


def laid_by(seat: int) -> str:
    """Name of the cards a seat has laid on the table."""
    return f"table:{seat}"


def owned(table: Table, seat: int) -> tuple[int, ...]:
    """Positions of all cards of a seat, those in the hand first."""
    return (*table.hands.get(hand_of(seat), ()), *table.hands.get(laid_by(seat), ()))


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
