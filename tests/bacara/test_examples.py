"""The worked examples of two paños (rules/baccarat.md, section 15.1), played by the pure functions alone."""

from typing import Any

import pytest

from dealer.rules.bacara import coup, coverage, holders, settlement, tableau
from dealer.rules.bacara.points import total, value
from tests.bacara.examples import Example, load, load_end_of_shoe
from tests.bacara.profiles import options_of

LETTERS = {12: "ab", 13: "ab", 15: "abc", 18: "abc"}
BLOCKS = [
    f"BQ-{number:02}{letter}"
    for number in (*range(1, 21), 22, 28, *range(33, 37))
    for letter in LETTERS.get(number, [""])
]
PROSE = ["BQ-21/1", "BQ-21/2", "BQ-21/3", "BQ-21/4", "BQ-31", "BQ-32"]
ELSEWHERE = ["BQ-23", "BQ-24", "BQ-25", "BQ-26", "BQ-29", "BQ-30", "BQ-37", "BQ-38"]
"""Told in prose, and about other things than a coup of the house's bank under the seed's rules."""

BEYOND = {
    "BQ-16": "an open bank pays from the banker's stack (R-29)",
    "BQ-34": "an open bank pays from the banker's stack (R-29)",
    "BQ-35": "banco in two paños (R-75)",
    "BQ-36": "banco in two paños (R-75)",
}
"""Blocks that need a parameter the pure functions do not have."""

PLAYED = [each for each in load("bq.txt") + load("prose.txt") if each.id not in BEYOND]


def _stakes(example: Example) -> list[coverage.Stake]:
    """The stakes as the table stores them: one on the line between the paños is two ordinary ones (R-27)."""
    ordinary = []
    for bet in example.stakes:
        if bet.on == "a_cheval":
            right, left = coverage.split_a_cheval(bet.amount)
            ordinary += [(bet.seat, "right", right), (bet.seat, "left", left)]
        else:
            ordinary.append((bet.seat, bet.on, bet.amount))
    return [
        coverage.Stake(amount=amount, on=on, order=order, seat=seat)
        for order, (seat, on, amount) in enumerate(ordinary)
    ]


def _cover(example: Example, options: dict[str, Any]) -> tuple[coverage.Covered, ...]:
    return coverage.cover(example.bank, _stakes(example), example.holders, options["coverage"])


def _play(example: Example, panos: tuple[str, ...], options: dict[str, Any]) -> coup.CoupResult:
    said = {hand: word for hand, word in example.decisions.items() if word != "silent"}
    values = [value(rank) for rank in example.shoe[example.burned :]]
    return coup.play(values, panos, options["five"], options["banker_rule"], said)


def test_every_block_of_the_sheet_is_in_the_data() -> None:
    """The data hold exactly the blocks of section 15.1, each once, and the prose ones a coup can show."""
    assert [each.id for each in load("bq.txt")] == BLOCKS
    assert [each.id for each in load("prose.txt")] == PROSE
    assert {case["id"] for case in load_end_of_shoe()} == {"BQ-27", "PB-11"}
    numbers = {int(name[3:5]) for name in [*BLOCKS, *PROSE, *ELSEWHERE, "BQ-27"]}
    assert numbers == set(range(1, 39))
    assert {each.id for each in PLAYED} == set(BLOCKS + PROSE) - set(BEYOND)


@pytest.mark.parametrize("example", load("bq.txt") + load("prose.txt"), ids=lambda each: each.id)
def test_an_example_adds_up(example: Example) -> None:
    """All changes of a block add to zero and lead from the bank before to the bank after (R-00)."""
    changes = [*example.net.values(), example.net_bank, example.net_banker, example.house]
    assert sum(changes) == 0
    assert example.bank + example.net_bank == example.final_bank
    assert len(example.shoe) == example.cards


@pytest.mark.parametrize("example", PLAYED, ids=lambda each: each.id)
def test_an_example_comes_out_as_the_sheet_says(example: Example) -> None:
    """Coverage, cards, scores, results, payments and commission are those of the block (R-30 to R-47)."""
    options = options_of(example)
    covered = _cover(example, options)
    if example.covered is not None:
        assert [(each.seat, each.on, each.covered) for each in covered] == [
            (bet.seat, bet.on, bet.amount) for bet in example.covered
        ]
    played = _play(example, coverage.dealt_panos(covered), options)
    assert played.points == example.points
    assert played.naturals == example.naturals
    assert played.results == example.results
    assert played.cards_used + example.burned == example.cards
    settled = settlement.settle(
        options["coverage"],
        example.bank,
        covered,
        played.results,
        options["commission_bp"],
        options["commission_unit"],
    )
    assert settled.net == example.net
    assert settled.bank == example.final_bank
    assert settled.house == example.house


@pytest.mark.parametrize(
    "example",
    [each for each in PLAYED if any(refused.code == "illegal_action" for refused in each.refused)],
    ids=lambda each: each.id,
)
def test_an_illegal_action_of_an_example_is_not_among_the_legal_ones(example: Example) -> None:
    """What a block says is refused with `illegal_action`, the tableau does not allow (R-43)."""
    options = options_of(example)
    panos = coverage.dealt_panos(_cover(example, options))
    order = coup.deal_order(panos)
    for refused in example.refused:
        hand = next((pano for pano in panos if example.holders[pano] == refused.seat), coup.BANK)
        points = total(rank for to, rank in zip(order, example.shoe, strict=False) if to == hand)
        legal = (
            tableau.banker_may(options["banker_rule"], points)
            if hand == coup.BANK
            else tableau.punter_may(points, options["five"])
        )
        assert legal
        assert refused.type not in legal


def test_the_mano_rotates_as_in_bq_21() -> None:
    """Through the coups of BQ-21 each pointer moves on exactly when the bank beats its paño (R-16, R-17)."""
    coups = [each for each in PLAYED if each.id.startswith("BQ-21/")]
    seats = {"right": [1, 2, 4], "left": [11, 12]}
    pointers = {pano: holders.first_holder(occupied) for pano, occupied in seats.items()}
    for example in coups:
        staking = {bet.seat for bet in example.stakes}
        chosen = {pano: holders.choose_holder(pointers[pano], seats[pano], staking) for pano in seats}
        assert {pano: holder for pano, (holder, _) in chosen.items()} == example.holders
        pointers = {
            pano: holders.pointer_after("rotating", example.results[pano], seats[pano], pointer)
            for pano, (_, pointer) in chosen.items()
        }
        assert pointers == example.next_holders
    assert pointers == {"right": 1, "left": 11}


@pytest.mark.parametrize("case", load_end_of_shoe(), ids=lambda case: f"{case['mode']}-{case['dealt']}")
def test_the_end_of_the_shoe_is_that_of_bq_27(case: dict[str, Any]) -> None:
    """A coup may begin only while more cards than those behind the stop card remain (R-07, R-08)."""
    remaining = 52 * case["packs"] - case["dealt"]
    assert remaining == case["remaining"]
    assert coup.may_begin(remaining, case["stop_card"]) is case["may_begin"]
    if "longest" in case:
        nine = coup.play([0] * case["longest"], ("right", "left"))
        assert nine.cards_used == case["longest"]
        assert case["dealt"] + nine.cards_used == case["dealt_at_most"]
