"""Colours for a terminal, and widths that do not count them."""

import re

WIDTH = 80
"""Columns a line may take."""

_CODES = {"call": "1;33", "dim": "2", "gain": "32", "loss": "31", "red": "1;31", "strong": "1"}
_ANSI = re.compile("\x1b\\[[0-9;]*m")


class Paint:
    """Puts a text into a colour, or leaves it alone where there are none."""

    def __init__(self, color: bool) -> None:
        self._color = color

    def __call__(self, tone: str, text: str) -> str:
        """The text in one of the tones `call`, `dim`, `gain`, `loss`, `red`, `strong`."""
        return f"\x1b[{_CODES[tone]}m{text}\x1b[0m" if self._color and text else text


def bare(text: str) -> str:
    """The text without its colours."""
    return _ANSI.sub("", text)


def pad(text: str, width: int) -> str:
    """The text with blanks at its end, up to so many columns."""
    return text + " " * (width - len(bare(text)))
