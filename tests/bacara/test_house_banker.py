"""The house's own hand under a free rule: by the rule, or the best of what it sees (`house_banker`)."""

from itertools import product
from typing import Any

import pytest

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.odds.bankers import best_act
from dealer.rules.bacara.odds.counts import full
from dealer.rules.bacara.odds.sight import Rules, Sight
from dealer.rules.bacara.state import SPEAKING
from tests.bacara.banks import word
from tests.table.rig import WORDS, Rig, stake


def table(laid: str, **chosen: Any) -> Rig:
    """The house banks at a table of the regulation; D1 and I1 are there."""
    rig = Rig(laid, profile="reglamento-1979", mode="", bank_modes=["house"], **chosen)
    for seat in (1, 11):
        rig.sit(seat, 5_000)
    rig.fund()
    return rig


def coup(rig: Rig, *stakes: tuple[int, str, int]) -> str:
    """A coup in which paños stand where they are free; what the house's hand did."""
    for each in stakes:
        rig.play(each[0], stake(each[1], each[2]))
    rig.close_stakes()
    while rig.table.phase in SPEAKING:
        (seat,) = rig.clock().seats
        words = rig.words(seat)
        rig.play(seat, WORDS["stand" if "stand" in words else words[0]])
    drew = any(each.hand == "bank" for each in rig.of(ev.HandDrew))
    return "draw" if drew else "stand"


CARDS = "2K5K7K9K"
"""Right 2 and then a nine, left 7, the bank 5, and a court if it draws."""


def _gain(right: int, left: int) -> dict[tuple[str, ...], int]:
    worth = {"bank": 1, "push": 0, "pano": -1}
    results = product(worth, repeat=2)
    return {each: right * worth[each[0]] + left * worth[each[1]] for each in results}


@pytest.mark.parametrize("stakes", [(1_000, 10), (10, 1_000)])
def test_by_rule_it_plays_the_tableau(stakes: tuple[int, int]) -> None:
    """With five it stands, whatever the paños have shown and whatever is staked (section 12)."""
    assert coup(table(CARDS), (1, "right", stakes[0]), (11, "left", stakes[1])) == "stand"


def test_the_best_depends_on_the_stakes() -> None:
    """The exact best response to all it sees, which a large stake on either paño decides (R-41)."""
    acts = []
    for right, left in ((1_000, 10), (10, 1_000)):
        act = coup(table(CARDS, house_banker="best"), (1, "right", right), (11, "left", left))
        rules, sight = Rules("free", "free", 2), Sight((5, 0), (9, None))
        assert act == best_act(full(6), rules, sight, _gain(right, left))
        acts.append(act)
    assert sorted(acts) == ["draw", "stand"]


def test_a_natural_pano_is_seen_and_an_idle_one_is_not() -> None:
    """It plays for the paño that is still open, and knows of no other that was dealt (R-20, R-39)."""
    natural = coup(table("9K5K7K9", house_banker="best"), (1, "right", 50), (11, "left", 50))
    rules, sight = Rules("free", "free", 2), Sight((5, 0), ((9, 0), None))
    assert natural == best_act(full(6), rules, sight, _gain(50, 50))
    alone = coup(table("25KK9K", house_banker="best"), (1, "right", 50))
    gain: dict[tuple[str, ...], int] = {("bank",): 50, ("push",): 0, ("pano",): -50}
    assert alone == best_act(full(6), Rules("free", "free", 1), Sight((5, 0), (9,)), gain)


def test_somebody_who_banks_and_is_silent_plays_the_tableau() -> None:
    """The option is the house's own: what time means for a player stays what it was (section 12)."""
    rig = Rig(CARDS, profile="reglamento-1979", mode="", house_banker="best", banco="off")
    for seat in (1, 11, 5):
        rig.sit(seat, 5_000)
    rig.play(5, word("offer_bank", amount=2_000))
    rig.play(1, stake("right", 10))
    rig.play(11, stake("left", 1_000))
    rig.close_stakes()
    while rig.table.phase in SPEAKING:
        rig.expire()
    assert [each.hand for each in rig.of(ev.HandStood)] == ["left", "bank"]
