"""Rules and tests name each other: `rules.toml` against the docstrings of all tests."""

import re
import tomllib
from functools import cache

from tests.citations import TESTS, every_test

RULES: dict[str, list[str]] = tomllib.loads((TESTS / "rules.toml").read_text("utf-8"))

_ID = re.compile(r"(?:\b(bacara|baciga|butifarra):)?\b([RAU]-\d{2,3})\b")
_SECTION = re.compile(
    r"(?:\b(baciga|butifarra):|(?<![a-z] )\b)(\d{1,2}\.\d{1,2})\b|\b[Ss]ections? (\d{1,2})\b(?![.,\d]\d)"
)
"""In two sheets the number of a section is its id (glossary 2): `8.3`, or of a whole one `section 15`."""
_GAMES = {"baciga": "baciga", "butifarra": "butifarra"}
"""Whose rules a bare id means, by the directory of the test; elsewhere they are bacará's."""


@cache
def cited() -> set[tuple[str, str]]:
    """Every citation in the docstring of a test: the rule's full id, and the module."""
    found = set()
    for test in every_test():
        of = _GAMES.get(test.module.partition("/")[0])
        for game, number in _ID.findall(test.promise):
            found.add((f"{game or of or 'bacara'}:{number}", test.module))
        for game, part, whole in _SECTION.findall(test.promise):
            if game or of:
                found.add((f"{game or of}:{part or whole}", test.module))
    return found


def test_every_rule_is_held_by_the_tests_it_names() -> None:
    """Each module named beside a rule has a test whose docstring cites it."""
    named = {(rule, module) for rule, modules in RULES.items() for module in modules}
    assert named - cited() == set()
    assert all(RULES.values())


def test_every_rule_a_test_cites_is_listed() -> None:
    """A citation of a rule that the list does not know is a slip, or the list is behind."""
    assert {rule for rule, _ in cited()} - set(RULES) == set()


def test_the_list_is_in_order() -> None:
    """Rules stand in the order of their ids, so that a gap is seen."""
    assert list(RULES) == sorted(RULES, key=_place)


def _place(rule: str) -> tuple[str, int, list[int]]:
    game, _, number = rule.partition(":")
    if number[0].isdecimal():
        return game, 0, list(map(int, number.split(".")))
    return game, 1 + "RAU".index(number[0]), [int(number[2:])]
