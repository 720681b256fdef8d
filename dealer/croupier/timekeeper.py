"""Keeping time: whoever claims a deadline first acts on it, once (design 5).

Each partition has one task. It claims what is due, sleeps until the next deadline known, and is woken
when an append of this node sets an earlier one.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import structlog

from dealer.croupier.order import Unavailable
from dealer.croupier.tasks import end
from dealer.journal.errors import JournalError
from dealer.journal.journal import Journal
from dealer.journal.keys import PARTITIONS, partition

LEASE_MS = 2_000
PULSE_S = 1.0
"""A partition is looked at this often even when nothing is known to be due."""
LEAST_S = 0.005
"""Shortest pause between two claims, so that clocks that differ a little make no storm of them."""

Gaps = tuple[tuple[int, int], ...]
"""Times in which nobody watched the deadlines of a partition, as (from, to) in ms UTC."""

log = structlog.get_logger()


class Timekeeper:
    """The clocks of all partitions in one node.

    Args:
        journal: where deadlines stand.
        ring: called with an aggregate whose deadline has come, and the times in which nobody watched.
    """

    def __init__(self, journal: Journal, ring: Callable[[str, Gaps], Awaitable[None]]) -> None:
        self._journal = journal
        self._ring = ring
        self._wake = [asyncio.Event() for _ in range(PARTITIONS)]
        self._next: list[int | None] = [None] * PARTITIONS
        self._tasks: list[asyncio.Task[None]] = []
        self._ringing: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin to watch."""
        self._tasks = [asyncio.create_task(self._watch(n)) for n in range(PARTITIONS)]

    async def stop(self) -> None:
        """Stop watching, and wait for what is being acted upon."""
        await end(*self._tasks)
        await asyncio.gather(*self._ringing, return_exceptions=True)

    def heard(self, aggregate: str, deadline: int | None) -> None:
        """An append of this node set a deadline; look earlier if it comes before what was known."""
        if deadline is not None:
            self._heard(partition(aggregate), deadline)

    def _heard(self, number: int, deadline: int) -> None:
        known = self._next[number]
        if known is None or deadline < known:
            self._next[number] = deadline
            self._wake[number].set()

    async def _watch(self, number: int) -> None:
        while True:
            # Deadlines set from here on may have come too late for this claim.
            self._next[number] = None
            self._wake[number].clear()
            try:
                claimed = await self._journal.claim(number, LEASE_MS)
            except JournalError as trouble:
                log.warning("claim_failed", partition=number, reason=type(trouble).__name__)
                await asyncio.sleep(PULSE_S)
                continue
            except Exception:
                # Whatever it is, the tables of this partition still have their clocks.
                log.exception("claim_failed", partition=number)
                await asyncio.sleep(PULSE_S)
                continue
            for aggregate in claimed.due:
                gaps = tuple((gap.from_ms, gap.to_ms) for gap in claimed.gaps)
                task = asyncio.ensure_future(self._ring_safely(aggregate, gaps))
                self._ringing.add(task)
                task.add_done_callback(self._ringing.discard)
            if claimed.next is not None:
                self._heard(number, claimed.next)
            await self._sleep(number)

    async def _sleep(self, number: int) -> None:
        """Until the next deadline, an earlier one that is set meanwhile, or the next pulse."""
        wake = self._wake[number]
        pulse = asyncio.get_running_loop().time() + PULSE_S
        await asyncio.sleep(LEAST_S)
        while True:
            wake.clear()
            due = self._next[number]
            left = pulse - asyncio.get_running_loop().time()
            pause = left if due is None else min(left, (due - self._journal.now()) / 1000)
            if pause <= 0:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(wake.wait(), pause)

    async def _ring_safely(self, aggregate: str, gaps: Gaps) -> None:
        try:
            await self._ring(aggregate, gaps)
        except (JournalError, Unavailable) as trouble:  # it is claimed again
            log.warning(
                "deadline_put_off", aggregate=aggregate, reason=type(trouble.__cause__ or trouble).__name__
            )
        except Exception:
            log.exception("deadline_failed", aggregate=aggregate)
