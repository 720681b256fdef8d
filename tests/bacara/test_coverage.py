"""What the bank answers for (R-20, R-27, R-30, R-31)."""

from collections.abc import Sequence
from itertools import accumulate
from operator import or_

from hypothesis import given
from hypothesis import strategies as st

from dealer.rules.bacara.coverage import Covered, Stake, cover, dealt_panos, order_of, split_a_cheval

PEOPLE = [*range(1, 6), *range(11, 16), *range(1001, 1004)]
STAKES = st.dictionaries(
    st.tuples(st.sampled_from(PEOPLE), st.sampled_from(["right", "left"])), st.integers(1, 10**6)
).map(
    lambda bets: [
        Stake(amount=amount, on=on, order=order, seat=seat)
        for order, ((seat, on), amount) in enumerate(bets.items())
    ]
)
POINTERS = st.fixed_dictionaries({"right": st.integers(0, 5), "left": st.integers(11, 15)})


def _stakes(*bets: tuple[int, str, int]) -> list[Stake]:
    return [
        Stake(amount=amount, on=on, order=order, seat=seat) for order, (seat, on, amount) in enumerate(bets)
    ]


def _where(covered: Sequence[Stake | Covered]) -> list[tuple[int, str]]:
    return [(item.seat, item.on) for item in covered]


def test_the_order_of_two_panos() -> None:
    """Mano, own paño round from it, other paño round from its pointer, standing; alternately (R-30)."""
    stakes = _stakes(
        (1002, "right", 1),
        (12, "right", 1),
        (1001, "right", 1),
        (1, "right", 1),
        (11, "right", 1),
        (3, "right", 1),
        (2, "right", 1),
        (11, "left", 1),
        (1, "left", 1),
    )
    assert _where(order_of(stakes, {"right": 2, "left": 12})) == [
        (2, "right"),
        (11, "left"),
        (3, "right"),
        (1, "left"),
        (1, "right"),
        (12, "right"),
        (11, "right"),
        (1002, "right"),
        (1001, "right"),
    ]


def test_the_order_of_one_pano() -> None:
    """One list, from the seat at the banker's right round the ring, then standing people (R-30, BT-09)."""
    stakes = _stakes((1001, "single", 40), (5, "single", 50), (12, "single", 5), (3, "single", 100))
    covered = cover(125, stakes, {"single": 4})
    assert [(item.seat, item.covered) for item in covered] == [(5, 50), (12, 5), (3, 70), (1001, 0)]


@given(st.integers(0, 10**6), STAKES, POINTERS)
def test_no_more_is_at_risk_than_the_bank_holds(
    bank: int, stakes: list[Stake], pointers: dict[str, int]
) -> None:
    """All stakes are answered once; what is covered is all of it or all the bank has (15.4 property 2)."""
    covered = cover(bank, stakes, pointers)
    assert sorted(_where(covered)) == sorted(_where(stakes))
    assert sum(item.covered for item in covered) == min(bank, sum(stake.amount for stake in stakes))
    assert all(0 <= item.covered <= item.amount for item in covered)
    behind_a_short_one = accumulate((item.covered < item.amount for item in covered), or_, initial=False)
    assert all(item.covered == 0 for item, behind in zip(covered, behind_a_short_one, strict=False) if behind)


@given(st.integers(0, 10**6), STAKES, POINTERS)
def test_with_coverage_after_all_stakes_play(
    bank: int, stakes: list[Stake], pointers: dict[str, int]
) -> None:
    """Under `after` everything staked is at risk, in the same order (R-31)."""
    covered = cover(bank, stakes, pointers, "after")
    assert _where(covered) == _where(order_of(stakes, pointers))
    assert all(item.covered == item.amount for item in covered)


@given(STAKES, POINTERS)
def test_a_mano_with_a_stake_is_covered_before_his_pano(
    stakes: list[Stake], pointers: dict[str, int]
) -> None:
    """A pointer's own stake comes first on his paño, so with any cover there he has it (R-19)."""
    for pano, pointer in pointers.items():
        mine = [item for item in cover(1, stakes, pointers) if item.on == pano]
        if any(item.seat == pointer for item in mine):
            assert mine[0].seat == pointer
            assert pano not in dealt_panos(mine) or mine[0].covered


def test_a_pano_without_cover_is_idle() -> None:
    """No covered stake, no cards; the bank may have been used up by the other paño (R-20)."""
    both = cover(100, _stakes((1, "right", 100), (11, "left", 5)), {"right": 1, "left": 11})
    assert dealt_panos(both) == ("right",)
    assert dealt_panos(cover(0, _stakes((1, "right", 1)), {"right": 1, "left": 0})) == ()
    assert dealt_panos(cover(9, _stakes((11, "left", 1), (1, "right", 1)), {"right": 1, "left": 11})) == (
        "right",
        "left",
    )


@given(st.integers(0, 10**6))
def test_a_stake_on_the_line_is_halved(amount: int) -> None:
    """Half plays on each paño, an odd unit on the right (R-27)."""
    right, left = split_a_cheval(amount)
    assert right + left == amount
    assert right - left == amount % 2
