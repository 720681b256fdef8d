"""Who holds a paño's cards (R-16 to R-21)."""

from hypothesis import given
from hypothesis import strategies as st

from dealer.rules.bacara import holders

SEATS = st.sets(st.integers(1, 8), min_size=1)


def test_a_seat_belongs_to_its_pano() -> None:
    """Right is 1 to 8, left 11 to 18, from 1001 on people stand (glossary 2)."""
    assert [holders.pano_of(seat) for seat in (1, 8, 11, 18, 1001)] == [
        "right",
        "right",
        "left",
        "left",
        "standing",
    ]


def test_an_empty_pano_has_no_mano() -> None:
    """With nobody seated the pointer is 0, and whoever sits down first is found from there (R-16)."""
    assert holders.first_holder([]) == 0
    assert holders.next_holder([], 0) == 0
    assert holders.choose_holder(0, [], {3}) == (0, 0)
    assert holders.choose_holder(0, [4, 2], {2, 4}) == (2, 2)


@given(SEATS)
def test_the_role_comes_to_everybody_once_a_turn(seats: set[int]) -> None:
    """Passed on as often as there are seats, the role has been everywhere and is back (R-17)."""
    pointer = start = holders.first_holder(seats)
    seen = set()
    for _ in seats:
        pointer = holders.next_holder(seats, pointer)
        seen.add(pointer)
    assert seen == seats
    assert pointer == start == min(seats)


@given(SEATS, st.integers(1, 8), st.sampled_from(["bank", "pano", "push"]))
def test_only_a_loss_passes_the_role_on(seats: set[int], pointer: int, result: str) -> None:
    """The pointer moves when the bank beats the paño and the mano rotates, and at no other time (R-17)."""
    after = holders.pointer_after("rotating", result, seats, pointer)
    assert after == (holders.next_holder(seats, pointer) if result == "bank" else pointer)
    assert holders.pointer_after("fixed", result, seats, pointer) == pointer


@given(SEATS, st.integers(0, 8), st.sets(st.integers(1, 8)))
def test_the_first_ready_seat_from_the_pointer_on_holds(
    seats: set[int], pointer: int, ready: set[int]
) -> None:
    """Whoever is not ready is passed over for good; with nobody ready the croupier plays (R-19)."""
    holder, moved = holders.choose_holder(pointer, seats, ready)
    if not seats & ready:
        assert (holder, moved) == (0, pointer)
        return
    assert holder == moved
    assert holder in seats & ready
    passed = {seat for seat in seats if (seat - pointer) % 100 < (holder - pointer) % 100}
    assert not passed & ready
