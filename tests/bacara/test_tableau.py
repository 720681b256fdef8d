"""What cards count and who takes a third one (R-02, R-03, R-37, R-41, R-100, R-101)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.rules.bacara import points, tableau
from shoe.cards import Deck

EITHER = {"draw", "stand"}


@pytest.mark.parametrize(
    ("rank", "counts"),
    [("A", 1), *((str(pips), pips) for pips in range(2, 10)), *((rank, 0) for rank in "TJQK")],
)
def test_a_card_counts_its_pips(rank: str, counts: int) -> None:
    """An ace counts 1, two to nine their pips, ten and courts nothing (R-02)."""
    assert points.value(rank) == counts


def test_what_is_no_rank_counts_nothing() -> None:
    """A rank that the deck does not have is an error, not a zero."""
    with pytest.raises(KeyError):
        points.value("10")


@given(st.lists(st.integers(0, 415), min_size=1, max_size=3))
def test_ids_count_as_their_ranks_whatever_suit_and_pack(cards: list[int]) -> None:
    """Ids count as the ranks the deck gives them: suit and pack are nothing (R-02, R-03)."""
    ranks = [Deck("fr52", 8).rank(card) for card in cards]
    assert points.total_of_cards(cards) == points.total(ranks)
    assert points.is_natural_of_cards(cards) is points.is_natural(ranks)
    assert [points.value_of_card(card) for card in cards] == [points.value(rank) for rank in ranks]


def test_a_natural_has_two_cards() -> None:
    """8 and 9 are laid down in two cards; three cards never are, and 4 and 8 make 2 (R-03)."""
    assert points.is_natural("J8")
    assert points.is_natural("A8")
    assert not points.is_natural("KJ8")
    assert not points.is_natural("7K")
    assert points.total("48") == 2


@pytest.mark.parametrize("score", range(10))
def test_the_tableau_of_a_pano(score: int) -> None:
    """0 to 4 must draw, 6 and 7 must stand, 5 as the option says, 8 and 9 never speak (R-37)."""
    forced = {"draw"} if score <= 4 else {"stand"} if score <= 7 else set()
    assert tableau.punter_may(score, "stand") == forced
    assert tableau.punter_may(score, "free") == (EITHER if score == 5 else forced)
    assert tableau.banker_may("same", score) == forced


@pytest.mark.parametrize("score", range(10))
def test_silence_plays_the_tableau(score: int) -> None:
    """Nobody answering: 0 to 4 draw, 5 to 7 stand, naturals are laid down, by any banker too (R-19, R-36)."""
    expected = "draw" if score <= 4 else "stand" if score <= 7 else "lay_down"
    assert tableau.punter_default(score) == expected
    assert tableau.banker_default("same", score) == expected
    assert tableau.banker_default("free", score) == expected


@pytest.mark.parametrize("score", range(10))
def test_a_free_banker_chooses_on_anything_but_a_natural(score: int) -> None:
    """With `banker_rule` `free` he may draw or stand on 0 to 7 (R-41)."""
    assert tableau.banker_may("free", score, (3, None)) == (EITHER if score <= 7 else set())


DRAWS_AGAINST: dict[int, set[int | None]] = {
    0: {*range(10), None},
    1: {*range(10), None},
    2: {*range(10), None},
    3: {*range(8), None},
    4: {*range(2, 8), None},
    5: {5, 6, 7, None},
    6: {6, 7},
    7: set(),
}
FREE = {(3, 9), (5, 4)}


@pytest.mark.parametrize("third", [*range(10), None])
@pytest.mark.parametrize("own", range(8))
def test_the_bankers_table(own: int, third: int | None) -> None:
    """Each cell of R-41's table: he must draw, must stand or is free; silence draws in the free cells."""
    draws = third in DRAWS_AGAINST[own]
    if (own, third) in FREE:
        assert tableau.banker_may("table", own, (third,)) == EITHER
        assert tableau.banker_default("table", own, (third,)) == "draw"
    else:
        act = "draw" if draws else "stand"
        assert tableau.banker_may("table", own, (third,)) == {act}
        assert tableau.banker_default("table", own, (third,)) == act


def test_the_table_is_for_one_pano() -> None:
    """Under `table` a banker who faced two paños has no answer: it is an error (R-41)."""
    with pytest.raises(ValueError, match="too many"):
        tableau.banker_may("table", 3, (8, None))
    assert tableau.banker_may("table", 9, (None,)) == set()
    assert tableau.banker_default("table", 8, (None,)) == "lay_down"


@pytest.mark.parametrize("score", range(10))
def test_punto_in_punto_y_banca(score: int) -> None:
    """0 to 5 draws, 6 and 7 stand, and nobody decides (R-100)."""
    act = "draw" if score <= 5 else "stand" if score <= 7 else "lay_down"
    assert tableau.punter_default(score, "draw") == act
    assert tableau.punter_may(score, "draw") == {act} - {"lay_down"}


PUNTO_Y_BANCA = (
    "d dddddddddd",
    "d dddddddddd",
    "d dddddddddd",
    "d ddddddddsd",
    "d ssddddddss",
    "d ssssddddss",
    "s ssssssddss",
    "s ssssssssss",
)
"""R-101 as the sheet prints it: a row for each score, against a punto that stood, then third cards 0 to 9."""


@pytest.mark.parametrize("own", range(8))
def test_banca_in_punto_y_banca(own: int) -> None:
    """Each cell of the table of R-101; nothing is free."""
    stood, thirds = PUNTO_Y_BANCA[own].split()
    for third, cell in [(None, stood), *enumerate(thirds)]:
        act = {"d": "draw", "s": "stand"}[cell]
        assert tableau.banker_default("punto_y_banca", own, (third,)) == act
        assert tableau.banker_may("punto_y_banca", own, (third,)) == {act}
