"""The chance of a log: seeds that it opens sooner or later, and of other shoes the cards that it shows."""

from collections.abc import Mapping, Sequence

from dealer.rules.frame import events as ev
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Event
from shoe.corte import Transcript, commitment
from shoe.shoe import Shoe

NO_SEED = bytes(32)
"""Stands for a seed that the log does not open, and so opens no commitment."""


class Shut(Exception):
    """What follows depends on a face that the log does not show, in a shoe whose seed is still shut."""


class Told(Chance):
    """All that a log tells of its shuffles, wherever in it that is told.

    Args:
        events: the whole log.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        seeds: dict[int, bytes] = {}
        promised: dict[int, str] = {}
        self._lots: set[int] = set()
        self._roots: dict[int, str] = {}
        self._turned: dict[int, dict[int, tuple[int, str]]] = {}
        faces: tuple[str, ...] = ()
        for event in events:
            match event.data:
                case ev.SeedsCommitted() as committed:
                    promised.update(enumerate(committed.commitments, committed.first))
                case ev.SeedRevealed() | ev.CorteAborted() as opened:
                    seed = _bytes(opened.seed)
                    if commitment(event.log, opened.shuffle, seed) == promised.get(opened.shuffle):
                        seeds[opened.shuffle] = seed
                        faces = faces or getattr(opened, "faces", ())
                case ev.ShoeSealed() as sealed:
                    self._roots.setdefault(sealed.shuffle, sealed.shoe_root)
                case ev.LotDrawn() as drawn:
                    self._lots.add(drawn.shuffle)
                case ev.CardExposed() | ev.CardBurned() as card if card.nonce:
                    turned = self._turned.setdefault(card.shuffle, {})
                    turned.setdefault(card.pos, (card.card, card.nonce))
                case _:
                    pass
        super().__init__(seeds)
        self.faces = faces
        self.lay(faces)

    def opens(self, shuffle: int) -> bool:
        """Whether the log opens the seed of this shuffle."""
        return shuffle in self._seeds

    def seed(self, shuffle: int) -> bytes:
        """The seed of a shuffle, or what stands for one that is shut.

        Raises:
            Shut: the log ends between a lot and its seed.
        """
        if shuffle in self._lots and not self.opens(shuffle):
            raise Shut
        return self.known(shuffle)

    def known(self, shuffle: int) -> bytes:
        """The seed of a shuffle, or what stands for one that is shut."""
        return self._seeds.get(shuffle, NO_SEED)

    def shoe(self, transcript: Transcript) -> Shoe:
        """The shoe of a transcript, or as much of it as the log shows."""
        if self.opens(transcript.shuffle):
            return super().shoe(transcript)
        number = transcript.shuffle
        return _ShutShoe(transcript, self._roots.get(number, ""), self._turned.get(number, {}))


class _ShutShoe(Shoe):
    """A shoe whose seed is not known, and a card only if it was turned."""

    def __init__(self, transcript: Transcript, root: str, turned: Mapping[int, tuple[int, str]]) -> None:
        self.transcript = transcript
        self._root = root
        self._turned = turned

    @property
    def root(self) -> str:
        """As it was sealed."""
        return self._root

    def card(self, pos: int) -> int:
        """A card that was turned.

        Raises:
            Shut: it was not.
        """
        return self._at(pos)[0]

    def nonce(self, pos: int) -> str:
        """What opened the commitment of a card that was turned.

        Raises:
            Shut: it was not.
        """
        return self._at(pos)[1]

    def _at(self, pos: int) -> tuple[int, str]:
        try:
            return self._turned[pos]
        except KeyError:
            raise Shut from None


def _bytes(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        return NO_SEED
    return seed if len(seed) == len(NO_SEED) else NO_SEED
