"""Counting coups: the whole of a shoe, exactly (R-01, R-33 to R-44, R-99 to R-101)."""

from collections import Counter
from math import perm, sqrt

import pytest

from dealer.rules.bacara.coup import play
from dealer.rules.bacara.odds.bankers import by_rule
from dealer.rules.bacara.odds.counts import Hands, full
from dealer.rules.bacara.odds.coups import count
from dealer.rules.bacara.odds.report import RESULTS, odds
from dealer.rules.bacara.odds.sight import Rules
from dealer.rules.bacara.simulate import simulate
from tests.bacara.odds import plain
from tests.bacara.odds.seed import seed

ROUNDS = 40_000


def test_a_full_shoe_has_four_suits_of_each_pack() -> None:
    """Three packs: twelve of each value, and 48 tens and courts that count nothing (R-01, R-02)."""
    assert full(3) == (48, *[12] * 9)


@pytest.mark.parametrize("panos", [1, 2])
@pytest.mark.parametrize("shoe", plain.TINY, ids=str)
def test_every_order_of_a_tiny_shoe(shoe: dict[int, int], panos: int) -> None:
    """The counts are those of all its orders, played by a second, plain telling of the rules (R-33, R-44)."""
    rules = Rules("same", "stand", panos)
    counted = count(Hands(), plain.counts(shoe), rules, by_rule(rules))
    assert counted == plain.count(shoe, panos, plain.tableau)


@pytest.mark.parametrize(
    ("five", "rule"), [("free", "table"), ("free", "free"), ("draw", "punto_y_banca"), ("stand", "same")]
)
@pytest.mark.parametrize("shoe", [*plain.TINY, {0: 2, 3: 3, 4: 2, 8: 3, 9: 2}], ids=str)
def test_every_order_under_other_rules(shoe: dict[int, int], five: str, rule: str) -> None:
    """With one paño the counts are those of the coup step by step, whatever its rules (R-37, R-41, R-101)."""
    rules = Rules(rule, five, 1)
    expected: Counter[tuple[tuple[str, ...], int]] = Counter()
    for row, weight in plain.orders(shoe, 6):
        played = play(row, ("single",), five, rule)
        expected[(played.results["single"],), played.cards_used] += weight
    assert count(Hands(), plain.counts(shoe), rules, by_rule(rules)) == expected


@pytest.mark.usefixtures("uncounted")
def test_the_published_counts_of_punto_y_banca() -> None:
    """Of the ordered draws of six cards from eight packs the bank wins, punto wins, nobody wins (R-101)."""
    options = {"five": "draw", "banker_rule": "punto_y_banca", "panos": 1, "packs": 8, "commission_bp": 0}
    found = odds(options)
    assert found["single"] == {
        "bank": 2_292_252_566_437_888,
        "pano": 2_230_518_282_592_256,
        "push": 475_627_426_473_216,
    }
    assert found["total"] == 4_998_398_275_503_360


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("packs", [3, 4])
def test_all_figures_count_the_same_orders(packs: int) -> None:
    """Paños, joint table and cards sum to all orders of nine cards; 6 to 9 are used (15.4 property 4)."""
    found = seed(packs)
    assert found["total"] == perm(52 * packs, 9)
    assert list(found["cards"]) == ["6", "7", "8", "9"]
    assert sum(found["cards"].values()) == found["total"]
    for each in RESULTS:
        assert found["right"][each] == sum(found["joint"][each].values())
        assert found["left"][each] == sum(row[each] for row in found["joint"].values())
    assert sum(found["right"].values()) == found["total"]


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("packs", [3, 4])
def test_the_edge_is_nought(packs: int) -> None:
    """Bank and paño win with exactly equal probability, on each paño alike (15.4 property 11)."""
    found = seed(packs)
    assert found["right"] == found["left"]
    assert found["right"]["bank"] == found["right"]["pano"]
    assert (found["edge"], found["gain"]) == ({"right": 0, "left": 0}, 0)


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("packs", [3, 4])
def test_a_pano_alone_ends_as_one_of_two(packs: int) -> None:
    """The result of a paño does not depend on the other beyond the cards that leave (15.4 property 6)."""
    found = seed(packs)
    alone = odds({"five": "stand", "banker_rule": "same", "panos": 2, "commission_bp": 0}, packs, panos=1)
    for each in RESULTS:
        assert alone["right"][each] * found["total"] == found["right"][each] * alone["total"]


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("packs", [3, 4])
def test_simulated_coups_come_as_often(packs: int) -> None:
    """Joint results and numbers of cards are within five standard deviations of their exact shares (R-04)."""
    found, seen = seed(packs), simulate(ROUNDS, 1, packs=packs)
    pairs = [(found["joint"][r][s], seen["joint"][r][s]) for r in RESULTS for s in RESULTS]
    pairs += [(found["cards"][n], seen["cards"][n]) for n in found["cards"]]
    for orders, coups in pairs:
        share = orders / found["total"]
        assert abs(coups - ROUNDS * share) <= 5 * sqrt(ROUNDS * share * (1 - share))
