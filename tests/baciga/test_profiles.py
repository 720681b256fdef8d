"""The profiles against the figures of the sheet, and what a table may choose (baciga 3, 11, 12.10)."""

from typing import Any

import pytest

from dealer.rules.baciga import cards, melds
from dealer.rules.frame.profile import resolve
from dealer.rules.frame.refusal import Refusal
from tests.baciga.examples import GAME
from tests.baciga.rig import Baciga

FIGURES: dict[str, dict[str, Any]] = {
    "seed": {
        "hand_size": 9,
        "packets": [3, 3, 3],
        "trump_card": "last_of_pack",
        "declare_when": "any_time",
        "one_meld_per_trick": False,
        "reuse": "by_type",
        "must_beat": False,
        "triple_from_hand": True,
        "seven_bonus": 0,
        "last_trick_bonus": 0,
        "briscas": "if_nobody_won",
        "target": 1_500,
    },
    "seed-china": {
        "packs": 6,
        "hand_size": 12,
        "packets": [3, 3, 3, 3],
        "trump_card": "last_of_pack",
        "declare_when": "any_time",
        "one_meld_per_trick": False,
        "reuse": "while_whole",
        "must_beat": False,
        "triple_from_hand": False,
        "seven_bonus": 0,
        "last_trick_bonus": 0,
        "briscas": "if_nobody_won",
        "target": 10_000,
    },
    "standard": {
        "hand_size": 8,
        "packets": [3, 2, 3],
        "trump_card": "next_after_deal",
        "declare_when": "trick_winner",
        "one_meld_per_trick": True,
        "reuse": "by_class",
        "must_beat": True,
        "triple_from_hand": True,
        "seven_bonus": 10,
        "last_trick_bonus": 10,
        "briscas": "always",
    },
}


def _options(profile: str, **chosen: Any) -> dict[str, Any] | Refusal:
    found = resolve(GAME.profiles[profile], "", chosen)
    return found if isinstance(found, Refusal) else GAME.check_options(found) or found


@pytest.mark.parametrize("profile", FIGURES)
def test_figures(profile: str) -> None:
    """Section 3: the figures of each profile, and what all have in common."""
    found = _options(profile)
    assert isinstance(found, dict)
    assert FIGURES[profile].items() <= found.items()
    assert (found["players"], found["pairing"], found["first_dealer"]) == (2, "chosen", "lot")
    for players in (2, 3, 4):
        of_so_many = _options(profile, players=players)
        assert isinstance(of_so_many, dict)
        assert profile == "seed-china" or cards.packs(of_so_many) == players


@pytest.mark.parametrize(
    ("profile", "players", "target"),
    [("seed", 4, 1_500), ("seed-china", 2, 10_000), ("standard", 2, 1_000), ("standard", 3, 2_000)],
)
def test_targets(profile: str, players: int, target: int) -> None:
    """Section 3: what is played to; of `standard` it depends on the number of players."""
    assert Baciga(profile, players=players).view()["target"] == target


def test_which_combinations_there_are() -> None:
    """8.1, section 10, section 11: nine, with the triple for more than two; in china all of them."""
    seed, three, china = (
        _options(p, players=n) for p, n in (("seed", 2), ("standard", 3), ("seed-china", 2))
    )
    assert isinstance(seed, dict)
    assert isinstance(three, dict)
    assert isinstance(china, dict)
    assert len(melds.offered(seed)) == 9
    assert melds.offered(three).keys() - melds.offered(seed).keys() == {"baciga_triple"}
    assert melds.offered(china) == melds.MELDS


@pytest.mark.parametrize(
    ("profile", "chosen", "named"),
    [
        ("seed-china", {"packs": 5, "players": 3}, ["packs", "players"]),
        ("seed", {"first_dealer": 3}, ["first_dealer", "players"]),
        ("seed", {"one_meld_per_trick": True}, ["declare_when", "one_meld_per_trick"]),
        ("seed", {"seven_bonus": 10}, ["declare_when", "seven_bonus"]),
        ("seed", {"corte": "required", "min_contributors": 67}, ["min_contributors", "players"]),
    ],
)
def test_what_does_not_go_together(profile: str, chosen: dict[str, Any], named: list[str]) -> None:
    """12.10, section 11: a switch without the one it needs, or a stock that does not come out even."""
    assert _options(profile, **chosen) == Refusal("options_conflict", {"options": named})


@pytest.mark.parametrize(
    "chosen",
    [
        {"must_beat": True},
        {"reuse": "by_class"},
        {"declare_when": "trick_winner"},
        {"declare_when": "trick_winner", "one_meld_per_trick": True, "seven_bonus": 10},
        {"last_trick_bonus": 10},
        {"target": 1_000},
    ],
)
def test_single_switches(chosen: dict[str, Any]) -> None:
    """12.10: parts of `standard` may be had one by one on a `seed` table, each to the end of a match."""
    rig = Baciga(first_dealer=1, luck=4, **{"target": 300, **chosen})
    rig.fill()
    rig.to_the_end()
    assert rig.table.phase == "match_over"
