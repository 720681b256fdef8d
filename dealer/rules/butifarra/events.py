"""The events of butifarra (glossary, section 5); those of all games of tricks are in `tricks.events`."""

from dealer.rules.frame.event import Data, Upcasts
from dealer.rules.tricks import events as tricks


class TrumpNamed(Data, frozen=True, gc=False, kw_only=True):
    """The dealer, or his partner for him, names the trump: a suit or `butifarra`."""

    TYPE = "trump.named"
    by: str = ""
    seat: int
    source: str
    trump: str


class TrumpDelegated(Data, frozen=True, gc=False, kw_only=True):
    """The dealer leaves the choice to his partner."""

    TYPE = "trump.delegated"
    by: str = ""
    seat: int
    source: str


class TrumpContested(Data, frozen=True, gc=False, kw_only=True):
    """An opponent puts up another offer."""

    TYPE = "trump.contested"
    by: str = ""
    seat: int
    source: str
    trump: str


class TrumpInsisted(Data, frozen=True, gc=False, kw_only=True):
    """The first side takes the trump back with its first offer."""

    TYPE = "trump.insisted"
    by: str = ""
    seat: int
    source: str


class BidPassed(Data, frozen=True, gc=False, kw_only=True):
    """A seat leaves it at what was said."""

    TYPE = "bid.passed"
    by: str = ""
    seat: int
    source: str


class ControSaid(Data, frozen=True, gc=False, kw_only=True):
    """A word of the ladder: 1 contro, 2 recontro, 3 Sant Vicenç, 4 barraca."""

    TYPE = "contro.said"
    by: str = ""
    level: int
    seat: int
    source: str


class ContractFixed(Data, frozen=True, gc=False):
    """The bidding is over: the trump or `butifarra`, times what, and the seat that leads."""

    TYPE = "contract.fixed"
    leader: int
    multiplier: int
    trump: str


class RoundScored(Data, frozen=True, gc=False):
    """What a hand brings, by side: raw points, those of cards and tricks, and what is noted of them."""

    TYPE = "round.scored"
    points: tuple[int, ...]
    raw: tuple[int, ...]


class MatchDrawn(Data, frozen=True, gc=False):
    """A match is over with equal totals: nobody has won it, and every buy-in goes back."""

    TYPE = "match.drawn"
    scores: tuple[int, ...]


EVENTS: tuple[type[Data], ...] = (
    *tricks.EVENTS,
    TrumpNamed,
    TrumpDelegated,
    TrumpContested,
    TrumpInsisted,
    BidPassed,
    ControSaid,
    ContractFixed,
    RoundScored,
    MatchDrawn,
)
"""All event types of the game."""

UPCASTS: Upcasts = {}
"""From each earlier version of an event to the next; no type has had another shape yet."""
