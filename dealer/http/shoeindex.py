"""Where the shoes of a table lie in its log: a projection, rebuilt by whichever node is asked.

It is read once from the log and then kept up to date from where it ended, so it can be thrown away at will.
"""

import msgspec
from msgspec.structs import replace

from dealer.journal.journal import Journal
from dealer.rules.frame.event import Codec
from dealer.rules.frame.events import SeedRevealed, ShoeSealed
from shoe.corte import Transcript

_TABLES = 1_000
"""So many tables are remembered; the one asked for longest ago goes first."""
_PAGE = 2_048
_MARKS = (b'"type":"shoe.sealed"', b'"type":"seed.revealed"')
"""The quotation marks cannot stand within a text of an event, so only the type of one looks like this."""

_decode = Codec((ShoeSealed, SeedRevealed)).decode


class Sealed(msgspec.Struct, frozen=True):
    """One shoe.

    Attributes:
        at: when it was sealed, ms UTC.
        first: sequence number of the seal.
        last: that of the event by which its seed was revealed, -1 until then.
        seed: empty until then.
        faces: of a shoe laid by hand, once it is over.
    """

    at: int
    first: int
    root: str
    shuffle: int
    transcript: Transcript
    last: int = -1
    seed: str = ""
    faces: tuple[str, ...] = ()


class _Known(msgspec.Struct):
    seq: int
    shoes: dict[int, Sealed]


class ShoeIndex:
    """The shoes of all tables somebody has asked for."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._known: dict[str, _Known] = {}

    async def shoes(self, aggregate: str) -> dict[int, Sealed]:
        """All shoes of a table by shuffle number, the earliest first.

        Raises:
            JournalError: the journal cannot be read now.
        """
        known = self._known.pop(aggregate, None) or _Known(-1, {})
        self._known[aggregate] = known
        if len(self._known) > _TABLES:
            del self._known[next(iter(self._known))]
        seq, page = known.seq, _PAGE
        while page == _PAGE:
            stored = await self._journal.read(aggregate, seq, _PAGE)
            for raw in stored:
                if any(mark in raw for mark in _MARKS):
                    _note(known.shoes, raw)
            page = len(stored)
            seq += page
            known.seq = max(known.seq, seq)
        return known.shoes


def _note(shoes: dict[int, Sealed], raw: bytes) -> None:
    """Take one event in; a second reader may have been here before."""
    event = _decode(raw)
    data = event.data
    if isinstance(data, ShoeSealed):
        shoes.setdefault(
            data.shuffle, Sealed(event.at, event.seq, data.shoe_root, data.shuffle, data.transcript)
        )
    elif data.shuffle in shoes:
        shoes[data.shuffle] = replace(shoes[data.shuffle], last=event.seq, seed=data.seed, faces=data.faces)
