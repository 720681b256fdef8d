"""CONTRIBUTING.md, "A switch in a profile": whoever does what it says has a switch that works."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from tests.project.tree import TREE, files

_BLOCK = re.compile(r"^```diff\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_RUN = re.compile(r'^make test-source ARGS="(.*)"$', re.MULTILINE)


def walk() -> str:
    """The section with the walk."""
    text = (TREE / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return text.partition("## A switch in a profile\n")[2].partition("\n## ")[0]


def changes(block: str) -> list[tuple[str, list[str]]]:
    """The hunks of a block, each with the path of its file."""
    found = []
    for part in re.split(r"^--- ", block, flags=re.MULTILINE)[1:]:
        path, _, lines = part.partition("\n")
        found += [(path, hunk.splitlines()) for hunk in lines.split("@@\n")]
    return found


def apply(path: Path, hunk: list[str]) -> None:
    """Change a file as a person would: find the lines that stay or go, and edit them there.

    Raises:
        AssertionError: they are not there, or more than once.
    """
    before = "".join(f"{line[1:]}\n" for line in hunk if line[:1] != "+")
    after = "".join(f"{line[1:]}\n" for line in hunk if line[:1] != "-")
    if not before:
        assert not path.exists(), f"{path} is there already"
        path.write_text(after, encoding="utf-8")
        return
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{path} has other lines than\n{before}"
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_the_walk_leads_to_a_switch(tmp_path: Path) -> None:
    """Every edit fits the tree as it is, and then the command that ends the walk succeeds."""
    for file in files():
        copy = tmp_path / file.relative_to(TREE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    edits = [change for block in _BLOCK.findall(walk()) for change in changes(block)]
    assert len({path for path, _ in edits}) == 8
    for path, hunk in edits:
        apply(tmp_path / path, hunk)
    (arguments,) = _RUN.findall(walk())
    outer = ("COVERAGE", "PYTEST")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(outer)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *shlex.split(arguments)],
        cwd=tmp_path,
        env={**environ, "TREE_UNDER_TEST": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tests/bacara/test_machine_enough.py" in arguments
