"""What may be played, and why a card may not (butifarra 7, 8).

Cards are physical ids, and a trick is a list of them, the card led first; whoever asks plays next.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from dealer.rules.butifarra import cards
from dealer.rules.tricks import trick

_PARTNER = 2
"""A seat's partner plays so many places before it."""


def winner(lying: Sequence[int], trump: str, values: str) -> int:
    """Place in the trick, from 0, of the card that takes it."""
    return trick.winner([cards.played(card, values) for card in lying], trump)


def legal(options: Mapping[str, Any], hand: Sequence[int], lying: Sequence[int], trump: str) -> list[int]:
    """The cards of a hand that may be played now."""
    found = _common(options, hand, lying, trump)
    if options["duties"] != "obligada" or not lying:
        return found
    return _obliged(options["card_values"], found, lying, trump)


def refusal(
    options: Mapping[str, Any], card: int, hand: Sequence[int], lying: Sequence[int], trump: str
) -> str:
    """The code with which a card of the hand is refused, empty if it may be played (13)."""
    if card in legal(options, hand, lying, trump):
        return ""
    if card in _common(options, hand, lying, trump):
        return "must_play_lowest"
    values = options["card_values"]
    own, played = ([cards.played(each, values) for each in every] for every in (hand, lying))
    return trick.refusal(cards.played(card, values), own, played, trump)


def mate_ahead(lying: Sequence[int], trump: str, values: str) -> bool:
    """Whether the partner of the seat that plays next has played the winning card so far."""
    return bool(lying) and len(lying) - winner(lying, trump, values) == _PARTNER


def _common(options: Mapping[str, Any], hand: Sequence[int], lying: Sequence[int], trump: str) -> list[int]:
    """Section 7, or with a free undertrump the `lliure` of section 8."""
    values = options["card_values"]
    must = trick.Duties(beat=True, undertrump=options.get("undertrump") == "forced")
    own, played = ([cards.played(each, values) for each in every] for every in (hand, lying))
    places = trick.playable(own, played, trump, must, mate_ahead(lying, trump, values))
    return [hand[place] for place in places]


def _obliged(values: str, found: Sequence[int], lying: Sequence[int], trump: str) -> list[int]:
    """Section 8, `obligada`: who cannot or need not win plays low, or loads the partner's trick."""
    best = cards.played(lying[winner(lying, trump, values)], values)
    mate = mate_ahead(lying, trump, values)
    if not mate and any(trick.wins(cards.played(card, values), best, trump) for card in found):
        return list(found)
    lowest: dict[str, int] = {}
    for card in sorted(found, key=lambda each: cards.played(each, values).strength):
        lowest.setdefault(cards.suit(card), card)
    loads = {card for card in found if mate and cards.points([card], values)}
    return [card for card in found if card in loads or card in lowest.values()]
