"""The events of the cage (design 7). Accounts are random ids; nobody's name stands here."""

import msgspec

from dealer.rules.frame.event import Data


class AccountOpened(Data, frozen=True, gc=False):
    """An account exists, with nothing on it."""

    TYPE = "account.opened"
    account: str


class TransferHeld(Data, frozen=True, gc=False):
    """Chips left `from` and wait in `transit` for the word of `to`, a table."""

    TYPE = "transfer.held"
    amount: int
    origin: str = msgspec.field(name="from")
    to: str
    x: str


class TransferPosted(Data, frozen=True, gc=False):
    """Chips are on the account `to`: out of a hold (`from` is `transit`), or at once."""

    TYPE = "transfer.posted"
    amount: int
    origin: str = msgspec.field(name="from")
    to: str
    x: str


class TransferVoided(Data, frozen=True, gc=False):
    """A hold came to nothing: its chips are back on `to`."""

    TYPE = "transfer.voided"
    amount: int
    origin: str = msgspec.field(name="from")
    to: str
    x: str


EVENTS: tuple[type[Data], ...] = (AccountOpened, TransferHeld, TransferPosted, TransferVoided)
"""All event types of the cage."""
