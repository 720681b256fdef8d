"""What other nodes append: one blocking read a partition in which somebody follows a log (design 5)."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

import structlog

from dealer.croupier.order import Unavailable
from dealer.croupier.tasks import end
from dealer.journal.errors import JournalError
from dealer.journal.journal import Journal
from dealer.journal.keys import PARTITIONS, partition

BLOCK_MS = 1_000
"""A read waits so long for news, so the end of a node waits no longer for its last one."""
ITEMS = 256
PAUSE_S = 0.5

log = structlog.get_logger()


class Feeds:
    """The feeds of one node; a partition is watched while something in it is followed.

    Args:
        journal: where the feeds are.
        wake: called with an aggregate that may have got events elsewhere, and the last one known of them,
            -1 if none is; it reads what is missing here.
    """

    def __init__(self, journal: Journal, wake: Callable[[str, int], Awaitable[None]]) -> None:
        self._journal = journal
        self._wake = wake
        self._followed: list[Counter[str]] = [Counter() for _ in range(PARTITIONS)]
        self._watching: dict[int, asyncio.Task[None]] = {}
        self._waking: set[asyncio.Task[None]] = set()

    def follow(self, aggregate: str) -> Callable[[], None]:
        """Wake an aggregate for whatever other nodes append to it from now on; the result ends it."""
        number = partition(aggregate)
        self._followed[number][aggregate] += 1
        if number in self._watching:
            # The watch may have passed over news of it that came before this.
            task = asyncio.create_task(self._wake_surely(aggregate))
            self._waking.add(task)
            task.add_done_callback(self._waking.discard)
        else:
            self._watching[number] = asyncio.create_task(self._watch(number))
        return partial(self._leave, aggregate)

    async def stop(self) -> None:
        """Watch nothing any more."""
        await end(*self._watching.values(), *self._waking)

    def _leave(self, aggregate: str) -> None:
        followed = self._followed[partition(aggregate)]
        followed[aggregate] -= 1
        if not followed[aggregate]:
            del followed[aggregate]

    async def _watch(self, number: int) -> None:
        """Read on until nothing is followed here; whoever comes back before that finds the watch going on."""
        followed = self._followed[number]
        try:
            while followed:
                try:
                    await self._read(number, followed)
                except JournalError as trouble:
                    log.warning("feed_not_read", partition=number, reason=type(trouble).__name__)
                    await asyncio.sleep(PAUSE_S)
        finally:
            del self._watching[number]

    async def _read(self, number: int, followed: Counter[str]) -> None:
        after = await self._journal.feed_end(number)
        await self._wake_all((aggregate, -1) for aggregate in followed)
        while followed:
            items = await self._journal.read_feed(number, after, block_ms=BLOCK_MS, limit=ITEMS)
            if not items:
                continue
            after = items[-1].id
            # A feed is cut at its other end: whoever is far behind in it may have missed some.
            seen = dict.fromkeys(followed, -1) if len(items) == ITEMS else {}
            seen |= {item.aggregate: item.last for item in items if item.aggregate in followed}
            await self._wake_all(seen.items())

    async def _wake_all(self, seen: Iterable[tuple[str, int]]) -> None:
        await asyncio.gather(*(self._wake_surely(aggregate, last) for aggregate, last in seen))

    async def _wake_surely(self, aggregate: str, last: int = -1) -> None:
        """Wake an aggregate, again and again while the journal is away: it may get no further news."""
        while aggregate in self._followed[partition(aggregate)]:
            try:
                return await self._wake(aggregate, last)
            except (JournalError, Unavailable):
                await asyncio.sleep(PAUSE_S)
            except Exception:
                log.exception("not_woken", aggregate=aggregate)
                return None
        return None
