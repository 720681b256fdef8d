"""Many hands between bots, counted by what the bidding came to (butifarra 5.1, 6.1)."""

import random
from typing import Any

import pytest

from dealer.rules.frame.game import Option
from dealer.rules.registry import GAMES, SIMULATIONS
from dealer.table.practice import Practice
from tests.butifarra.rig import Butifarra

simulate = SIMULATIONS["butifarra"]


def _practice(game: str, profile: str, mode: str, chosen: Any, seed: int) -> Practice:
    return Practice(GAMES[game], profile, mode, chosen, seed)


def _anybody(view: Any, hand: Any, options: list[Option]) -> Any:
    """Does anything legal but to give up, alike for the same table."""
    luck = random.Random(view["seq"])  # noqa: S311 - a script of moves
    return Butifarra.command(luck.choice([o for o in options if o.type != "concede"]))


@pytest.mark.parametrize(
    ("profile", "outcomes", "multipliers"),
    [
        ("seed", {str(line) for line in range(1, 9)}, {"1", "2", "4", "8"}),
        (
            "competicio-lliure",
            {"none", "contro", "recontro", "sant_vicenc", "barraca"},
            {"1", "2", "4", "8", "16"},
        ),
    ],
)
def test_simulated_matches(profile: str, outcomes: set[str], multipliers: set[str]) -> None:
    """5.1, 6.1: every hand is counted once, by its line or last word, and by its multiplier."""
    rivals = dict.fromkeys(range(1, 5), _anybody)
    told = simulate(30, 3, _practice, profile=profile, rivals=rivals)
    assert told["outcomes"].keys() == outcomes
    assert told["multipliers"].keys() == multipliers
    assert sum(told["outcomes"].values()) == sum(told["multipliers"].values()) == told["rounds"] >= 30
    assert sum(told["won"].values()) == told["matches"]
    assert 0 < told["delegated"] < told["rounds"]
    assert told["winner"]["least"] >= 101 > told["others"]["most"]
    if profile == "seed":
        doubled = {"1": 1, "2": 2, "3": 2, "4": 4, "5": 4, "6": 8, "7": 4, "8": 8}
        by_line = {n: sum(told["outcomes"][k] for k, m in doubled.items() if m == n) for n in (1, 2, 4, 8)}
        assert told["multipliers"] == {str(n): count for n, count in by_line.items()}


def test_the_same_numbers_again() -> None:
    """The same arguments give the same counts, another seed others."""
    one, again, other = (
        simulate(1, luck, _practice, rivals=dict.fromkeys(range(1, 5), _anybody)) for luck in (1, 1, 2)
    )
    assert one == again != other
