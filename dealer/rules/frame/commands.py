"""The commands every table takes, and the base all commands share (glossary, section 4)."""

from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

MAX_CHIPS = 2**53 - 1
"""The largest number of chips that can stand in one place."""

Chips = Annotated[int, Meta(ge=1, le=MAX_CHIPS, description="A positive whole number of play chips.")]
SeatNo = Annotated[int, Meta(ge=1, le=9999, description="Seat on the wire (glossary, section 2).")]
Id = Annotated[str, Meta(pattern="^[a-z0-9_]{1,64}$")]
DecisionId = Annotated[str, Meta(pattern="^[a-z0-9_:]{1,80}$")]


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
    HIDDEN: ClassVar[bool] = False
    """Whether it is legal depends on a hidden face, so nobody but the holder may try it (design 8)."""
    NAMES_SEAT: ClassVar[bool] = False
    """`seat` is the wanted place, not the sender's."""

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


PUBLIC: tuple[type[Command], ...] = (Sit, SeatBot, Join, Leave, BuyIn, CashOut, Expire)
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


class Resolve(msgspec.Struct, frozen=True):
    """Internal: a hold has waited too long; whatever has not been taken by now never will be."""

    x: str


class CashedOut(msgspec.Struct, frozen=True):
    """Internal: the cage has posted the chips that wait in `transit:<x>`."""

    x: str


Internal = OpenTable | CommitSeeds | Receive | Resolve | CashedOut
