"""Banco, the three calls, stakes and what answers for them (glossary, section 5: banco, stakes)."""

import msgspec

from dealer.rules.frame.event import Data


class BancoOpened(Data, frozen=True, gc=False, kw_only=True):
    """The bank's amount is announced: who wants to play alone against it says so now (R-69 to R-71)."""

    TYPE = "banco.opened"
    bank: int
    by: str = ""
    source: str


class BancoCalled(Data, frozen=True, gc=False, kw_only=True):
    """«Banco», on this paño or on the line; with `half` «con la mesa» (R-69, R-72, R-75)."""

    TYPE = "banco.called"
    by: str = ""
    half: bool = False
    on: str
    seat: int
    source: str


class BancoPassed(Data, frozen=True, gc=False, kw_only=True):
    """A seat does not want to play alone against this bank now."""

    TYPE = "banco.passed"
    by: str = ""
    seat: int
    source: str


class BancoAwarded(Data, frozen=True, gc=False, kw_only=True):
    """The window is closed: this seat plays for `amount`, alone, or with `half` beside the table (R-71)."""

    TYPE = "banco.awarded"
    amount: int
    half: bool = False
    on: str
    seat: int


class StakesAccepted(Data, frozen=True, gc=False, kw_only=True):
    """The banker accepts all stakes: his bank is open from now on until it ends (R-31)."""

    TYPE = "stakes.accepted"
    by: str = ""
    seat: int
    source: str


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
