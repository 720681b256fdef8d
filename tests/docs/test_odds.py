"""docs/bacara.md, "Odds", and the same in Spanish: the figures are those that are counted."""

import re

import pytest

from tests.bacara.odds.seed import seed
from tests.project.tree import TREE


def counted(packs: int) -> dict[str, float]:
    """Each row of the table, in percent."""
    found = seed(packs)
    right, joint = found["right"], found["joint"]
    orders = {
        "the bank wins against a paño": right["bank"],
        "the paño wins": right["pano"],
        "nula": right["push"],
        "house edge": right["bank"] - right["pano"],
        "the bank wins against both": joint["bank"]["bank"],
        "both paños win": joint["pano"]["pano"],
        "one wins, the other loses": joint["pano"]["bank"] + joint["bank"]["pano"],
        "nula on one alone": sum(joint["push"][r] + joint[r]["push"] for r in ("bank", "pano")),
        "nula on both": joint["push"]["push"],
        **{f"{n} cards": found["cards"][n] for n in found["cards"]},
    }
    return {row: 100 * n / found["total"] for row, n in orders.items()}


def shown(page: str) -> list[tuple[str, str, str]]:
    """The rows of figures in a page."""
    text = (TREE / "docs" / page).read_text(encoding="utf-8")
    return re.findall(r"^\| (\S.*?) \| ([0-9.,]+) % \| ([0-9.,]+) % \|$", text, re.MULTILINE)


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize(("column", "packs"), [(0, 3), (1, 4)])
def test_the_figures_shown_are_the_figures_counted(column: int, packs: int) -> None:
    """Every row of the table, to the last place shown, and no row that is not counted."""
    rows = shown("bacara.md")
    assert {row[0]: row[1 + column] for row in rows} == {k: f"{v:.4f}" for k, v in counted(packs).items()}


def test_the_figures_are_the_same_in_spanish() -> None:
    """The same rows in the same order, with a comma."""
    spanish = [tuple(cell.replace(",", ".") for cell in row[1:]) for row in shown("bacara.es.md")]
    assert spanish == [row[1:] for row in shown("bacara.md")]
