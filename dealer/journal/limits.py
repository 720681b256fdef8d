"""How much one append may hold (design.md section 4), checked before anything is sent."""

from collections.abc import Sequence

from dealer.journal.model import Entry, Extras

BATCH_ENTRIES = 64
APPEND_EVENTS = 512
APPEND_BYTES = 1024 * 1024
EVENT_BYTES = 32 * 1024
SNAPSHOT_BYTES = 16 * 1024 * 1024
# Lua takes some 8,000 values in one call; two a person or secret, with room to spare.
EXTRAS_ITEMS = 1024


def check_append(expected: int, entries: Sequence[Entry], extras: Extras) -> None:
    """Refuse what no append may hold.

    Args:
        expected: The last sequence number the entries were decided for, -1 for an empty log.
        entries: The commands of the batch, in order.
        extras: What is written beside the log.

    Raises:
        ValueError: A limit is passed, a key occurs twice, or a round does not begin within the append.
    """
    if expected < -1:
        raise ValueError(f"expected is {expected}, but an empty log is -1")
    if not 1 <= len(entries) <= BATCH_ENTRIES:
        raise ValueError(f"{len(entries)} entries, but a batch holds 1 to {BATCH_ENTRIES}")
    count = total = 0
    for entry in entries:
        count += len(entry.events)
        total += len(entry.outcome) + sum(map(len, entry.events))
    if count > APPEND_EVENTS:
        raise ValueError(f"{count} events, but an append holds at most {APPEND_EVENTS}")
    if total > EVENT_BYTES:  # otherwise no single one can be too long
        longest = max((len(event) for entry in entries for event in entry.events), default=0)
        if longest > EVENT_BYTES:
            raise ValueError(f"an event of {longest} bytes, but it may have {EVENT_BYTES}")
    if total > APPEND_BYTES:
        raise ValueError(f"{total} bytes, but an append holds at most {APPEND_BYTES}")
    if len(entries) > 1 and len({(entry.principal, entry.key) for entry in entries}) < len(entries):
        raise ValueError("a key occurs twice in one batch")
    if max(len(extras.secrets), len(extras.people), len(extras.rounds)) > EXTRAS_ITEMS:
        raise ValueError(f"more than {EXTRAS_ITEMS} secrets, people or rounds in one append")
    for number, first in extras.rounds.items():
        if not expected < first <= expected + count:
            raise ValueError(f"round {number} begins at {first}, which is no event of this append")
