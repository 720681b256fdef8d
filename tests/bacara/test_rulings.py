"""Incidents of a physical table and what is right after them (R-80 to R-92)."""

import ast
import tomllib
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.rules.bacara import coup, coverage, holders, rulings, settlement, tableau
from dealer.rules.bacara.points import RANKS, value
from dealer.rules.bacara.rulings import IN_PLACE, OUT, Fate, Ruling, Score
from tests.bacara.examples import DATA
from tests.project.tree import TREE, files

CASES: list[dict[str, Any]] = tomllib.loads((DATA / "rulings.toml").read_text("utf-8"))["cases"]
SEATED = {"right": [1, 2], "left": [11, 12], "single": [1, 2]}
RULES = st.sampled_from(["same", "free", "table"])
CARDS = st.sampled_from(RANKS)


def _scores(case: dict[str, Any], ruling: Ruling, panos: tuple[str, ...]) -> dict[str, Score]:
    """What the hands count without the incident; a coup with a shoe is played from what the ruling leaves."""
    if "shoe" not in case:
        return msgspec.convert(case.get("scores", {}), dict[str, Score])
    shoe = list(case["shoe"])
    for fate in ruling.cards:
        assert fate.to == OUT
        shoe.remove(fate.card)
    played = coup.play([value(rank) for rank in shoe], panos)
    assert played.points == case["played"]
    assert played.cards_used + len(ruling.cards) == case["cards_used"]
    return {hand: Score(points, hand in played.naturals) for hand, points in played.points.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['title']}")
def test_an_incident_of_the_sheet_comes_out_as_it_says(case: dict[str, Any]) -> None:
    """BQ-28 to BQ-31: what becomes of cards, scores, stakes and manos (R-81, R-82, R-86, R-89)."""
    ruling = getattr(rulings, case["incident"])(**case["given"])
    assert ruling == msgspec.convert(case["ruling"], Ruling)

    pointers = {pano: seats[0] for pano, seats in SEATED.items()}
    stakes = [coverage.Stake(order=place, **stake) for place, stake in enumerate(case["stakes"])]
    covered = coverage.cover(case["bank"], stakes, pointers)
    panos = coverage.dealt_panos(covered)
    results = rulings.results(ruling, panos, _scores(case, ruling, panos))
    assert results == case["results"]
    settled = settlement.settle("before", case["bank"], covered, results)
    assert {str(seat): change for seat, change in settled.net.items()} == case["net"]
    assert settled.bank == case["final_bank"]
    for pano, stays in case.get("holders_after", {}).items():
        assert holders.pointer_after("rotating", results[pano], SEATED[pano], pointers[pano]) == stays


def test_the_data_hold_the_incidents_with_numbers() -> None:
    """The incidents that the sheet works out are all among the data."""
    assert [case["id"] for case in CASES] == ["BQ-28", *["BQ-29"] * 6, "BQ-30", "BQ-31"]


@pytest.mark.parametrize(("burn", "to"), [(False, IN_PLACE), (True, OUT)])
def test_a_card_that_left_too_early_never_goes_back(burn: bool, to: str) -> None:
    """The coup must be given, with the card or, if the supervisor burns it, without (R-80)."""
    assert rulings.card_before_close("9", burn) == Ruling(cards=(Fate("9", to),), obliges=True)


def test_a_card_on_the_floor_counts() -> None:
    """It keeps its value, and play goes on (R-83)."""
    assert rulings.card_on_floor("9") == Ruling(cards=(Fate("9", IN_PLACE),))


def test_an_exposed_card_binds_everybody() -> None:
    """Whichever hand it was of, no hand that was dealt may choose any more (R-84)."""
    hands = ("right", "left", "bank")
    assert rulings.card_exposed_in_deal(hands) == Ruling(bound=hands)


@given(st.integers(0, 7), st.none() | st.integers(0, 9))
def test_a_hand_that_was_seen_binds_the_banker(own: int, third: int | None) -> None:
    """He alone is bound, and where his table leaves him free he draws (R-85, R-41)."""
    assert rulings.hand_exposed() == Ruling(bound=("bank",))
    legal = tableau.banker_may("table", own, (third,))
    assert tableau.banker_default("table", own, (third,)) == ("draw" if "draw" in legal else "stand")


