"""The commands every table takes, and the base all commands share (glossary, section 4)."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from shoe.corte import Hex32

MAX_CHIPS = 2**53 - 1
"""The largest number of chips that can stand in one place."""

Chips = Annotated[int, Meta(ge=1, le=MAX_CHIPS, description="A positive whole number of play chips.")]
SeatNo = Annotated[int, Meta(ge=1, le=9999, description="Seat on the wire (glossary, section 2).")]
Id = Annotated[str, Meta(pattern=r"^[a-z0-9_]{1,64}$(?!\n)")]
DecisionId = Annotated[str, Meta(pattern=r"^[a-z0-9_:]{1,80}$(?!\n)")]
Correction = Literal["void_round", "void_shoe", "result", "resume"]
"""What takes two people: a void, other chips for a settled round, the end of a pause after an incident."""
Reason = Literal["agreement", "host_error", "outage", "rule_error"]
"""Why a settled round is corrected; a code, since what stands in a log stands there for ever."""
Place = Annotated[
    str, Meta(pattern=r"^[a-z_]{1,16}(:[0-9]{1,4})?$(?!\n)", description="`stack:3`, `bank`, …")
]
MOST_MOVES = 32
"""Moves of one correction."""


class Command(
    msgspec.Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
):
    """What somebody asks of a table.

    Attributes:
        seat: for whom, when a host acts; a player's own seat is known from the key.
        decision: the decision this answers; refused with `decision_over` once that has ended.
        if_seq: a host's precondition: act only if this is still the last sequence number.
    """

    HOST_ONLY: ClassVar[bool] = False
    """Only a host gives it."""
    ON_REQUEST: ClassVar[bool] = False
    """Of what is a host's: whoever sits at the table may ask for it, and the game says when."""
    HIDDEN: ClassVar[bool] = False
    """Whether it is legal depends on a hidden face, so nobody but the holder may try it (design 8)."""
    PERSONAL: ClassVar[bool] = False
    """Nobody gives it in somebody's name: it protects people from the house (fairness 1.10, no. 4)."""
    NAMES_SEAT: ClassVar[bool] = False
    """`seat` is the wanted place, not the sender's."""
    FOR_HOUSE: ClassVar[bool] = False
    """Without a seat a host gives it for the house, and the chips come from the cage."""
    SPECTATORS: ClassVar[bool] = False
    """Somebody without a place may give it too, under a number from 101 to 164 (fairness, decision 3)."""

    seat: SeatNo | msgspec.UnsetType = msgspec.UNSET
    decision: DecisionId | msgspec.UnsetType = msgspec.UNSET
    if_seq: Annotated[int, Meta(ge=0)] | msgspec.UnsetType = msgspec.UNSET


class Sit(Command, frozen=True, gc=False, tag="sit"):
    """Take the free seat `seat`. A host names the account of the person who sits down."""

    NAMES_SEAT = True
    account: Id | msgspec.UnsetType = msgspec.UNSET


class SeatBot(Command, frozen=True, gc=False, tag="seat_bot"):
    """A host puts a bot of the house on a free seat; it decides by the named policy."""

    HOST_ONLY = True
    NAMES_SEAT = True
    policy: Id


class Join(Command, frozen=True, gc=False, tag="join"):
    """Play standing, without a seat (R-13). A host names the account."""

    NAMES_SEAT = True
    account: Id | msgspec.UnsetType = msgspec.UNSET


class Leave(Command, frozen=True, gc=False, tag="leave"):
    """Get up; the stack goes back to the account. Refused while a stake is in play."""


class BuyIn(Command, frozen=True, gc=False, tag="buy_in"):
    """Bring chips from the account to the stack at this table."""

    amount: Chips


class CashOut(Command, frozen=True, gc=False, tag="cash_out"):
    """Take the whole stack back to the account."""


class Expire(Command, frozen=True, gc=False, tag="expire"):
    """End the named decision as if its time were up: the croupier's act, or a host's for a silent seat."""

    HOST_ONLY = True
    decision: DecisionId


class SetCutWilling(Command, frozen=True, gc=False, tag="set_cut_willing"):
    """Say whether one takes part in the cuts of this table, from the next one on (R-05)."""

    PERSONAL = True
    willing: bool


class CutCommit(Command, frozen=True, gc=False, tag="cut_commit"):
    """Commit to a place to cut at and 32 random bytes, both still unseen (fairness 1.4, step 3).

    A spectator names a free number from 101 on as `seat`: it is part of the hash.
    """

    PERSONAL = True
    SPECTATORS = True
    commit: Hex32


class CutDecline(Command, frozen=True, gc=False, tag="cut_decline"):
    """Let this cut pass."""

    PERSONAL = True


class CutReveal(Command, frozen=True, gc=False, tag="cut_reveal"):
    """Open a commitment: one's own, or that of `seat`. It proves itself, so anybody may bring it."""

    NAMES_SEAT = True
    cut: Annotated[int, Meta(ge=0, le=9999, description="Cards from the top, 1 to all but one.")]
    reveal: Hex32


