"""The desk of one aggregate inside a node: one append in flight (design 5).

Waiting commands are decided one after the other on the state they lead to and go out as one batch.
Nobody hears of anything before it is durable.
"""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import structlog

from dealer.croupier.draft import Draft, Outcome, Waiting
from dealer.croupier.hooks import Hooks
from dealer.croupier.kind import S
from dealer.croupier.line import Line
from dealer.croupier.order import NEVER_STORED, Answer
from dealer.croupier.snapshots import Snapshots
from dealer.croupier.steps import Steps
from dealer.journal.appending import Result
from dealer.journal.errors import JournalDamaged
from dealer.journal.journal import Journal
from dealer.journal.model import Appended, Conflict, Extras, Known
from dealer.rules.frame.event import Event, encode
from dealer.rules.frame.refusal import Refusal

MAX_EVENTS = 512
MAX_BYTES = 900_000
JITTER_S = 0.005
"""Longest pause before a node that was too slow tries again."""
REREAD = 4
"""An event that was read to open the desk weighs as much as so many: the next opening is to be quick."""

log = structlog.get_logger()

News = Callable[["Desk[Any]", Sequence[Event], Sequence[bytes]], None]


class Desk(Line[S]):
    """One aggregate: its state as of the last event known here, and the queue of its commands.

    Args:
        journal: where the log lies.
        aggregate: id such as `t/tbl_ab12`.
        state: the aggregate before its first event.
        news: told of every event once it is durable.
        hooks: told of the work itself.
        steps: of all desks of the node.
        snapshots: the snapshots of the same aggregate.

    Attributes:
        next_due: the earliest deadline in the state, ms UTC.
    """

    def __init__(
        self,
        journal: Journal,
        aggregate: str,
        state: S,
        news: News,
        hooks: Hooks,
        steps: Steps,
        snapshots: Snapshots[S],
    ) -> None:
        super().__init__(aggregate, state, hooks, steps)
        self.next_due: int | None = None
        self._journal = journal
        self._news = news
        self._snapshots = snapshots
        self._timed: tuple[int | None, int | None] | None = None
        """The clock that an append of this desk has set, None if somebody else has appended since."""

    async def rest(self) -> None:
        """Wait until nothing is queued or under way, and no snapshot is being taken."""
        await super().rest()
        await self._snapshots.rest()

    def _attend(self, batch: list[Waiting]) -> None:
        """Decide a batch and append it."""
        try:
            draft = self._decide_all(batch)
        except Exception as trouble:  # noqa: BLE001 - the callers are told
            self._resume(batch, trouble)
            return
        if draft.entries:
            self._steps.then(partial(self._append, draft, batch))
        else:
            self._run(self._answer_unstored(draft.unstored), batch)

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

    def _append(self, draft: Draft[S], batch: Sequence[Waiting]) -> None:
        """Append what was decided."""
        try:
            deadline, opened = clock = self.clock(draft.state)
            # A deadline that has come may have been put off by whoever claimed it, and is to be set again.
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
            result = self._journal.append(self.aggregate, self.state.seq, draft.entries, extras)
        except Exception as trouble:  # noqa: BLE001 - the callers are told
            self._resume(batch, trouble)
        else:
            result.add_done_callback(partial(self._appended, draft, batch, clock, began))

    def _appended(
        self,
        draft: Draft[S],
        batch: Sequence[Waiting],
        clock: tuple[int | None, int | None],
        began: float,
        result: asyncio.Future[Result],
    ) -> None:
        """It is durable, or known to be not."""
        if result.cancelled():
            self._stop(batch)
            return
        try:
            found = result.result()
            if not isinstance(found, Appended):
                self._run(self._overtaken(draft, found), batch)
                return
            self._hooks.appended(len(draft.entries), len(draft.events), time.perf_counter() - began)
            self.next_due, self._timed = clock[0], clock
            self._commit(draft)
        except Exception as trouble:  # noqa: BLE001 - the callers are told
            self._resume(batch, trouble)
            return
        if draft.unstored:
            self._run(self._answer_unstored(draft.unstored), batch)
        else:
            self._go_on()

    async def _overtaken(self, draft: Draft[S], found: Known | Conflict) -> None:
        """Read what somebody else has appended first; keys that it knows are answered from their records."""
        known = found.records if isinstance(found, Known) else {}
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
                if isinstance(decided, Refusal) and decided.code in NEVER_STORED:
                    self._land(waiting, Answer(decided.code, decided.params, before + 1, before))

    async def _catch_up(self) -> None:
        """Take in what other nodes have appended, together with what lies beside it, or nothing."""
        opening = self.state.seq < 0
        if opening:
            await self._open()
        while stored := await self._journal.read(self.aggregate, self.state.seq):
            state, events = self.read(self.state, stored)
            newer = await self.learn(state, events)
            due, _ = self.clock(state)
            self.state, self.next_due, self._timed = state, due, None
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
            due, _ = self.clock(state)
            self.state, self.next_due = state, due
            self._keep(REREAD)

    def _keep(self, weight: int = 1) -> None:
        """Keep the state as a snapshot if one is due."""
        if self.snapshot_due(weight * self._snapshots.behind(self.state.seq)):
            self._snapshots.take(self.state)

    def _tell(self, events: Sequence[Event], stored: Sequence[bytes]) -> None:
        self._news(self, events, stored)
        self._hooks.told(events)
