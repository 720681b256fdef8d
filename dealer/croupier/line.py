"""The line before a desk: one piece of work at a time, commands in their order (design 5).

A step that has no reason to wait calls the next one, and needs no task: so it is for most commands. Whatever
takes longer is an errand, a task that the line waits for.
"""

import asyncio
from abc import abstractmethod
from collections import deque
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Any

import structlog

from dealer.croupier.draft import Reader, Waiting
from dealer.croupier.hooks import Hooks
from dealer.croupier.kind import Kind, S
from dealer.croupier.order import Answer, NoSuchAggregate, Order, Unavailable
from dealer.croupier.steps import Steps
from dealer.journal.errors import JournalError

BATCH = 64
"""Commands that may be appended together."""
ATTEMPTS = 8

log = structlog.get_logger()


class Line(Kind[S]):
    """Who waits for one aggregate: for an answer, or until its log has been read.

    Args:
        aggregate: id such as `t/tbl_ab12`.
        state: the aggregate before its first event.
        hooks: told of the work itself.
        steps: of all lines of the node.

    Attributes:
        errand: the task that the line waits for, if there is one.
        idle: set while nothing is queued or under way.
        state: the aggregate as of the last event known here.
    """

    def __init__(self, aggregate: str, state: S, hooks: Hooks, steps: Steps) -> None:
        self.aggregate = aggregate
        self.errand: asyncio.Task[None] | None = None
        self.idle = asyncio.Event()
        self.idle.set()
        self.state = state
        self._hooks = hooks
        self._steps = steps
        self._queue: deque[Waiting] = deque()
        self._flying: dict[tuple[str, str], Waiting] = {}
        self._readers: list[Reader] = []
        self._reading: list[Reader] = []
        """Those for whom it is being read."""
        self._read_last = False
        self._alone = 0
        """So many commands at the head of the queue are served one by one."""
        self._tries = 0
        """How often the batch at the desk has been served."""

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
            self._rouse()
        elif waiting.order.body_hash != order.body_hash:
            return Answer("key_reused", {}, self.state.seq + 1, self.state.seq)
        answer = await waiting.answer()
        self._hooks.answered(order.command, answer.code)
        return answer

    async def refresh(self, last: int = -1) -> None:
        """Take in what other nodes have appended; all who ask meanwhile share the next reading.

        Args:
            last: an event known to be durable; nothing is read if it is here already. -1 if none is known.

        Raises:
            NoSuchAggregate: the log is empty.
            Unavailable: the journal cannot be read now.
        """
        if not 0 <= last <= self.state.seq:
            reader = Reader(last)
            self._readers.append(reader)
            self._rouse()
            await reader.read
        if self.state.seq < 0:
            raise NoSuchAggregate(self.aggregate)

    async def rest(self) -> None:
        """Wait until nothing is queued or under way."""
        await self.idle.wait()

    def _rouse(self) -> None:
        if self.idle.is_set():
            self.idle.clear()
            self._steps.soon(self._go_on)

    def _go_on(self) -> None:
        """Begin the next piece of work, whose end comes here again. Readers and commands take turns."""
        if self._readers and not (self._read_last and self._queue):
            self._reading, self._readers, self._read_last = self._readers, [], True
            self._run(self._read_for(self._reading))
        elif self._queue:
            self._read_last, self._tries = False, 0
            most = 1 if self._alone else BATCH
            self._alone = max(0, self._alone - 1)
            self._attend([self._queue.popleft() for _ in range(min(most, len(self._queue)))])
        else:
            self.idle.set()

    def _run(self, work: Coroutine[Any, Any, None], batch: Sequence[Waiting] = ()) -> None:
        """Do in a task what is more than to decide and to append, and go on after it."""
        self.errand = asyncio.create_task(work)
        self.errand.add_done_callback(partial(self._ran, batch))

    def _ran(self, batch: Sequence[Waiting], errand: asyncio.Task[None]) -> None:
        self.errand = None
        if errand.cancelled():
            self._stop(batch)
        else:
            self._resume(batch, errand.exception())

    def _stop(self, batch: Sequence[Waiting]) -> None:
        """What it waited for was cancelled: nothing more is begun by itself, and nobody is left waiting."""
        for waiting in (*_left(batch), *self._queue):
            self._land(waiting, Unavailable())
        for reader in (*self._reading, *self._readers):
            reader.tell(Unavailable())
        self._queue.clear()
        self._readers.clear()
        self._alone = 0
        self.idle.set()

    def _resume(self, batch: Sequence[Waiting], trouble: BaseException | None) -> None:
        """Go on after a batch that was not simply appended: who is left is served again, or told."""
        left = _left(batch)
        self._tries += 1
        if trouble is None and left and self._tries < ATTEMPTS:
            self._attend(left)
            return
        # First of all, so that the line goes on whatever becomes of the rest.
        self._steps.soon(self._go_on)
        if trouble is None or isinstance(trouble, JournalError):
            for waiting in left:
                self._land(waiting, Unavailable())
        elif len(left) > 1:
            # It came to nothing. Served alone, a command answers for its own defects only.
            self._alone = len(left)
            self._queue.extendleft(reversed(left))
        else:
            for waiting in left:
                self._land(waiting, trouble)
            log.error("command_failed", aggregate=self.aggregate, exc_info=trouble)

    def _land(self, waiting: Waiting, result: Answer | BaseException) -> None:
        self._flying.pop((waiting.order.principal, waiting.order.key), None)
        self._hooks.queued(-1)
        waiting.land(result)

    async def _read_for(self, readers: Sequence[Reader]) -> None:
        """Catch up, unless what these wait for has come meanwhile."""
        trouble: Exception | None = None
        try:
            if not all(0 <= reader.last <= self.state.seq for reader in readers):
                await self._catch_up()
        except JournalError as away:
            trouble = Unavailable()
            trouble.__cause__ = away
        except Exception as defect:  # noqa: BLE001 - the readers are told
            trouble = defect
        for reader in readers:
            reader.tell(trouble)

    @abstractmethod
    def _attend(self, batch: list[Waiting]) -> None:
        """Serve a batch; `_go_on` or `_resume` ends it, and it does not raise."""

    @abstractmethod
    async def _catch_up(self) -> None:
        """Take in what other nodes have appended."""


def _left(batch: Sequence[Waiting]) -> list[Waiting]:
    return [waiting for waiting in batch if not waiting.landed]
