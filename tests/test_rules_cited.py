"""Rules and tests name each other: `rules.toml` against the docstrings of all tests."""

import re
import tomllib
from collections.abc import Iterator

from tests.citations import TESTS, every_test

RULES: dict[str, list[str]] = tomllib.loads((TESTS / "rules.toml").read_text("utf-8"))

_ID = re.compile(r"(?:\b(bacara|baciga|butifarra):)?\b([RAU]-\d{2,3})\b")
_GAMES = {"baciga": "baciga", "butifarra": "butifarra"}
"""Whose rules a bare id means, by the directory of the test; elsewhere they are bacará's."""


def _cited() -> Iterator[tuple[str, str]]:
    """Every citation in the docstring of a test: the rule's full id, and the module."""
    for test in every_test():
        for game, number in _ID.findall(test.promise):
            yield f"{game or _GAMES.get(test.module.partition('/')[0], 'bacara')}:{number}", test.module


CITED = set(_cited())


def test_every_rule_is_held_by_the_tests_it_names() -> None:
    """Each module named beside a rule has a test whose docstring cites it."""
    named = {(rule, module) for rule, modules in RULES.items() for module in modules}
    assert named - CITED == set()
    assert all(RULES.values())


def test_every_rule_a_test_cites_is_listed() -> None:
    """A citation of a rule that the list does not know is a slip, or the list is behind."""
    assert {rule for rule, _ in CITED} - set(RULES) == set()


def test_the_list_is_in_order() -> None:
    """Rules stand in the order of their ids, so that a gap is seen."""
    assert list(RULES) == sorted(RULES, key=_place)


def _place(rule: str) -> tuple[str, int, int]:
    game, _, number = rule.partition(":")
    return game, "RAU".index(number[0]), int(number[2:])
