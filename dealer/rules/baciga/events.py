"""The events of báciga (glossary, section 5); those of all games of tricks are in `tricks.events`."""

from dealer.rules.frame.event import Data, Upcasts
from dealer.rules.tricks import events as tricks


class MeldDeclared(Data, frozen=True, gc=False, kw_only=True):
    """A seat declares a combination of its physical `cards`, dealt from `pos`; the points count at once."""

    TYPE = "meld.declared"
    by: str = ""
    cards: tuple[int, ...]
    meld: str
    points: int
    pos: tuple[int, ...]
    seat: int
    source: str


class SevenExchanged(Data, frozen=True, gc=False, kw_only=True):
    """A seven of trumps (`card`, dealt from `pos`) goes under the stock for the card turned up at `taken`."""

    TYPE = "seven.exchanged"
    by: str = ""
    card: int
    points: int
    pos: int
    seat: int
    source: str
    taken: int


class SevenShown(Data, frozen=True, gc=False, kw_only=True):
    """A seven of trumps scores for the side of `seat`: it was `shown`, `played` or `turned` up."""

    TYPE = "seven.shown"
    by: str = ""
    card: int
    how: str
    points: int
    seat: int
    source: str


class StockDrawn(Data, frozen=True, gc=False, kw_only=True):
    """The winner of the trick ends `declaring`; the cards that all draw follow."""

    TYPE = "stock.drawn"
    by: str = ""
    seat: int
    source: str


class TableCardsReturned(Data, frozen=True, gc=False):
    """The stock is empty: all table cards are back in the hands, and the last tricks begin."""

    TYPE = "table_cards.returned"


class LastTrickScored(Data, frozen=True, gc=False):
    """The last trick brings its points to the side of the seat that won it."""

    TYPE = "last_trick.scored"
    points: int
    seat: int


class BriscasCounted(Data, frozen=True, gc=False):
    """The aces and tens in everybody's tricks are counted, by side."""

    TYPE = "briscas.counted"
    points: tuple[int, ...]


class TargetReached(Data, frozen=True, gc=False):
    """A side has won: with its total at or above the target, or with a triple from the hand."""

    TYPE = "target.reached"
    side: int
    total: int


EVENTS: tuple[type[Data], ...] = (
    *tricks.EVENTS,
    tricks.TrumpTurned,
    MeldDeclared,
    SevenExchanged,
    SevenShown,
    StockDrawn,
    TableCardsReturned,
    LastTrickScored,
    BriscasCounted,
    TargetReached,
)
"""All event types of the game."""

UPCASTS: Upcasts = {}
"""From each earlier version of an event to the next; no type has had another shape yet."""
