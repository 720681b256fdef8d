"""What cards and hands count (R-02, R-03).

Ranks are written as in the deck `fr52` of `corte/1`: `A 2 … 9 T J Q K`. Suits never matter.
"""

from collections.abc import Collection, Iterable

RANKS = "A23456789TJQK"
"""The ranks of a French suit, in the order of the card ids: id modulo 13 is the place here."""

_VALUES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
_VALUE_OF_RANK = dict(zip(RANKS, _VALUES, strict=True))


def value(rank: str) -> int:
    """Return what a card of this rank counts, 0 to 9 (R-02).

    Raises:
        KeyError: the string is not a rank of `fr52`.
    """
    return _VALUE_OF_RANK[rank]


def value_of_card(card_id: int) -> int:
    """Return what the physical card of this `fr52` id counts, whichever pack it is from (R-02)."""
    return _VALUES[card_id % 13]


def total(ranks: Iterable[str]) -> int:
    """Return the points of a hand: the units digit of the sum (R-03, A-41)."""
    return sum(map(value, ranks)) % 10


def total_of_cards(card_ids: Iterable[int]) -> int:
    """Return the points of a hand given as `fr52` ids (R-03, A-41)."""
    return sum(map(value_of_card, card_ids)) % 10


def is_natural(ranks: Collection[str]) -> bool:
    """Say whether the hand is an *abatida*: 8 or 9 in two cards; three cards never are (R-03)."""
    return len(ranks) == 2 and total(ranks) >= 8


def is_natural_of_cards(card_ids: Collection[int]) -> bool:
    """Say whether the hand given as `fr52` ids is an *abatida* (R-03)."""
    return len(card_ids) == 2 and total_of_cards(card_ids) >= 8
