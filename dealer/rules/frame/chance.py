"""Chance as data: the opened seeds of a table, and the shoes they give."""

from collections.abc import Mapping, Sequence

from dealer.rules.frame.event import Data
from dealer.rules.frame.events import SeedRevealed, ShoeClosed, ShoeVoided
from dealer.rules.frame.state import ShoeState
from shoe.corte import STACKED, Transcript
from shoe.shoe import Shoe, stacked


class Chance:
    """The seeds of one table by shuffle number; shoes are derived once and kept while in use.

    Only `decide`, `advance`, `hand` and `options` ever see it; views and state never do.
    """

    def __init__(self, seeds: Mapping[int, bytes]) -> None:
        self._seeds = dict(seeds)
        self._faces: tuple[str, ...] = ()
        self._shoe: Shoe | None = None

    def learn(self, seeds: Mapping[int, bytes]) -> None:
        """Take in seeds that were committed after this object was made."""
        self._seeds.update(seeds)

    def lay(self, faces: Sequence[str]) -> None:
        """Take the faces that lie on top of the first shoe of a stacked table (design 6)."""
        self._faces = tuple(faces)

    def seed(self, shuffle: int) -> bytes:
        """The seed of a shuffle.

        Raises:
            KeyError: it was never known here, or has been forgotten.
        """
        return self._seeds[shuffle]

    def shoe(self, transcript: Transcript) -> Shoe:
        """The shoe that a transcript and the table's seed for it give."""
        kept = self._shoe
        if kept is None or kept.transcript != transcript:
            kept = self._make(transcript, self._seeds[transcript.shuffle])
            self._shoe = kept
        return kept

    def current(self, shoe: ShoeState) -> Shoe:
        """The shoe now on the table."""
        return self.shoe(shoe.transcript)

    def end(self, shoe: ShoeState) -> list[Data]:
        """The end of a shoe: no card comes from it any more, and its seed is everybody's (fairness 1.8)."""
        faces = self._faces if shoe.transcript.profile == STACKED else ()
        seed = self.seed(shoe.shuffle).hex()
        return [ShoeClosed(shoe.shuffle), SeedRevealed(faces=faces, seed=seed, shuffle=shoe.shuffle)]

    def void(self, shoe: ShoeState, reason: str, approvals: tuple[str, ...]) -> list[Data]:
        """The other end of a shoe: struck out, and its seed opened all the same (fairness 1.8)."""
        return [ShoeVoided(approvals, reason, shoe.shuffle), *self.end(shoe)[1:]]

    def _make(self, transcript: Transcript, seed: bytes) -> Shoe:
        if transcript.profile == STACKED:
            return stacked(transcript, seed, self._faces)
        return Shoe(transcript, seed)
