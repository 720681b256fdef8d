"""The bidding against the tables, the counts and the worked examples of the sheet (butifarra 5, 6)."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from dealer.rules.butifarra import bidding
from dealer.rules.butifarra.bidding import Bidding, Contract
from tests.butifarra.examples import bid, chosen, code, load, options, trump


@pytest.mark.parametrize("example", load("bu_bid"), ids=lambda example: example["id"])
def test_a_bidding(example: dict[str, Any]) -> None:
    """BU-33 to BU-42, BU-54 to BU-58: who speaks, what is refused, what it comes to.

    5.1, 5.2, 5.4, 6, 6.1, 6.2; U-06, U-07, U-08, U-09, U-10, U-11, U-12, U-13, U-14, U-15, U-16, U-26, U-27.
    """
    rules, dealer = options(example), example["dealer"] + 1
    state = bidding.opened(dealer)
    for step in example["steps"]:
        seat, (word, offer) = step["seat"] + 1, bid(step["bid"])
        assert bidding.refusal(state, rules, seat, word, offer) == code(step.get("error", "")), step
        if "error" not in step:
            state = bidding.said(state, rules, seat, word, offer)
    assert (state.step, bidding.turn(state)) == ("", 0)
    told = example["result"]
    assert bidding.contract(state, rules, dealer) == Contract(
        trump(told["trump"]), told["mult"], told["leader"] + 1, told["side"] + 1
    )


def _ends(state: Bidding, rules: dict[str, Any], dealer: int) -> Iterator[Contract]:
    """What every legal sequence comes to."""
    if not state.step:
        yield bidding.contract(state, rules, dealer)
        return
    seat = bidding.turn(state)
    for word, offer in bidding.sayable(state, rules):
        assert bidding.refusal(state, rules, seat, word, offer) == ""
        yield from _ends(bidding.said(state, rules, seat, word, offer), rules, dealer)


@pytest.mark.parametrize("dealer", [1, 4])
@pytest.mark.parametrize(
    ("profile", "switches", "counts"),
    [
        ("seed", {}, {1: 8, 2: 50, 4: 128, 8: 64}),
        ("seed", {"contest_butifarra": False}, {1: 8, 2: 50, 4: 112, 8: 32}),
        ("competicio-lliure", {}, {1: 8, 2: 18, 4: 36, 8: 72, 16: 16}),
        ("competicio-obligada", {"contro_steps_suit": 4}, {1: 8, 2: 18, 4: 36, 8: 72, 16: 144}),
        (
            "competicio-lliure",
            {"contro_steps_suit": 2, "contro_steps_butifarra": 0},
            {1: 8, 2: 18, 4: 32},
        ),
    ],
)
def test_every_legal_sequence(
    profile: str, switches: dict[str, Any], counts: dict[int, int], dealer: int
) -> None:
    """5.3 and 6.3: 250, 150 and 278 sequences with these multipliers, whoever deals; 5.4, U-16: who leads."""
    rules = chosen(profile, **switches)
    found = list(_ends(bidding.opened(dealer), rules, dealer))
    assert Counter(contract.multiplier for contract in found) == counts
    if profile != "seed":
        assert {contract.leader for contract in found} == {dealer % 4 + 1}
    else:
        assert all((contract.leader - 1) % 2 + 1 == contract.side for contract in found)
