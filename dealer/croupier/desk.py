"""The desk of one aggregate inside a node: one queue, one append in flight (design 5).

Waiting commands are decided one after the other on the state they lead to and go out as one batch.
Nobody hears of anything before it is durable.
"""

import asyncio
import random
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec
import structlog

from dealer.croupier.hooks import Hooks
from dealer.croupier.order import ACCEPTED, NEVER_STORED, Answer, NoSuchAggregate, Order, Unavailable
from dealer.journal.errors import JournalError
from dealer.journal.journal import Journal
from dealer.journal.model import Appended, Entry, Extras, Known, Record
from dealer.rules.frame.event import Event, encode
from dealer.rules.frame.refusal import Refusal

BATCH = 64
MAX_EVENTS = 512
MAX_BYTES = 900_000
ATTEMPTS = 8
JITTER_S = 0.005
"""Longest pause before a node that was too slow tries again."""

log = structlog.get_logger()


class _State(Protocol):
    @property
    def seq(self) -> int: ...


S = TypeVar("S", bound=_State)


class Outcome(msgspec.Struct, frozen=True):
    """What a stored record says of an answer, beside its sequence numbers."""

    code: str
    params: dict[str, Any]


class Draft(Generic[S]):
    """The state a batch leads to, with what the append must write beside the log."""

    def __init__(self, state: S) -> None:
        self.state = state
        self.events: list[Event] = []
        self.secrets: dict[str, bytes | None] = {}
        self.people: dict[str, str] = {}
        self.rounds: dict[int, int] = {}


_ACCEPTED = Outcome(ACCEPTED, {})
_ACCEPTED_BYTES = msgspec.json.encode(_ACCEPTED)
_Waiting = tuple[Order, "asyncio.Future[Answer]"]
_Taken = tuple[Order, "asyncio.Future[Answer]", Outcome]
News = Callable[["Desk[Any]", Sequence[Event], Sequence[bytes]], None]


