"""The events of bacará (glossary, section 5)."""

import msgspec

from dealer.rules.frame.event import Data, Upcasts


class BankSought(Data, frozen=True, gc=False, kw_only=True):
    """A banker is looked for by `mode`; by none any more if it is empty, since nobody was found (R-54)."""

    TYPE = "bank.sought"
    by: str = ""
    mode: str
    source: str


class BankOffered(Data, frozen=True, gc=False, kw_only=True):
    """A seat offers to bank with `amount`; those before it are asked for their consent first (R-51)."""

    TYPE = "bank.offered"
    amount: int
    by: str = ""
    seat: int
    source: str


class BankConsented(Data, frozen=True, gc=False, kw_only=True):
    """A seat consents to the candidate (R-51)."""

    TYPE = "bank.consented"
    by: str = ""
    candidate: int
    seat: int
    source: str


class BankRefused(Data, frozen=True, gc=False, kw_only=True):
    """A seat does not consent, or has not answered: the candidate does not bank (R-51, A-24)."""

    TYPE = "bank.refused"
    by: str = ""
    candidate: int
    seat: int
    source: str


class BankBid(Data, frozen=True, gc=False, kw_only=True):
    """A seat bids `amount`, more than anybody before (R-52)."""

    TYPE = "bank.bid"
    amount: int
    by: str = ""
    seat: int
    source: str


class BankEntered(Data, frozen=True, gc=False, kw_only=True):
    """A seat takes part in the lot for the bank (R-53)."""

    TYPE = "bank.entered"
    by: str = ""
    seat: int
    source: str


class BankDeclined(Data, frozen=True, gc=False, kw_only=True):
    """A seat does not take the bank: offered to it, or offered by it with chips it no longer has."""

    TYPE = "bank.declined"
    by: str = ""
    seat: int
    source: str


class BankConstituted(Data, frozen=True, gc=False, kw_only=True):
    """A bank stands: `amount` chips behind `banker` (a seat, 0 for the house), got by `mode` (R-50 ff.).

    It has a `source` where it is somebody's word, and not what follows from others'.
    """

    TYPE = "bank.constituted"
    amount: int
    banker: int
    by: str = ""
    mode: str
    source: str = ""


class BankEnded(Data, frozen=True, gc=False, kw_only=True):
    """The bank is over; what was left goes back to its owner (R-57, R-58)."""

    TYPE = "bank.ended"
    amount: int
    banker: int
    by: str = ""
    reason: str
    source: str = ""


class StakesOpened(Data, frozen=True, gc=False, kw_only=True):
    """«¡Hagan juego, señores!»"""  # noqa: D415 - the croupier's call ends as it is spoken

    TYPE = "stakes.opened"
    by: str = ""
    source: str


class StakesLastCalled(Data, frozen=True, gc=False, kw_only=True):
    """«¿Está hecho?»"""  # noqa: D415 - the croupier's call ends as it is spoken

    TYPE = "stakes.last_called"
    by: str = ""
    source: str


class StakesClosed(Data, frozen=True, gc=False, kw_only=True):
    """«¡No va más!»"""  # noqa: D415 - the croupier's call ends as it is spoken

    TYPE = "stakes.closed"
    by: str = ""
    source: str


class StakePlaced(Data, frozen=True, gc=False, kw_only=True):
    """A seat put `amount` more on a bet, where it now has `total` (R-26)."""

    TYPE = "stake.placed"
    amount: int
    by: str = ""
    on: str
    seat: int
    source: str
    total: int


class StakeWithdrawn(Data, frozen=True, gc=False, kw_only=True):
    """A seat took `amount` back from a bet, where it now has `total`."""

    TYPE = "stake.withdrawn"
    amount: int
    by: str = ""
    on: str
    seat: int
    source: str
    total: int


class CoveredStake(msgspec.Struct, frozen=True, gc=False):
    """One stake and how much of it the bank answers for."""

    amount: int
    covered: int
    on: str
    seat: int


class StakesCovered(Data, frozen=True, gc=False):
    """What plays, in the order of R-30, at most 200 stakes an event; and who holds each paño that is dealt.

    A holder 0 means that the croupier plays the hand by the tableau (R-19); a paño without a covered
    stake is not named (R-20).
    """

    TYPE = "stakes.covered"
    bank: int
    holders: dict[str, int]
    stakes: tuple[CoveredStake, ...]


class HolderMoved(Data, frozen=True, gc=False):
    """The mano of a paño goes to another seat: skipped (R-19) or beaten by the bank (R-17)."""

    TYPE = "holder.moved"
    pano: str
    reason: str
    seat: int


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


class RoundSettled(Data, frozen=True, gc=False):
    """All chips of the coup have moved: the bank's total and what it gained (negative: paid)."""

    TYPE = "round.settled"
    bank: int
    net: int


EVENTS: tuple[type[Data], ...] = (
    BankSought,
    BankOffered,
    BankConsented,
    BankRefused,
    BankBid,
    BankEntered,
    BankDeclined,
    BankConstituted,
    BankEnded,
    StakesOpened,
    StakesLastCalled,
    StakesClosed,
    StakePlaced,
    StakeWithdrawn,
    StakesCovered,
    HolderMoved,
    HandDrew,
    HandStood,
    HandLaidDown,
    HandShown,
    PanoSettled,
    RoundSettled,
)
"""All event types of bacará."""

UPCASTS: Upcasts = {}
"""From each earlier version of an event of bacará to the next; no type has had another shape yet."""
