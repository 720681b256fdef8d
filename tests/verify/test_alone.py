"""What the program promises that stands alone (fairness 1.12)."""

import ast
import sys
from pathlib import Path

from tests.verify.programs import ALONE, alone


def test_the_program_can_be_read_in_one_sitting() -> None:
    """Fairness 1.12: a stand-alone verifier has fewer than 150 lines."""
    assert len(ALONE.read_text(encoding="utf-8").splitlines()) < 150


def test_the_program_imports_the_standard_library_only() -> None:
    """Fairness 1.12: it imports nothing of the product, nor anything that must be installed."""
    imported = set()
    for node in ast.walk(ast.parse(ALONE.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(node.module or "")
        elif isinstance(node, ast.Name):
            assert node.id not in {"__import__", "eval", "exec"}
    assert {"hashlib", "hmac"} <= imported
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names - {"importlib"}


def test_the_program_says_when_there_is_nothing_to_check(tmp_path: Path) -> None:
    """Wrong usage is told apart from a bad record: exit code 2, and nothing on standard output."""
    for arguments in ([], [tmp_path / "none.json"], [tmp_path]):
        done = alone(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr
