"""The pieces that lines are made of: seats, cards, gains, lists as long as there is room for."""

from collections.abc import Iterable

from dealer.words import Words
from ops.terminal.paint import Paint, bare

DOT = " · "
INDENT = "  "
_BACK = "▒▒"


class Pieces:
    """The pieces of one table's lines in one language.

    Args:
        lang: the language.
        color: whether to use ANSI colours.

    Attributes:
        words: of that language.
        paint: puts a text into a tone, or leaves it alone.
        panos: how many the table has; the labels of its seats depend on it.

    Raises:
        ValueError: there is no such language.
    """

    def __init__(self, lang: str, color: bool) -> None:
        self.words = Words(lang)
        self.paint = Paint(color)
        self.panos = 2

    def seat(self, seat: int) -> str:
        """What somebody is called at this table."""
        return self.words.seat(seat, self.panos)

    def change(self, net: int) -> str:
        """A gain or a loss."""
        tone = "gain" if net > 0 else "loss" if net < 0 else "dim"
        return self.paint(tone, self.words.change(net))

    def card(self, face: str, deck: str = "fr52") -> str:
        """A card of a kind of deck, or its back if the face is empty."""
        if not face:
            return self.paint("dim", _BACK)
        return self.paint("red" if face[-1] in "DH" else "strong", self.words.symbol(face, deck))

    def late(self, source: str) -> str:
        """What stands behind a word that nobody said."""
        return self.paint("dim", f"  ({self.words.line('by_timeout')})") if source == "timeout" else ""

    def listed(self, items: Iterable[str], width: int) -> str:
        """As many items as there is room for, and how many more there are."""
        every = list(items)
        taken = len(every)
        while taken > 1 and len(bare(self._joined(every, taken))) > width:
            taken -= 1
        return self._joined(every, taken)

    def _joined(self, items: list[str], taken: int) -> str:
        rest = len(items) - taken
        more = [self.words.line("more", count=str(rest))] if rest else []
        return DOT.join([*items[:taken], *more])
