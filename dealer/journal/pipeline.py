"""Micro-batching: what waits while a round trip is under way goes out together in the next one.

Two connections, one pipeline in flight on each; four are slower than two. A command once given is sent
whether or not its caller still waits, and every reply is read, so a cancelled caller shifts nobody's answer.
The clients' own resending is off: a resend must be known to whoever reads the answer (see `link`).
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import hiredis
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError

from dealer.journal.errors import JournalUnavailable


class Receiver(Protocol):
    """Where a reply goes: a future, or what makes something of the reply at once."""

    def done(self) -> bool:
        """Whether nobody waits for it any more."""

    def set_result(self, reply: Any) -> None:
        """The reply; it must not raise."""

    def set_exception(self, trouble: "OutcomeUnknownError | ResponseError") -> None:
        """What came instead."""


# A packed command, where its reply goes, and how much longer than others it may take in ms.
_Waiting = tuple[bytes, Receiver, int]

# A lost connection shows as any of these in redis-py (platform.md section 2.4), as RuntimeError if uvloop
# notices it first.
CONNECTION_TROUBLE = (RedisError, OSError, AttributeError, RuntimeError, TypeError, TimeoutError)


class OutcomeUnknownError(Exception):
    """The connection failed before the reply: the command may have been carried out, or may yet be."""


def connector(redis: Redis) -> Callable[[], AbstractConnection]:
    """What makes connections like those of `redis`, but plain: RESP2, bytes, no resending, no time-outs.

    RESP2 gives every reply one shape whatever the caller's client speaks, and names a wrong password as such.
    """
    pool = redis.connection_pool
    settings = {
        name: value for name, value in pool.connection_kwargs.items() if "maint_notifications" not in name
    }
    settings.update(
        decode_responses=False,
        health_check_interval=0,
        protocol=2,
        retry=Retry(NoBackoff(), 0),
        retry_on_error=[],
        retry_on_timeout=False,
        socket_connect_timeout=None,
        socket_timeout=None,
    )
    return lambda: pool.connection_class(**settings)


class Pipelines:
    """Sends commands, many to a round trip.

    Args:
        connect: Makes a connection that is not yet open.
        lanes: How many pipelines may be in flight.
        reply_ms: How long a pipeline may take, connecting included, before its connection is given up.
    """

    # Bounds what a single lost connection puts in doubt, and how long the last reply waits for the first.
    COMMANDS = 256

    def __init__(self, connect: Callable[[], AbstractConnection], *, lanes: int = 2, reply_ms: int) -> None:
        self._connections = [connect() for _ in range(lanes)]
        self._idle = list(self._connections)
        self._waiting: deque[_Waiting] = deque()
        self._reply_ms = reply_ms
        self._scheduled = False
        self._closed = False
        self._running: set[asyncio.Task[None]] = set()

    def call(self, *command: str | bytes | int, extra_ms: int = 0) -> asyncio.Future[Any]:
        """Queue a command.

        Args:
            command: Name and arguments.
            extra_ms: How much longer than `reply_ms` its reply may take, for commands that block.

        Returns:
            A future of the reply. It raises `ResponseError` if the engine refused the command, and
            `OutcomeUnknownError` if the connection failed. Cancelling it does not stop the command.

        Raises:
            JournalUnavailable: After `close`; the command was not sent.
            TypeError: An argument is of a type that cannot be sent.
        """
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.send(future, *command, extra_ms=extra_ms)
        return future

    def send(self, receiver: Receiver, *command: str | bytes | int, extra_ms: int = 0) -> None:
        """Queue a command whose reply goes to a receiver; see `call`."""
        if self._closed:
            raise JournalUnavailable("the journal is closed")
        packed: bytes = hiredis.pack_command(command)  # type: ignore[arg-type]
        self._waiting.append((packed, receiver, extra_ms))
        if self._idle and not self._scheduled:
            # Not at once: whoever else is ready in this turn of the loop comes along.
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._start)

    async def close(self) -> None:
        """Refuse new commands, wait for the replies to the given ones, and hang up."""
        self._closed = True
        while self._running or self._waiting:
            await asyncio.sleep(0)
            await asyncio.gather(*self._running)
        for connection in self._connections:
            await _hang_up(connection)

    def _start(self) -> None:
        self._scheduled = False
        if self._idle and self._waiting:
            task = asyncio.get_running_loop().create_task(self._drive(self._idle.pop()))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _drive(self, connection: AbstractConnection) -> None:
        try:
            while self._waiting:
                count = min(len(self._waiting), self.COMMANDS)
                await self._exchange(connection, [self._waiting.popleft() for _ in range(count)])
        finally:
            self._idle.append(connection)

    async def _exchange(self, connection: AbstractConnection, batch: Sequence[_Waiting]) -> None:
        limit_ms = self._reply_ms + max(extra_ms for _, _, extra_ms in batch)
        trouble: Exception | None = None
        complete = False
        try:
            async with asyncio.timeout(limit_ms / 1000):
                if not connection.is_connected:
                    await connection.connect()  # type: ignore[no-untyped-call]
                await connection.send_packed_command([packed for packed, _, _ in batch], check_health=False)
                for _, receiver, _ in batch:
                    await _answer(connection, receiver)
                complete = True
        except CONNECTION_TROUBLE as error:
            trouble = error
        finally:
            if not complete:
                # Unread replies would be taken for the answers to later commands.
                await _hang_up(connection)
                for _, receiver, _ in batch:
                    if not receiver.done():
                        unknown = OutcomeUnknownError(str(trouble))
                        unknown.__cause__ = trouble
                        receiver.set_exception(unknown)


async def _answer(connection: AbstractConnection, receiver: Receiver) -> None:
    """Read one reply, whether or not anybody still waits for it."""
    reply: Any
    try:
        reply = await connection.read_response()
    except ResponseError as refusal:
        reply = refusal
    if receiver.done():
        return
    if isinstance(reply, ResponseError):
        receiver.set_exception(reply)
    else:
        receiver.set_result(reply)


async def _hang_up(connection: AbstractConnection) -> None:
    with contextlib.suppress(*CONNECTION_TROUBLE):
        await connection.disconnect(nowait=True)
