"""A shoe from its committed seed to the revealed one, and the cards out of it (fairness 1.4 to 1.8)."""

import msgspec

from dealer.rules.frame.event import Data
from shoe.corte import Transcript


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


class CardBurned(Data, frozen=True, gc=False, kw_only=True):
    """The card at `pos` is laid aside before a coup; turned up, it shows its face and nonce (R-105)."""

    TYPE = "card.burned"
    card: int = -1
    nonce: str = ""
    pos: int
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
