"""The append and the claim as the engine's functions take and answer them, and entries as they are stored."""

from collections.abc import Sequence
from typing import Any

import msgspec

from dealer.journal import library
from dealer.journal.errors import JournalDamaged
from dealer.journal.keys import Keys, PartitionKeys
from dealer.journal.model import Appended, Claimed, Conflict, Entry, Extras, Gap, Known, Record

APPENDED, CONFLICT = 0, 2

# A claim takes so many aggregates at most; the rest is due at once again.
_CLAIM_MOST = 100
# A pulse is one second; three of them missed are an outage.
_GAP_MS = 3_000


class _Head(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What the append function is told in its first argument: one costs far less than a dozen.

    Attributes:
        counts: events of each command; records and events themselves are the next arguments.
        deadline: 0 for none, and so is `opened`; -1 keeps both as they stand.
        beside: what is written beside the log, None for nothing.
    """

    aggregate: str
    expected: int
    life_ms: int
    counts: list[int]
    deadline: int
    opened: int
    beside: "_Beside | None"


class _Beside(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What an append writes beside the log; of the secrets, those that are set are the last arguments.

    Attributes:
        deleted: names of secrets.
        people: person by pseudonym.
        rounds: first sequence number by round.
    """

    listed: bool
    deleted: list[str]
    people: dict[str, str]
    rounds: dict[int, int]


_encode = msgspec.msgpack.Encoder().encode
_decode_record = msgspec.msgpack.Decoder(Record).decode


def records_of(expected: int, entries: Sequence[Entry]) -> list[Record]:
    """The records that entries get when they are appended after the event `expected`."""
    records = []
    last = expected
    for entry in entries:
        first = last + 1
        last += len(entry.events)
        records.append(Record(entry.body_hash, entry.outcome, first, last))
    return records


def decode_record(stored: bytes) -> Record:
    """The record that was stored.

    Raises:
        JournalDamaged: It is none.
    """
    try:
        return _decode_record(stored)
    except msgspec.MsgspecError as error:
        raise JournalDamaged(f"a record cannot be read: {error}") from error


def append_command(
    keys: Keys,
    expected: int,
    entries: Sequence[Entry],
    records: Sequence[Record],
    extras: Extras,
    ttl_ms: int,
) -> list[str | bytes | int]:
    """The call of the append function; `journal.lua` says what it does with it."""
    touched = [*keys.told, *[keys.record(entry.principal, entry.key) for entry in entries]]
    deadline, opened, beside = -1, 0, None
    if extras.timed:
        deadline, opened = extras.deadline or 0, extras.opened or 0
        touched += keys.timed
    secrets = extras.secrets
    if secrets or extras.people or extras.rounds or extras.listed:
        deleted = [name for name, blob in secrets.items() if blob is None]
        beside = _Beside(extras.listed, deleted, extras.people, extras.rounds)
        touched += keys.beside
    counts = [len(entry.events) for entry in entries]
    head = _Head(keys.aggregate, expected, ttl_ms, counts, deadline, opened, beside)
    command: list[str | bytes | int] = ["FCALL", library.APPEND, len(touched), *touched, _encode(head)]
    for entry, record in zip(entries, records, strict=True):
        command += (_encode(record), *entry.events)
    for name, blob in secrets.items():
        if blob is not None:
            command += (name, blob)
    return command


def appended(expected: int, reply: list[Any]) -> Appended | Known | Conflict:
    """What the append function answered at the version `expected`.

    Raises:
        JournalDamaged: It names a record that cannot be read.
    """
    status, last, *found = reply
    if status == APPENDED:
        return Appended(expected + 1, last)
    if status == CONFLICT:
        return Conflict(last)
    places, stored = found[::2], found[1::2]
    return Known(dict(zip(places, map(decode_record, stored), strict=True)), last)


def claim_command(shared: PartitionKeys, lease_ms: int) -> list[str | bytes | int]:
    """The call of the claim function."""
    touched = (shared.due, shared.openings, shared.pulse, shared.gaps)
    return ["FCALL", library.CLAIM, len(touched), *touched, lease_ms, _CLAIM_MOST, _GAP_MS]


def snap_command(keys: Keys, seq: int, blob: bytes) -> list[str | bytes | int]:
    """The call of the function that keeps a snapshot."""
    return ["FCALL", library.SNAP, 1, keys.snapshot, seq, blob]


def claimed(reply: list[Any]) -> Claimed:
    """What the claim function answered."""
    next_due, due, gaps = reply
    return Claimed(
        due=[aggregate.decode() for aggregate in due],
        next=None if next_due < 0 else next_due,
        gaps=[Gap(from_ms, to_ms) for from_ms, to_ms in zip(gaps[::2], gaps[1::2], strict=True)],
    )


def entry_id(first: int) -> str:
    """The id of the stream entry whose first event has the sequence number `first`."""
    return f"{first + 1}-0"


def stored_entry(reply: list[Any]) -> tuple[int, list[bytes]]:
    """The first sequence number of a stored entry, and its events.

    Raises:
        JournalDamaged: Its id is none that an append gives.
    """
    name, fields = reply
    number, _, rest = name.decode().partition("-")
    if rest != "0" or number == "0":
        raise JournalDamaged(f"an entry has the id {name.decode()}")
    return int(number) - 1, fields[1::2]
