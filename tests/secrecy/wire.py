"""Following a table with nothing between: every byte of a connection, in the parts in which it came."""

import asyncio
from types import TracebackType
from typing import Self

from tests.croupier.spy import until

_HEARTBEAT = b":\n\n"
_PRIVATE = b"event: hand\n"


class Wire:
    """One connection that follows a table.

    Args:
        path: of the events.
    """

    def __init__(self, port: int, token: str, path: str) -> None:
        self._port = port
        self._asked = (
            f"GET {path} HTTP/1.1\r\nHost: casa\r\nAccept: text/event-stream\r\n"
            f"Authorization: Bearer {token}\r\n\r\n"
        ).encode()
        self._raw = b""

    async def __aenter__(self) -> Self:
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writer.write(self._asked)
        self._reading = asyncio.create_task(self._read(reader))
        await until(lambda: b"event: sync" in self._raw)
        assert self._raw.startswith(b"HTTP/1.1 200 OK\r\n")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.transport.abort()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while part := await reader.read(1 << 16):
            self._raw += part

    async def heard(self, seq: int) -> None:
        """Wait for an event."""
        await until(lambda: b"\nid: %d\nevent: event\n" % seq in self._raw)

    def chunks(self, *, private: bool = True) -> list[bytes]:
        """What was written at once, in order, without signs of life.

        Args:
            private: with the listener's own hands.
        """
        _, _, rest = self._raw.partition(b"\r\n\r\n")
        found = []
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            length = int(size, 16)
            found.append(rest[:length])
            rest = rest[length + 2 :]
        return [
            chunk for chunk in found if chunk != _HEARTBEAT and (private or not chunk.startswith(_PRIVATE))
        ]
