"""Following a table live: one long answer a listener, at the pace at which it reads (design 5, 8).

A listener that keeps up is written to directly, together with all others. One whose connection is full is
left alone until it has drained; then it gets what it missed, or is told to resync. So what is kept for it
never grows beyond the buffer of its connection (fairness S-7).
"""

import asyncio

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter

from dealer.http import frames
from dealer.http.channel import Channel, Payload
from dealer.http.limits import STALLED_S, STREAM_BUFFER_BYTES

TICK_S = 1.0
_PART = 32
"""Events of a backlog that are written at once."""
_LOW_BYTES = STREAM_BUFFER_BYTES // 4
"""A full connection has drained when no more than this waits in it."""


class Stream:
    """One listener's connection.

    Args:
        seq: the last event that it has.
        account: whose hand it is told, empty for nobody's.
    """

    def __init__(
        self,
        channel: Channel,
        seq: int,
        account: str,
        response: web.StreamResponse,
        writer: AbstractStreamWriter,
        transport: asyncio.WriteTransport,
        chunked: bool,
    ) -> None:
        self.account = account
        self._channel = channel
        self._seq = seq
        self._response = response
        self._writer = writer
        self._transport = transport
        self._chunked = chunked
        self._live = False
        self._over = False
        self._woken = asyncio.Event()
        self._stalled = 0
        self._left = 0
        transport.set_write_buffer_limits(STREAM_BUFFER_BYTES, _LOW_BYTES)

    async def run(self) -> None:
        """Send what was missed as fast as it is read, then be told with all others; over again if it lags.

        Raises:
            ConnectionError: the listener is gone.
        """
        await self._response.write(frames.RETRY)
        while not (self._over or self._transport.is_closing()):
            missed = self._channel.tail.since(self._seq)
            if missed is None:
                self._seq = self._channel.tail.last
                await self._response.write(frames.resync(self._seq))
            elif missed:
                self._seq += len(missed[:_PART])
                await self._response.write(b"".join(missed[:_PART]))
            else:
                # Nothing was awaited since the question, so nothing can have come in between.
                self._greet()
                await self._woken.wait()
            await self._writer.drain()

    def hear(self, last: int, news: Payload) -> None:
        """Be told of the events up to `last`, unless this connection is still busy with earlier ones."""
        if not self._live:
            return
        transport = self._transport
        if transport.is_closing() or transport.get_write_buffer_size() > STREAM_BUFFER_BYTES:
            self._wake()
        else:
            transport.write(news[self._chunked])
            self._seq = last

    def own(self, frame: bytes) -> None:
        """Be told of one's own hand; a listener that lags is told when it has caught up."""
        if self._live and not self._transport.is_closing():
            self._write(frame)

    def tick(self, beat: bool) -> None:
        """Look after the connection, once a second.

        Args:
            beat: whether it is time for a sign of life.
        """
        waiting = self._transport.get_write_buffer_size()
        self._stalled = self._stalled + 1 if not self._live and waiting == self._left else 0
        self._left = waiting
        if self._transport.is_closing():
            self._wake()
        elif self._stalled * TICK_S >= STALLED_S:
            self._transport.abort()
        elif beat and self._live:
            self._write(frames.HEARTBEAT)

    def end(self) -> None:
        """End the stream; what a full connection has not taken is not waited for."""
        self._over = True
        self._wake()
        if self._transport.get_write_buffer_size() > _LOW_BYTES:
            self._transport.abort()

    def _greet(self) -> None:
        if self.account:
            self._write(self._channel.hand_of(self.account))
        self._write(frames.sync(self._seq))
        self._live = True
        self._woken.clear()

    def _wake(self) -> None:
        self._live = False
        self._woken.set()

    def _write(self, frame: bytes) -> None:
        self._transport.write(frames.chunk(frame) if self._chunked else frame)
