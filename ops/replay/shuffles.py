"""The shuffles of a log: each seed opens its commitment, and each card is the one that the seed put there.

A shoe's record proves this with paths (`shoe.verify`). A log has no paths, but it has what was sealed, every
card that was turned, and in the end the seed, from which all of it follows.
"""

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from dealer.rules.frame import events as frame
from dealer.rules.frame.event import Event
from dealer.rules.frame.lot import strength
from dealer.rules.frame.state import Cut, Table
from ops.replay.broken import Broken
from shoe.corte import Contribution, Opening, Transcript, commitment, contribution_commit
from shoe.shoe import Shoe
from shoe.verify import NOT_RANDOM, verify_record

_HASH = re.compile("[0-9a-f]{64}")
_OF_THE_SHOE = (
    frame.ShoeReady,
    frame.RoundStarted,
    frame.CardDealt,
    frame.CardExposed,
    frame.StopCardReached,
    frame.ShoeClosed,
    frame.ShoeVoided,
)


class _Shuffle(msgspec.Struct):
    """What was said of a shuffle before its seed was opened; a lot has no root."""

    transcript: Transcript
    root: str
    transcript_hash: str
    turned: list[Opening]


class Shuffles:
    """The shuffles whose seeds are still shut, and how many were proved.

    Attributes:
        proved: shoes and lots whose every card that was turned follows from the seed.
    """

    def __init__(self) -> None:
        self.proved = 0
        self._shut: dict[int, _Shuffle] = {}

    @property
    def shut(self) -> bool:
        """Whether something was shuffled with a seed that is not open yet."""
        return bool(self._shut)

    def note(self, event: Event, table: Table) -> None:
        """Take in the next event of a table that stood as it did before it.

        Raises:
            Broken: it does not go with what was said before.
        """
        if isinstance(event.data, _OF_THE_SHOE):
            _on_the_table(event.data, table)
        _bind(event.data)
        match event.data:
            case frame.CorteClosed() as closed:
                _committed(table.cut, closed)
            case frame.CorteRevealed() as revealed:
                _opens(table, revealed)
            case frame.ShoeSealed() as sealed:
                _promised(table, sealed.shuffle, sealed.transcript)
                _cut(table.cut, sealed.transcript)
                if sealed.transcript.hash() != sealed.transcript_hash:
                    raise Broken("the transcript does not have the published hash")
                self._shut[sealed.shuffle] = _Shuffle(
                    sealed.transcript, sealed.shoe_root, sealed.transcript_hash, []
                )
            case frame.LotDrawn() as drawn:
                _promised(table, drawn.shuffle, drawn.transcript)
                _won(drawn)
                self._shut[drawn.shuffle] = _Shuffle(drawn.transcript, "", "", list(drawn.cards))
            case frame.CardExposed() as card:
                turned = Opening(card=card.card, nonce=card.nonce, pos=card.pos)
                self._shut[card.shuffle].turned.append(turned)
            case frame.SeedRevealed() as opened:
                if opened.shuffle not in self._shut:
                    raise Broken("a seed is opened that nothing was shuffled with")
                _prove(self._shut.pop(opened.shuffle), opened)
                self.proved += 1
            case frame.CorteAborted() as aborted:
                seed = _seed(aborted.seed)
                if commitment(table.log, aborted.shuffle, seed) != table.commitments.get(aborted.shuffle):
                    raise Broken("the seed does not open the commitment")
            case _:
                pass


def _on_the_table(data: Any, table: Table) -> None:
    if table.shoe is None or table.shoe.shuffle != data.shuffle:
        raise Broken("it is of a shoe that is not on the table")
    if isinstance(data, frame.CardDealt) and data.pos != table.shoe.pos and data.pos not in table.faces:
        raise Broken(f"the next card of the shoe lies at position {table.shoe.pos}")


def _bind(data: Any) -> None:
    hashes: Iterable[str] = ()
    if isinstance(data, frame.SeedsCommitted):
        hashes = data.commitments
    elif isinstance(data, frame.CorteCommitted):
        hashes = (data.commit,)
    if not all(_HASH.fullmatch(each) for each in hashes):
        raise Broken("a commitment is no SHA-256, and binds nobody")


def _committed(cut: Cut | None, closed: frame.CorteClosed) -> None:
    listed = [(each.seat, each.commit) for each in closed.commits]
    if cut is None or listed != sorted((seat, each.commit) for seat, each in cut.contributors.items()):
        raise Broken("the cut is closed with other commitments than were given")


def _opens(table: Table, revealed: frame.CorteRevealed) -> None:
    given = table.cut.contributors.get(revealed.seat) if table.cut else None
    house = table.commitments.get(revealed.shuffle, "")
    opened = contribution_commit(
        table.log, revealed.shuffle, house, revealed.seat, revealed.cut, revealed.reveal
    )
    if given is None or opened != given.commit:
        raise Broken(f"the reveal of seat {revealed.seat} does not open its commitment")


def _promised(table: Table, shuffle: int, transcript: Transcript) -> None:
    named = (transcript.table, transcript.shuffle, transcript.commitment)
    if named != (table.log, shuffle, table.commitments.get(shuffle)):
        raise Broken("the transcript is not that of the shuffle the house was committed to")


def _cut(cut: Cut | None, transcript: Transcript) -> None:
    """The transcript holds what was contributed, all of it and nothing else."""
    given = tuple(
        Contribution(commit=each.commit, cut=each.cut, reveal=each.reveal, seat=seat)
        for seat, each in sorted(cut.contributors.items() if cut else ())
    )
    if (cut.cutter if cut else 0, given) != (transcript.cutter, transcript.contributions):
        raise Broken("the transcript is not that of the cut")


def _won(drawn: frame.LotDrawn) -> None:
    drawings = zip(drawn.candidates, drawn.cards, strict=True)
    winner, _ = max(drawings, key=lambda drawing: strength(drawing[1].card))
    if winner != drawn.winner:
        raise Broken("somebody else has the highest card of the lot")


def _seed(text: str) -> bytes:
    seed = bytes.fromhex(text)
    if seed.hex() != text:
        raise Broken("a seed is 64 lowercase hex digits")
    return seed


def _prove(said: _Shuffle, opened: frame.SeedRevealed) -> None:
    shoe = Shoe(said.transcript, _seed(opened.seed), opened.faces or None)
    if said.root:
        record = shoe.record() | {"shoe_root": said.root, "transcript_hash": said.transcript_hash}
        problems = [problem for problem in verify_record(record) if problem != NOT_RANDOM]
        if problems:
            raise Broken("; ".join(problems))
    for turned in said.turned:
        if turned != shoe.opening(turned.pos):
            raise Broken(f"the card shown at position {turned.pos} is not the one the seed puts there")
