"""What a coup costs and brings (R-44 to R-48, R-31)."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dealer.rules.bacara.coverage import Covered, Stake, cover
from dealer.rules.bacara.settlement import commission_on, result, settle
from dealer.rules.bacara.shares import shared
from dealer.rules.frame.chips import moved
from dealer.rules.frame.events import Move
from tests.bacara.test_coverage import POINTERS, STAKES

RESULTS = st.fixed_dictionaries(
    {"right": st.sampled_from(["bank", "pano", "push"]), "left": st.sampled_from(["bank", "pano", "push"])}
)


@pytest.mark.parametrize(
    ("pano", "bank", "expected"),
    [
        ((8, True), (9, False), "pano"),
        ((9, False), (8, True), "bank"),
        ((8, True), (9, True), "bank"),
        ((9, True), (8, True), "pano"),
        ((9, True), (9, True), "push"),
        ((7, False), (6, False), "pano"),
        ((0, False), (1, False), "bank"),
        ((4, False), (4, False), "push"),
        ((9, False), (9, True), "bank"),
    ],
)
def test_a_natural_beats_everything_else_and_then_the_score_counts(
    pano: tuple[int, bool], bank: tuple[int, bool], expected: str
) -> None:
    """Nine over eight among naturals, a natural over a three-card nine, equal is nula (R-44, A-13)."""
    assert result(*pano, *bank) == expected


@given(st.integers(0, 10**9), st.integers(0, 10_000), st.integers(1, 100))
def test_commission_is_rounded_to_the_nearest_unit(gain: int, commission_bp: int, unit: int) -> None:
    """Whole units, never more than half a unit off, and a half goes up (R-47, R-103)."""
    taken = commission_on(gain, commission_bp, unit)
    exact = Fraction(gain * commission_bp, 10_000)
    assert taken % unit == 0
    assert exact - Fraction(unit, 2) < taken <= exact + Fraction(unit, 2)


def test_the_moves_stand_in_the_order_of_the_settlement() -> None:
    """Losing paños right first, then the commission, then winners in the order of coverage (R-46)."""
    covered = (
        Covered(amount=300, covered=300, on="left", seat=11),
        Covered(amount=100, covered=100, on="right", seat=1),
        Covered(amount=40, covered=30, on="left", seat=1001),
        Covered(amount=20, covered=0, on="left", seat=2),
    )
    lost = settle("before", 1000, covered, {"right": "bank", "left": "bank"}, commission_bp=500)
    assert lost.moves == (
        Move(100, "stake:right:1", "bank"),
        Move(300, "stake:left:11", "bank"),
        Move(30, "stake:left:1001", "bank"),
        Move(22, "bank", "house_box"),
    )
    won = settle("before", 1000, covered, {"right": "push", "left": "pano"}, commission_bp=500)
    assert won.moves == (
        Move(300, "bank", "stack:11"),
        Move(300, "stake:left:11", "stack:11"),
        Move(30, "bank", "stack:1001"),
        Move(30, "stake:left:1001", "stack:1001"),
    )
    assert won.net == {11: 300, 1: 0, 1001: 30, 2: 0}


def test_an_unpaid_winner_takes_his_stake_back() -> None:
    """Under `after` the bank pays until it is empty; the rest keep what they staked (R-31)."""
    covered = (
        Covered(amount=80, covered=80, on="right", seat=1),
        Covered(amount=50, covered=50, on="right", seat=2),
        Covered(amount=10, covered=10, on="right", seat=3),
    )
    settled = settle("after", 100, covered, {"right": "pano"})
    assert settled.net == {1: 80, 2: 20, 3: 0}
    assert settled.bank == 0
    assert settled.moves[-1] == Move(10, "stake:right:3", "stack:3")


def test_a_bank_that_promised_too_much_is_an_error() -> None:
    """Under `before` stakes that were not covered from this bank are refused, not paid short (R-46)."""
    with pytest.raises(ValueError, match="cannot owe"):
        settle("before", 99, (Covered(amount=100, covered=100, on="right", seat=1),), {"right": "pano"})


@given(
    st.integers(1, 10**6),
    STAKES,
    POINTERS,
    RESULTS,
    st.sampled_from(["before", "after"]),
    st.sampled_from([0, 125, 200, 500]),
    st.sampled_from([1, 5]),
)
def test_chips_neither_appear_nor_vanish(
    bank: int,
    stakes: list[Stake],
    pointers: dict[str, int],
    results: dict[str, str],
    coverage: str,
    commission_bp: int,
    unit: int,
) -> None:
    """Moved between real places, no account is ever negative and the sum stays (15.4 properties 1, 2)."""
    covered = cover(bank, stakes, pointers, coverage)
    assume(any(item.covered for item in covered))
    settled = settle(coverage, bank, covered, results, commission_bp, unit)
    before = {f"stake:{item.on}:{item.seat}": item.covered for item in covered if item.covered}
    before["bank"] = bank
    after = moved(before, settled.moves)
    assert sum(after.values()) == sum(before.values())
    assert after.get("bank", 0) == settled.bank >= 0
    assert after.get("house_box", 0) == settled.house
    assert sum(settled.net.values()) + settled.bank - bank + settled.house == 0
    assert settled.net.keys() == {stake.seat for stake in stakes}
    for item in covered:
        left_standing = after.get(f"stake:{item.on}:{item.seat}", 0)
        assert left_standing == (item.covered if results[item.on] == "push" else 0)
    for seat, change in settled.net.items():
        assert change >= -sum(item.covered for item in covered if item.seat == seat)
    lost = bank - settled.bank
    assert lost <= min(bank, sum(item.covered for item in covered if results[item.on] == "pano"))


@given(st.integers(0, 3), st.lists(st.integers(1, 60), min_size=1, max_size=6), st.data())
def test_associates_never_have_more_than_the_bank(own: int, parts: list[int], data: st.DataObject) -> None:
    """Rounded down, and what the banker has no chips for is theirs to bear, a chip at most each (R-60)."""
    shares = dict(enumerate(parts, 2))
    bank = own + sum(parts)
    net = data.draw(st.integers(-bank, bank))
    after = shared(shares, bank, net)
    assert sum(after.values()) <= bank + net
    for seat, part in shares.items():
        exact = Fraction(abs(net) * part, bank)
        assert after[seat] >= 0
        assert abs(abs(after[seat] - part) - exact) < 1
    sign = 1 if net >= 0 else -1
    rounded = {seat: part + sign * (abs(net) * part // bank) for seat, part in shares.items()}
    if sum(rounded.values()) <= bank + net:
        assert after == rounded
    else:
        assert sum(after.values()) == bank + net
