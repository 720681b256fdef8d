"""The events every table has, whatever is played at it (glossary, section 5).

Games add their own types; these are evolved by the table alone.
"""

from typing import Any

import msgspec

from dealer.rules.frame.event import Data
from shoe.corte import Transcript


class Move(msgspec.Struct, frozen=True, gc=False):
    """So many chips from one named place to another (design 4: `stack:3`, `stake:right:3`, `bank`, ...)."""

    amount: int
    origin: str = msgspec.field(name="from")
    to: str


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


class RoundStarted(Data, frozen=True, gc=False):
    """A coup or hand begins; its number is the envelope's `round`."""

    TYPE = "round.started"
    shuffle: int


class RoundEnded(Data, frozen=True, gc=False):
    """A coup or hand is over; `chips` is the checked total at the table."""

    TYPE = "round.ended"
    chips: int


class DeadlineMoved(Data, frozen=True, gc=False):
    """A decision caught by an outage keeps the time it had: its new end, in ms UTC."""

    TYPE = "deadline.moved"
    decision: str
    until: int


class SeedsCommitted(Data, frozen=True, gc=False):
    """Commitments (hex) to the seeds of the shuffles `from`, `from` + 1, ... (fairness 1.4, step 1)."""

    TYPE = "seeds.committed"
    commitments: tuple[str, ...]
    first: int = msgspec.field(name="from")


class ShoeSealed(Data, frozen=True, gc=False):
    """A shoe is shuffled and bound card by card before the first bet (fairness 1.4, step 10)."""

    TYPE = "shoe.sealed"
    beacon: str
    contributors: int
    shoe_root: str
    shuffle: int
    transcript: Transcript
    transcript_hash: str


class ShoeReady(Data, frozen=True, gc=False):
    """Stakes on this shoe are allowed from here on."""

    TYPE = "shoe.ready"
    shuffle: int


class StopCardReached(Data, frozen=True, gc=False):
    """The stop card has come out: no further round from this shoe (R-07, R-08)."""

    TYPE = "stop_card.reached"
    pos: int
    shuffle: int


class ShoeClosed(Data, frozen=True, gc=False):
    """No further card comes from this shoe; its seed follows in the same append."""

    TYPE = "shoe.closed"
    shuffle: int


class SeedRevealed(Data, frozen=True, gc=False, kw_only=True):
    """The seed (hex) of a finished shuffle, with any cards laid by hand: everybody can derive the order."""

    TYPE = "seed.revealed"
    faces: tuple[str, ...] = ()
    seed: str
    shuffle: int


class CardDealt(Data, frozen=True, gc=False):
    """The card at `pos` went face down to the hand `to`."""

    TYPE = "card.dealt"
    pos: int
    shuffle: int
    to: str


class CardExposed(Data, frozen=True, gc=False):
    """The card at `pos` is face up: physical card id and the nonce that proves it (fairness 1.6)."""

    TYPE = "card.exposed"
    card: int
    nonce: str
    pos: int
    shuffle: int


EVENTS: tuple[type[Data], ...] = (
    TableOpened,
    SeatTaken,
    SeatLeft,
    PersonJoined,
    PersonLeft,
    ChipsMoved,
    ChipsBoughtIn,
    ChipsRejected,
    ChipsCashedOut,
    RoundStarted,
    RoundEnded,
    DeadlineMoved,
    SeedsCommitted,
    ShoeSealed,
    ShoeReady,
    StopCardReached,
    ShoeClosed,
    SeedRevealed,
    CardDealt,
    CardExposed,
)
"""All generic event types."""
