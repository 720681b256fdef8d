"""docs/events.md and docs/codes.md are what the sources say: nothing is missing, nothing is out of date."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import dealer
from dealer.cage.events import EVENTS as BOOK
from dealer.http.problems import status_of
from dealer.rules.frame.events import EVENTS
from dealer.rules.registry import GAMES
from dealer.words.language import read
from tests.docs import codes_page, make

KINDS = [*EVENTS, *(kind for game in GAMES.values() for kind in game.events), *BOOK]
SOURCES = Path(dealer.__file__).parent


def text(name: str) -> str:
    """A page."""
    return (make.DOCS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["codes.md", "events.md"])
def test_a_page_is_up_to_date(name: str) -> None:
    """The page is what `python -m tests.docs.make` writes."""
    assert text(name) == make.pages()[name]


def test_every_event_is_there_once() -> None:
    """Each type that can be stored has its entry, and there is no other."""
    assert re.findall(r"^### `(.+)`$", text("events.md"), re.MULTILINE) == [kind.TYPE for kind in KINDS]


def names(kind: Any) -> Iterator[str]:
    """The names of all fields of a type, at any depth."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        for field in msgspec.structs.fields(kind):
            yield field.encode_name
            yield from names(field.type)
    for inner in get_args(kind):
        yield from names(inner)


def test_every_field_is_explained() -> None:
    """The table of fields has every field of every event, and no other."""
    _, _, section = text("events.md").partition("## Fields")
    told = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    explained = {name for cell in told for name in re.findall("`([a-z_]+)`", cell)}
    assert explained == {name for kind in KINDS for name in names(kind)}


def constants() -> Iterator[str]:
    """Every text in the sources."""
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_every_code_is_there() -> None:
    """Each code that stands anywhere in the sources has its row below its status, and there is no other."""
    shown = {}
    for section in text("codes.md").split("\n## ")[1:]:
        shown.update(dict.fromkeys(re.findall(r"^\| `([a-z_]+)`", section, re.MULTILINE), int(section[:3])))
    answered = {*constants()} & read("en").refusals.keys()
    assert shown == {code: status_of(code) for code in answered}


def test_the_scan_sees_who_answers_and_with_what() -> None:
    """A door's answer, a table's, parameters that are named or those of an option, another status."""
    source = """
Problem("a", {"path": where}, status=400)
Refusal("b" if early else "c", {"option": name, **setting.bounds})
reason = "late_stake"
"""
    found = {use.code: use for use in codes_page.uses_in(ast.parse(source), door=False)}
    assert found == {
        "a": codes_page.Use("a", door=True, params=frozenset({"path"}), status=400),
        "b": codes_page.Use("b", door=False, params=frozenset({"option", "max", "min"})),
        "c": codes_page.Use("c", door=False, params=frozenset({"option", "max", "min"})),
        "late_stake": codes_page.Use("late_stake", door=False),
    }
