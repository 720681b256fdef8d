"""The mano: who holds and speaks for a paño (R-16 to R-21).

A *pointer* is the seat the role stands at; it lives from coup to coup and is 0 before anybody sat down.
The *holder* is who really has the cards in one coup, 0 if the croupier plays them. Seats are numbered as on
the wire: right paño 1 to 8, left 11 to 18, standing people from 1001.
"""

from collections.abc import Container, Iterable

STANDING_FROM = 1001
"""First number of the people who stake without a seat (R-13)."""

_LEFT_FROM = 11


def pano_of(seat: int) -> str:
    """Return where this number is at a table of two paños: `right`, `left` or `standing` (R-12, R-13)."""
    if seat >= STANDING_FROM:
        return "standing"
    return "left" if seat >= _LEFT_FROM else "right"


def around(seats: Iterable[int], start: int) -> list[int]:
    """Return the seats in the order of play: from `start` on to higher numbers, then from the lowest."""
    return sorted(seats, key=lambda seat: (seat < start, seat))


def first_holder(seats: Iterable[int]) -> int:
    """Return where the pointer of a paño stands at the first coup of a bank (R-16, R-21).

    Args:
        seats: the occupied seats of the paño, a seat reserved for the banker not among them (R-15).

    Returns:
        The seat nearest to the banker, or 0 if the paño is empty.
    """
    return min(seats, default=0)


def next_holder(seats: Iterable[int], pointer: int) -> int:
    """Return the next occupied higher seat of the paño, the lowest one after the last (R-17).

    Returns:
        The pointer itself if nobody else sits at the paño.
    """
    return next(iter(around(seats, pointer + 1)), pointer)


def pointer_after(holder_rule: str, result: str, seats: Iterable[int], pointer: int) -> int:
    """Return the pointer after a coup in which this paño was dealt cards (R-17).

    Args:
        holder_rule: `rotating`, which passes the role on when the bank has won against the paño; with any
            other value the pointer does not rotate.
        result: the paño's result: `bank`, `pano` or `push`; an idle paño has none (R-20).
        seats: the occupied seats of the paño.
        pointer: where the role stood in this coup.
    """
    if holder_rule == "rotating" and result == "bank":
        return next_holder(seats, pointer)
    return pointer


def choose_holder(pointer: int, seats: Iterable[int], ready: Container[int]) -> tuple[int, int]:
    """Settle at «no va más» who holds the paño's cards (R-19, R-30 step 0).

    Args:
        pointer: where the role stands.
        seats: the occupied seats of the paño, in any order.
        ready: who is present and has a stake on his own paño.

    Returns:
        The holder and the pointer, which has moved on for good to the holder; if nobody is ready, 0 (the
        croupier plays the hand) and the pointer as it was.
    """
    for seat in around(seats, pointer):
        if seat in ready:
            return seat, seat
    return 0, pointer
