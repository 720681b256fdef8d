"""Who is at a table, and where the chips go."""

import msgspec

from dealer.rules.frame.event import Data


class Move(msgspec.Struct, frozen=True, gc=False):
    """So many chips from one named place to another (design 4: `stack:3`, `stake:right:3`, `bank`, ...)."""

    amount: int
    origin: str = msgspec.field(name="from")
    to: str


class SeatTaken(Data, frozen=True, gc=False, kw_only=True):
    """A person, or a bot of the house, sits down."""

    TYPE = "seat.taken"
    bot: str = ""
    by: str = ""
    house: bool = False
    pid: str
    seat: int
    source: str


class SeatLeft(Data, frozen=True, gc=False, kw_only=True):
    """A seat is free again; its chips are on their way to the cage."""

    TYPE = "seat.left"
    by: str = ""
    seat: int
    source: str


class PersonJoined(Data, frozen=True, gc=False, kw_only=True):
    """Somebody plays standing, under the number `seat` from 1001 on (R-13)."""

    TYPE = "person.joined"
    by: str = ""
    pid: str
    seat: int
    source: str


class PersonLeft(Data, frozen=True, gc=False, kw_only=True):
    """A standing player is gone."""

    TYPE = "person.left"
    by: str = ""
    seat: int
    source: str


class ChipsMoved(Data, frozen=True, gc=False):
    """Chips change places, for one cause; at most 200 moves an event. The only way chips ever move."""

    TYPE = "chips.moved"
    cause: str
    moves: tuple[Move, ...]


class ChipsBoughtIn(Data, frozen=True, gc=False, kw_only=True):
    """The cage's hold `x` became chips at `place`."""

    TYPE = "chips.bought_in"
    amount: int
    by: str = ""
    place: str
    x: str


class ChipsRejected(Data, frozen=True, gc=False):
    """The cage's hold `x` did not become chips here, and never will."""

    TYPE = "chips.rejected"
    reason: str
    x: str


class ChipsCashedOut(Data, frozen=True, gc=False):
    """The cage has taken the chips that waited in `transit:<x>`."""

    TYPE = "chips.cashed_out"
    amount: int
    x: str
