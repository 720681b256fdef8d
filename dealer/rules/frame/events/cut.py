"""The cut by commit and reveal (fairness 1.4, 1.7)."""

import msgspec

from dealer.rules.frame.event import Data
from shoe.cards import Deck


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
