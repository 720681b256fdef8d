"""Promises about the ways in: the Makefile's targets and the script of the checks."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from tests.project.tree import TREE


def make(*arguments: str, cwd: Path = TREE) -> subprocess.CompletedProcess[str]:
    """Call make as a person would, though the tests themselves may run under make."""
    command = (shutil.which("make") or "make", *arguments)
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)


def test_help_lists_every_target() -> None:
    """Each target that a person may call is explained by plain `make`."""
    (phony,) = re.findall(r"^\.PHONY: (.+)$", (TREE / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    listed = [line.split()[1] for line in make().stdout.splitlines()]
    assert sorted(listed) == sorted(phony.split())


def test_a_missing_python_is_said_in_words(tmp_path: Path) -> None:
    """A Python that is missing, too old or without venv ends `make setup` with the reason and a way out."""
    shutil.copy(TREE / "Makefile", tmp_path)
    for lock in TREE.glob("requirements*.lock"):
        shutil.copy(lock, tmp_path)
    shutil.copy(TREE / "pyproject.toml", tmp_path)
    done = make("setup", "PYTHON=no-such-python", cwd=tmp_path)
    assert done.returncode != 0
    assert "croupier needs Python 3.11" in done.stderr
    assert "no-such-python is not one" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_the_checks_are_what_make_test_is() -> None:
    """The checks that a change has to pass are those that everybody can run: `make test`."""
    script = TREE / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert script.read_text(encoding="utf-8").splitlines()[-1] == "exec make test"
