"""The yardstick of a fan-out: the least it costs aiohttp to tell many listeners what was appended durably.

The yardstick's server, with streams beside its commands. An event is made into a frame once, when it is on
disk, of the size of what the service tells for a stake, and written to one listener after the other in the
order in which they came: no task and no queue for each, so nothing plain is cheaper; a set of listeners, in
no order, costs a twentieth more. No access control, no private frames, nothing for those who lag: one that is
full holds up all.
"""

import asyncio

from aiohttp import web

from dealer.http import frames
from ops.bench import yardstick
from ops.bench.yardstick import Appender

FRAME_BYTES = 587
"""So much the service tells for a stake: two events."""


def frame_of(sequence: int, event: bytes) -> bytes:
    """An event as it is told, filled up with a comment."""
    frame = frames.event(sequence, event).removesuffix(b"\n") + b":"
    return frame.ljust(FRAME_BYTES - 2, b".") + b"\n\n"


class Broadcast:
    """Appends, and tells all who listen; they hear of all tables, for there is one."""

    def __init__(self, appender: Appender) -> None:
        self._appender = appender
        self._listeners: dict[web.StreamResponse, None] = {}

    async def append(self, stream: str, key: str, channel: str, event: bytes) -> list[int]:
        """Append one event as the yardstick does, and tell it before the command is answered."""
        reply = await self._appender.append(stream, key, channel, event)
        frame = frame_of(reply[0], event)
        for listener in list(self._listeners):
            try:
                await listener.write(frame)
            except ConnectionError:
                self._listeners.pop(listener, None)
        return reply

    async def listen(self, request: web.Request) -> web.StreamResponse:
        """Tell somebody, as long as the server runs."""
        response = web.StreamResponse(headers={"Content-Type": frames.MEDIA})
        await response.prepare(request)
        await response.write(frames.sync(0))
        self._listeners[response] = None
        never: asyncio.Future[web.StreamResponse] = asyncio.get_running_loop().create_future()
        return await never


def application(appender: Appender) -> web.Application:
    """The yardstick's route, and one for listeners."""
    broadcast = Broadcast(appender)
    app = yardstick.application(broadcast)
    app.router.add_get("/v1/tables/{id}/events", broadcast.listen)
    return app


if __name__ == "__main__":
    yardstick.main(application)
