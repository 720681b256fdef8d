"""docs/settings.md and docs/metrics.md are what the program has (design 8)."""

import ast
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

import ops
from ops.reference import main, pages
from tests.project.tree import TREE

REFUSALS = {"StoreRefused", "Problem", "_Sign"}


@pytest.mark.parametrize("name", pages())
def test_up_to_date(name: str) -> None:
    """A reference page is what `make reference` would write."""
    assert (TREE / "docs" / name).read_text(encoding="utf-8") == pages()[name], "run make reference"


def codes() -> Iterator[str]:
    """Every code with which a store is refused, in the sources."""
    for path in Path(ops.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(code)), *_]) if (
                    name in REFUSALS
                ):
                    yield code


def test_troubles_are_told() -> None:
    """docs/operating.md says of every trouble with a store what helps, and of none that cannot be."""
    text = (TREE / "docs" / "operating.md").read_text(encoding="utf-8")
    _, _, section = text.partition("## Trouble with the store")
    rows = [
        line.split(" | ")[0] for line in section.partition("\n## ")[0].splitlines() if line.startswith("| `")
    ]
    assert sorted(re.findall("`([a-z_]+)`", " ".join(rows))) == sorted(set(codes()))


def test_alerts_are_told() -> None:
    """docs/operating.md says of every alert what helps, and of none that cannot be."""
    text = (TREE / "docs" / "operating.md").read_text(encoding="utf-8")
    rules = files("ops").joinpath("alerts.yml").read_text(encoding="utf-8")
    assert sorted(re.findall("`(Croupier[A-Za-z]+)`", text)) == sorted(re.findall(r"alert: (\w+)", rules))


def test_written(tmp_path: Path) -> None:
    """The pages are written where they are asked for."""
    main([str(tmp_path)])
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == pages()
