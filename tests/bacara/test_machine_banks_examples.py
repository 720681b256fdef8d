"""The worked examples of a player's bank (rules/baccarat.md, section 15.1), step by step at a table."""

import tomllib
from typing import Any

import pytest

from tests.bacara.banks import peopled, word
from tests.bacara.examples import DATA
from tests.table.rig import Rig

EXAMPLES: list[dict[str, Any]] = tomllib.loads((DATA / "banks.toml").read_text("utf-8"))["examples"]
_FIRST = {"D": 0, "I": 10, "P": 1_000}


def seat(label: str) -> int:
    """The number of a label of the sheet (glossary, section 2); 0 for nobody."""
    return _FIRST[label[0]] + int(label[1:]) if label else 0


def walk(rig: Rig, step: dict[str, Any]) -> None:
    """One step of an example."""
    for _ in range(step.get("time", 0)):
        rig.expire()
    for _ in range(step.get("obey", 0)):
        rig.obey()
    if "who" in step:
        fields = {name: value for name, value in step.items() if name not in {"who", "say", "code"}}
        command = word(step["say"], **fields)
        if "code" in step:
            before = rig.table
            assert rig.refused(seat(step["who"]), command) == step["code"]
            assert rig.table == before
        else:
            rig.play(seat(step["who"]), command)


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{e['id']} {e['title']}" for e in EXAMPLES])
def test_a_players_bank_goes_as_the_sheet_says(example: dict[str, Any]) -> None:
    """BQ-23 to BQ-25, BQ-31 and BQ-32 with a player as banker (R-41, R-43, R-51, R-52, R-57, A-24, A-25)."""
    cards = example.get("cards", "") + "".join(example.get("more", []))
    stacks = {seat(label): chips for label, chips in example["stacks"].items()}
    rig = peopled(stacks, cards, **example["options"])
    for step in example["steps"]:
        walk(rig, step)
    after, seen = example["after"], rig.view()
    assert (seen["banker"], seen["bank"], seen["bank_mode"]) == (
        seat(after["banker"]),
        after["bank"],
        after["mode"],
    )
    assert rig.table.phase == after["phase"]
    assert {label: rig.table.stack(seat(label)) for label in after["stacks"]} == after["stacks"]
