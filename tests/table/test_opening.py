"""How a table begins: its options, fixed for ever, and its first seeds (design 3, section 13)."""

from typing import Any

import pytest

from dealer.rules.bacara.commands import NextRound
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.events import SeedsCommitted, TableOpened
from dealer.rules.frame.game import Act
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.registry import GAMES
from dealer.table.aggregate import Outcome, due, handle
from tests.bacara.test_profile import BANK, SHEET, TIMES, WHOLE_HOUSE
from tests.table.rig import HOST, LOG, Rig, pid, seeds

GAME = GAMES["bacara"]


def _open(profile: str = "seed", mode: str = "dos-panos", **chosen: Any) -> Outcome | Refusal:
    command = cmd.OpenTable("bacara", profile, mode, chosen, seeds(1, 32))
    return handle(GAME, Table(log=LOG), Chance({}), Act(command, HOST, "host", HOST, 0, 1))


def test_every_option_in_force_is_written_down() -> None:
    """The first event holds game, profile and version, mode, and all options, chosen and default."""
    rig = Rig(packs=4, max_stake=500)
    first, second = rig.events
    assert first.data == TableOpened(
        automations=("call", "announce_bank", "deal", "lay_down", "show", "settle", "next_round"),
        game="bacara",
        mode="dos-panos",
        options={**SHEET, **BANK, **WHOLE_HOUSE, **TIMES, "packs": 4, "max_stake": 500},
        profile="seed",
        profile_version=1,
    )
    assert list(first.data.options) == sorted(first.data.options)
    assert isinstance(second.data, SeedsCommitted)
    assert (rig.table.phase, rig.table.status) == ("no_bank", "open")


@pytest.mark.parametrize(
    ("chosen", "code", "params"),
    [
        ({"pack": 3}, "option_unknown", {"option": "pack"}),
        ({"packs": 6}, "option_not_allowed", {"option": "packs"}),
        ({"packs": True}, "option_not_allowed", {"option": "packs"}),
        ({"five": "free"}, "option_not_allowed", {"option": "five"}),
        ({"stop_card": 7}, "option_not_allowed", {"max": 155, "min": 8, "option": "stop_card"}),
        ({"min_stake": 0}, "option_not_allowed", {"max": 10**12, "min": 1, "option": "min_stake"}),
        ({"house_bank": 10**12 + 1}, "option_not_allowed", {"max": 10**12, "min": 1, "option": "house_bank"}),
        ({"betting_ms": None}, "option_not_allowed", {"max": 86_400_000, "min": 0, "option": "betting_ms"}),
        ({"bank_modes": ["turn"]}, "option_not_allowed", {"option": "bank_modes"}),
        (
            {"min_stake": 10, "max_stake": 9},
            "options_conflict",
            {"options": ["max_stake", "min_stake"]},
        ),
        (
            {"min_stake": 10, "house_bank": 9},
            "options_conflict",
            {"options": ["house_bank", "min_stake"]},
        ),
        ({"min_stake": 10, "min_bank": 9}, "options_conflict", {"options": ["min_bank", "min_stake"]}),
        ({"min_stake": 10, "max_bank": 9}, "options_conflict", {"options": ["max_bank", "min_bank"]}),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(
    chosen: dict[str, Any], code: str, params: dict[str, Any]
) -> None:
    """Unknown, forbidden and contradicting options never make a table (A-02, R-08, R-25)."""
    assert _open(**chosen) == Refusal(code, params)


@pytest.mark.parametrize(
    ("profile", "mode", "option"), [("tute", "dos-panos", "profile"), ("seed", "limited", "mode")]
)
def test_an_unknown_profile_or_mode_is_refused(profile: str, mode: str, option: str) -> None:
    """The refusal says which of the two it was."""
    assert _open(profile, mode) == Refusal("option_not_allowed", {"option": option})


def test_a_table_opens_once() -> None:
    """A second opening of the same log is refused."""
    rig = Rig()
    again = cmd.OpenTable("bacara", "seed", "dos-panos", {}, seeds(1, 32))
    assert rig.refusal(again, HOST).code == "key_reused"


@pytest.mark.parametrize(
    "command",
    [
        cmd.Sit(seat=1),
        NextRound(),
        cmd.Expire(decision="betting:3"),
        cmd.Receive(5, "stack:1", pid(1), "x_1_1"),
        cmd.Resolve("x_1_1"),
        cmd.CashedOut("transit:house:1"),
        cmd.CommitSeeds("seeds:1", seeds(1, 32)),
    ],
)
def test_before_its_first_event_there_is_no_table(command: cmd.Command | cmd.Internal) -> None:
    """A log without `table.opened` takes nothing else and waits for nothing."""
    none = Table(log=LOG)
    act = Act(command, pid(1), "player", pid(1), 1, 1)
    assert handle(GAME, none, Chance({}), act) == Refusal("no_such_table")
    assert due(GAME, none) == []


def test_a_command_no_game_knows_is_refused() -> None:
    """What the codec lets through but nobody decides is `unknown_command`, not an error."""
    rig = Rig()
    rig.sit(1)
    assert rig.refused(1, cmd.BuyIn(amount=5)) == "unknown_command"
