"""What a desk has to know of its kind of aggregate: how it is decided, read, timed and kept (design 5)."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from dealer.croupier.draft import TAKEN, Draft, Outcome, recalled
from dealer.croupier.order import Answer, Order
from dealer.journal.model import Entry, Record
from dealer.rules.frame.event import Event
from dealer.rules.frame.refusal import Refusal


class _State(Protocol):
    @property
    def log(self) -> str: ...

    @property
    def seq(self) -> int: ...


S = TypeVar("S", bound=_State)


class Kind(ABC, Generic[S]):
    """The part of a desk that differs between tables and books."""

    @abstractmethod
    def decide(self, draft: Draft[S], order: Order) -> list[Event] | Refusal:
        """Decide an order on the draft and take its events into it."""

    @abstractmethod
    def read(self, state: S, stored: Sequence[bytes]) -> tuple[S, list[Event]]:
        """The state that stored events lead to from another, and the events."""

    @abstractmethod
    async def recall(self, state: S) -> None:
        """Read all that lies beside the log of a state that was not read event by event: secrets, people."""

    @abstractmethod
    async def learn(self, state: S, events: Sequence[Event]) -> bool:
        """Read what other nodes have put beside the log with these events: secrets, people.

        Returns:
            Whether something was read that may be newer than the events.
        """

    @abstractmethod
    def clock(self, state: S) -> tuple[int | None, int | None]:
        """When the next decision of the aggregate is due, and when the oldest open one was opened, ms UTC."""

    @abstractmethod
    def snapshot_due(self, behind: int) -> bool:
        """Whether the state is to be kept now, so many events after the last snapshot."""

    def outcome_of(self, events: Sequence[Event]) -> Outcome:
        """The answer to a command that caused these events."""
        return TAKEN

    def entry(self, order: Order, outcome: Outcome, events: tuple[bytes, ...]) -> Entry:
        """What is appended for an order: its record and its events."""
        return Entry(order.principal, order.key, order.body_hash, outcome.stored(), events)

    def recalled(self, order: Order, record: Record) -> Answer:
        """The answer that stands in a record, to whoever comes with its key again."""
        return recalled(order, record)

    def settled(self, draft: Draft[S]) -> None:
        """Take over what a durable draft has learned beside the state."""
