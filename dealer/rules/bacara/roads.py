"""How the results of coups are drawn up beside a table: the bead plate and the big road.

Both are pure functions of one paño's results, oldest first, in any mode of play; coups without a result are
not among them. A road is a list of columns, from the left, each from the top.
"""

from collections.abc import Iterable, Sequence

import msgspec

ROWS = 6
"""Cells of a column."""


class Cell(msgspec.Struct, frozen=True, gc=False):
    """A cell of the big road that has something in it.

    Attributes:
        column: from 0, at the left.
        row: from 0, at the top.
        result: `bank` or `pano`; `push` where nothing but pushes has been before.
        pushes: how many followed it, before the next winner.
    """

    column: int
    row: int
    result: str
    pushes: int = 0


def bead_plate(results: Sequence[str]) -> list[list[str]]:
    """Each coup in a cell of its own, column by column."""
    return [list(results[at : at + ROWS]) for at in range(0, len(results), ROWS)]


def big_road(results: Iterable[str]) -> list[Cell]:
    """Winners in a row run downwards, another winner begins a new column; pushes are marked on them.

    A run that meets the foot of its column, or a cell that is taken, turns to the right and stays on its row.
    """
    cells: list[Cell] = []
    taken: set[tuple[int, int]] = set()
    start = 0
    for result in results:
        last = cells[-1] if cells else None
        if last is None:
            place = (0, 0)
        elif result == "push":
            cells[-1] = msgspec.structs.replace(last, pushes=last.pushes + 1)
            continue
        elif last.result == "push":
            cells[-1] = msgspec.structs.replace(last, result=result)
            continue
        elif result == last.result:
            place = _next(last, start, taken)
        else:
            start = _free_column(start, taken)
            place = (start, 0)
        taken.add(place)
        first_push = result == "push"
        cells.append(Cell(*place, result, pushes=int(first_push)))
    return cells


def _next(last: Cell, start: int, taken: set[tuple[int, int]]) -> tuple[int, int]:
    below = (last.column, last.row + 1)
    turned = last.column > start
    if turned or below[1] == ROWS or below in taken:
        return last.column + 1, last.row
    return below


def _free_column(start: int, taken: set[tuple[int, int]]) -> int:
    column = start + 1
    while (column, 0) in taken:
        column += 1
    return column