class Deal(Command, frozen=True, gc=False, tag="deal"):
    """A host deals, where that is left to one; for games that have such a moment."""

    HOST_ONLY = True
    NAMES_SEAT = True


class NextRound(Command, frozen=True, gc=False, tag="next_round"):
    """A host, or where the game lets him a player, has the next round begin without waiting."""

    HOST_ONLY = True
    ON_REQUEST = True
    NAMES_SEAT = True


class Pause(Command, frozen=True, gc=False, tag="pause"):
    """A host stops all clocks of the table."""

    HOST_ONLY = True
    NAMES_SEAT = True


class Resume(Command, frozen=True, gc=False, tag="resume"):
    """A host lets the table go on. After an incident it takes two people (`propose_correction`)."""

    HOST_ONLY = True
    NAMES_SEAT = True


class CloseTable(Command, frozen=True, gc=False, tag="close_table"):
    """A host closes the table after the round under way, or `now` by voiding it; all chips go home."""

    HOST_ONLY = True
    NAMES_SEAT = True
    now: bool = False


class Shift(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, rename={"origin": "from"}):
    """So many chips to go from one place to another."""

    amount: Chips
    origin: Place
    to: Place

    def __post_init__(self) -> None:
        if self.origin == self.to:
            raise ValueError("chips move between two places")


class ProposeCorrection(Command, frozen=True, gc=False, tag="propose_correction"):
    """A host proposes what another has to approve.

    Of a `result` he names the settled round, the moves of chips that put it right, and why.
    """

    HOST_ONLY = True
    NAMES_SEAT = True
    kind: Correction
    moves: Annotated[tuple[Shift, ...], Meta(min_length=1, max_length=MOST_MOVES)] | msgspec.UnsetType = (
        msgspec.UNSET
    )
    reason: Reason | msgspec.UnsetType = msgspec.UNSET
    round: Annotated[int, Meta(ge=1)] | msgspec.UnsetType = msgspec.UNSET

    def __post_init__(self) -> None:
        given = {each is not msgspec.UNSET for each in (self.moves, self.reason, self.round)}
        if given != {self.kind == "result"}:
            raise ValueError("`moves`, `reason` and `round` belong to a `result`, and to nothing else")


class ApproveCorrection(Command, frozen=True, gc=False, tag="approve_correction"):
    """Another host approves what was proposed, and it is done; with `kind`, only if it is that.

    Of a `result` he names the `proposal` too, by the number of its event: so he approves these moves alone.
    """

    HOST_ONLY = True
    NAMES_SEAT = True
    kind: Correction | msgspec.UnsetType = msgspec.UNSET
    proposal: Annotated[int, Meta(ge=1)] | msgspec.UnsetType = msgspec.UNSET


class RejectCorrection(Command, frozen=True, gc=False, tag="reject_correction"):
    """A host rejects what was proposed."""

    HOST_ONLY = True
    NAMES_SEAT = True


PUBLIC: tuple[type[Command], ...] = (
    Sit,
    SeatBot,
    Join,
    Leave,
    BuyIn,
    CashOut,
    Expire,
    SetCutWilling,
    CutCommit,
    CutDecline,
    CutReveal,
    Pause,
    Resume,
    CloseTable,
    ProposeCorrection,
    ApproveCorrection,
    RejectCorrection,
)
"""What a door accepts at every table; each game adds its own."""


class OpenTable(msgspec.Struct, frozen=True):
    """Internal: the first command of a table.

    Attributes:
        seeds: fresh, one a shuffle, 32 bytes each.
        stacked: faces to lie on top of the first shoe, of a table for tests and training (design 6).
    """

    game: str
    profile: str
    mode: str
    options: dict[str, Any]
    seeds: tuple[bytes, ...]
    stacked: tuple[str, ...] = ()


class CommitSeeds(msgspec.Struct, frozen=True):
    """Internal: the next batch of fresh seeds for a table that is running low."""

    decision: str
    seeds: tuple[bytes, ...]


class Receive(msgspec.Struct, frozen=True):
    """Internal: chips held by the cage under `x` arrive at `place` (`stack:3`, or `bank` for the house)."""

    amount: int
    place: str
    pid: str
    x: str


class MoveDeadlines(msgspec.Struct, frozen=True):
    """Internal: nobody watched the clocks in these times, (from, to) in ms UTC."""

    gaps: tuple[tuple[int, int], ...]


class Resolve(msgspec.Struct, frozen=True):
    """Internal: a hold has waited too long; whatever has not been taken by now never will be."""

    x: str


class CashedOut(msgspec.Struct, frozen=True):
    """Internal: the cage has posted the chips that wait in `transit:<x>`."""

    x: str


Internal = OpenTable | CommitSeeds | Receive | Resolve | CashedOut | MoveDeadlines
