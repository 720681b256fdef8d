"""The application behind a socket."""

import asyncio
import socket
from typing import cast

from aiohttp import web

from dealer.croupier.tasks import end
from dealer.http.connections import Connection, Connections
from dealer.http.limits import BACKLOG, DRAIN_S, Bounds


class Serving:
    """Doors that can be opened once and closed once.

    A client that hangs up does not stop what it has begun.

    Attributes:
        app: the application.
        connections: those that are open.
    """

    def __init__(self, app: web.Application, bounds: Bounds) -> None:
        self.app = app
        self.connections = Connections(bounds)
        self._runner = web.AppRunner(app, handler_cancellation=False, shutdown_timeout=DRAIN_S)
        self._listening: asyncio.Server | None = None
        self._watching: asyncio.Task[None] | None = None

    async def open(self, door: socket.socket) -> None:
        """Answer at a socket that is bound already.

        Raises:
            OSError: it cannot be listened on.
        """
        await self._runner.setup()
        server = cast("web.Server", self._runner.server)
        loop = asyncio.get_running_loop()
        self._watching = asyncio.create_task(self.connections.watch())
        self._listening = await loop.create_server(
            lambda: Connection(self.connections, server, loop), sock=door, backlog=BACKLOG
        )

    async def close(self) -> None:
        """Take no more connections, let requests under way finish, end streams, close all."""
        if self._listening is not None:
            self._listening.close()
        await self._runner.cleanup()
        if self._watching is not None:
            await end(self._watching)
