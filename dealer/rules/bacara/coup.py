"""One whole coup played by the tableau, without a table around it.

`play` follows the rules of any profile step by step. `play_both` is the same coup for the commonest case, two
paños under the seed's rules, from tables made of the same functions; simulations of millions of coups use it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec

from dealer.rules.bacara.settlement import result
from dealer.rules.bacara.tableau import DRAW, banker_default, banker_may, punter_default, punter_may

BANK = "bank"
"""The banker's hand, beside the paños' `right`, `left` and `single`."""

NOBODY_CHOOSES: Mapping[str, str] = MappingProxyType({})


class CoupResult(msgspec.Struct, frozen=True, gc=False):
    """How a coup ended.

    Attributes:
        cards_used: cards that left the shoe: 6 to 9 with two paños, 4 to 6 with one.
        drew: the hands that took a third card, in the order it came out of the shoe (R-42).
        naturals: the hands with 8 or 9 in two cards.
        points: final score of each hand.
        results: `bank`, `pano` or `push` for each paño.
    """

    cards_used: int
    drew: tuple[str, ...]
    naturals: frozenset[str]
    points: dict[str, int]
    results: dict[str, str]


def may_begin(remaining: int, stop_card: int) -> bool:
    """Say whether a coup may begin with so many cards in the shoe (R-07, R-08)."""
    return remaining > stop_card


def deal_order(panos: Sequence[str]) -> tuple[str, ...]:
    """Return the hand each card of the initial deal goes to (R-33).

    Args:
        panos: the paños that are dealt cards, right first.
    """
    return (*panos, BANK) * 2


def play(
    values: Sequence[int],
    panos: Sequence[str],
    five: str = "stand",
    banker_rule: str = "same",
    acts: Mapping[str, str] = NOBODY_CHOOSES,
) -> CoupResult:
    """Play one coup (R-33 to R-42, R-44).

    Args:
        values: values of the cards in the order they leave the shoe, at least as many as the coup needs.
        panos: the paños that are dealt cards, right first.
        five: the option `five`.
        banker_rule: the option `banker_rule`.
        acts: `draw` or `stand` for each hand that says something; a hand without an entry does what it does
            when time runs out.

    Raises:
        ValueError: an act is against the rule (R-43).
    """
    cards = iter(values)
    points = dict.fromkeys((*panos, BANK), 0)
    for hand in deal_order(panos):
        points[hand] = (points[hand] + next(cards)) % 10
    naturals = frozenset(hand for hand, score in points.items() if score >= 8)
    speaking = [pano for pano in panos if pano not in naturals]
    third_cards: dict[str, int | None] = {}

    def speak(hand: str, legal: frozenset[str], default: str) -> None:
        act = acts.get(hand, default)
        if act not in legal:
            raise ValueError(f"{hand} may not {act} on {points[hand]}")
        third_cards[hand] = next(cards) if act == DRAW else None

    if BANK not in naturals and speaking:
        for pano in speaking:
            speak(pano, punter_may(points[pano], five), punter_default(points[pano], five))
        seen = tuple(third_cards.values())
        speak(
            BANK,
            banker_may(banker_rule, points[BANK], seen),
            banker_default(banker_rule, points[BANK], seen),
        )
    drawn = {hand: card for hand, card in third_cards.items() if card is not None}
    for hand, card in drawn.items():
        points[hand] = (points[hand] + card) % 10
    return CoupResult(
        cards_used=2 * len(points) + len(drawn),
        drew=tuple(drawn),
        naturals=naturals,
        points=points,
        results={
            pano: result(points[pano], pano in naturals, points[BANK], BANK in naturals) for pano in panos
        },
    )


_NATURAL = 10
"""Added to the score of a natural, so that one number says which of two hands is better, as in R-44."""

_TWO_CARDS = tuple(total % 10 + _NATURAL * (total % 10 >= 8) for total in range(19))
_PANO_DRAWS = tuple(strength < _NATURAL and DRAW in punter_may(strength, "stand") for strength in range(20))
_BANK_DRAWS = tuple(strength < _NATURAL and DRAW in banker_may("same", strength) for strength in range(20))
_RESULT = tuple(
    tuple(result(pano % 10, pano >= _NATURAL, bank % 10, bank >= _NATURAL) for bank in range(20))
    for pano in range(20)
)


def play_both(values: Sequence[int], at: int) -> tuple[str, str, int]:
    """Play one coup with both paños, `five` `stand` and `banker_rule` `same`, quickly.

    Args:
        values: values of the cards of a shoe.
        at: place of the next card to leave it.

    Returns:
        The results of right and left, and the number of cards used.
    """
    right = _TWO_CARDS[values[at] + values[at + 3]]
    left = _TWO_CARDS[values[at + 1] + values[at + 4]]
    bank = _TWO_CARDS[values[at + 2] + values[at + 5]]
    end = at + 6
    if bank < _NATURAL and (right < _NATURAL or left < _NATURAL):
        if _PANO_DRAWS[right]:
            right = (right + values[end]) % 10
            end += 1
        if _PANO_DRAWS[left]:
            left = (left + values[end]) % 10
            end += 1
        if _BANK_DRAWS[bank]:
            bank = (bank + values[end]) % 10
            end += 1
    return _RESULT[right][bank], _RESULT[left][bank], end - at
