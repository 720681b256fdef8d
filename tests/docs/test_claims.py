"""What the documents name is there: pages and headings, commands and flags, causes, the demonstration."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dealer
from ops.cli.commands import app
from ops.demo import TABLE
from tests.project.tree import TREE

PAGES = [TREE / "README.md", TREE / "CONTRIBUTING.md", *sorted((TREE / "docs").glob("*.md"))]

_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_COMMAND = re.compile(r"`croupier ([a-z]+(?: [a-z]+)?)([^`]*)`")


def causes() -> Iterator[str]:
    """The causes for which chips move, in the sources."""
    for path in Path(dealer.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="grouped"), args=[ast.Constant(value=str(cause)), *_]):
                    yield cause


def test_causes() -> None:
    """docs/events.md names every cause for which chips move, and no other."""
    _, _, section = (TREE / "docs" / "events.md").read_text(encoding="utf-8").partition("| cause |")
    told = re.findall(r"^\| (`.*?) \|", section.partition("\n\n")[0], re.MULTILINE)
    assert sorted(re.findall("`([a-z_]+)`", " ".join(told))) == sorted(set(causes()))


def test_the_demonstration_is_named() -> None:
    """docs/operating.md ends the demonstration by the name that its table has everywhere."""
    text = (TREE / "docs" / "operating.md").read_text(encoding="utf-8")
    assert re.findall("tbl_[0-9a-f]+", text) == [TABLE]


def anchors(page: Path) -> set[str]:
    """What a link into a page may name: its headings, as they are made into anchors on the web."""
    headings = _HEADING.findall(_FENCED.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every link inside the project names a file that is there, and a heading of it."""
    for link in _LINK.findall(_FENCED.sub("", page.read_text(encoding="utf-8"))):
        name, _, anchor = link.partition("#")
        if not name.startswith("https://"):
            target = page.parent / name if name else page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


def test_every_page_is_in_the_readme() -> None:
    """Whoever begins with README finds every page under docs/."""
    linked = set(_LINK.findall((TREE / "README.md").read_text(encoding="utf-8")))
    assert {f"docs/{page.name}" for page in PAGES[2:]} - linked == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_have_the_flags_that_are_named(page: Path) -> None:
    """A command in the text is one of `croupier`, and so are its flags."""
    for words, rest in _COMMAND.findall(page.read_text(encoding="utf-8")):
        command = app
        for word in words.split():
            if word not in command:
                break
            command = command[word]
        assert command is not app, words
        known = {"--help"}
        if command.default_command:
            arguments = command.assemble_argument_collection(parse_docstring=True)
            known.update(name for argument in arguments for name in argument.names)
        assert set(re.findall(r"(?<= )--[a-z-]+", rest)) <= known, f"{words}{rest}"
