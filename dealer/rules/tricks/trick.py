"""Who wins a trick and what may be played to it (baciga 5, 7; butifarra 7, 8).

Cards are told apart by suit and strength alone, so any pack and any order of ranks will do.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Card(NamedTuple):
    """A card as a trick sees it: a higher `strength` beats a lower one of the same suit."""

    suit: str
    strength: int


class Duties(NamedTuple):
    """What is asked of those who play after the leader; to follow suit always is.

    Attributes:
        beat: a card that wins has to be played by whoever can, of the suit led or, void in it, of trumps.
        undertrump: void in the suit led, a trump has to be played even if it cannot win.
    """

    beat: bool
    undertrump: bool


def wins(card: Card, best: Card, trump: str) -> bool:
    """Whether a card beats the best one so far; of two equal cards the first stays ahead."""
    if card.suit == best.suit:
        return card.strength > best.strength
    return card.suit == trump


def winner(trick: Sequence[Card], trump: str) -> int:
    """Place in the trick, from 0, of the card that takes it; `trump` is a suit, or anything else for none."""
    best = 0
    for place, card in enumerate(trick):
        if wins(card, trick[best], trump):
            best = place
    return best


def playable(
    hand: Sequence[Card], trick: Sequence[Card], trump: str, duties: Duties, mate: bool = False
) -> list[int]:
    """Places in the hand of the cards that may be played.

    Args:
        hand: what the player holds.
        trick: what lies there, the card led first.
        trump: the suit of trumps.
        duties: what is asked.
        mate: the partner is ahead, so that only following is asked.
    """
    every = list(range(len(hand)))
    if not trick:
        return every
    best = trick[winner(trick, trump)]
    suit = [place for place in every if hand[place].suit == trick[0].suit]
    pool = suit or every
    if mate:
        return pool
    winning = [place for place in pool if wins(hand[place], best, trump)] if duties.beat else []
    if winning or suit or not duties.undertrump:
        return winning or pool
    return [place for place in every if hand[place].suit == trump] or every


def refusal(card: Card, hand: Sequence[Card], trick: Sequence[Card], trump: str) -> str:
    """The code with which a card of the hand is refused that may not be played."""
    if any(held.suit == trick[0].suit for held in hand):
        return "must_beat" if card.suit == trick[0].suit else "must_follow_suit"
    return "must_overtrump" if card.suit == trump else "must_trump"