@given(st.integers(0, 9), st.lists(CARDS, min_size=1, max_size=3), RULES)
def test_a_card_served_in_vain_is_the_bankers_or_nobodys(own: int, served: list[str], rule: str) -> None:
    """The banker uses one card at most, on 0 to 5, under `same` on 0 to 4; the rest is discarded (R-86)."""
    ruling = rulings.card_served_after_no(own, served, rule)
    takes = own <= (4 if rule == "same" else 5)
    assert [fate.card for fate in ruling.cards] == served
    assert [fate.to for fate in ruling.cards] == ["bank" if takes else OUT, *[OUT] * (len(served) - 1)]
    points = (own + value(served[0])) % 10 if takes else own
    assert ruling.scores == {"bank": Score(points, natural=own >= 8)}


def test_any_other_fault_voids_the_coup_unless_it_can_be_mended() -> None:
    """Only what harms neither banker nor puntos is put right (R-87)."""
    assert rulings.other_fault(harmless=False) == Ruling(void=True)
    assert rulings.other_fault(harmless=True) == Ruling()


@given(st.integers(0, 9), st.sampled_from(["draw", "stand"]), CARDS, st.sampled_from(["stand", "free"]))
def test_a_punto_against_the_tableau_is_put_right(own: int, act: str, card: str, five: str) -> None:
    """A surplus card is discarded, a missing one served; he may not hold cards again (R-88, R-37)."""
    must_draw, may_choose = own <= 4, own == 5 and five == "free"
    if may_choose or (act == "draw") is must_draw or (act == "stand" and own >= 8):
        with pytest.raises(ValueError, match=f"left may {act} on {own}"):
            rulings.punter_broke_tableau("left", own, act, card, five)
        return
    ruling = rulings.punter_broke_tableau("left", own, act, card, five)
    if act == "draw":
        expected, fate = Score(own, natural=own >= 8), Fate(card, OUT)
    else:
        expected, fate = Score((own + value(card)) % 10), Fate(card, "left")
    assert ruling == Ruling(bars_holder=True, cards=(fate,), scores={"left": expected})


@given(st.integers(0, 7), st.sampled_from(["draw", "stand"]), CARDS, RULES, st.none() | st.integers(0, 9))
def test_a_banker_against_his_rule_is_put_right(
    own: int, act: str, card: str, rule: str, third: int | None
) -> None:
    """A surplus card is discarded, a missing one drawn, and he goes on holding cards (R-89, R-41)."""
    if act in tableau.banker_may(rule, own, (third,)):
        with pytest.raises(ValueError, match=f"bank may {act} on {own}"):
            rulings.banker_broke_rule(own, act, card, rule, (third,))
        return
    ruling = rulings.banker_broke_rule(own, act, card, rule, (third,))
    if act == "draw":
        assert ruling == Ruling(cards=(Fate(card, OUT),), scores={"bank": Score(own)})
    else:
        drawn = Score((own + value(card)) % 10)
        assert ruling == Ruling(cards=(Fate(card, "bank"),), scores={"bank": drawn})


def test_the_cards_speak() -> None:
    """Whatever was announced, the cards count; a natural that was not laid down is one (R-90, R-44)."""
    ruling = rulings.wrong_announcement(
        {"right": ["K", "8"], "left": ["5", "4", "T"], "bank": ["4", "A", "4"]}
    )
    assert ruling == Ruling(scores={"right": Score(8, natural=True), "left": Score(9), "bank": Score(9)})
    announced = {"right": Score(0), "left": Score(1), "bank": Score(2)}
    assert rulings.results(ruling, ("right", "left"), announced) == {"right": "pano", "left": "push"}


def test_without_a_whole_shoe_the_coup_is_void() -> None:
    """A shoe of the wrong size, or one that ran out, voids the coup and ends (R-91, R-92)."""
    for ruling in (rulings.shoe_incomplete(), rulings.shoe_ran_out()):
        assert ruling == Ruling(ends_shoe=True, void=True)
        assert rulings.results(ruling, ("right", "left"), {}) == {"right": "push", "left": "push"}


def test_no_door_leads_to_the_rulings() -> None:
    """Design 6: a host must not be able to move cards of a sealed shoe, nothing calls these (R-80, R-92)."""
    imported = {
        name
        for path in files(".py")
        if path.relative_to(TREE).parts[0] in {"dealer", "ops", "shoe"}
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
    }
    assert "dealer.rules.bacara.tableau" in imported
    assert not {name for name in imported if name.endswith("rulings")}
