"""A shoe in words: its cut, its seal, its end, and what became of attempts (fairness 1.4, 1.7, 1.8)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dealer.rules.frame import events as frame
from ops.terminal.paint import WIDTH
from ops.terminal.pieces import INDENT, Pieces
from shoe.corte import STACKED, Transcript

_HEAD = 16
"""Digits of a root that are shown: enough to compare by eye."""


class Shoes:
    """Tells the shuffles of one table.

    Attributes:
        tell: the events it has words for, each with what makes lines of it.
        lot: the number of the last lot; its seed is not called that of a shoe.
    """

    def __init__(self, pieces: Pieces) -> None:
        self.lot = 0
        self._pieces = pieces
        self._words = pieces.words
        self._paint = pieces.paint
        self.tell: Mapping[type, Callable[[Any], list[str]]] = {
            frame.SeatWilling: self._willing,
            frame.CorteOpened: self._opened,
            frame.CorteCommitted: self._committed,
            frame.CorteDeclined: self._declined,
            frame.CorteClosed: self._closed,
            frame.CorteRevealed: self._revealed,
            frame.CorteAborted: self._aborted,
            frame.ShoeSealed: self._sealed,
            frame.StopCardReached: self._stop_card,
            frame.SeedRevealed: self._seed_revealed,
        }

    def _willing(self, data: frame.SeatWilling) -> list[str]:
        return [self._by("cut_willing" if data.willing else "cut_unwilling", data.seat)]

    def _opened(self, data: frame.CorteOpened) -> list[str]:
        key = "cut_opened" if data.cutter else "cut_opened_by_nobody"
        cutter = self._pieces.seat(data.cutter)
        return [self._with(key, data.seats, shuffle=str(data.shuffle), seat=cutter)]

    def _committed(self, data: frame.CorteCommitted) -> list[str]:
        return [self._by("cut_committed", data.seat)]

    def _declined(self, data: frame.CorteDeclined) -> list[str]:
        return [self._by("cut_declined", data.seat)]

    def _closed(self, data: frame.CorteClosed) -> list[str]:
        key = "cut_closed" if data.commits else "cut_closed_empty"
        return [self._words.line(key, count=str(len(data.commits))) + self._pieces.late(data.source)]

    def _revealed(self, data: frame.CorteRevealed) -> list[str]:
        return [self._by("cut_revealed", data.seat, cut=str(data.cut))]

    def _aborted(self, data: frame.CorteAborted) -> list[str]:
        key = "cut_aborted" if data.missing else "cut_dropped"
        given_up = self._with(key, data.missing, shuffle=str(data.shuffle))
        return ["", self._paint("strong", given_up), *self._seed("seed_of_cut", data)]

    def _sealed(self, data: frame.ShoeSealed) -> list[str]:
        cards, root = str(data.transcript.deck.size), data.shoe_root[:_HEAD]
        sealed = self._words.line("shoe_sealed", shuffle=str(data.shuffle), cards=cards, root=root)
        if data.transcript.profile == STACKED:
            return [sealed, self._paint("loss", self._words.line("shoe_stacked"))]
        return [sealed, self._paint("dim", INDENT + self._mixed(data.transcript))]

    def _mixed(self, transcript: Transcript) -> str:
        """Who cut, and who else had a part in the order."""
        seats = [each.seat for each in transcript.contributions]
        if not seats:
            return self._words.line("cut_by_nobody")
        key = "cut_by" if transcript.cut else "cut_not"
        return self._with(key, seats, seat=self._pieces.seat(transcript.cutter), cut=str(transcript.cut))

    def _stop_card(self, data: frame.StopCardReached) -> list[str]:
        return ["", self._words.line("stop_card")]

    def _seed_revealed(self, data: frame.SeedRevealed) -> list[str]:
        return self._seed("seed_of_lot" if data.shuffle == self.lot else "seed_revealed", data)

    def _seed(self, key: str, data: frame.SeedRevealed | frame.CorteAborted) -> list[str]:
        said = self._words.line(key, shuffle=str(data.shuffle))
        return [said, self._paint("dim", INDENT + data.seed)]

    def _by(self, key: str, seat: int, **values: str) -> str:
        """A line on what one contributor does."""
        return self._words.line(key, seat=self._pieces.seat(seat), **values)

    def _with(self, key: str, seats: Iterable[int], **values: str) -> str:
        """A line that ends with contributors, as many as it has room for."""
        room = WIDTH - len(INDENT) - len(self._words.line(key, seats="", **values))
        listed = self._pieces.listed(map(self._pieces.seat, seats), room)
        return self._words.line(key, seats=listed, **values)
