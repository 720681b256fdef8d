"""Promises about who may import whom: the contracts in pyproject hold, and would catch a breach."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.tree import TREE, project

LINT = """
import sys
from importlinter.cli import lint_imports
sys.exit(lint_imports(limit_to_contracts=sys.argv[1:], no_cache=True, no_logo=True))
"""

BREACHES = [
    ("house", "dealer/journal/keys.py", "import ops.valkey"),
    ("house", "shoe/cards.py", "import dealer.rules"),
    ("rooms", "dealer/rules/frame/event.py", "import dealer.table"),
    ("rooms", "dealer/journal/keys.py", "import dealer.table.view"),
    ("rooms", "dealer/attic/__init__.py", ""),
    ("journal", "dealer/journal/keys.py", "import dealer.rules.frame.event"),
    ("words", "dealer/table/view.py", "import dealer.words"),
    ("games", "dealer/table/view.py", "import dealer.rules.bacara.points"),
    ("games", "dealer/rules/frame/event.py", "import dealer.rules.bacara.points"),
    ("pure", "dealer/rules/bacara/points.py", "import random"),
    ("pure", "dealer/table/view.py", "import redis.asyncio"),
    ("pure", "shoe/cards.py", "import time"),
    ("pure", "shoe/cards.py", "import secrets"),
]
"""Contract, module, and the line that would break it."""


def lint(tree: Path, contract: str) -> subprocess.CompletedProcess[str]:
    """Check one contract on a tree."""
    command = (sys.executable, "-c", LINT, contract)
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The three packages and the contracts, to be spoilt."""
    for package in project()["tool"]["importlinter"]["root_packages"]:
        shutil.copytree(TREE / package, tmp_path / package)
    shutil.copy(TREE / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.parametrize(("contract", "module", "line"), BREACHES)
def test_a_breach_is_caught(copy: Path, contract: str, module: str, line: str) -> None:
    """Each contract breaks by one import that it forbids, and names the module at fault."""
    path = copy / module
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    done = lint(copy, contract)
    assert done.returncode == 1
    assert "BROKEN" in done.stdout
    assert module.removesuffix(".py").removesuffix("/__init__").replace("/", ".") in done.stdout


def test_every_contract_is_put_to_the_test() -> None:
    """No contract stands in pyproject without a breach that shows it works."""
    contracts = {each["id"] for each in project()["tool"]["importlinter"]["contracts"]}
    assert contracts == {contract for contract, _, _ in BREACHES}


def test_every_game_is_protected() -> None:
    """A new package under `dealer/rules` stands in the contract that keeps games apart."""
    rules = TREE / "dealer" / "rules"
    packages = {f"dealer.rules.{path.parent.name}" for path in rules.glob("*/__init__.py")}
    games = packages - {f"dealer.rules.{shared}" for shared in ("frame", "matches", "tricks")}
    (contract,) = (each for each in project()["tool"]["importlinter"]["contracts"] if each["id"] == "games")
    assert set(contract["protected_modules"]) == games
