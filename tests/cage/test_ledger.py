"""The ledger of the cage (design 7)."""

import pytest

from dealer.cage.events import TransferHeld, TransferPosted, TransferVoided
from dealer.cage.ledger import (
    CODEC,
    HOUSE,
    TRANSIT,
    CageCommand,
    Hold,
    OpenAccount,
    Post,
    Return,
    Transfer,
    Void,
    handle,
    split_return,
)
from dealer.rules.frame.commands import MAX_CHIPS
from dealer.rules.frame.refusal import ChipsBroken, Refusal
from tests.cage.book import OTHER, TABLE, Book


@pytest.fixture
def book() -> Book:
    """A book with `acc_1` (100 chips) and `acc_2` (none)."""
    book = Book()
    book.account("acc_1", 100)
    book.account("acc_2")
    return book


def test_the_house_issues_and_redeems(book: Book) -> None:
    """Chips come from `house`, which goes below zero by as much as is out, and return to it."""
    assert book.balance(HOUSE) == -100
    assert book.send(Transfer(30, "acc_1", HOUSE, "tr_2")) == "accepted"
    assert (book.balance(HOUSE), book.balance("acc_1")) == (-70, 70)


def test_a_transfer_goes_through_at_once(book: Book) -> None:
    """A direct transfer is one `transfer.posted` between the two accounts."""
    assert book.send(Transfer(30, "acc_1", "acc_2", "tr_2")) == "accepted"
    assert CODEC.decode(book.stored[-1]).data == TransferPosted(30, "acc_1", "acc_2", "tr_2")
    assert (book.balance("acc_1"), book.balance("acc_2")) == (70, 30)


def test_a_transfer_to_oneself_makes_no_chips(book: Book) -> None:
    """An account that pays itself has what it had (S-9)."""
    assert book.send(Transfer(60, "acc_1", "acc_1", "tr_2")) == "accepted"
    assert book.balance("acc_1") == 100


@pytest.mark.parametrize(("end", "table", "back"), [(Post, 40, 60), (Void, 0, 100)])
def test_a_hold_ends_once(book: Book, end: type[Post] | type[Void], table: int, back: int) -> None:
    """Held chips wait in transit; the first of post and void ends it, any further one is `decision_over`."""
    assert book.send(Hold(40, "acc_1", TABLE, "x_1")) == "accepted"
    assert CODEC.decode(book.stored[-1]).data == TransferHeld(40, "acc_1", TABLE, "x_1")
    assert (book.balance("acc_1"), book.balance(TRANSIT), book.balance(TABLE)) == (60, 40, 0)
    assert book.send(end("x_1")) == "accepted"
    data = CODEC.decode(book.stored[-1]).data
    assert data == (
        TransferPosted(40, TRANSIT, TABLE, "x_1")
        if end is Post
        else TransferVoided(40, TRANSIT, "acc_1", "x_1")
    )
    assert [book.send(Post("x_1")), book.send(Void("x_1"))] == ["decision_over"] * 2
    assert (book.balance("acc_1"), book.balance(TRANSIT), book.balance(TABLE)) == (back, 0, table)


def test_holds_do_not_disturb_each_other(book: Book) -> None:
    """Each hold has its own end, whichever comes first; an open one's id is not taken again."""
    for x, amount in (("x_1", 10), ("x_2", 20)):
        assert book.send(Hold(amount, "acc_1", TABLE, x)) == "accepted"
    assert book.send(Hold(5, "acc_1", TABLE, "x_2")) == "key_reused"
    assert book.send(Post("x_2")) == "accepted"
    assert list(book.cage.holds) == ["x_1"]
    assert book.send(Void("x_1")) == "accepted"
    assert (book.balance("acc_1"), book.balance(TABLE)) == (80, 20)


def test_a_transfer_of_the_same_name_leaves_a_hold_alone(book: Book) -> None:
    """Only `transit` pays a hold out, whatever a direct transfer is called."""
    book.send(Hold(10, "acc_1", TABLE, "x_1"))
    assert book.send(Transfer(5, "acc_1", "acc_2", "x_1")) == "accepted"
    assert book.send(Post("x_1")) == "accepted"
    assert (book.balance("acc_1"), book.balance("acc_2"), book.balance(TABLE)) == (85, 5, 10)


def _filled(book: Book, table: str = TABLE) -> None:
    """Bring 50 chips of the house to a table."""
    book.send(Hold(50, HOUSE, table, f"x_{table}"))
    book.send(Post(f"x_{table}"))


def _return(n: int, owner: str, amount: int = 5, table: str = TABLE) -> Return:
    return Return(amount, n, table, owner, "acc_2", f"transit:{owner}:{n}")


