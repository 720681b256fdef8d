"""A journal on a real Valkey that counts, waits, fails or dies when a test says so."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from redis.asyncio import Redis

from dealer.journal import Entry, Extras, Journal, JournalUnavailable, Record
from dealer.journal.appending import Result
from dealer.journal.model import Claimed

T = TypeVar("T")
Fate = Callable[[], Awaitable[None]]


class Spy(Journal):
    """Everything goes to the engine; on the way there or back something may happen.

    Attributes:
        appends: aggregate, commands and events of every append that was tried.
        ahead_ms: how far this node's clock is ahead of the engine's.
        claims: the aggregates that each claim got, by partition.
        calls: how many calls a fate could have met, since it was set.
        events_read: how many events its readings have brought.
        dead: set once the process has died.
        gate: appends wait while it is closed.
    """

    def __init__(self, redis: Redis) -> None:
        super().__init__(redis)
        self.ahead_ms = 0
        self.appends: list[tuple[str, int, int]] = []
        self.claims: list[tuple[int, list[str]]] = []
        self.calls = 0
        self.events_read = 0
        self.dead = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()
        self._fate: tuple[int, bool, Fate] | None = None

    def at_call(self, number: int, *, after: bool, fate: Fate) -> None:
        """Let `fate` come over call `number` from now, before it is sent or after it is answered."""
        self.calls = 0
        self._fate = (number, after, fate)

    def spare(self) -> None:
        """Whatever has not come yet will not come."""
        self._fate = None

    def die_at(self, number: int, *, after: bool) -> None:
        """End as a killed process does: nothing comes of that call, nor of any later one."""

        async def die() -> None:
            self._fate = (0, False, die)
            self.dead.set()
            await asyncio.Event().wait()

        self.at_call(number, after=after, fate=die)

    def fail_at(self, number: int, *, after: bool) -> None:
        """No definite answer to one call; it may have been carried out."""

        async def fail() -> None:
            raise JournalUnavailable("as the test says")

        self.at_call(number, after=after, fate=fail)

    async def _meet(self, call: Callable[[], Awaitable[T]]) -> T:
        self.calls += 1
        number, after, fate = self._fate or (-1, False, None)
        if fate is None or number not in {0, self.calls}:
            return await call()
        if not after:
            await fate()
        answer = await call()
        if after:
            await fate()
        return answer

    def now(self) -> int:
        """The engine's time, by a clock that may be ahead."""
        return super().now() + self.ahead_ms

    def append(
        self, aggregate: str, expected: int, entries: Sequence[Entry], extras: Extras
    ) -> asyncio.Future[Result]:
        """See `Journal`."""
        call = super().append

        async def gated() -> Result:
            await self.gate.wait()
            self.appends.append((aggregate, len(entries), sum(len(e.events) for e in entries)))
            return await self._meet(lambda: call(aggregate, expected, entries, extras))

        return asyncio.ensure_future(gated())

    async def known(self, aggregate: str, principal: str, key: str) -> Record | None:
        """See `Journal`."""
        call = super().known
        return await self._meet(lambda: call(aggregate, principal, key))

    async def read(self, aggregate: str, after: int = -1, limit: int | None = None) -> list[bytes]:
        """See `Journal`."""
        call = super().read
        stored = await self._meet(lambda: call(aggregate, after, limit))
        self.events_read += len(stored)
        return stored

    async def secrets(self, aggregate: str) -> dict[str, bytes]:
        """See `Journal`."""
        call = super().secrets
        return await self._meet(lambda: call(aggregate))

    async def people(self, aggregate: str) -> dict[str, str]:
        """See `Journal`."""
        call = super().people
        return await self._meet(lambda: call(aggregate))

    async def claim(self, partition: int, lease_ms: int) -> Claimed:
        """See `Journal`; not counted, for claims come by themselves."""
        if self._fate is not None and self._fate[0] == 0:
            await asyncio.Event().wait()
        claimed = await super().claim(partition, lease_ms)
        self.claims.append((partition, claimed.due))
        return claimed


async def until(true: Callable[[], Any], seconds: float = 20) -> None:
    """Wait for something that is to come by itself; the limit only keeps a failure from hanging.

    Raises:
        TimeoutError: it does not come.
    """
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.005)
