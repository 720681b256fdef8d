"""The data files of all profiles against the sheet (rules/baccarat.md, sections 12 bis and 13)."""

import tomllib
from typing import Any

import pytest

from dealer.rules.frame.profile import resolve
from dealer.rules.frame.refusal import Refusal
from dealer.rules.registry import GAMES
from tests.bacara.examples import DATA
from tests.table.rig import Rig

SHEET: dict[str, dict[str, Any]] = tomllib.loads((DATA / "profiles.toml").read_text("utf-8"))
BACARA = GAMES["bacara"]


def _resolve(name: str, chosen: dict[str, Any]) -> dict[str, Any] | Refusal:
    profile, _, mode = name.partition("/")
    return resolve(BACARA.profiles[profile], mode, chosen)


def test_every_profile_and_mode_of_the_sheet_is_there() -> None:
    """All of section 13 and section 12 bis, and nothing else."""
    found = {f"{profile.id}/{mode}" for profile in BACARA.profiles.values() for mode in profile.modes}
    assert found == {*SHEET, "seed/dos-panos"}


@pytest.mark.parametrize("name", SHEET)
def test_a_profile_is_what_the_sheet_says(name: str) -> None:
    """Its defaults are the sheet's column, and can be played.

    R-01, R-06, R-07, R-37, R-41, R-47, R-94, A-01, A-06.
    """
    options = _resolve(name, {})
    assert not isinstance(options, Refusal)
    assert {key: options.get(key) for key in SHEET[name]["is"]} == SHEET[name]["is"]
    assert not options.keys() & {"max_stake", "min_bank", "max_bank"}
    assert BACARA.check_options(options) is None


@pytest.mark.parametrize("name", SHEET)
def test_what_the_sheet_lets_a_table_choose_can_be_chosen(name: str) -> None:
    """Values in brackets may be set; all others are `option_not_allowed` (section 13)."""
    for key, values in SHEET[name]["may"].items():
        for value in values:
            chosen = _resolve(name, {key: value})
            assert not isinstance(chosen, Refusal), (key, value)
    for key, values in SHEET[name]["not"].items():
        for value in values:
            refused = _resolve(name, {key: value})
            assert isinstance(refused, Refusal), (key, value)
            assert refused.code == "option_not_allowed"


def test_no_maximum_stands_beside_an_open_bank() -> None:
    """Its banker answers for all stakes, so none may be capped (R-29)."""
    options = _resolve("arrete-2007/open", {"max_stake": 50})
    assert not isinstance(options, Refusal)
    refused = BACARA.check_options(options)
    assert refused == Refusal("options_conflict", {"options": ["liability", "max_stake"]})


def test_a_table_has_seats_for_those_who_have_to_sit() -> None:
    """Three seats never make the four players of a ferrocarril (R-14, R-61)."""
    for seats, conflict in ((3, {"options": ["min_seated", "seats"]}), (4, None)):
        options = _resolve("chemin-de-fer", {"seats": seats})
        assert not isinstance(options, Refusal)
        assert BACARA.check_options(options) == (conflict and Refusal("options_conflict", conflict))


def test_seats_are_numbered_as_on_the_cloth() -> None:
    """Two paños have the same number of seats each; a ring is numbered through, and cut in that order.

    R-05, R-11, R-12, R-14.
    """
    two = Rig(profile="reglamento-1979", mode="", seats_per_pano=2)
    assert list(two.game.seat_numbers(two.table)) == [1, 2, 11, 12]
    assert list(two.game.cut_order(two.table)) == [1, 11, 2, 12]
    ring = Rig(profile="seed", mode="tournant", seats=4)
    assert list(ring.game.seat_numbers(ring.table)) == [1, 2, 3, 4]
    assert list(ring.game.cut_order(ring.table)) == [1, 2, 3, 4]