def test_returns_of_a_table_are_posted_once_in_their_order(book: Book) -> None:
    """(n, owner) grows with every return of a table; a repeat or an older one is `decision_over`."""
    _filled(book)
    for n, owner, code in [
        (7, "pid_b", "accepted"),
        (7, "pid_b", "decision_over"),
        (7, "pid_a", "decision_over"),
        (7, "pid_c", "accepted"),
        (6, "pid_z", "decision_over"),
        (10, "pid_a", "accepted"),
        (9, "pid_z", "decision_over"),
    ]:
        assert book.send(_return(n, owner)) == code
    assert (book.balance("acc_2"), book.balance(TABLE)) == (15, 35)


def test_tables_count_their_returns_apart(book: Book) -> None:
    """What one table has returned says nothing of another."""
    _filled(book)
    _filled(book, OTHER)
    assert book.send(_return(9, "pid_a")) == "accepted"
    assert book.send(_return(2, "pid_a", table=OTHER)) == "accepted"
    assert book.cage.returned == {TABLE: (9, "pid_a"), OTHER: (2, "pid_a")}


def test_no_table_returns_more_than_it_has(book: Book) -> None:
    """That would be a defect of ours: it breaks instead of being recorded as an answer."""
    _filled(book)
    with pytest.raises(ChipsBroken):
        book.send(_return(1, "pid_a", 51))
    book.check()


def test_the_place_of_a_return_tells_its_order() -> None:
    """`transit:<owner>:<n>` is read as (n, owner), and n counts as a number."""
    assert split_return("transit:pid_9:10") == (10, "pid_9")
    assert split_return("transit:pid_9:9") < split_return("transit:pid_1:10")
    with pytest.raises(ValueError, match="unpack"):
        split_return("stack:3")


@pytest.mark.parametrize(
    "command",
    [
        Transfer(1, "acc_9", "acc_1", "x"),
        Transfer(1, "acc_1", "acc_9", "x"),
        Transfer(1, TRANSIT, "acc_1", "x"),
        Transfer(1, "acc_1", TRANSIT, "x"),
        Transfer(1, TABLE, "acc_1", "x"),
        Transfer(1, "acc_1", TABLE, "x"),
        Hold(1, "acc_9", TABLE, "x"),
        Hold(1, TRANSIT, TABLE, "x"),
        Hold(1, TABLE, OTHER, "x"),
    ],
)
def test_only_people_and_the_house_move_chips(book: Book, command: CageCommand) -> None:
    """Unknown accounts, the chips in transit and those of tables are out of reach: `no_such_account`."""
    _filled(book)
    book.send(Hold(10, "acc_1", TABLE, "x_1"))
    assert book.send(command) == "no_such_account"


@pytest.mark.parametrize("command", [Transfer(101, "acc_1", "acc_2", "x"), Hold(101, "acc_1", TABLE, "x")])
def test_nobody_spends_more_than_he_has(book: Book, command: Transfer | Hold) -> None:
    """`insufficient_chips`, with the balance there is."""
    refused = handle(book.cage, command, "key_1", book.now)
    assert refused == Refusal("insufficient_chips", {"balance": 100})


@pytest.mark.parametrize("amount", [0, -1, MAX_CHIPS + 1])
def test_an_amount_is_a_positive_number_of_chips(book: Book, amount: int) -> None:
    """Anything else is `amount_out_of_range`, for the house as well."""
    for origin in ("acc_1", HOUSE):
        assert book.send(Transfer(amount, origin, "acc_2", "x")) == "amount_out_of_range"
        assert book.send(Hold(amount, origin, TABLE, "x")) == "amount_out_of_range"


def test_all_chips_together_can_be_counted(book: Book) -> None:
    """The house never issues beyond 2^53 - 1 in all, so no account can ever overflow."""
    assert book.send(Transfer(MAX_CHIPS - 99, HOUSE, "acc_2", "x")) == "amount_out_of_range"
    assert book.send(Transfer(MAX_CHIPS - 100, HOUSE, "acc_2", "x")) == "accepted"
    assert book.send(Hold(1, HOUSE, TABLE, "x_1")) == "amount_out_of_range"
    assert book.send(Transfer(100, "acc_1", "acc_2", "x")) == "accepted"
    assert book.balance("acc_2") == MAX_CHIPS


@pytest.mark.parametrize("account", ["acc_1", HOUSE, TRANSIT, TABLE])
def test_an_account_is_opened_once_and_under_its_own_name(account: str) -> None:
    """A known id, the house's, that of the chips in transit or a table's is `key_reused`."""
    book = Book()
    book.account("acc_1", 3)
    assert book.send(OpenAccount(account)) == "key_reused"
    assert book.balance("acc_1") == 3


def test_time_does_not_go_back(book: Book) -> None:
    """`at` of an event is never before that of the one before (design 5)."""
    before = book.cage.at
    book.now -= 1_000
    book.account("acc_3")
    assert book.cage.at == before
