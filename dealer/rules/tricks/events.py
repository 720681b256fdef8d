"""The events that games of tricks share (glossary, section 5)."""

from dealer.rules.frame.event import Data


class MatchStarted(Data, frozen=True, gc=False):
    """A match begins, with nothing to nothing; its hands are rounds, and `dealer` deals the first one."""

    TYPE = "match.started"
    dealer: int
    match: int


class MatchWon(Data, frozen=True, gc=False):
    """A match is over: the side that won it, the totals by side, and why (`target`, `conceded`, ...)."""

    TYPE = "match.won"
    reason: str
    scores: tuple[int, ...]
    side: int


class PairsMade(Data, frozen=True, gc=False):
    """The players are seated anew: from `seats` in their order to 1, 2, 3, 4; those opposite are partners."""

    TYPE = "pairs.made"
    seats: tuple[int, ...]


class TrumpTurned(Data, frozen=True, gc=False):
    """The card at `pos` is turned up and lies under the stock; its suit is trump. The deal is done."""

    TYPE = "trump.turned"
    pos: int
    shuffle: int
    trump: str


class CardPlayed(Data, frozen=True, gc=False, kw_only=True):
    """A seat plays the physical `card` that was dealt from `pos`."""

    TYPE = "card.played"
    by: str = ""
    card: int
    pos: int
    seat: int
    source: str


class TrickWon(Data, frozen=True, gc=False):
    """A trick is complete, and goes to a seat, for its side."""

    TYPE = "trick.won"
    seat: int
    side: int


class ConcessionOffered(Data, frozen=True, gc=False, kw_only=True):
    """A seat would give the match up; its partner has to say so too, before the hand is over."""

    TYPE = "concession.offered"
    by: str = ""
    seat: int
    source: str


class MatchConceded(Data, frozen=True, gc=False, kw_only=True):
    """A seat gives the match up for its side."""

    TYPE = "match.conceded"
    by: str = ""
    seat: int
    side: int
    source: str


EVENTS: tuple[type[Data], ...] = (
    MatchStarted,
    MatchWon,
    PairsMade,
    CardPlayed,
    TrickWon,
    ConcessionOffered,
    MatchConceded,
)
"""What every game of tricks has; it adds its own, and `TrumpTurned` if it turns a card up."""
