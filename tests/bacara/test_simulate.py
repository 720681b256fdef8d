"""Simulated coups (`simulate bacara`)."""

import json
import math

import pytest

from dealer.rules.bacara.coup import CoupResult, play
from dealer.rules.bacara.odds.report import odds
from dealer.rules.bacara.points import value_of_card
from dealer.rules.bacara.simulate import RESULTS, of_profile, simulate
from dealer.rules.frame.profile import resolve
from dealer.rules.frame.refusal import Refusal
from dealer.rules.registry import GAMES
from shoe.cards import Deck
from shoe.entropy import simulation_seed
from shoe.shoe import Shoe, make_transcript

ROUNDS = 2000


def test_the_counts_are_those_of_coups_played_one_by_one_from_real_shoes() -> None:
    """Each shoe is a `corte/1` shuffle that proves itself, dealt down to the stop card (R-04, R-07, R-08)."""
    report = simulate(200, 3)
    ends: list[CoupResult] = []
    shoes = 0
    while len(ends) < 200:
        shoes += 1
        secret = simulation_seed("bacara", 3, shoes)
        shoe = Shoe(make_transcript("simulate/bacara", shoes, Deck("fr52", 3), secret), secret)
        values = [value_of_card(card) for card in shoe.order]
        while len(values) > 10 and len(ends) < 200:
            ends.append(played := play(values, ("right", "left")))
            values = values[played.cards_used :]
    assert report["shoes"] == shoes
    for right in RESULTS:
        for left in RESULTS:
            same = [coup for coup in ends if coup.results == {"right": right, "left": left}]
            assert report["joint"][right][left] == len(same)
    assert report["cards"] == {str(used): sum(c.cards_used == used for c in ends) for used in range(6, 10)}


def test_all_figures_count_the_same_coups() -> None:
    """Each paño, the joint table and the cards sum to `rounds`; the margins are those of the joint table."""
    report = simulate(ROUNDS, 1)
    assert report["rounds"] == ROUNDS
    assert sum(report["cards"].values()) == ROUNDS
    for right in RESULTS:
        assert report["right"][right] == sum(report["joint"][right].values())
        assert report["left"][right] == sum(report["joint"][each][right] for each in RESULTS)
    assert sum(report["right"].values()) == sum(report["left"].values()) == ROUNDS
    assert json.loads(json.dumps(report)) == report


def test_a_simulation_can_be_repeated() -> None:
    """The same arguments give the same counts, another seed or another shoe gives others."""
    assert simulate(ROUNDS, 1) == simulate(ROUNDS, 1)
    assert simulate(ROUNDS, 1)["joint"] != simulate(ROUNDS, 2)["joint"]
    assert simulate(ROUNDS, 1)["joint"] != simulate(ROUNDS, 1, packs=4)["joint"]


def test_the_stop_card_decides_how_long_a_shoe_lasts() -> None:
    """With 155 of 156 cards behind it a shoe gives one coup, with 8 some twenty; no coup, no shoe (R-08)."""
    assert simulate(7, 1, stop_card=155)["shoes"] == 7
    assert simulate(7, 1, stop_card=8)["shoes"] == 1
    assert simulate(0, 1)["shoes"] == 0


def test_progress_is_told_after_each_shoe() -> None:
    """The caller hears the coups played so far, ascending, the last time all of them."""
    told: list[int] = []
    report = simulate(100, 1, on_progress=told.append)
    assert len(told) == report["shoes"]
    assert told == sorted(set(told))
    assert told[-1] == 100


@pytest.mark.parametrize("stop_card", [7, 156])
def test_a_stop_card_that_leaves_no_coup_or_half_a_coup_is_refused(stop_card: int) -> None:
    """Fewer than eight cards could run out inside a coup, all of them would leave none (R-08)."""
    with pytest.raises(ValueError, match="stop card"):
        simulate(1, 1, stop_card=stop_card)


@pytest.mark.parametrize(
    ("profile", "mode", "panos"),
    [
        ("seed", "dos-panos", ["right", "left"]),
        ("seed", "tournant", ["single"]),
        ("reglamento-1979", "", ["right", "left"]),
        ("arrete-2007", "limited", ["right", "left"]),
        ("arrete-2007", "open", ["right", "left"]),
        ("chemin-de-fer", "", ["single"]),
        ("punto-y-banca", "", ["punto"]),
    ],
)
def test_every_profile_can_be_simulated(profile: str, mode: str, panos: list[str]) -> None:
    """Under its own rules, within five standard errors of its odds (R-37, R-41, R-101).

    A paño ends as often in each way whether the other is dealt or not, so that its odds are those of one.
    """
    options = resolve(GAMES["bacara"].profiles[profile], mode, {})
    assert not isinstance(options, Refusal)
    told = of_profile(ROUNDS, 1, options, options["packs"])
    assert set(told) == {*panos, "rounds", "cards", "shoes"} | ({"joint"} if len(panos) == 2 else set())
    assert sum(told["cards"].values()) == ROUNDS
    exact = odds(options, panos=1)
    orders = exact["results"] if profile == "punto-y-banca" else exact[panos[0]]
    for pano in panos:
        _agree(told[pano], orders, exact["total"])
    if len(panos) == 1:
        _agree(told["cards"], exact["cards"], exact["total"])


def _agree(counted: dict[str, int], orders: dict[str, int], total: int) -> None:
    """Each way to end came about as often as it has orders, up to five standard errors."""
    assert sum(counted.values()) == ROUNDS
    for end, number in orders.items():
        part = number / total
        error = math.sqrt(ROUNDS * part * (1 - part))
        assert abs(counted[end] - ROUNDS * part) < 5 * error, end
