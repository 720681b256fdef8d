"""Security requirements and tests name each other: `security.toml` against the tests there are."""

import tomllib
from typing import Any

from tests.citations import TESTS, Told, every_test

ROWS: dict[str, dict[str, Any]] = tomllib.loads((TESTS / "security.toml").read_text("utf-8"))
REQUIRED = (1, 2, 5, 7, 8, 9, 10, 12, 14, 15, 16, 22, 23, 24, 30)


def test_each_requirement_is_shown() -> None:
    """Every requirement that is met now has its row, which says how and names a test."""
    assert {f"S-{number}" for number in REQUIRED} <= set(ROWS)
    assert all(row["how"] and row["tests"] for row in ROWS.values())


def test_each_test_is_there() -> None:
    """Each test that is named exists, and it or its module cites the requirement."""
    found = {f"{test.module}::{test.name}": test for test in every_test()}
    named = [(name, row) for row, told in ROWS.items() for name in told["tests"]]
    assert [name for name, _ in named if name not in found] == []
    silent = [(name, row) for name, row in named if f"{row} " not in f"{_words(found[name])} "]
    assert silent == []


def test_the_list_is_in_order() -> None:
    """Rows stand in the order of their ids, and tests in that of their names, so that a gap is seen."""
    assert list(ROWS) == sorted(ROWS, key=lambda row: int(row.removeprefix("S-")))
    assert all(told["tests"] == sorted(set(told["tests"])) for told in ROWS.values())


def _words(test: Told) -> str:
    """What a test and its module say, without punctuation, so that S-1 is not found in S-10."""
    said = f"{test.promise} {test.about}"
    return "".join(letter if letter.isalnum() or letter == "-" else " " for letter in said)
