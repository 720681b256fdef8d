"""Asking until there is a definite answer.

Every command of the journal may be sent again: reads change nothing, claims only take a lease, and appends
carry keys that the function looks up first. So an unknown outcome is met by the same command once more.
"""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from dealer.journal import library
from dealer.journal.errors import JournalError, JournalUnavailable
from dealer.journal.pipeline import OutcomeUnknownError, Pipelines, Receiver, connector

Trouble = OutcomeUnknownError | ResponseError

# States that pass. redis-py takes some of these codes out of the text and keeps them as `status_code`.
_PASSING = (
    "BUSY",
    "CLUSTERDOWN",
    "LOADING",
    "MASTERDOWN",
    "MISCONF",
    "NOREPLICAS",
    "OOM",
    "READONLY",
    "TRYAGAIN",
)
_FIRST_PAUSE_S = 0.005
_LONGEST_PAUSE_S = 0.5


class Link:
    """The way to the engine.

    Args:
        redis: A client whose settings are taken over; its own connections are not used.
        patience_ms: How long a definite answer is waited for.
        lanes: How many pipelines may be in flight.
    """

    def __init__(self, redis: Redis, *, patience_ms: int, lanes: int = 2) -> None:
        self._patience_s = patience_ms / 1000
        # Half the patience at most, so that a hanging connection leaves time for another try.
        reply_ms = min(3_000, patience_ms // 2)
        self._pipelines = Pipelines(connector(redis), lanes=lanes, reply_ms=reply_ms)
        self._installing = asyncio.Lock()
        self._begun: set[asyncio.Task[None]] = set()

    async def install(self) -> None:
        """Bring the function library into the engine.

        Raises:
            JournalUnavailable: No definite answer in time.
            JournalError: The store has a later version of it, or the engine refused.
        """

        async def send(*command: str) -> Any:
            reply, _ = await self.ask(*command)
            return reply

        await library.install(send)

    async def ask(self, *command: str | bytes | int, extra_ms: int = 0) -> tuple[Any, bool]:
        """Send a command until it is answered.

        Args:
            command: Name and arguments.
            extra_ms: How much longer its reply may take, for commands that block.

        Returns:
            The reply, and whether it answers a repetition, so that an earlier sending may have been carried
            out before this one.

        Raises:
            JournalUnavailable: No definite answer in time, or the link is closed.
            JournalError: The engine refused for good.
        """
        since_s = time.monotonic()
        try:
            return await self._pipelines.call(*command, extra_ms=extra_ms), False
        except (OutcomeUnknownError, ResponseError) as error:
            trouble = error
        return await self.again(trouble, since_s, *command, extra_ms=extra_ms), True

    def send(self, receiver: Receiver, *command: str | bytes | int) -> None:
        """Send a command once; whoever receives its reply goes on with `again` if there is none.

        Raises:
            JournalUnavailable: The link is closed.
        """
        self._pipelines.send(receiver, *command)

    async def again(
        self, trouble: Trouble, since_s: float, *command: str | bytes | int, extra_ms: int = 0
    ) -> Any:
        """Send a command that met with trouble until it is answered.

        Args:
            trouble: What came of the first sending.
            since_s: When that began, in monotonic seconds.
            command: Name and arguments.
            extra_ms: How much longer its reply may take, for commands that block.

        Returns:
            The reply. An earlier sending may have been carried out before the one that it answers.

        Raises:
            JournalUnavailable: No definite answer in time, or the link is closed.
            JournalError: The engine refused for good.
        """
        pause_s = _FIRST_PAUSE_S
        try:
            async with asyncio.timeout(since_s + self._patience_s + extra_ms / 1000 - time.monotonic()):
                while True:
                    try:
                        await self._remedy(trouble)
                        await asyncio.sleep(pause_s)
                        return await self._pipelines.call(*command, extra_ms=extra_ms)
                    except (OutcomeUnknownError, ResponseError) as error:
                        trouble = error
                    pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
        except TimeoutError:
            raise JournalUnavailable(f"no definite answer: {trouble}") from trouble

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Go on with work that nobody awaits."""
        task = asyncio.create_task(work)
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)

    async def close(self) -> None:
        """Wait for the replies under way and hang up."""
        await self._pipelines.close()
        await asyncio.gather(*self._begun)

    async def _remedy(self, trouble: Trouble) -> None:
        """Do what makes another try worth while; raise what no other try will change."""
        if isinstance(trouble, OutcomeUnknownError):
            return
        if "Function not found" in str(trouble):
            # A flushed engine, or a node that took over slots: functions do not travel with them.
            async with self._installing:
                await library.install(self._pipelines.call)
        elif not (trouble.status_code in _PASSING or str(trouble).startswith(_PASSING)):
            raise JournalError(str(trouble)) from trouble
