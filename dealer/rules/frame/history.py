"""One round told from its events: what is said of a round at every table, around what its game says."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from dealer.rules.frame.commands import Id
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import Change, CorrectionApproved, RoundEnded, RoundVoided
from dealer.rules.frame.game import Game
from dealer.rules.frame.state import Table
from shoe.corte import Transcript

_Ms = Annotated[int, Meta(ge=0, description="Milliseconds UTC.")]
_Seq = Annotated[int, Meta(ge=0, description="Sequence number of an event.")]


class Corrected(msgspec.Struct, frozen=True, kw_only=True):
    """What two people put right of a settled round; `told` is as it was.

    Attributes:
        approvals: pseudonyms, the proposer's first.
        changes: the chips of every place that was touched, before and after.
        seq: the event of the approval.
    """

    approvals: tuple[str, ...]
    at: _Ms
    changes: tuple[Change, ...]
    reason: str
    seq: _Seq


class RoundTold(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One round told from its events; what is in `told` is the game's. Without `ended_at` it goes on.

    Attributes:
        beacon: whether a public beacon had a part in the order of its shoe.
        contributors: how many people had one; with 0 the order is the house's alone (fairness 1.7).
        corrections: what was put right of it later, in that order (fairness S-26).
        ended_at: when it was settled, or voided.
        first: its first event.
        last: its last one so far.
        shuffle: the shoe it was dealt from.
        version: of the profile.
        voided: it does not count, and all stakes are back.
    """

    beacon: bool
    contributors: Annotated[int, Meta(ge=0)]
    corrections: tuple[Corrected, ...] = ()
    ended_at: _Ms | msgspec.UnsetType = msgspec.UNSET
    first: _Seq
    game: str
    last: _Seq
    profile: str
    round: int
    shuffle: int
    started_at: _Ms
    table: Id
    told: dict[str, Any]
    version: int
    voided: bool = False


def tell(
    game: Game, table: Table, events: Sequence[Event], transcript: Transcript, approvals: Sequence[Event] = ()
) -> RoundTold:
    """Tell a round.

    Args:
        game: what is played at the table.
        table: as it stood at any time since its opening.
        events: all of the round so far, and no other.
        transcript: of the shoe that the round is dealt from.
        approvals: the events that approved corrections of it.
    """
    start, last = events[0], events[-1]
    ends = [event for event in events if isinstance(event.data, RoundEnded | RoundVoided)]
    return RoundTold(
        beacon=bool(transcript.beacon),
        contributors=len(transcript.contributions),
        corrections=tuple(map(_corrected, approvals)),
        ended_at=ends[0].at if ends else msgspec.UNSET,
        first=start.seq,
        game=table.game,
        last=last.seq,
        profile=table.profile,
        round=start.round,
        shuffle=start.data.shuffle,
        started_at=start.at,
        table=table.log.rpartition("/")[2],
        told=game.history(events),
        version=table.profile_version,
        voided=any(isinstance(event.data, RoundVoided) for event in ends),
    )


def _corrected(event: Event) -> Corrected:
    data: CorrectionApproved = event.data
    return Corrected(
        approvals=data.approvals, at=event.at, changes=data.changes, reason=data.reason, seq=event.seq
    )
