"""Somebody who follows the table live, from its first event on, and through every outage."""

import asyncio
import json
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout, StreamReader

from tests.evening.caller import AGAIN_S
from tests.ops.processes import LIMIT_S, Service

Event = dict[str, Any]


class Follower:
    """The log as it was heard.

    Attributes:
        stored: the bytes of every event.
        events: what they say.
        connections: how often it had to ask for the stream.
    """

    def __init__(self, token: str, table: str, service: Service, session: ClientSession) -> None:
        self.stored: list[bytes] = []
        self.events: list[Event] = []
        self.connections = 0
        self._service = service
        self._table = table
        self._session = session
        self._headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {token}"}
        self._more = asyncio.Event()

    async def follow(self) -> None:
        """Hear everything until cancelled; after an outage go on behind the last event that was heard."""
        while True:
            url = f"http://127.0.0.1:{self._service.port}{self._table}/events?after=-1"
            headers = dict(self._headers)
            if self.events:
                headers["Last-Event-ID"] = str(self.last)
            try:
                async with self._session.get(url, headers=headers, timeout=ClientTimeout()) as response:
                    self.connections += response.status == 200
                    await self._hear(response.content)
            except (ClientError, OSError):
                pass
            await asyncio.sleep(AGAIN_S)

    async def _hear(self, lines: StreamReader) -> None:
        name = b""
        async for line in lines:
            if line.startswith(b"event: "):
                name = line[7:].rstrip()
            elif line.startswith(b"data: ") and line.endswith(b"\n"):
                assert name != b"resync", "it is never so far behind"
                if name == b"event":
                    self._take(line[6:].rstrip())

    def _take(self, stored: bytes) -> None:
        event = json.loads(stored)
        assert event["seq"] == len(self.events), "nothing is missed, and nothing comes twice"
        self.stored.append(stored)
        self.events.append(event)
        self._more.set()

    async def next(self, *types: str, after: int = -1, **data: Any) -> Event:
        """The first event of these types after another one, with these data; it may be yet to come."""
        at = after + 1
        async with asyncio.timeout(LIMIT_S):
            while True:
                for event in self.events[at:]:
                    at += 1
                    if event["type"] in types and data.items() <= event["data"].items():
                        return event
                self._more.clear()
                await self._more.wait()

    @property
    def last(self) -> int:
        """Sequence number of the last event that was heard."""
        return len(self.events) - 1
