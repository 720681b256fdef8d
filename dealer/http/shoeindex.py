"""What became of each shuffle of a table: a projection of its log, rebuilt by whichever node is asked.

It is read once from the log and then kept up to date from where it ended, so it can be thrown away at will.
Every number is here from its first event on: shoes, attempts that were given up, and lots (fairness 1.2).
"""

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from dealer.journal.journal import Journal
from dealer.rules.frame import events as ev
from dealer.rules.frame.event import Codec, Event
from shoe.corte import CORTE, Contribution, Transcript

_TABLES = 1_000
"""So many tables are remembered; the one asked for longest ago goes first."""
_PAGE = 2_048
_TYPES = (
    ev.SeedsCommitted,
    ev.CorteOpened,
    ev.CorteCommitted,
    ev.CorteRevealed,
    ev.CorteAborted,
    ev.ShoeSealed,
    ev.ShoeVoided,
    ev.LotDrawn,
    ev.SeedRevealed,
)
_MARK = b'"type":"'
"""The quotation marks cannot stand within a text of an event, so only the type of one looks like this."""
_NAMES = tuple(f'{kind.TYPE}"'.encode() for kind in _TYPES)

_decode = Codec(_TYPES, ev.UPCASTS).decode

Status = Literal["cut", "aborted", "lot", "sealed", "closed", "voided"]


class Shuffle(msgspec.Struct, frozen=True, kw_only=True):
    """One shuffle number.

    Attributes:
        at: when it was cut open, given up, drawn or sealed, ms UTC.
        commits: of a cut: all commitments by contributor.
        faces: of a shoe laid by hand, once it is over.
        first: sequence number of the event that says so.
        last: that of the event by which its seed was revealed, -1 until then.
        lot: what was drawn with it.
        missing: who had not revealed when it was given up.
        root: of a sealed shoe.
        seed: empty until it is revealed.
        transcript: of an open cut, or one given up, with the contributions that were revealed.
    """

    at: int
    commits: dict[int, str] = {}
    faces: tuple[str, ...] = ()
    first: int
    last: int = -1
    lot: ev.LotDrawn | None = None
    missing: tuple[int, ...] = ()
    root: str = ""
    seed: str = ""
    shuffle: int
    status: Status
    transcript: Transcript


class _Known(msgspec.Struct):
    """The log up to an event: its shuffles, and the commitments to seeds that nothing was shuffled with."""

    seq: int = -1
    shuffles: dict[int, Shuffle] = {}
    commitments: dict[int, str] = {}


class ShoeIndex:
    """The shuffles of all tables somebody has asked for."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._known: dict[str, _Known] = {}

    async def shuffles(self, aggregate: str) -> dict[int, Shuffle]:
        """All shuffles of a table by number, the earliest first.

        Raises:
            JournalError: the journal cannot be read now.
        """
        known = self._known.pop(aggregate, None) or _Known()
        self._known[aggregate] = known
        if len(self._known) > _TABLES:
            del self._known[next(iter(self._known))]
        seq, page = known.seq, _PAGE
        while page == _PAGE:
            stored = await self._journal.read(aggregate, seq, _PAGE)
            for number, raw in enumerate(stored, seq + 1):
                # A second reader may have been here before.
                if number > known.seq and raw.startswith(_NAMES, raw.rfind(_MARK) + len(_MARK)):
                    _note(known, _decode(raw))
            page = len(stored)
            seq += page
            known.seq = max(known.seq, seq)
        return known.shuffles


def _note(known: _Known, event: Event) -> None:
    """Take the next event in."""
    data, shuffles = event.data, known.shuffles
    match data:
        case ev.SeedsCommitted():
            known.commitments.update(enumerate(data.commitments, data.first))
        case ev.CorteOpened():
            _begin(known, event, "cut", _cut(known, event))
        case ev.CorteCommitted():
            _change(known, event, commits={**shuffles[data.shuffle].commits, data.seat: data.commit})
        case ev.CorteRevealed():
            _change(known, event, transcript=_revealed(shuffles[data.shuffle], data))
        case ev.CorteAborted():
            given_up = {"at": event.at, "first": event.seq, "last": event.seq, "seed": data.seed}
            _change(known, event, status="aborted", missing=data.missing, **given_up)
        case ev.ShoeSealed():
            _begin(known, event, "sealed", data.transcript, root=data.shoe_root)
        case ev.LotDrawn():
            _begin(known, event, "lot", data.transcript, lot=data)
        case ev.ShoeVoided():
            _change(known, event, status="voided")
        case ev.SeedRevealed():
            status = shuffles[data.shuffle].status
            status = "closed" if status == "sealed" else status
            _change(known, event, status=status, last=event.seq, seed=data.seed, faces=data.faces)


def _begin(known: _Known, event: Event, status: Status, transcript: Transcript, **more: Any) -> None:
    number = transcript.shuffle
    known.commitments.pop(number, None)
    known.shuffles[number] = Shuffle(
        at=event.at, first=event.seq, shuffle=number, status=status, transcript=transcript, **more
    )


def _change(known: _Known, event: Event, **change: Any) -> None:
    number = event.data.shuffle
    known.shuffles[number] = replace(known.shuffles[number], **change)


def _cut(known: _Known, event: Event) -> Transcript:
    """The transcript of a cut in which nobody has revealed anything."""
    opened: ev.CorteOpened = event.data
    return Transcript(
        beacon="",
        commitment=known.commitments[opened.shuffle],
        contributions=(),
        cutter=opened.cutter,
        deck=opened.deck,
        profile=CORTE,
        shuffle=opened.shuffle,
        table=event.log,
    )


def _revealed(cut: Shuffle, opened: ev.CorteRevealed) -> Transcript:
    """The transcript of a cut with one contribution more."""
    given = Contribution(
        commit=cut.commits[opened.seat], cut=opened.cut, reveal=opened.reveal, seat=opened.seat
    )
    others = cut.transcript.contributions
    return replace(cut.transcript, contributions=tuple(sorted((*others, given), key=lambda c: c.seat)))
