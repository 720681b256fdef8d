"""The profiles against the figures of the sheet, and what a table may choose (butifarra 3)."""

from typing import Any

import pytest

from dealer.rules.frame.profile import resolve
from dealer.rules.frame.refusal import Refusal
from tests.butifarra.positions import GAME
from tests.butifarra.rig import started

FIGURES: dict[str, dict[str, Any]] = {
    "seed": {
        "bidding": "overcall",
        "first_lead": "trump_namer",
        "duties": "tute",
        "undertrump": "forced",
        "card_values": "seed40",
        "contest_butifarra": True,
    },
    "competicio-lliure": {
        "bidding": "contro",
        "first_lead": "after_dealer",
        "duties": "lliure",
        "undertrump": "free",
        "card_values": "standard72",
        "contro_steps_suit": 3,
        "contro_steps_butifarra": 3,
    },
    "competicio-obligada": {
        "bidding": "contro",
        "first_lead": "after_dealer",
        "duties": "obligada",
        "card_values": "standard72",
        "contro_steps_suit": 3,
        "contro_steps_butifarra": 3,
    },
}
SWITCHES: dict[str, list[Any]] = {
    "card_values": ["seed40", "seed40_as", "standard72"],
    "undertrump": ["forced", "free"],
    "contest_butifarra": [True, False],
    "contro_steps_suit": [0, 1, 2, 3, 4],
    "contro_steps_butifarra": [0, 1, 2, 3],
    "partner_blind": [True, False],
    "target": [51, 101, 151],
    "deals": [0, 8, 12],
    "score_cap": [0, 121],
    "pairing": ["chosen", "lot"],
    "first_dealer": ["lot", 1, 2, 3, 4],
}


def _options(profile: str, **chosen: Any) -> dict[str, Any] | Refusal:
    found = resolve(GAME.profiles[profile], "", chosen)
    return found if isinstance(found, Refusal) else GAME.check_options(found) or found


@pytest.mark.parametrize("profile", FIGURES)
def test_figures(profile: str) -> None:
    """Section 3, U-01, U-24: the figures of each profile, and what all have in common."""
    found = _options(profile)
    assert isinstance(found, dict)
    common = {"players": 4, "pairing": "chosen", "first_dealer": "lot", "partner_blind": False}
    ends = {"target": 101, "deals": 0, "tie": "draw", "score_cap": 0, "play_for": "points"}
    assert ({**FIGURES[profile], **common, **ends}).items() <= found.items()
    other = {*FIGURES["seed"], *FIGURES["competicio-lliure"]} - {*FIGURES[profile]}
    assert not other & found.keys()


@pytest.mark.parametrize("profile", FIGURES)
def test_every_switch_has_every_value(profile: str) -> None:
    """Section 3: single switches take their values where the profile has them, and no other."""
    known = _options(profile)
    assert isinstance(known, dict)
    for name, values in SWITCHES.items():
        for value in values if name in known else []:
            with_cap = {"deals": 8} if name == "score_cap" else {}
            found = _options(profile, **{name: value, **with_cap})
            assert isinstance(found, dict), (name, value)
            assert found[name] == value
        for value in ("none", -1, 5):
            if name in known:
                assert isinstance(_options(profile, **{name: value}), Refusal), (name, value)


@pytest.mark.parametrize(
    ("chosen", "named"),
    [
        ({"score_cap": 121, "target": 151}, ["score_cap", "target"]),
        ({"tie": "two_more"}, ["deals", "tie"]),
        ({"corte": "required", "min_contributors": 68}, None),
        ({"score_cap": 121, "target": 151, "deals": 12, "tie": "two_more"}, None),
    ],
)
def test_what_does_not_go_together(chosen: dict[str, Any], named: list[str] | None) -> None:
    """Section 11: a target that the cap keeps out of reach, ties to be ended where there is no last hand."""
    found = _options("seed", **chosen)
    assert isinstance(found, Refusal) == bool(named)
    assert named is None or found == Refusal("options_conflict", {"options": named})


@pytest.mark.parametrize(
    ("profile", "chosen"),
    [
        ("seed", {"card_values": "seed40_as", "undertrump": "free", "partner_blind": True}),
        ("seed", {"contest_butifarra": False, "pairing": "lot", "first_dealer": "lot"}),
        ("competicio-lliure", {"undertrump": "forced", "contro_steps_suit": 0, "score_cap": 121}),
        ("competicio-obligada", {"card_values": "seed40", "contro_steps_butifarra": 0}),
    ],
)
def test_single_switches(profile: str, chosen: dict[str, Any]) -> None:
    """Section 3: switches may be had one by one, each played to the end of a match."""
    rig = started(profile, luck=4, **{"target": 51, **chosen})
    rig.to_the_end()
    assert rig.table.phase == "match_over"
