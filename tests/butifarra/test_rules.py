"""The rules as pure functions against the worked examples of the sheet (butifarra 16)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.rules.butifarra import cards, duties, scoring
from dealer.rules.butifarra.bidding import BUTIFARRA
from tests.butifarra import plain
from tests.butifarra.examples import KINDS, chosen, ids, load, options, trump


def _id(example: dict[str, Any]) -> str:
    name: str = example["id"]
    return name


def _lying(example: dict[str, Any]) -> list[int]:
    return ids(card for _, card in example["trick"])


def test_all_examples_are_there() -> None:
    """The 67 records of the sheet, each once, each of a kind that some test reads."""
    found = [example["id"] for kind in KINDS for example in load(kind)]
    assert len(found) == len(set(found)) == 67


@pytest.mark.parametrize("example", load("bu_points"), ids=_id)
def test_what_cards_count(example: dict[str, Any]) -> None:
    """BU-01 to BU-03: the high cards of a suit in the three tables (9, U-02)."""
    assert cards.points(ids(example["cards"]), options(example)["card_values"]) == example["points"]


@pytest.mark.parametrize("example", load("bu_trick"), ids=_id)
def test_who_wins_a_trick(example: dict[str, Any]) -> None:
    """BU-04 to BU-11: the highest trump, else the highest of the suit led (7, 9, U-03); what it counts."""
    values = options(example)["card_values"]
    lying = ids(card for _, card in example["plays"])
    place = duties.winner(lying, trump(example["trump"]), values)
    assert example["plays"][place][0] == example["winner"]
    assert cards.points(lying, values) + 1 == example["points"]


@pytest.mark.parametrize("example", load("bu_legal"), ids=_id)
def test_what_may_be_played(example: dict[str, Any]) -> None:
    """BU-12 to BU-32: the duties of section 7, section 8 (U-17, U-18, U-19, U-20, U-25)."""
    hand = ids(example["hand"])
    found = duties.legal(options(example), hand, _lying(example), trump(example["trump"]))
    assert sorted(found) == sorted(ids(example["legal"]))


@pytest.mark.parametrize("example", load("bu_timeout"), ids=_id)
def test_what_is_done_when_time_runs_out(example: dict[str, Any]) -> None:
    """BU-60: the longest suit of whoever has to name one; the least legal card (12.1)."""
    chosen_ = options(example)
    hand, values = ids(example["hand"]), chosen_["card_values"]
    if "suit" in example:
        assert cards.longest(hand, values) == example["suit"]
    else:
        legal = duties.legal(chosen_, hand, _lying(example), trump(example["trump"]))
        assert cards.DECK.face(cards.least(legal, values)) == example["card"]


@pytest.mark.parametrize("example", load("bu_score"), ids=_id)
def test_what_a_hand_brings(example: dict[str, Any]) -> None:
    """BU-43 to BU-49: the multiplier times what is above the half (section 10; U-21, U-22)."""
    assert list(scoring.score(options(example), example["raw"], example["mult"])) == example["score"]


@pytest.mark.parametrize(("values", "half"), [("seed40", 26), ("seed40_as", 26), ("standard72", 36)], ids=str)
def test_halves(values: str, half: int) -> None:
    """Section 9, U-01: 48 cards and twelve tricks make 52 or 72."""
    found = chosen("seed", card_values=values)
    assert scoring.half(found) == half
    assert cards.points(range(48), values) + cards.TRICKS == 2 * half


@pytest.mark.parametrize(
    ("options_", "totals", "hands", "verdict"),
    [
        ({}, (100, 0), 30, (False, 0)),
        ({}, (0, 101), 1, (True, 2)),
        ({"target": 51}, (51, 50), 3, (True, 1)),
        ({"target": 151}, (150, 149), 9, (False, 0)),
        ({"deals": 8}, (208, 0), 7, (False, 0)),
        ({"deals": 8}, (40, 41), 8, (True, 2)),
        ({"deals": 12}, (40, 40), 12, (True, 0)),
        ({"deals": 8, "tie": "two_more"}, (0, 0), 8, (False, 0)),
        ({"deals": 8, "tie": "two_more"}, (40, 44), 9, (False, 0)),
        ({"deals": 8, "tie": "two_more"}, (40, 44), 10, (True, 2)),
        ({"deals": 8, "tie": "two_more"}, (44, 44), 12, (False, 0)),
        ({"deals": 8, "tie": "two_more", "score_cap": 121}, (121, 121), 8, (True, 0)),
    ],
)
def test_when_a_match_is_over(
    options_: dict[str, Any], totals: tuple[int, int], hands: int, verdict: tuple[bool, int]
) -> None:
    """Section 11, U-23: target, a fixed number of hands, a draw, two more, which at the cap would be vain."""
    assert scoring.verdict(chosen("seed", **options_), totals, hands) == verdict


def test_no_more_than_the_cap_is_noted() -> None:
    """Section 11: a hand that goes beyond `score_cap` is noted up to it, and then nothing."""
    capped = chosen("seed", score_cap=121)
    assert scoring.noted(capped, (100, 121), (48, 0)) == (21, 0)
    assert scoring.noted(capped, (121, 0), (48, 0)) == (0, 0)
    assert scoring.noted(chosen("seed"), (100, 0), (48, 0)) == (48, 0)


DUTIES: list[tuple[str, dict[str, Any]]] = [
    ("seed", {}),
    ("seed", {"undertrump": "free", "card_values": "seed40_as"}),
    ("competicio-lliure", {}),
    ("competicio-obligada", {}),
    ("competicio-obligada", {"card_values": "seed40"}),
]


@settings(max_examples=400)
@given(
    st.permutations(range(48)),
    st.integers(0, 3),
    st.integers(1, 9),
    st.sampled_from([*cards.SUITS, BUTIFARRA]),
    st.sampled_from(DUTIES),
)
def test_legal_cards_against_a_plain_second_telling(
    order: list[int], lie: int, held: int, suit: str, profile: tuple[str, dict[str, Any]]
) -> None:
    """Section 7, section 8, section 13: a legal set is the sheet's, never empty; refusals fit; 12.1."""
    rules = chosen(profile[0], **profile[1])
    trick, hand = order[:lie], order[lie : lie + held]
    face, values = cards.DECK.face, rules["card_values"]
    found = duties.legal(rules, hand, trick, suit)
    expected = plain.legal(
        [face(card) for card in hand],
        [face(card) for card in trick],
        suit,
        values,
        rules.get("undertrump") == "forced",
        rules["duties"] == "obligada",
    )
    assert [face(card) for card in found] == expected
    assert found
    assert cards.least(found, values) == cards.least(reversed(found), values)
    follows = any(face(card)[-1] == face(trick[0])[-1] for card in hand) if trick else False
    for card in hand:
        told = duties.refusal(rules, card, hand, trick, suit)
        assert bool(told) == (card not in found)
        if told and told != "must_play_lowest":
            assert (told in {"must_follow_suit", "must_beat"}) == follows
            assert (told == "must_beat") == (follows and face(card)[-1] == face(trick[0])[-1])
            assert (told == "must_overtrump") == (not follows and face(card)[-1] == suit)
        assert told != "must_play_lowest" or rules["duties"] == "obligada"
