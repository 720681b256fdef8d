"""What hands say and show, and what that brings (glossary, section 5: cards, result)."""

import msgspec

from dealer.rules.frame.event import Data


class HandDrew(Data, frozen=True, gc=False, kw_only=True):
    """«Carta»: the hand takes its one extra card (R-38)."""

    TYPE = "hand.drew"
    by: str = ""
    hand: str
    seat: int
    source: str


class HandStood(Data, frozen=True, gc=False, kw_only=True):
    """«Me planto»: the hand keeps its two cards."""

    TYPE = "hand.stood"
    by: str = ""
    hand: str
    seat: int
    source: str


class HandLaidDown(Data, frozen=True, gc=False, kw_only=True):
    """A natural, 8 or 9 with two cards, is laid down (R-35, R-36)."""

    TYPE = "hand.laid_down"
    by: str = ""
    hand: str
    points: int
    seat: int
    source: str


class HandShown(Data, frozen=True, gc=False):
    """The hand lies open and its score is announced."""

    TYPE = "hand.shown"
    hand: str
    points: int


class SettledStake(msgspec.Struct, frozen=True, gc=False):
    """One covered stake and what it won (negative: lost, 0: push)."""

    seat: int
    stake: int
    won: int


class PanoSettled(Data, frozen=True, gc=False):
    """A paño's result against the bank (R-44, R-45), at most 200 stakes an event."""

    TYPE = "pano.settled"
    bank_points: int
    pano: str
    points: int
    result: str
    stakes: tuple[SettledStake, ...]


class CommissionTaken(Data, frozen=True, gc=False):
    """What of a gain went to the house box: the bank's of the coup, or of all stakes on it (R-47, R-103)."""

    TYPE = "commission.taken"
    amount: int
    gain: int


class RoundSettled(Data, frozen=True, gc=False):
    """All chips of the coup have moved: the bank's total and what it gained (negative: paid)."""

    TYPE = "round.settled"
    bank: int
    net: int
