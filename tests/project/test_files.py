"""Promises about every file of the tree."""

import ast
import re
from functools import cache
from pathlib import Path

from tests.project.tree import TREE, files, project

MODULE_LINES = 350
"""A module longer than this is two ideas."""
TEST_LINES = 550
"""A list of promises is read by looking one up, so it may be longer."""

# Put together from pieces, so that this file does not hold what it looks for.
REGISTRY_HOSTS = (
    "pypi" + ".org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "deb." + "debian.org",
    "crates" + ".io",
    "proxy." + "golang.org",
)
UNFINISHED = re.compile(r"\b(?:" + "|".join(("TO" + "DO", "FIX" + "ME")) + r")\b")
MACHINE_PATH = re.compile(r"(?<![\w./~-])/(?:home|mnt|root|work|Users)/\w")


@cache
def lines() -> list[tuple[str, str]]:
    """Every line of every text file, after the place where it stands."""
    texts = ((path.relative_to(TREE), path.read_bytes()) for path in files())
    return [
        (f"{place}:{number}", line)
        for place, text in texts
        if b"\0" not in text
        for number, line in enumerate(text.decode("utf-8").splitlines(), start=1)
    ]


@cache
def tree_of(path: Path) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse(path.read_bytes(), filename=str(path))


def test_no_registry_is_named() -> None:
    """Where packages come from is each machine's own setting: no file names a registry's host."""
    assert [place for place, line in lines() if any(host in line.lower() for host in REGISTRY_HOSTS)] == []


def test_no_path_of_one_machine() -> None:
    """No file depends on where somebody keeps the tree."""
    assert [place for place, line in lines() if MACHINE_PATH.search(line)] == []


def test_nothing_is_left_unfinished() -> None:
    """What remains to be done is an issue, not a remark in a file."""
    assert [place for place, line in lines() if UNFINISHED.search(line)] == []


def test_every_module_says_what_it_is() -> None:
    """Each module begins with a docstring."""
    assert [str(path) for path in files(".py") if not ast.get_docstring(tree_of(path))] == []


def test_every_module_is_one_idea() -> None:
    """No module is longer than can be read in one sitting."""
    long = [
        str(path)
        for path in files(".py")
        if len(path.read_bytes().splitlines()) > (TEST_LINES if "tests" in path.parts else MODULE_LINES)
    ]
    assert long == []


def test_every_test_states_its_promise() -> None:
    """Each test function has a docstring."""
    silent = [
        f"{path.relative_to(TREE)}:{node.lineno} {node.name}"
        for path in files(".py")
        if path.name.startswith("test_")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not ast.get_docstring(node)
    ]
    assert silent == []


def test_the_licence_is_the_one_declared() -> None:
    """LICENSE holds the full text of Apache-2.0, as the metadata says."""
    text = (TREE / "LICENSE").read_text(encoding="utf-8")
    assert project()["project"]["license"] == "Apache-2.0"
    assert text.split()[:5] == ["Apache", "License", "Version", "2.0,", "January"]
    assert "END OF TERMS AND CONDITIONS" in text


def test_the_changelog_begins_with_this_version() -> None:
    """The newest entry of the changelog is the version of the package."""
    entries = re.findall(
        r"^## \[([^\]]+)\]", (TREE / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert entries[:1] == [project()["project"]["version"]]
