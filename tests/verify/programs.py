"""How the tests start the two verifiers."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.project.tree import TREE

ALONE = TREE / "docs" / "verify" / "verify_shoe.py"
CROUPIER = Path(sys.executable).with_name("croupier")


def written(record: object, folder: Path) -> Path:
    """A file that holds the record."""
    file = folder / "SHOE.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    return file


def alone(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The program that stands alone, where no package and no module beside it can be imported."""
    return _run(sys.executable, "-I", "-S", ALONE, *arguments)


def croupier(*arguments: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    """The installed command, with something on its standard input."""
    return _run(CROUPIER, "verify", *arguments, given=given)


def _run(*command: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False)


def answer(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The JSON object that a program printed, and nothing else."""
    assert done.stderr == ""
    told: dict[str, Any] = json.loads(done.stdout)
    return told