class Desk(ABC, Generic[S]):
    """One aggregate: its state as of the last event known here, and the queue of its commands.

    Args:
        journal: where the log lies.
        aggregate: id such as `t/tbl_ab12`.
        state: the aggregate before its first event.
        news: told of every event once it is durable.
        hooks: told of the work itself.
    """

    def __init__(self, journal: Journal, aggregate: str, state: S, news: News, hooks: Hooks) -> None:
        self.aggregate = aggregate
        self.state = state
        self._journal = journal
        self._news = news
        self._hooks = hooks
        self._queue: deque[_Waiting] = deque()
        self._flying: dict[tuple[str, str], tuple[str, asyncio.Future[Answer]]] = {}
        self._worker: asyncio.Task[None] | None = None
        self._reading = asyncio.Lock()

    @abstractmethod
    def decide(self, draft: Draft[S], order: Order) -> list[Event] | Refusal:
        """Decide an order on the draft and take its events into it."""

    @abstractmethod
    def read(self, stored: Sequence[bytes]) -> tuple[S, list[Event]]:
        """The state that stored events lead to, and the events."""

    @abstractmethod
    async def learn(self, state: S, events: Sequence[Event]) -> bool:
        """Read what other nodes have put beside the log with these events: secrets, people.

        Returns:
            Whether something was read that may be newer than the events.
        """

    @abstractmethod
    def deadline(self, state: S) -> int | None:
        """When the next of the aggregate's decisions is due, ms UTC."""

    async def send(self, order: Order) -> Answer:
        """The answer to an order; equal keys share one. Cancelling the caller does not stop it.

        Raises:
            Unavailable: there was no definite answer in time.
        """
        scope = (order.principal, order.key)
        flying = self._flying.get(scope)
        if flying is None:
            future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
            self._flying[scope] = (order.body_hash, future)
            self._queue.append((order, future))
            self._hooks.queued(1)
            if self._worker is None:
                self._worker = asyncio.create_task(self._work())
        else:
            body_hash, future = flying
            if body_hash != order.body_hash:
                return Answer("key_reused", {}, self.state.seq + 1, self.state.seq)
        answer = await asyncio.shield(future)
        self._hooks.answered(type(order.command).__name__, answer.code)
        return answer

    async def refresh(self) -> None:
        """Take in what other nodes have appended.

        Raises:
            NoSuchAggregate: the log is empty.
            Unavailable: the journal cannot be read now.
        """
        try:
            async with self._reading:
                await self._catch_up()
        except JournalError as trouble:
            raise Unavailable from trouble
        if self.state.seq < 0:
            raise NoSuchAggregate(self.aggregate)

    async def recall(self, order: Order) -> Answer | None:
        """What an order's key was answered before, None if it is new.

        Raises:
            JournalError: the journal gives no answer now.
        """
        record = await self._journal.known(self.aggregate, order.principal, order.key)
        return None if record is None else _recall(order, record)

    async def rest(self) -> None:
        """Wait until nothing is queued or under way."""
        while self._worker is not None:
            await asyncio.wait([self._worker])

    async def _work(self) -> None:
        try:
            while self._queue:
                await self._attend([self._queue.popleft() for _ in range(min(BATCH, len(self._queue)))])
        finally:
            self._worker = None

    async def _attend(self, batch: list[_Waiting]) -> None:
        """Serve a batch and tell its callers, whatever comes of it."""
        try:
            async with self._reading:
                await self._serve(batch)
        except (JournalError, Unavailable):
            for order, future in _left(batch):
                self._land(order, future, Unavailable())
        except Exception as defect:
            left = _left(batch)
            if len(left) > 1:
                # The batch came to nothing. Served alone, a command answers for its own defects only.
                for waiting in left:
                    await self._attend([waiting])
                return
            for order, future in left:
                self._land(order, future, defect)
            log.exception("command_failed", aggregate=self.aggregate)

    def _land(self, order: Order, future: "asyncio.Future[Answer]", result: Answer | Exception) -> None:
        self._flying.pop((order.principal, order.key), None)
        self._hooks.queued(-1)
        if isinstance(result, Answer):
            future.set_result(result)
        else:
            future.set_exception(result)
            future.exception()

    async def _serve(self, batch: list[_Waiting]) -> None:
        """Decide and append a batch; whatever the journal already knows is answered from its records."""
        for _ in range(ATTEMPTS):
            draft: Draft[S] = Draft(self.state)
            entries, taken, unstored = self._decide_all(draft, batch)
            if entries:
                await self._append(draft, entries, taken)
            else:
                await self._answer_unstored(unstored)
            batch[:] = _left(batch)
            if not batch:
                return
        raise Unavailable

    async def _append(self, draft: Draft[S], entries: Sequence[Entry], taken: Sequence[_Taken]) -> None:
        """Append what was decided, or learn why that is not possible."""
        began = time.perf_counter()
        result = await self._journal.append(self.aggregate, self.state.seq, entries, self._extras(draft))
        if isinstance(result, Appended):
            self._hooks.appended(len(entries), len(draft.events), time.perf_counter() - began)
            self._commit(draft, entries, taken)
            return
        known = result.records if isinstance(result, Known) else {}
        if not known:
            self._hooks.conflicted()
            await asyncio.sleep(random.uniform(0, JITTER_S))  # noqa: S311 - jitter
        await self._catch_up()
        for index, record in known.items():
            order, future, _ = taken[index]
            self._land(order, future, _recall(order, record))

    def _decide_all(
        self, draft: Draft[S], batch: list[_Waiting]
    ) -> tuple[list[Entry], list[_Taken], list[_Waiting]]:
        """Decide what fits into one append; the rest goes back to the head of the queue."""
        entries: list[Entry] = []
        taken: list[_Taken] = []
        unstored: list[_Waiting] = []
        size = 0
        for place, (order, future) in enumerate(batch):
            if len(draft.events) > MAX_EVENTS // 2 or size > MAX_BYTES // 2:
                self._queue.extendleft(reversed(batch[place:]))
                del batch[place:]
                break
            decided = self.decide(draft, order)
            stored: tuple[bytes, ...] = ()
            if isinstance(decided, Refusal):
                if decided.code in NEVER_STORED:
                    unstored.append((order, future))
                    continue
                outcome = Outcome(decided.code, decided.params)
            else:
                outcome = self.outcome_of(decided)
                stored = tuple(map(encode, decided))
                draft.events += decided
                size += sum(map(len, stored))
            record = _ACCEPTED_BYTES if outcome is _ACCEPTED else msgspec.json.encode(outcome)
            entries.append(Entry(order.principal, order.key, order.body_hash, record, stored))
            taken.append((order, future, outcome))
        return entries, taken, unstored

    def outcome_of(self, events: Sequence[Event]) -> Outcome:
        """The answer to a command that caused these events."""
        return _ACCEPTED

    async def _answer_unstored(self, waiting: Sequence[_Waiting]) -> None:
        """Answer refusals that are not kept; if this node was behind, they are to be decided again."""
        before = self.state.seq
        await self._catch_up()
        for order, future in waiting:
            known = await self.recall(order)
            if known is not None:
                self._land(order, future, known)
            elif self.state.seq == before:
                decided = self.decide(Draft(self.state), order)
                if isinstance(decided, Refusal):
                    self._land(order, future, Answer(decided.code, decided.params, before + 1, before))

    def _extras(self, draft: Draft[S]) -> Extras:
        return Extras(
            deadline=self.deadline(draft.state),
            secrets=draft.secrets,
            people=draft.people,
            rounds=draft.rounds,
            listed=self.state.seq < 0 and bool(draft.events),
        )

    def _commit(self, draft: Draft[S], entries: Sequence[Entry], taken: Sequence[_Taken]) -> None:
        """The batch is durable: it is the state now, its callers are answered, its listeners told."""
        last = self.state.seq
        self.state = draft.state
        self.settled(draft)
        for entry, (order, future, outcome) in zip(entries, taken, strict=True):
            first = last + 1
            last += len(entry.events)
            self._land(order, future, Answer(outcome.code, outcome.params, first, last))
        if draft.events:
            self._tell(draft.events, [e for entry in entries for e in entry.events])

    def settled(self, draft: Draft[S]) -> None:
        """Take over what a durable draft has learned beside the state."""

    def _tell(self, events: Sequence[Event], stored: Sequence[bytes]) -> None:
        self._news(self, events, stored)
        self._hooks.told(events)

    async def _catch_up(self) -> None:
        """Take in what other nodes have appended, together with what lies beside it, or nothing."""
        opening = self.state.seq < 0
        while stored := await self._journal.read(self.aggregate, self.state.seq):
            state, events = self.read(stored)
            newer = await self.learn(state, events)
            self.state = state
            if not opening:
                self._tell(events, stored)
            if not newer:
                return


def _left(batch: Sequence[_Waiting]) -> list[_Waiting]:
    return [waiting for waiting in batch if not waiting[1].done()]


def _recall(order: Order, record: Record) -> Answer:
    """The answer a key was given before, or `key_reused` if it came with another body."""
    if record.body_hash != order.body_hash:
        return Answer("key_reused", {}, record.last + 1, record.last)
    outcome = msgspec.json.decode(record.outcome, type=Outcome)
    return Answer(outcome.code, outcome.params, record.first, record.last)
