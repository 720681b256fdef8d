"""Hidden hands as the bots think them up (butifarra 7, 8)."""

import random
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.rules.butifarra import duties
from dealer.rules.butifarra.bots import bits
from dealer.rules.butifarra.bots.worlds import Worlds, barred
from dealer.rules.butifarra.cards import DECK, SUITS

OPTIONS = [
    {"duties": "tute", "undertrump": "forced", "card_values": "seed40"},
    {"duties": "tute", "undertrump": "free", "card_values": "seed40_as"},
    {"duties": "lliure", "undertrump": "free", "card_values": "standard72"},
    {"duties": "obligada", "card_values": "standard72"},
]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(OPTIONS), st.integers(0, 4), st.integers(0, 3), st.integers(1, 12), st.randoms())
def test_bits_say_what_the_duties_say(
    options: dict[str, str], trump: int, lying: int, size: int, luck: random.Random
) -> None:
    """7, 8: legal cards, who is ahead and what lies there are the same on bits as on cards.

    And a card may be played exactly when no single other card of the hand forbids it, which is what the
    bots conclude from it afterwards.
    """
    rules, values = bits.rules_of(options), options["card_values"]
    named = (*SUITS, "butifarra")[trump]
    drawn = luck.sample(range(DECK.size), lying + size)
    trick, seat, on_table, hand = None, 0, drawn[:lying], drawn[lying:]
    for card in on_table:
        trick = bits.added(rules, trump, trick, seat, bits.bit_of(card, values))
        seat += 1
    if trick is not None:
        assert trick.ahead == duties.winner(on_table, named, values)
    held = sum(1 << bits.bit_of(card, values) for card in hand)
    found = bits.legal(rules, trump, held, trick, seat)
    legal = duties.legal(options, hand, on_table, named)
    assert sorted(bits.card_of(bit, values) for bit in bits.members(found)) == sorted(legal)
    for bit in bits.members(held):
        forbidden = held & barred(rules, trump, trick, seat, bit)
        assert bool(found >> bit & 1) is not bool(forbidden)


def _hand(codes: str) -> int:
    return sum(1 << bits.bit_of(DECK.parse(code), "seed40") for code in codes.split())


def test_every_deal_is_as_likely() -> None:
    """Of all deals that agree with what is known each is drawn as often, and no other ever."""
    unseen = bits.members(_hand("9O 1O 9C 1C 9E 2B"))
    counts = {1: 1, 2: 2, 3: 3}
    bars = {1: _hand("9O 1O 9C"), 2: _hand("9O 9E"), 3: _hand("2B")}
    possible = set()
    for order in permutations(unseen):
        hands = {1: order[:1], 2: order[1:3], 3: order[3:]}
        masks = {seat: sum(1 << card for card in held) for seat, held in hands.items()}
        if not any(mask & bars[seat] for seat, mask in masks.items()):
            possible.add(tuple(masks.values()))
    worlds = Worlds(_hand("9O 1O 9C 1C 9E 2B"), counts, bars, b"even")
    often = 400
    drawn = Counter(tuple(worlds.draw(n).values()) for n in range(often * len(possible)))
    assert drawn.keys() == possible
    assert len(possible) > 5
    assert all(abs(n - often) < often / 4 for n in drawn.values())


@pytest.mark.parametrize("bars", [{1: -1, 2: 0, 3: 0}, {1: _hand("9O"), 2: _hand("9O"), 3: _hand("9O")}])
def test_what_cannot_be_is_not_heeded(bars: dict[int, int]) -> None:
    """Where no deal agrees with all that is known, the numbers of cards still do."""
    unseen = _hand("9O 1O 12O 11O")
    hands = Worlds(unseen, {1: 1, 2: 1, 3: 2}, bars, b"odd").draw(0)
    assert [hand.bit_count() for hand in hands.values()] == [1, 1, 2]
    assert sum(hands.values()) == unseen
