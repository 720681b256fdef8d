"""What a desk works on: orders with their callers, and the draft of the append that answers them."""

import asyncio
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import msgspec

from dealer.croupier.order import ACCEPTED, Answer, Order
from dealer.journal.model import Entry, Record
from dealer.rules.frame.event import Event

S = TypeVar("S")


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """What a stored record says of an answer, beside its sequence numbers."""

    code: str
    params: Mapping[str, Any]

    def stored(self) -> bytes:
        """How it is stored under the order's key."""
        return _TAKEN_BYTES if self is TAKEN else msgspec.json.encode(self)


TAKEN = Outcome(ACCEPTED, {})
"""Of most accepted orders."""
_TAKEN_BYTES = msgspec.json.encode(TAKEN)


class Waiting:
    """An order at a desk. Equal orders share it; a caller who has gone stops nothing."""

    __slots__ = ("_callers", "landed", "order")

    def __init__(self, order: Order) -> None:
        self.order = order
        self.landed = False
        self._callers: list[asyncio.Future[Answer]] = []

    def answer(self) -> "asyncio.Future[Answer]":
        """The answer, for one more caller."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._callers.append(future)
        return future

    def land(self, result: Answer | BaseException) -> None:
        """Tell all callers who are still there."""
        self.landed = True
        if isinstance(result, StopIteration):
            defect = RuntimeError("StopIteration, which no future takes")
            defect.__cause__ = result
            result = defect
        for future in self._callers:
            if future.done():
                continue
            if isinstance(result, Answer):
                future.set_result(result)
            else:
                future.set_exception(result)
                future.exception()  # a caller may go before he has seen it


class Reader:
    """Somebody who waits until the log has been read.

    Args:
        last: up to this event at least, -1 for as far as it goes.

    Attributes:
        read: done once it has.
    """

    __slots__ = ("last", "read")

    def __init__(self, last: int) -> None:
        self.last = last
        self.read: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def tell(self, trouble: Exception | None) -> None:
        """Tell him, if he is still there, that it has been read, or why it cannot be."""
        if self.read.done():
            return
        if trouble is None:
            self.read.set_result(None)
        else:
            self.read.set_exception(trouble)


class Draft(Generic[S]):
    """One append in the making.

    Attributes:
        state: what the events so far lead to.
        events: of all orders taken so far.
        secrets: sealed blobs to write beside the log; None deletes.
        people: pseudonyms of newcomers.
        rounds: first sequence number of each round that begins.
        entries: what is appended, one an order, refusals among them.
        taken: the orders behind the entries, and their outcomes.
        unstored: orders whose refusal is not kept under their key.
    """

    __slots__ = ("entries", "events", "people", "rounds", "secrets", "state", "taken", "unstored")

    def __init__(self, state: S) -> None:
        self.state = state
        self.events: list[Event] = []
        self.secrets: dict[str, bytes | None] = {}
        self.people: dict[str, str] = {}
        self.rounds: dict[int, int] = {}
        self.entries: list[Entry] = []
        self.taken: list[tuple[Waiting, Outcome]] = []
        self.unstored: list[Waiting] = []


def recalled(order: Order, record: Record) -> Answer:
    """The answer a key was given before, or `key_reused` if it came with another body."""
    if record.body_hash != order.body_hash:
        return Answer("key_reused", {}, record.last + 1, record.last)
    outcome = msgspec.json.decode(record.outcome, type=Outcome)
    return Answer(outcome.code, outcome.params, record.first, record.last)
