"""Which stakes the bank answers for, and how far (R-20, R-27, R-30, R-31)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, zip_longest

import msgspec

from dealer.rules.bacara.holders import STANDING_FROM, pano_of

PANOS = ("right", "left", "single", "punto")
"""The paños in the order of dealing, speaking and settling; a table has the first two, or one more."""


class Stake(msgspec.Struct, frozen=True, gc=False):
    """What somebody has on one paño when «no va más» is called.

    Attributes:
        amount: chips.
        on: the paño: `right`, `left` or `single`.
        order: place in the order in which the stakes were first placed; it ranks standing people (R-30 d).
        seat: whose it is.
    """

    amount: int
    on: str
    order: int
    seat: int


class Covered(msgspec.Struct, frozen=True, gc=False):
    """How far the bank answers for a stake; the rest of it goes back to its owner at once (R-30).

    Attributes:
        amount: chips staked.
        covered: chips of it at risk.
        on: the paño.
        seat: whose it is.
    """

    amount: int
    covered: int
    on: str
    seat: int


def split_a_cheval(amount: int) -> tuple[int, int]:
    """Return what a stake on the line plays on right and on left; an odd unit is right's (R-27)."""
    return amount - amount // 2, amount // 2


def _rank(stake: Stake, pointers: Mapping[str, int]) -> tuple[int, bool, int]:
    if stake.seat >= STANDING_FROM:
        return 2, False, stake.order
    home = pano_of(stake.seat) if stake.on != "single" else "single"
    return int(home != stake.on), stake.seat < pointers[home], stake.seat


def order_of(stakes: Iterable[Stake], pointers: Mapping[str, int]) -> tuple[Stake, ...]:
    """Return the stakes in the order in which the bank answers for them (R-30 steps 1 and 2).

    On each paño: its mano, the others seated at it from the mano on, those seated at the other paño from that
    one's pointer on, then standing people. The two lists are merged alternately, right first.

    Args:
        stakes: at most one for each person and paño.
        pointers: the seat each list starts from: the pointers of `right` and `left` as R-19 leaves them; with
            one paño, under `single`, the seat at the banker's right.
    """
    lists = (
        sorted((stake for stake in stakes if stake.on == pano), key=lambda stake: _rank(stake, pointers))
        for pano in PANOS
    )
    merged = chain.from_iterable(zip_longest(*lists))
    return tuple(stake for stake in merged if stake is not None)


def cover(
    bank: int, stakes: Sequence[Stake], pointers: Mapping[str, int], coverage: str = "before"
) -> tuple[Covered, ...]:
    """Return how far each stake is covered, in the order of R-30, those left without cover included.

    Args:
        bank: the chips that stand behind the bank: its own, with an open bank the banker's stack too (R-29).
        stakes: at most one for each person and paño.
        pointers: as for `order_of`.
        coverage: `before`: each stake is covered by what the ones ahead of it left over (R-30). `after`: all
            play in full, and the settlement pays as far as the bank goes (R-31).
    """
    rest = bank
    answered = []
    for stake in order_of(stakes, pointers):
        covered = stake.amount if coverage == "after" else min(stake.amount, rest)
        rest -= covered
        answered.append(Covered(amount=stake.amount, covered=covered, on=stake.on, seat=stake.seat))
    return tuple(answered)


def dealt_panos(covered: Iterable[Covered]) -> tuple[str, ...]:
    """Return the paños that get cards, in dealing order; one without a covered stake is idle (R-20)."""
    staked = {item.on for item in covered if item.covered}
    return tuple(pano for pano in PANOS if pano in staked)
