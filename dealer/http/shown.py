"""What somebody is awaited for, as the view of a table shows it."""

from typing import Annotated

import msgspec
from msgspec import Meta

from dealer.rules.frame.commands import Correction, Reason
from dealer.rules.frame.events import Move


class DueView(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that somebody is awaited for; `until` 0 waits for ever."""

    decision: str
    seats: list[int]
    until: Annotated[int, Meta(ge=0, description="Milliseconds UTC.")]


class ProposalView(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a second host approves by naming `proposal`; empty if nothing waits.

    Of a `result` it shows every move of chips that the approval brings.
    """

    by: str | msgspec.UnsetType = msgspec.UNSET
    kind: Correction | msgspec.UnsetType = msgspec.UNSET
    moves: list[Move] | msgspec.UnsetType = msgspec.UNSET
    proposal: int | msgspec.UnsetType = msgspec.UNSET
    reason: Reason | msgspec.UnsetType = msgspec.UNSET
    round: int | msgspec.UnsetType = msgspec.UNSET
