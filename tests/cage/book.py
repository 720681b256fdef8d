"""A book with its log: whatever is decided is stored as bytes and read back into a second state."""

import json
from functools import reduce

from dealer.cage.ledger import CODEC, HOUSE, TRANSIT, Cage, CageCommand, OpenAccount, Transfer, evolve, handle
from dealer.rules.frame.event import encode
from dealer.rules.frame.refusal import Refusal

LOG = "test/c/main"
TABLE, OTHER = "t/tbl_1", "t/tbl_2"


class Book:
    """The main book, the bytes of its log, and the clock."""

    def __init__(self) -> None:
        self.cage = Cage(log=LOG)
        self.stored: list[bytes] = []
        self.now = 1_790_000_000_000

    def send(self, command: CageCommand) -> str:
        """The code of the answer; the events of an accepted command are in the log, canonical and checked."""
        self.now += 1
        decided = handle(self.cage, command, "key_1", self.now)
        if isinstance(decided, Refusal):
            return decided.code
        events, self.cage = decided
        for event in events:
            stored = encode(event)
            plain = json.loads(stored)
            assert stored == json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()
            assert event.seq == len(self.stored)
            self.stored.append(stored)
        self.check()
        return "accepted"

    def check(self) -> None:
        """What always holds (design 7, fairness S-9), and that the log alone gives the same state."""
        balances = self.cage.balances
        assert sum(balances.values()) == 0
        assert all(n >= 0 for account, n in balances.items() if account != HOUSE)
        assert balances.get(TRANSIT, 0) == sum(h.amount for h in self.cage.holds.values())
        assert reduce(evolve, map(CODEC.decode, self.stored), Cage(log=LOG)) == self.cage

    def account(self, name: str, chips: int = 0) -> str:
        """A new account with chips of the house."""
        assert self.send(OpenAccount(name)) == "accepted"
        if chips:
            assert self.send(Transfer(chips, HOUSE, name, f"tr_{name}")) == "accepted"
        return name

    def balance(self, account: str) -> int:
        """Chips on an account."""
        return self.cage.balances.get(account, 0)
