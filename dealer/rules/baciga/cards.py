"""The cards of báciga: packs of 32, their order, and what they count (baciga 2, 4, 5)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from dealer.rules.tricks.trick import Card
from shoe.cards import MAX_CARDS, Deck

KIND = "fr32"
PACK = 32
ANY = Deck(KIND, MAX_CARDS // PACK)
"""Faces and codes do not depend on how many packs are in play, up to the largest deck."""
BRISCA = 10
"""What an ace or a ten in one's tricks counts when briscas are counted (9.3)."""

_ORDER = "789JQKTA"
_SUITS = "CDHS"
_STRENGTH = {rank: strength for strength, rank in enumerate(_ORDER)}
_FACES = tuple(ANY.face(card) for card in range(PACK))
_PLAYED = tuple(Card(named[1], _STRENGTH[named[0]]) for named in _FACES)


def face(card: int) -> str:
    """Rank and suit of a physical card."""
    return _FACES[card % PACK]


def played(card: int) -> Card:
    """A card as a trick sees it: A 10 K Q J 9 8 7 in every suit."""
    return _PLAYED[card % PACK]


def briscas(cards: Iterable[int]) -> int:
    """Aces and tens among these cards."""
    return len([card for card in cards if face(card)[0] in "AT"])


def lowest(cards: Iterable[int], trump: str) -> int:
    """The card that is played when time runs out (13.1).

    Non-trumps before trumps, then 7 8 9 J Q K 10 A, then clubs, diamonds, hearts, spades, then the lower
    copy.
    """

    def place(card: int) -> tuple[bool, int, int, int]:
        suit, strength = played(card)
        return suit == trump, strength, _SUITS.index(suit), card

    return min(cards, key=place)


def packs(options: Mapping[str, Any]) -> int:
    """Packs in play: as many as players, unless the table has chosen otherwise (4.1)."""
    chosen: int = options.get("packs", options["players"])
    return chosen


@lru_cache(maxsize=MAX_CARDS // PACK)
def deck(number: int) -> Deck:
    """So many packs shuffled together."""
    return Deck(KIND, number)


def stock_size(options: Mapping[str, Any]) -> int:
    """Cards in the stock after the deal, with the trump card (4.3, 12.1)."""
    size: int = packs(options) * PACK - options["players"] * options["hand_size"]
    return size
