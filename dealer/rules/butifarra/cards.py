"""The cards of butifarra: one Spanish pack of 48, its order, and what it counts (butifarra 2, 4, 9)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from dealer.rules.tricks.trick import Card
from shoe.cards import Deck

KIND = "es48"
DECK = Deck(KIND, 1)
SUITS = DECK.suits
"""O C E B, which is also their order where nothing else tells two cards or suits apart (12.1)."""
TRICKS = 12
"""Tricks in a hand, and cards in a seat's hand; each trick counts a point of its own (10)."""

_FACES = tuple((DECK.rank(card), DECK.suit(card)) for card in range(DECK.size))
_CODES = tuple(DECK.code(card) for card in range(DECK.size))
_LOW = ("2", "3", "4", "5", "6", "7", "8")


class Table(NamedTuple):
    """One of the tables of section 9.

    Attributes:
        order: the ranks, from the lowest to the highest.
        points: what a rank counts, of those that count.
    """

    order: tuple[str, ...]
    points: Mapping[str, int]

    @property
    def half(self) -> int:
        """Half of the raw points of a hand; a pair scores what it has above it."""
        return (len(SUITS) * sum(self.points.values()) + TRICKS) // 2


_MANILLA = (*_LOW, "10", "11", "12", "1", "9")
_AS = (*_LOW, "9", "10", "11", "12", "1")
TABLES: Mapping[str, Table] = {
    "seed40": Table(_MANILLA, {"9": 4, "1": 3, "12": 2, "11": 1}),
    "seed40_as": Table(_AS, {"1": 4, "12": 3, "11": 2, "10": 1}),
    "standard72": Table(_MANILLA, {"9": 5, "1": 4, "12": 3, "11": 2, "10": 1}),
}
"""By `card_values`."""

_PLAYED: Mapping[str, tuple[Card, ...]] = {
    name: tuple(Card(suit, table.order.index(rank)) for rank, suit in _FACES)
    for name, table in TABLES.items()
}
_POINTS: Mapping[str, tuple[int, ...]] = {
    name: tuple(table.points.get(rank, 0) for rank, _ in _FACES) for name, table in TABLES.items()
}


def played(card: int, values: str) -> Card:
    """A card as a trick sees it; `values` names the table."""
    return _PLAYED[values][card]


def code(card: int) -> str:
    """How a card is written at the doors."""
    return _CODES[card]


def suit(card: int) -> str:
    """The suit of a card."""
    return _FACES[card][1]


def points(cards: Iterable[int], values: str) -> int:
    """What these cards count together, without the points of their tricks."""
    table = _POINTS[values]
    return sum(table[card] for card in cards)


def least(cards: Iterable[int], values: str) -> int:
    """The card of least value, then of lowest rank, then in the order of the suits (12.1)."""
    return min(cards, key=lambda card: (_POINTS[values][card], played(card, values).strength, card))


def longest(cards: Iterable[int], values: str) -> str:
    """The longest suit of a hand; of equal ones that with most points, then in their order (12.1)."""
    held = list(cards)
    by_suit = {name: [card for card in held if suit(card) == name] for name in SUITS}
    return max(SUITS, key=lambda name: (len(by_suit[name]), points(by_suit[name], values)))
