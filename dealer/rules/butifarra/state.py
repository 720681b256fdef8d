"""The public state of a butifarra match: the bidding, the contract, the tricks of the hand, the scores."""

from collections.abc import Sequence

import msgspec

from dealer.rules.butifarra.bidding import Bidding, Contract
from dealer.rules.frame.state import Table
from dealer.rules.matches.state import Match

HAND = ("dealing", "bidding", "tricks")
"""The phases of a hand."""


class Said(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A word of the bidding, and the trump that went with it."""

    seat: int
    word: str
    trump: str = ""


class Taken(msgspec.Struct, frozen=True, gc=False):
    """A complete trick: who led, the physical cards in order of play, and who won it."""

    leader: int
    cards: tuple[int, ...]
    seat: int


class Play(Match, frozen=True, gc=False):
    """Butifarra's part of a table; `trump` is a suit or `butifarra`. A hand is shown until the next is dealt.

    Attributes:
        raw: points of the cards and tricks of this hand, by side.
        hands: how many hands of the match have been scored.
        bidding: how far it has come.
        said: its words in order.
        contract: what is played, from the end of the bidding on.
        taken: the complete tricks of this hand.
    """

    raw: tuple[int, ...] = ()
    hands: int = 0
    bidding: Bidding = Bidding()
    said: tuple[Said, ...] = ()
    contract: Contract | None = None
    taken: tuple[Taken, ...] = ()

    @property
    def by_side(self) -> Sequence[tuple[int, ...]]:
        """All that stands there side by side."""
        return (self.scores, self.won, self.raw)


def play_of(table: Table) -> Play:
    """The butifarra part of a table's state."""
    play: Play = table.play
    return play
