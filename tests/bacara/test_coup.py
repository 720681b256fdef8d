"""A whole coup: dealing, speaking, third cards (R-33 to R-42) and the properties of section 15.4."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.rules.bacara.coup import CoupResult, deal_order, play, play_both
from dealer.rules.bacara.points import RANKS, value

BOTH = ("right", "left")
VALUES = st.lists(st.sampled_from([0, 0, 0, 0, *range(1, 10)]), min_size=9, max_size=9)
PANOS = st.sampled_from([BOTH, ("right",), ("left",), ("single",)])


def _hands(values: list[int], panos: tuple[str, ...]) -> dict[str, list[int]]:
    """All cards of each hand, given the coup they lead to."""
    played = play(values, panos)
    hands: dict[str, list[int]] = {}
    for hand, card in zip((*deal_order(panos), *played.drew), values, strict=False):
        hands.setdefault(hand, []).append(card)
    return hands


def test_cards_are_dealt_one_at_a_time_right_first() -> None:
    """Right, left, bank, right, left, bank; with one paño alone it and the bank in turn (R-33)."""
    assert deal_order(BOTH) == ("right", "left", "bank", "right", "left", "bank")
    assert deal_order(("left",)) == ("left", "bank", "left", "bank")


@given(VALUES, PANOS)
def test_a_coup_uses_as_many_cards_as_the_rules_allow(values: list[int], panos: tuple[str, ...]) -> None:
    """Six to nine cards, or four to six; the fewest if the bank or every paño abates (15.4 property 4)."""
    played = play(values, panos)
    fewest = 2 * len(panos) + 2
    assert fewest <= played.cards_used <= 3 * len(panos) + 3
    if "bank" in played.naturals or set(panos) <= played.naturals:
        assert played.cards_used == fewest


@given(VALUES, PANOS)
def test_only_zero_to_four_take_a_third_card(values: list[int], panos: tuple[str, ...]) -> None:
    """No hand has more than three cards, and three only from 0 to 4 in two (R-38, 15.4 property 5)."""
    played = play(values, panos)
    hands = _hands(values, panos)
    for hand, cards in hands.items():
        assert sum(cards) % 10 == played.points[hand]
        assert (sum(cards[:2]) % 10 >= 8) is (hand in played.naturals)
        assert len(cards) == 2 + (hand in played.drew)
        assert hand not in played.drew or sum(cards[:2]) % 10 <= 4
    speaks = "bank" not in played.naturals and not set(panos) <= played.naturals
    for hand, cards in hands.items():
        assert (hand in played.drew) is (speaks and sum(cards[:2]) % 10 <= 4)


@given(VALUES, st.sampled_from(BOTH))
def test_a_pano_does_not_hang_on_the_other(values: list[int], pano: str) -> None:
    """With the cards it and the bank really got, a paño alone ends the same (15.4 property 6, R-39)."""
    together = play(values, BOTH)
    hands = _hands(values, BOTH)
    mine, bank = hands[pano], hands["bank"]
    cards = [mine[0], bank[0], mine[1], bank[1], *mine[2:], *bank[2:]]
    alone = play(cards, (pano,))
    assert alone.results[pano] == together.results[pano]
    assert alone.points[pano] == together.points[pano]


@given(st.lists(st.sampled_from(RANKS), min_size=9, max_size=9), st.permutations("TJQK"), PANOS)
def test_tens_and_courts_are_the_same(ranks: list[str], other: list[str], panos: tuple[str, ...]) -> None:
    """Exchanging ten, jack, queen and king changes nothing in a coup (15.4 property 8)."""
    exchanged = [dict(zip("TJQK", other, strict=True)).get(rank, rank) for rank in ranks]
    assert play([value(rank) for rank in ranks], panos) == play([value(rank) for rank in exchanged], panos)


@given(VALUES, st.sampled_from(BOTH))
def test_bank_and_pano_win_with_equal_probability(values: list[int], pano: str) -> None:
    """A coup and its mirror, the two hands exchanged, end oppositely (15.4 property 11).

    The mirror is its own inverse on the orders of a full shoe, all equally likely: the bank wins exactly as
    many of them as the paño.
    """
    mirrored = _mirror(values, pano)
    assert _mirror(mirrored, pano) == values
    opposite = {"bank": "pano", "pano": "bank", "push": "push"}
    assert play(mirrored, BOTH).results[pano] == opposite[play(values, BOTH).results[pano]]


def _mirror(values: list[int], pano: str) -> list[int]:
    """The same cards in the order in which this paño and the bank have each other's hands."""
    other = {pano: "bank", "bank": pano}
    order = deal_order(BOTH)
    swapped = [
        values[order.index(other.get(hand, hand)) + 3 * (place // 3)] for place, hand in enumerate(order)
    ]
    before, after = play(values, BOTH), play([*swapped, *values[6:]], BOTH)
    if {pano, "bank"} & before.naturals:
        return [*swapped, *values[6:]]
    thirds = dict(zip(before.drew, values[6:], strict=False))
    return [*swapped, *(thirds[other.get(hand, hand)] for hand in after.drew), *values[before.cards_used :]]


@given(VALUES)
def test_the_quick_coup_is_the_coup(values: list[int]) -> None:
    """What simulations play is what the rules say, from any place of a shoe (R-33 to R-44)."""
    played = play(values, BOTH)
    expected = (played.results["right"], played.results["left"], played.cards_used)
    assert play_both(values, 0) == expected
    assert play_both([7, 7, *values], 2) == expected


def test_the_shoe_serves_right_left_bank() -> None:
    """Third cards leave the shoe in the order right, left, bank, and each counts for its hand (R-42)."""
    assert play([0, 0, 0, 0, 0, 0, 1, 2, 3], BOTH) == CoupResult(
        cards_used=9,
        drew=("right", "left", "bank"),
        naturals=frozenset(),
        points={"right": 1, "left": 2, "bank": 3},
        results={"right": "bank", "left": "bank"},
    )


def test_a_hand_says_only_what_its_score_allows() -> None:
    """An act against the tableau is an error, whoever's it is (R-43)."""
    with pytest.raises(ValueError, match="right may not draw on 6"):
        play([6, 0, 0, 0, 5, 5, 1], BOTH, acts={"right": "draw"})
    with pytest.raises(ValueError, match="bank may not stand on 4"):
        play([6, 6, 4, 0, 0, 0, 1], BOTH, acts={"bank": "stand"})


def test_with_a_choice_the_act_decides() -> None:
    """On an optional five and under `free` and `table` what is said is done (R-37, R-41)."""
    five = [5, 6, 0, 0, 1, 1]
    assert play(five, ("single",), "free").drew == ()
    assert play(five, ("single",), "free", acts={"single": "draw"}).drew == ("single",)
    assert play([5, 3, 0, 0, 1, 1], ("single",), "free", "free", {"bank": "stand"}).drew == ()
    assert play([0, 5, 0, 0, 4, 1], ("single",), "free", "table").drew == ("single", "bank")
    assert play([0, 5, 0, 0, 3, 1], ("single",), "free", "table").drew == ("single",)
    assert play([6, 5, 0, 0, 1], ("single",), "free", "table").drew == ("bank",)
