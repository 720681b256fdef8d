"""The data file of profile `seed` (rules/baccarat.md, section 13)."""

from typing import Any

import pytest

from dealer.rules.frame.profile import resolve
from dealer.rules.frame.refusal import Refusal
from tests.bacara.profiles import SEED

SHEET: dict[str, Any] = {
    "packs": 3,
    "stop_card": 10,
    "burn": 0,
    "panos": 2,
    "seats_per_pano": 5,
    "standing": True,
    "five": "stand",
    "banker_rule": "same",
    "liability": "limited",
    "coverage": "before",
    "min_stake": 1,
    "a_cheval": False,
    "half_stakes": False,
    "commission_bp": 0,
    "commission_unit": 1,
    "house_bank": 10_000,
    "replenish": False,
    "shoes_per_bank": 0,
    "follow_on": False,
    "associates": False,
    "banco": "off",
    "con_la_mesa": False,
    "banco_suivi": False,
    "garage_minima": 0,
    "holder_rule": "rotating",
    "min_per_pano": 0,
}
BANK = {
    "bank_modes": ["house", "volunteer", "auction", "lot"],
    "min_players": 1,
    "sealed_bids": False,
}
"""The house is tried first, so one punter is enough; `min_bank` is `min_stake` where it is not set."""
WHOLE_HOUSE = {"corte": "optional", "min_contributors": 1, "cut_spectators": False, "reveal": "open"}
TIMES = {
    "betting_ms": 20_000,
    "last_call_ms": 5_000,
    "speak_ms": 15_000,
    "banker_ms": 20_000,
    "between_rounds_ms": 6_000,
    "consent_ms": 30_000,
    "bank_offer_ms": 20_000,
    "auction_call_ms": 8_000,
    "banker_away_ms": 60_000,
    "cut_commit_ms": 20_000,
    "cut_reveal_ms": 10_000,
    "bot_think_ms": 1_200,
}


def test_the_defaults_are_the_sheets() -> None:
    """A table that chooses nothing plays the seed's column of section 13, with the house as banker."""
    assert resolve(SEED, "dos-panos", {}) == {**SHEET, **BANK, **WHOLE_HOUSE, **TIMES}


def test_only_what_can_be_played_is_offered() -> None:
    """The file names itself, its modes and the chores of a table (design 3)."""
    assert (SEED.id, SEED.version, list(SEED.modes)) == ("seed", 1, ["dos-panos", "tournant"])
    assert SEED.automations == ("call", "announce_bank", "deal", "lay_down", "show", "settle", "next_round")


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("packs", [3, 4]),
        ("stop_card", [8, 14]),
        ("seats_per_pano", [1, 8]),
        ("coverage", ["before", "after"]),
        ("holder_rule", ["rotating", "fixed"]),
        ("min_stake", [1, 500]),
        ("max_stake", [1, 500]),
        ("house_bank", [1, 10**12]),
        ("bank_modes", [["house"], ["lot", "auction"], ["auction", "house", "lot", "volunteer"]]),
        ("min_bank", [1, 500]),
        ("max_bank", [1, 500]),
        ("corte", ["off", "optional", "required"]),
        ("betting_ms", [0, 60_000]),
    ],
)
def test_what_the_sheet_lets_a_table_choose_can_be_chosen(option: str, values: list[Any]) -> None:
    """Each value in brackets, and each free parameter, may be set (section 13, R-08, R-25)."""
    for chosen in values:
        options = resolve(SEED, "dos-panos", {option: chosen})
        assert not isinstance(options, Refusal)
        assert options[option] == chosen


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("packs", 5),
        ("packs", 2),
        ("stop_card", 7),
        ("seats_per_pano", 9),
        ("five", "free"),
        ("banker_rule", "free"),
        ("commission_bp", 500),
        ("banco", "two_panos"),
        ("bank_modes", []),
        ("bank_modes", "house"),
        ("bank_modes", ["turn"]),
        ("bank_modes", ["lot", "lot"]),
        ("bank_modes", ["lot", 1]),
        ("sealed_bids", True),
        ("liability", "open"),
        ("house_bank", 0),
        ("house_bank", 10**12 + 1),
        ("min_stake", 10**12 + 1),
        ("max_stake", 10**12 + 1),
        ("min_bank", 10**12 + 1),
        ("max_bank", 10**12 + 1),
        ("cut_commit_ms", 0),
    ],
)
def test_what_the_seed_does_not_know_is_refused(option: str, value: Any) -> None:
    """Any other value is `option_not_allowed` (A-02, A-16, A-17, A-27, A-32)."""
    refused = resolve(SEED, "dos-panos", {option: value})
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.params["option"]) == ("option_not_allowed", option)


def test_three_or_four_rooms_are_packs() -> None:
    """The seed's «tres o cuatro salas» means its packs: those can be chosen, and no rooms (A-03)."""
    for packs in (3, 4):
        chosen = resolve(SEED, "dos-panos", {"packs": packs})
        assert not isinstance(chosen, Refusal)
        assert chosen["packs"] == packs
    assert resolve(SEED, "dos-panos", {"rooms": 3}) == Refusal("option_unknown", {"option": "rooms"})
