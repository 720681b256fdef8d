"""Who may take a third card, who must, and what happens when nobody answers (R-37, R-41, R-100, R-101).

A rule is a row of ten letters, one for each score of two cards from 0 to 9: `d` must draw, `s` must stand,
`f` free to choose, `n` a natural, which is laid down and never speaks (R-36).
"""

from collections.abc import Sequence

DRAW = "draw"
STAND = "stand"
LAY_DOWN = "lay_down"

_LEGAL: dict[str, frozenset[str]] = {
    "d": frozenset({DRAW}),
    "s": frozenset({STAND}),
    "f": frozenset({DRAW, STAND}),
    "n": frozenset(),
}
_ACT = {"d": DRAW, "s": STAND, "n": LAY_DOWN}

_TABLEAU = "dddddsssnn"
_PUNTER = {"stand": _TABLEAU, "free": "dddddfssnn", "draw": "ddddddssnn"}
_BANKER = {"same": _TABLEAU, "free": "ffffffffnn"}

_STOOD = 10
"""Column of the table below for a paño that stood; the columns before it are its third card's value."""

_TABLE = (
    "ddddddddddd",
    "ddddddddddd",
    "ddddddddddd",
    "ddddddddsfd",
    "ssddddddssd",
    "ssssfdddssd",
    "ssssssddsss",
    "sssssssssss",
    "nnnnnnnnnnn",
    "nnnnnnnnnnn",
)
"""R-41 `table`: a row for each score of the banker, a column for what the paño did."""

_TABLES = {"table": _TABLE, "punto_y_banca": tuple(row.replace("f", "d") for row in _TABLE)}
"""R-101 is the same table without a choice: it draws where R-41 leaves the banker free."""


def _banker_cell(rule: str, own: int, third_cards: Sequence[int | None]) -> str:
    if rule not in _TABLES:
        return _BANKER[rule][own]
    (third,) = third_cards
    return _TABLES[rule][own][_STOOD if third is None else third]


def punter_may(points: int, five: str) -> frozenset[str]:
    """Return what the holder of a paño may say with this score in two cards (R-37).

    Args:
        points: score of the two cards, 0 to 9.
        five: the option `five`: `stand` or `free`; `draw` in punto y banca (R-100).

    Returns:
        A set of `draw` and `stand`; empty for a natural, which can only be laid down (R-36).
    """
    return _LEGAL[_PUNTER[five][points]]


def punter_default(points: int, five: str = "stand") -> str:
    """Return the act given for a paño whose holder is silent, absent or nobody (R-19, section 12).

    The croupier plays the tableau; an optional five stands. A natural is laid down (A-43).
    """
    return _ACT[_PUNTER[five][points].replace("f", "s")]


def banker_may(rule: str, own: int, third_cards: Sequence[int | None] = ()) -> frozenset[str]:
    """Return what the banker may do with this score in two cards (R-41).

    He is asked only if some paño that was dealt cards did not abate (R-35, R-40).

    Args:
        rule: the option `banker_rule`: `same`, `free` or `table`; `punto_y_banca` is R-101.
        own: score of his two cards, 0 to 9.
        third_cards: for each paño that spoke the value of its third card, None if it stood. Only `table` and
            `punto_y_banca` look at it, and they are rules for one paño: exactly one entry.

    Returns:
        A set of `draw` and `stand`; empty for a natural.
    """
    return _LEGAL[_banker_cell(rule, own, third_cards)]


def banker_default(rule: str, own: int, third_cards: Sequence[int | None] = ()) -> str:
    """Return the act given for a banker who is silent, or for the house's (section 12).

    The tableau of `same`; under `table` the table with its free cells drawn. A natural is laid down (R-35).
    """
    if rule not in _TABLES:
        return _ACT[_TABLEAU[own]]
    return _ACT[_banker_cell(rule, own, third_cards).replace("f", "d")]
