"""The desk of one aggregate inside a node: one queue, one append in flight (design 5).

Waiting commands are decided one after the other on the state they lead to and go out as one batch.
Nobody hears of anything before it is durable.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import structlog

from dealer.croupier.crew import Crew
from dealer.croupier.draft import Draft, Outcome, Waiting
from dealer.croupier.hooks import Hooks
from dealer.croupier.kind import Kind, S
from dealer.croupier.order import NEVER_STORED, Answer, NoSuchAggregate, Order, Unavailable
from dealer.croupier.snapshots import Snapshots
from dealer.journal.errors import JournalDamaged, JournalError
from dealer.journal.journal import Journal
from dealer.journal.model import Appended, Extras, Known
from dealer.rules.frame.event import Event, encode
from dealer.rules.frame.refusal import Refusal

BATCH = 64
MAX_EVENTS = 512
MAX_BYTES = 900_000
ATTEMPTS = 8
JITTER_S = 0.005
"""Longest pause before a node that was too slow tries again."""
REREAD = 4
"""An event that was read to open the desk weighs as much as so many: the next opening is to be quick."""

log = structlog.get_logger()

News = Callable[["Desk[Any]", Sequence[Event], Sequence[bytes]], None]


class Desk(Kind[S]):
    """One aggregate: its state as of the last event known here, and the queue of its commands.

    Args:
        journal: where the log lies.
        aggregate: id such as `t/tbl_ab12`.
        state: the aggregate before its first event.
        news: told of every event once it is durable.
        hooks: told of the work itself.
        crew: does the work.
        snapshots: the snapshots of the same aggregate.

    Attributes:
        busy: whether a command is under way.
        next_due: the earliest deadline in the state, ms UTC.
    """

    def __init__(
        self,
        journal: Journal,
        aggregate: str,
        state: S,
        news: News,
        hooks: Hooks,
        crew: Crew,
        snapshots: Snapshots[S],
    ) -> None:
        self.aggregate = aggregate
        self.busy = False
        self.state = state
        self.next_due: int | None = None
        self._journal = journal
        self._news = news
        self._hooks = hooks
        self._crew = crew
        self._queue: deque[Waiting] = deque()
        self._flying: dict[tuple[str, str], Waiting] = {}
        self._reading = asyncio.Lock()
        self._snapshots = snapshots
        self._timed: tuple[int | None, int | None] | None = None
        """The clock that an append of this desk has set, None if somebody else has appended since."""

    async def send(self, order: Order) -> Answer:
        """The answer to an order; equal keys share one. Cancelling the caller does not stop it.

        Raises:
            Unavailable: there was no definite answer in time.
        """
        scope = (order.principal, order.key)
        waiting = self._flying.get(scope)
        if waiting is None:
            self._flying[scope] = waiting = Waiting(order)
            self._queue.append(waiting)
            self._hooks.queued(1)
            if not self.busy:
                self.busy = True
                self._crew.begin(self._work)
        elif waiting.order.body_hash != order.body_hash:
            return Answer("key_reused", {}, self.state.seq + 1, self.state.seq)
        answer = await waiting.answer()
        self._hooks.answered(order.command, answer.code)
        return answer

    async def refresh(self, last: int = -1) -> None:
        """Take in what other nodes have appended.

        Args:
            last: an event known to be durable; nothing is read if it is here already. -1 if none is known.

        Raises:
            NoSuchAggregate: the log is empty.
            Unavailable: the journal cannot be read now.
        """
        try:
            async with self._reading:
                if last < 0 or last > self.state.seq:
                    await self._catch_up()
        except JournalError as trouble:
            raise Unavailable from trouble
        if self.state.seq < 0:
            raise NoSuchAggregate(self.aggregate)

    async def rest(self) -> None:
        """Wait until nothing is queued or under way."""
        while self.busy and self._flying:
            await asyncio.wait([waiting.answer() for waiting in self._flying.values()])
        await self._snapshots.rest()

    async def _work(self) -> None:
        try:
            while self._queue:
                await self._attend([self._queue.popleft() for _ in range(min(BATCH, len(self._queue)))])
        finally:
            self.busy = False

    async def _attend(self, batch: list[Waiting]) -> None:
        """Serve a batch and tell its callers, whatever comes of it."""
        try:
            await self._reading.acquire()  # `async with` would be two coroutines more for every append
            try:
                await self._serve(batch)
            finally:
                self._reading.release()
        except (JournalError, Unavailable):
            for waiting in _left(batch):
                self._land(waiting, Unavailable())
        except Exception as defect:
            left = _left(batch)
            if len(left) > 1:
                # The batch came to nothing. Served alone, a command answers for its own defects only.
                for waiting in left:
                    await self._attend([waiting])
                return
            for waiting in left:
                self._land(waiting, defect)
            log.exception("command_failed", aggregate=self.aggregate)

    def _land(self, waiting: Waiting, result: Answer | Exception) -> None:
        self._flying.pop((waiting.order.principal, waiting.order.key), None)
        self._hooks.queued(-1)
        waiting.land(result)

    async def _serve(self, batch: list[Waiting]) -> None:
        """Decide and append a batch; whatever the journal already knows is answered from its records."""
        for _ in range(ATTEMPTS):
            draft = self._decide_all(batch)
            if draft.entries:
                await self._append(draft)
            else:
                await self._answer_unstored(draft.unstored)
            batch[:] = _left(batch)
            if not batch:
                return
        raise Unavailable

    def _decide_all(self, batch: list[Waiting]) -> Draft[S]:
        """Decide what fits into one append; the rest goes back to the head of the queue."""
        draft = Draft(self.state)
        size = 0
        for place, waiting in enumerate(batch):
            if len(draft.events) > MAX_EVENTS // 2 or size > MAX_BYTES // 2:
                self._queue.extendleft(reversed(batch[place:]))
                del batch[place:]
                break
            order = waiting.order
            decided = self.decide(draft, order)
            stored: tuple[bytes, ...] = ()
            if isinstance(decided, list):
                outcome = self.outcome_of(decided)
                stored = tuple([encode(event) for event in decided])
                draft.events += decided
                size += sum(map(len, stored))
            elif decided.code in NEVER_STORED:
                draft.unstored.append(waiting)
                continue
            else:
                outcome = Outcome(decided.code, decided.params)
            draft.entries.append(self.entry(order, outcome, stored))
            draft.taken.append((waiting, outcome))
        return draft

    async def _append(self, draft: Draft[S]) -> None:
        """Append what was decided, or learn why that is not possible."""
        deadline, opened = clock = self.clock(draft.state)
        # A deadline that has come may have been put off by whoever claimed it, and is to be heard of again.
        stands = clock == self._timed and (deadline is None or deadline > self._journal.now())
        extras = Extras(
            deadline=deadline,
            secrets=draft.secrets,
            people=draft.people,
            rounds=draft.rounds,
            listed=self.state.seq < 0 and bool(draft.events),
            opened=opened,
            timed=not stands,
        )
        began = time.perf_counter()
        result = await self._journal.append(self.aggregate, self.state.seq, draft.entries, extras)
        if isinstance(result, Appended):
            self._hooks.appended(len(draft.entries), len(draft.events), time.perf_counter() - began)
            self.next_due, self._timed = deadline, clock
            self._commit(draft)
            return
        known = result.records if isinstance(result, Known) else {}
        if not known:
            self._hooks.conflicted()
            await asyncio.sleep(random.uniform(0, JITTER_S))  # noqa: S311 - jitter
        await self._catch_up()
        for index, record in known.items():
            waiting, _ = draft.taken[index]
            self._land(waiting, self.recalled(waiting.order, record))

    def _commit(self, draft: Draft[S]) -> None:
        """The batch is durable: it is the state now, its callers are answered, its listeners told."""
        last = self.state.seq
        self.state = draft.state
        self.settled(draft)
        for entry, (waiting, outcome) in zip(draft.entries, draft.taken, strict=True):
            first = last + 1
            last += len(entry.events)
            self._land(waiting, Answer(outcome.code, outcome.params, first, last))
        if draft.events:
            self._tell(draft.events, [event for entry in draft.entries for event in entry.events])
            self._keep()

    async def _answer_unstored(self, unstored: Sequence[Waiting]) -> None:
        """Answer refusals that are not kept; if this node was behind, they are to be decided again."""
        before = self.state.seq
        await self._catch_up()
        for waiting in unstored:
            order = waiting.order
            record = await self._journal.known(self.aggregate, order.principal, order.key)
            if record is not None:
                self._land(waiting, self.recalled(order, record))
            elif self.state.seq == before:
                decided = self.decide(Draft(self.state), order)
                if isinstance(decided, Refusal):
                    self._land(waiting, Answer(decided.code, decided.params, before + 1, before))

    async def _catch_up(self) -> None:
        """Take in what other nodes have appended, together with what lies beside it, or nothing."""
        opening = self.state.seq < 0
        if opening:
            await self._open()
        while stored := await self._journal.read(self.aggregate, self.state.seq):
            state, events = self.read(self.state, stored)
            newer = await self.learn(state, events)
            self.state = state
            self.next_due, _ = self.clock(state)
            self._timed = None
            if not opening:
                self._tell(events, stored)
            if not newer:
                return

    async def _open(self) -> None:
        """Take in the log as it stands, from the last snapshot on; nobody is told of what is past."""
        try:
            state = await self._snapshots.open(self.state, self.read)
        except JournalDamaged as damage:
            log.exception("journal_damaged", reason=str(damage))
            raise
        if state.seq >= 0:
            await self.recall(state)
            self.state = state
            self.next_due, _ = self.clock(state)
            self._keep(REREAD)

    def _keep(self, weight: int = 1) -> None:
        """Keep the state as a snapshot if one is due."""
        if self.snapshot_due(weight * self._snapshots.behind(self.state.seq)):
            self._snapshots.take(self.state)

    def _tell(self, events: Sequence[Event], stored: Sequence[bytes]) -> None:
        self._news(self, events, stored)
        self._hooks.told(events)


def _left(batch: Sequence[Waiting]) -> list[Waiting]:
    return [waiting for waiting in batch if not waiting.landed]
