"""The banker who plays his rule, and the one who makes the best of it (R-41)."""

from itertools import product

import pytest

from dealer.rules.bacara.odds.bankers import best, best_act
from dealer.rules.bacara.odds.counts import Hands, full
from dealer.rules.bacara.odds.coups import count
from dealer.rules.bacara.odds.report import RESULTS, odds
from dealer.rules.bacara.odds.sight import Rules, Sight
from tests.bacara.odds import plain

FREE = {"five": "stand", "banker_rule": "free", "panos": 2, "packs": 3, "commission_bp": 0}


def gain(*stakes: int) -> dict[tuple[str, ...], int]:
    """What each way to end brings the banker against these stakes."""
    return {
        results: sum(stake * plain.WORTH[result] for stake, result in zip(stakes, results, strict=True))
        for results in product(RESULTS, repeat=len(stakes))
    }


@pytest.mark.parametrize(
    ("shoe", "stakes"),
    [
        ({0: 4, 3: 3, 8: 4}, (1, 1)),
        ({2: 4, 5: 3, 9: 5}, (7, 2)),
        ({3: 3, 5: 5, 6: 4}, (1, 3)),
        ({0: 2, 4: 6, 7: 3}, (1,)),
        ({0: 2, 3: 3, 4: 2, 8: 3, 9: 2}, (1,)),
    ],
    ids=str,
)
def test_the_best_is_the_best_of_all_he_could_try(shoe: dict[int, int], stakes: tuple[int, ...]) -> None:
    """Free, he does what is worth most, stakes weighed, in all coups that look the same to him (R-41)."""
    rules, hands = Rules("free", "stand", len(stakes)), Hands()
    counted = count(hands, plain.counts(shoe), rules, best(hands, plain.counts(shoe), rules, gain(*stakes)))
    assert counted == plain.count(shoe, len(stakes), plain.best(shoe, len(stakes), stakes))


@pytest.mark.parametrize(("rule", "five"), [("same", "stand"), ("punto_y_banca", "draw")])
def test_who_has_no_choice_plays_his_rule(rule: str, five: str) -> None:
    """Under `same` and in punto y banca the best banker does what anybody's does (R-41, R-101)."""
    bound = {**FREE, "panos": 1, "banker_rule": rule, "five": five}
    assert odds(bound, banker="best") == odds(bound)


def test_the_table_binds_nobody_to_his_harm() -> None:
    """With six packs the best of all bankers is found in the free cells of the table (R-41)."""
    table = {**FREE, "panos": 1, "packs": 6, "banker_rule": "table", "five": "free"}
    best_of_table = odds(table, banker="best")
    assert best_of_table == odds({**table, "banker_rule": "free"}, banker="best")
    assert best_of_table["gain"] > odds(table)["gain"]


def test_the_stakes_decide() -> None:
    """Where the paños show opposite things he plays against the one with more on it (R-41)."""
    rules, sight = Rules("free", "stand", 2), Sight((5, 0), (0, None))
    assert best_act(full(3), rules, sight, gain(100, 1)) == "stand"
    assert best_act(full(3), rules, sight, gain(1, 100)) == "draw"


def test_cards_seen_before_count() -> None:
    """Told that only nines are left to draw, he stands on a 5 that he would else draw to (R-41)."""
    rules, sight = Rules("free", "stand", 1), Sight((5, 0), (None,))
    assert best_act(full(3), rules, sight, gain(1)) == "draw"
    assert best_act((4, 0, 0, 0, 0, 4, 0, 0, 0, 40), rules, sight, gain(1)) == "stand"


@pytest.mark.parametrize("sight", [Sight((8, 0), (None,)), Sight((5, 0), ((1, 7),))])
def test_a_banker_who_is_not_asked(sight: Sight) -> None:
    """With a natural, or against nothing but naturals, he does not speak: it is an error (R-35, R-40)."""
    with pytest.raises(ValueError, match="does not speak"):
        best_act(full(3), Rules("free", "stand", 1), sight, gain(1))


def test_where_both_acts_are_worth_the_same_the_tableau_decides() -> None:
    """Nothing at stake: 0 to 4 draws, 5 to 7 stands (R-41)."""
    rules = Rules("free", "stand", 1)
    acts = [best_act(full(3), rules, Sight((0, own), (3,)), gain(0)) for own in range(8)]
    assert acts == ["draw"] * 5 + ["stand"] * 3


def test_commission_is_taken_of_what_the_bank_gains() -> None:
    """1.25 % of each coup that it wins, unrounded; the bet loses what it loses without (R-47)."""
    found = odds({**FREE, "commission_bp": 125}, banker="best", panos=1)
    wins, losses = found["right"]["bank"], found["right"]["pano"]
    assert wins > losses
    assert found["gain"] == pytest.approx((wins * 0.9875 - losses) / found["total"])
    assert found["edge"]["right"] == pytest.approx((wins - losses) / found["total"])


def test_the_bank_cannot_have_more_panos_than_the_table() -> None:
    """A profile on one paño has no odds for two, and nobody deals to none."""
    with pytest.raises(ValueError, match="1 to 1, not 2"):
        odds({**FREE, "panos": 1}, panos=2)
    with pytest.raises(ValueError, match="1 to 2, not 0"):
        odds(FREE, panos=0)
