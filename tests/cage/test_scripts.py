"""Random scripts against the book, beside a reference that keeps only sums (S-9)."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from dealer.cage.ledger import HOUSE, Hold, Post, Return, Transfer, Void
from tests.cage.book import OTHER, TABLE, Book

pytestmark = pytest.mark.usefixtures("uncounted")

PEOPLE = ("acc_1", "acc_2", "acc_3")
accounts = st.sampled_from([*PEOPLE, HOUSE])
tables = st.sampled_from([TABLE, OTHER])
amounts = st.integers(1, 60)
holds = st.integers(0, 12)


class Script(RuleBasedStateMachine):
    """People, the house and two tables move chips; the reference knows what each step must answer."""

    def __init__(self) -> None:
        super().__init__()
        self.book = Book()
        self.sums: dict[str, int] = dict.fromkeys([*PEOPLE, HOUSE, TABLE, OTHER], 0)
        self.open: dict[str, tuple[str, str, int]] = {}
        self.last: dict[str, tuple[int, str]] = {}
        for account in PEOPLE:
            self.book.account(account)

    def _spend(self, origin: str, amount: int) -> bool:
        if origin != HOUSE and self.sums[origin] < amount:
            return False
        self.sums[origin] -= amount
        return True

    @rule(amount=amounts, origin=accounts, to=accounts)
    def transfer(self, amount: int, origin: str, to: str) -> None:
        """Directly from one account to another."""
        done = self._spend(origin, amount)
        code = self.book.send(Transfer(amount, origin, to, "tr"))
        assert code == ("accepted" if done else "insufficient_chips")
        if done:
            self.sums[to] += amount

    @rule(amount=amounts, origin=accounts, to=tables, number=holds)
    def hold(self, amount: int, origin: str, to: str, number: int) -> None:
        """Chips set aside for a table."""
        x = f"x_{number}"
        if x in self.open:
            assert self.book.send(Hold(amount, origin, to, x)) == "key_reused"
            return
        done = self._spend(origin, amount)
        code = self.book.send(Hold(amount, origin, to, x))
        assert code == ("accepted" if done else "insufficient_chips")
        if done:
            self.open[x] = (origin, to, amount)

    @rule(number=holds, post=st.booleans())
    def end(self, number: int, post: bool) -> None:
        """A hold ends, or had ended before."""
        x = f"x_{number}"
        code = self.book.send(Post(x) if post else Void(x))
        if x not in self.open:
            assert code == "decision_over"
            return
        assert code == "accepted"
        origin, to, amount = self.open.pop(x)
        self.sums[to if post else origin] += amount

    @rule(n=st.integers(0, 30), owner=st.sampled_from(["pid_a", "pid_b"]), origin=tables, to=accounts)
    def give_back(self, n: int, owner: str, origin: str, to: str) -> None:
        """Half of what a table has comes back, unless that return is an old one."""
        amount = self.sums[origin] // 2
        late = (n, owner) <= self.last.get(origin, (-1, ""))
        if not late and not amount:
            return
        code = self.book.send(Return(amount, n, origin, owner, to, f"transit:{owner}:{n}"))
        assert code == ("decision_over" if late else "accepted")
        if not late:
            self.last[origin] = (n, owner)
            self.sums[origin] -= amount
            self.sums[to] += amount

    @invariant()
    def same_sums(self) -> None:
        """Every account has what the reference says, and the book's own laws hold."""
        self.book.check()
        assert {a: self.book.balance(a) for a in self.sums} == self.sums
        assert set(self.book.cage.holds) == set(self.open)


Script.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestScript = Script.TestCase
