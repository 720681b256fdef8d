"""The bead plate and the big road, from examples."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.rules.bacara.roads import ROWS, bead_plate, big_road
from tests.bacara.examples import DATA

ROADS: list[dict[str, Any]] = tomllib.loads((DATA / "roads.toml").read_text("utf-8"))["roads"]
LETTERS = {"bank": "B", "pano": "P", "push": "="}
RESULTS = {letter: result for result, letter in LETTERS.items()}


@pytest.mark.parametrize("road", ROADS, ids=[each["title"] for each in ROADS])
def test_a_road_is_drawn_as_the_examples_show(road: dict[str, Any]) -> None:
    """Both roads are functions of the results alone."""
    results = [RESULTS[letter] for letter in road["results"]]
    assert ["".join(LETTERS[each] for each in column) for column in bead_plate(results)] == road["bead"]
    drawn = [[each.column, each.row, LETTERS[each.result], each.pushes] for each in big_road(results)]
    assert drawn == road["big_road"]


@given(st.lists(st.sampled_from(sorted(LETTERS)), max_size=120))
def test_no_coup_is_lost_and_no_cell_taken_twice(results: list[str]) -> None:
    """The big road holds every coup: as a cell, or as a stroke on one."""
    cells = big_road(results)
    assert len({(each.column, each.row) for each in cells}) == len(cells)
    assert all(each.row < ROWS for each in cells)
    winners = [each for each in results if each != "push"]
    assert [each.result for each in cells if each.result != "push"] == winners
    assert sum(each.pushes for each in cells) == results.count("push")
    assert [each for column in bead_plate(results) for each in column] == results
