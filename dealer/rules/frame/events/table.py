"""A table as such: opened, paused, closed, and what takes two people."""

from typing import Any

import msgspec

from dealer.rules.frame.event import Data
from dealer.rules.frame.events.people import Move


class TableOpened(Data, frozen=True, gc=False, kw_only=True):
    """A table exists; the game, its profile and every option in force are fixed from here on.

    On a `stacked` table cards were laid by hand, for tests or training: nothing there is random.
    """

    TYPE = "table.opened"
    automations: tuple[str, ...]
    game: str
    mode: str
    options: dict[str, Any]
    profile: str
    profile_version: int
    stacked: bool = False


class TablePaused(Data, frozen=True, gc=False, kw_only=True):
    """All clocks stand still; nothing is decided until the table is resumed."""

    TYPE = "table.paused"
    by: str = ""
    reason: str
    source: str


class TableResumed(Data, frozen=True, gc=False, kw_only=True):
    """Play goes on; the moved deadlines follow in the same append."""

    TYPE = "table.resumed"
    by: str = ""
    source: str


class TableClosing(Data, frozen=True, gc=False, kw_only=True):
    """The table closes, after the round under way or (`now`) without it."""

    TYPE = "table.closing"
    by: str = ""
    now: bool
    source: str


class TableClosed(Data, frozen=True, gc=False):
    """The table is over: no chips stand at it and no seed is kept. Late holds may still be rejected."""

    TYPE = "table.closed"


class CorrectionProposed(Data, frozen=True, gc=False, kw_only=True):
    """One person proposes what needs two: to void, to go on after an incident, to correct a result.

    For a `result` it says which round it `corrects`, what chips are to move, and why.
    """

    TYPE = "correction.proposed"
    by: str
    corrects: int = 0
    kind: str
    moves: tuple[Move, ...] = ()
    reason: str = ""


class Change(msgspec.Struct, frozen=True, gc=False):
    """Chips at one place after a correction and before it; `owner` is a pseudonym, or `house`."""

    after: int
    before: int
    owner: str
    place: str


class CorrectionApproved(Data, frozen=True, gc=False, kw_only=True):
    """Another person approves; what it does follows in the same append.

    For a `result` all of it is said again, with the chips before and after; what the round's own events
    say stays.
    """

    TYPE = "correction.approved"
    approvals: tuple[str, ...] = ()
    by: str
    changes: tuple[Change, ...] = ()
    corrects: int = 0
    kind: str
    proposal: int = 0
    reason: str = ""


class CorrectionRejected(Data, frozen=True, gc=False):
    """The proposal is off the table."""

    TYPE = "correction.rejected"
    by: str
    kind: str
