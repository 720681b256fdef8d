"""The book written down and read back is the same book, and one that cannot be is not taken (design 5, 7)."""

from typing import Any

import pytest
from msgspec.structs import replace

from dealer.cage.ledger import Cage, Held, Hold, Post, Return
from dealer.cage.snapshot import FORM, flaw
from tests.cage.book import TABLE, Book


@pytest.fixture
def cage() -> Cage:
    """A book with accounts, an open hold and a return."""
    book = Book()
    book.account("acc_a", 100)
    book.account("acc_b", 100)
    assert book.send(Hold(30, "acc_a", TABLE, "x_1")) == "accepted"
    assert flaw(book.cage) == ""
    return book.cage


def test_a_snapshot_is_the_book(cage: Cage) -> None:
    """Balances, holds, returns: equal when read back, in the same order, and the same bytes again."""
    read = FORM.unpack(FORM.pack(cage))
    assert read == cage
    assert list(read.balances) == list(cage.balances)
    assert FORM.pack(read) == FORM.pack(cage)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"balances": {"house": -200, "acc_a": 71, "acc_b": 100, "transit": 30}}, "sum to 1"),
        ({"balances": {"house": -200, "acc_a": -70, "acc_b": 240, "transit": 30}}, "acc_a is overdrawn"),
        ({"holds": {}}, "in transit"),
        ({"holds": {"x_1": Held(30, 10**14, "acc_a", TABLE)}}, "time to come"),
        ({"holds": {"x_1": Held(31, 1, "acc_a", TABLE), "x_2": Held(-1, 1, "acc_a", TABLE)}}, "of -1 chips"),
        ({"returned": {"t/tbl_9": (1, "acc_a")}}, "never had any"),
    ],
)
def test_fields_that_do_not_fit_together_are_named(cage: Cage, change: dict[str, Any], word: str) -> None:
    """Each field has a value it may have; together no log leads to them."""
    assert word in flaw(replace(cage, **change))


def test_a_table_that_gave_back_is_possible() -> None:
    """Whatever came back from a table was held for it before."""
    book = Book()
    book.account("acc_a", 100)
    assert book.send(Hold(30, "acc_a", TABLE, "x_1")) == "accepted"
    assert book.send(Post("x_1")) == "accepted"
    assert book.send(Return(30, 5, TABLE, "pid_1", "acc_a", "transit:pid_1:5")) == "accepted"
    assert book.cage.returned
    assert flaw(book.cage) == ""
    assert FORM.unpack(FORM.pack(book.cage)) == book.cage
