"""Verification of a shoe's record: the house's own check, written against the public form (fairness 1.12).

A record is never trusted: whatever is wrong with it becomes a sentence in the answer, not an exception.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from shoe import merkle
from shoe.corte import (
    STACKED,
    Hex32,
    Opening,
    Transcript,
    contribution_commit,
    leaf,
)
from shoe.shoe import Shoe

NOT_RANDOM = "not random: the cards were laid by hand (stacked/1)"


class Live(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A shoe as it is published while it is on the table; further fields are allowed and ignored.

    Attributes:
        exposed: openings of cards, each with its path.
        faces: of a stacked shoe, the cards that were laid on top.
        shoe_root: the seal published before the first bet.
        transcript: what the order was derived from.
        transcript_hash: its hash, as published with the seal.
    """

    exposed: tuple[Opening, ...]
    faces: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    shoe_root: Hex32
    transcript: Transcript
    transcript_hash: Hex32


class Record(Live, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A finished shoe as it is published, with the revealed seed."""

    seed: Hex32


def verify_record(record: Mapping[str, Any]) -> list[str]:
    """The problems found in a record, in plain sentences; none for a good one.

    A stacked shoe always has one, `NOT_RANDOM`; it is the only one if everything else is right.
    """
    try:
        shown = msgspec.convert(record, Record)
    except msgspec.ValidationError as error:
        return [f"the record is malformed: {error}"]
    return [*_problems_so_far(shown), *_derivation_problems(shown)]


def verify_live(record: Mapping[str, Any]) -> list[str]:
    """The same for a shoe on the table: all that is open is checked, and what waits for the seed is not."""
    try:
        shown = msgspec.convert(record, Live)
    except msgspec.ValidationError as error:
        return [f"the record is malformed: {error}"]
    laid = shown.faces is not msgspec.UNSET and shown.transcript.profile != STACKED
    return [*([NOT_RANDOM] if laid else []), *_problems_so_far(shown)]


def verify_opening(opening: Opening, size: int, shoe_root: str) -> bool:
    """Whether the opening proves its card at its position under a shoe root, without the seed."""
    node = leaf(opening.pos, opening.card, bytes.fromhex(opening.nonce))
    path = [bytes.fromhex(step) for step in opening.path]
    return opening.card < size and merkle.verify(node, opening.pos, size, path, bytes.fromhex(shoe_root))


def _problems_so_far(shown: Live) -> list[str]:
    """What is wrong with the transcript and the cards shown, for which no seed is needed."""
    return [*_transcript_problems(shown), *_opening_problems(shown)]


def _transcript_problems(record: Live) -> list[str]:
    transcript = record.transcript
    log, shuffle = transcript.table, transcript.shuffle
    problems = []
    if transcript.profile == STACKED:
        problems.append(NOT_RANDOM)
    if transcript.hash() != record.transcript_hash:
        problems.append("the transcript does not have the published hash")
    for each in transcript.contributions:
        opened = contribution_commit(log, shuffle, transcript.commitment, each.seat, each.cut, each.reveal)
        if opened != each.commit:
            problems.append(f"the reveal of seat {each.seat} does not open its commitment")
    return problems


def _opening_problems(record: Live) -> list[str]:
    size = record.transcript.deck.size
    return [
        f"the card shown at position {opening.pos} is not proved by the shoe root"
        for opening in record.exposed
        if not verify_opening(opening, size, record.shoe_root)
    ]


def _derivation_problems(record: Record) -> list[str]:
    faces = None if record.faces is msgspec.UNSET else record.faces
    try:
        shoe = Shoe(record.transcript, bytes.fromhex(record.seed), faces)
        derived = shoe.order
    except ValueError as error:
        return [f"the order cannot be derived: {error}"]
    problems = []
    if shoe.root != record.shoe_root:
        problems.append("the seed and the transcript give another shoe root")
    problems.extend(
        f"the card shown at position {opening.pos} is not the one the seed puts there"
        for opening in record.exposed
        if opening.pos < len(derived) and derived[opening.pos] != opening.card
    )
    return problems
