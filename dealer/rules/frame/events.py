"""The events every table has, whatever is played at it (glossary, section 5).

Games add their own types; these are evolved by the table alone.
"""

from typing import Any

import msgspec

from dealer.rules.frame.event import Data, Upcasts
from shoe.cards import Deck
from shoe.corte import Opening, Transcript


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


class CorrectionProposed(Data, frozen=True, gc=False):
    """One person proposes what needs two: `void_round`, `void_shoe`, or `resume` after an incident."""

    TYPE = "correction.proposed"
    by: str
    kind: str


class CorrectionApproved(Data, frozen=True, gc=False):
    """Another person approves; what it does follows in the same append."""

    TYPE = "correction.approved"
    by: str
    kind: str


class CorrectionRejected(Data, frozen=True, gc=False):
    """The proposal is off the table."""

    TYPE = "correction.rejected"
    by: str
    kind: str


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


class RoundVoided(Data, frozen=True, gc=False):
    """The round is struck out: stakes are back, cards that came out stay out (fairness 1.8)."""

    TYPE = "round.voided"
    approvals: tuple[str, ...]
    reason: str


class DeadlineMoved(Data, frozen=True, gc=False, kw_only=True):
    """A decision caught by a pause or an outage keeps the time it had: its new end, in ms UTC.

    Of an outage, `gap` is its end: no decision is moved twice for the same one.
    """

    TYPE = "deadline.moved"
    decision: str
    gap: int = 0
    until: int


class SeedsCommitted(Data, frozen=True, gc=False):
    """Commitments (hex) to the seeds of the shuffles `from`, `from` + 1, ... (fairness 1.4, step 1)."""

    TYPE = "seeds.committed"
    commitments: tuple[str, ...]
    first: int = msgspec.field(name="from")


class SeatWilling(Data, frozen=True, gc=False, kw_only=True):
    """A seat says whether it takes part in the cuts (R-05)."""

    TYPE = "seat.willing"
    by: str = ""
    seat: int
    source: str
    willing: bool


class CorteOpened(Data, frozen=True, gc=False):
    """The cut of the next shoe is open: `cutter` cuts (0: nobody), `seats` are waited for (fairness 1.4).

    Other willing people may contribute too. `commit_by` is in ms UTC.
    """

    TYPE = "corte.opened"
    commit_by: int
    cutter: int
    deck: Deck
    reveal_within_ms: int
    seats: tuple[int, ...]
    shuffle: int


class CorteCommitted(Data, frozen=True, gc=False, kw_only=True):
    """A contributor is bound to a contribution nobody has seen; a spectator, who has no seat, is named."""

    TYPE = "corte.committed"
    by: str = ""
    commit: str
    pid: str = ""
    seat: int
    shuffle: int
    source: str


class CorteDeclined(Data, frozen=True, gc=False, kw_only=True):
    """A seat lets this cut pass."""

    TYPE = "corte.declined"
    by: str = ""
    seat: int
    shuffle: int
    source: str


class SeatCommit(msgspec.Struct, frozen=True, gc=False):
    """One commitment of a cut."""

    commit: str
    seat: int


class CorteClosed(Data, frozen=True, gc=False):
    """No further commitment is taken: these are all, ascending by seat. Now they are opened."""

    TYPE = "corte.closed"
    commits: tuple[SeatCommit, ...]
    shuffle: int
    source: str


class CorteRevealed(Data, frozen=True, gc=False, kw_only=True):
    """The contribution of `seat` is open, whoever brought it: where it cuts, and its 32 bytes (hex)."""

    TYPE = "corte.revealed"
    by: str = ""
    cut: int
    reveal: str
    seat: int
    shuffle: int
    source: str


class CorteAborted(Data, frozen=True, gc=False):
    """Commitments stayed shut, so this shuffle is given up and its seed (hex) is open (fairness 1.7)."""

    TYPE = "corte.aborted"
    missing: tuple[int, ...]
    seed: str
    shuffle: int


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


class ShoeVoided(Data, frozen=True, gc=False):
    """The shoe is struck out by two people; its seed follows in the same append (fairness 1.8)."""

    TYPE = "shoe.voided"
    approvals: tuple[str, ...]
    reason: str
    shuffle: int


class SeedRevealed(Data, frozen=True, gc=False, kw_only=True):
    """The seed (hex) of a finished shuffle, with any cards laid by hand: everybody can derive the order."""

    TYPE = "seed.revealed"
    faces: tuple[str, ...] = ()
    seed: str
    shuffle: int


class LotDrawn(Data, frozen=True, gc=False):
    """A lot: one card each to the candidates in seat order, the highest wins; its seed follows (design 3)."""

    TYPE = "lot.drawn"
    candidates: tuple[int, ...]
    cards: tuple[Opening, ...]
    purpose: str
    shuffle: int
    transcript: Transcript
    winner: int


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
    TablePaused,
    TableResumed,
    TableClosing,
    TableClosed,
    CorrectionProposed,
    CorrectionApproved,
    CorrectionRejected,
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
    RoundVoided,
    DeadlineMoved,
    SeedsCommitted,
    SeatWilling,
    CorteOpened,
    CorteCommitted,
    CorteDeclined,
    CorteClosed,
    CorteRevealed,
    CorteAborted,
    ShoeSealed,
    ShoeReady,
    StopCardReached,
    ShoeClosed,
    ShoeVoided,
    SeedRevealed,
    LotDrawn,
    CardDealt,
    CardExposed,
)
"""All generic event types."""

UPCASTS: Upcasts = {}
"""From each earlier version of a generic event to the next; no type has had another shape yet."""
