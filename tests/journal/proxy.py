"""A wire between journal and Valkey that breaks when told to, on either side of the command."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Self

Meanwhile = Callable[[], Awaitable[object]]


class Proxy:
    """Forwards a unix socket; loses one append, or the reply to one, and then works again.

    Attributes:
        appends: how many have come by.
        mishaps: how often the wire was cut.
    """

    def __init__(self, target: str) -> None:
        self.path = str(Path(target).with_name("proxy.sock"))
        self.appends = 0
        self.mishaps = 0
        self._target = target
        self._lose: str | None = None
        self._meanwhile: Meanwhile | None = None
        self._server: asyncio.Server | None = None
        self._pumps: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._serve, self.path)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for pump in self._pumps:
            pump.cancel()
        await asyncio.gather(*self._pumps, return_exceptions=True)

    def lose_request(self, meanwhile: Meanwhile) -> None:
        """Cut the wire instead of passing on the next append; do `meanwhile` before anybody notices."""
        self._lose, self._meanwhile = "request", meanwhile

    def lose_reply(self, meanwhile: Meanwhile | None = None) -> None:
        """Cut the wire when the reply to the next append has come."""
        self._lose, self._meanwhile = "reply", meanwhile

    def lose_later_replies(self) -> None:
        """Cut the wire when the replies to the next appends have come, all but the first line of them."""
        self._lose = "later"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._pumps.add(task)
        engine_reader, engine_writer = await asyncio.open_unix_connection(self._target)
        answers = asyncio.create_task(_pump(engine_reader, writer))
        try:
            while data := await reader.read(1 << 20):
                appends = data.count(b"\njournal_append")
                self.appends += appends
                lose = self._lose if appends else None
                if lose in {"reply", "later"}:
                    answers.cancel()
                    with contextlib.suppress(asyncio.CancelledError):
                        await answers
                if lose != "request":
                    engine_writer.write(data)
                if lose is not None:
                    reply = b"" if lose == "request" else await engine_reader.read(1 << 20)
                    if lose == "later":
                        writer.write(reply.partition(b"\n")[0] + b"\n")
                    await self._break()
                    break
        except ConnectionError:
            pass
        finally:
            answers.cancel()
            for end in (writer, engine_writer):
                end.close()
                with contextlib.suppress(ConnectionError):
                    await end.wait_closed()
            self._pumps.discard(task)

    async def _break(self) -> None:
        meanwhile, self._lose, self._meanwhile = self._meanwhile, None, None
        if meanwhile is not None:
            await meanwhile()
        self.mishaps += 1


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(1 << 20):
            writer.write(data)
    writer.close()
