"""What the documents list is what there is: events and their fields, causes, commands, the demonstration."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import dealer
from dealer.http.messages import COMMANDS
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import EVENTS
from dealer.rules.registry import GAMES
from ops.demo import TABLE
from tests.project.tree import TREE

ALL_EVENTS: list[type[Data]] = [*EVENTS, *(kind for game in GAMES.values() for kind in game.events)]
ENVELOPE = {"by", "source"}
"""Who decided it: told once, above the tables."""


def rows(name: str) -> list[tuple[str, str]]:
    """The rows of all tables of a document: first cell, and the rest."""
    lines = (TREE / "docs" / name).read_text(encoding="utf-8").splitlines()
    found = [line.strip("| ").partition(" | ") for line in lines if line.startswith("| `")]
    return [(first, rest) for first, _, rest in found]


def causes() -> Iterator[str]:
    """The causes for which chips move, in the sources."""
    for path in Path(dealer.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="grouped"), args=[ast.Constant(value=str(cause)), *_]):
                    yield cause


@pytest.mark.parametrize("kind", ALL_EVENTS, ids=[kind.TYPE for kind in ALL_EVENTS])
def test_events(kind: type[Data]) -> None:
    """docs/events.md has a row for every event, and it names every field."""
    (told,) = [rest for first, rest in rows("events.md") if f"`{kind.TYPE}`" in first]
    fields = {field.encode_name for field in msgspec.structs.fields(kind)} - ENVELOPE
    assert {name for name in fields if f"`{name}`" not in told} == set()


def test_no_event_is_made_up() -> None:
    """docs/events.md names no event that cannot happen."""
    told = {name for first, _ in rows("events.md") for name in re.findall(r"`([a-z_]+\.[a-z_]+)`", first)}
    assert told == {kind.TYPE for kind in ALL_EVENTS}


def test_causes() -> None:
    """docs/events.md names every cause for which chips move, and no other."""
    _, _, section = (TREE / "docs" / "events.md").read_text(encoding="utf-8").partition("| cause |")
    told = re.findall(r"^\| (`.*?) \|", section.partition("\n\n")[0], re.MULTILINE)
    assert sorted(re.findall("`([a-z_]+)`", " ".join(told))) == sorted(set(causes()))


def test_commands() -> None:
    """docs/bacara.md has every command of the table once, and no other."""
    _, _, section = (TREE / "docs" / "bacara.md").read_text(encoding="utf-8").partition("## Commands")
    told = [re.findall("`([a-z_]+)`", line.split(" | ")[0]) for line in section.splitlines() if "| `" in line]
    tags = [str(kind.__struct_config__.tag) for kind in COMMANDS]
    assert sorted(name for names in told for name in names) == sorted(tags)


def test_the_demonstration_is_named() -> None:
    """docs/operating.md ends the demonstration by the name that its table has everywhere."""
    text = (TREE / "docs" / "operating.md").read_text(encoding="utf-8")
    assert re.findall("tbl_[0-9a-f]+", text) == [TABLE]
