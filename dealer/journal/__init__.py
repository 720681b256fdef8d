"""The log in Valkey: append at a version, read, follow. It deals in bytes and knows no game.

One stream an aggregate holds the truth; everything else under the partition's tag is written by the same
server-side call, or not at all (design.md section 5). Start with `journal.Journal`.
"""

from dealer.journal.errors import JournalDamaged, JournalError, JournalUnavailable
from dealer.journal.journal import Journal
from dealer.journal.model import (
    Appended,
    Claimed,
    Conflict,
    Entry,
    Extras,
    FeedItem,
    Gap,
    Known,
    Record,
    Round,
)

__all__ = [
    "Appended",
    "Claimed",
    "Conflict",
    "Entry",
    "Extras",
    "FeedItem",
    "Gap",
    "Journal",
    "JournalDamaged",
    "JournalError",
    "JournalUnavailable",
    "Known",
    "Record",
    "Round",
]
