"""Somebody who follows a table live and keeps what comes, as an EventSource would read it."""

import asyncio
from types import TracebackType
from typing import Any, Self

import msgspec
from aiohttp import ClientResponse, ClientSession

from dealer.croupier.node import Node
from dealer.http.stream import Stream
from dealer.http.streams import STREAMS_KEY
from dealer.rules.frame.commands import Leave, Sit
from tests.croupier.spy import until
from tests.croupier.world import order
from tests.http.client import Client
from tests.http.house import House

MEDIA = "text/event-stream"


class Frame(msgspec.Struct, frozen=True):
    """One frame. `id` is empty where it has none."""

    name: str
    id: str
    data: bytes

    @property
    def told(self) -> Any:
        """What it says."""
        return msgspec.json.decode(self.data)


class Listener:
    """One stream, read in the background.

    Args:
        path: of the events, with its query.

    Attributes:
        raw: every byte that came.
        frames: what they say; comments and `retry` aside.
        over: whether the service has ended the stream, or the connection broke.
    """

    def __init__(self, session: ClientSession, token: str, path: str, last: int | None = None) -> None:
        self.raw = b""
        self.frames: list[Frame] = []
        self.over = False
        self._session = session
        self._path = path
        self._headers = {"Accept": MEDIA, "Authorization": f"Bearer {token}"}
        if last is not None:
            self._headers["Last-Event-ID"] = str(last)
        self._rest = b""
        self._response: ClientResponse | None = None
        self._reading: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._response = await self._session.get(self._path, headers=self._headers, timeout=None)
        assert self._response.status == 200, await self._response.text()
        assert self._response.content_type == MEDIA
        self._reading = asyncio.create_task(self._read(self._response))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        assert self._reading is not None
        await asyncio.gather(self._reading, return_exceptions=True)

    def close(self) -> None:
        """Hang up."""
        assert self._response is not None
        self._response.close()

    @property
    def events(self) -> list[tuple[int, bytes]]:
        """The public events that came, with the ids of their frames."""
        return [(int(frame.id), frame.data) for frame in self.frames if frame.name == "event"]

    def named(self, name: str) -> list[Any]:
        """What the frames of this name say."""
        return [frame.told for frame in self.frames if frame.name == name]

    @property
    def synced(self) -> int:
        """The event that it has been told it is at, -1 before that."""
        return max((told["seq"] for told in self.named("sync")), default=-1)

    async def at(self, seq: int = -1) -> int:
        """Wait until it is told where it is; it is to be this event, unless none is named."""
        await until(lambda: self.named("sync"))
        assert seq in {-1, self.synced}, (seq, self.synced)
        return self.synced

    async def hears(self, seq: int) -> None:
        """Wait for an event, which is to be the last one."""
        await until(lambda: self.events and self.events[-1][0] >= seq)
        assert self.events[-1][0] == seq

    async def holds(self, hand: Any) -> Any:
        """Wait until it is shown this hand; the frame that shows it."""
        await until(lambda: self.named("hand")[-1]["hand"] == hand)
        return self.named("hand")[-1]

    async def _read(self, response: ClientResponse) -> None:
        try:
            async for part in response.content.iter_any():
                self.raw += part
                *whole, self._rest = (self._rest + part).split(b"\n\n")
                self.frames += [frame for block in whole if (frame := _parsed(block)) is not None]
        finally:
            self.over = True


def _parsed(block: bytes) -> Frame | None:
    fields: dict[str, bytes] = {}
    for line in block.split(b"\n"):
        name, _, value = line.partition(b": ")
        assert name.decode() not in fields, "one line each"
        fields[name.decode()] = value
    if "data" not in fields:
        assert set(fields) <= {"retry", ":"}
        return None
    return Frame(fields["event"].decode(), fields.get("id", b"").decode(), fields["data"])


def follower(
    house: House, table: str, client: Client | None = None, query: str = "", last: int | None = None
) -> Listener:
    """Somebody who follows a table; an auditor unless it is somebody else."""
    token = (client or house.auditor)._token
    return Listener(house.session, token, f"{table}/events{query}", last)


async def log_of(house: House, table: str) -> list[tuple[int, bytes]]:
    """Everything that listeners may have heard of a table."""
    return list(enumerate(await house.node.journal.read(f"t/{table.rpartition('/')[2]}")))


async def coming_and_going(node: Node, table: str, times: int, seat: int = 1) -> None:
    """Two events each time: somebody sits down and leaves."""
    name = table.rpartition("/")[2]
    orders = [order(node, Sit(seat=seat) if n % 2 == 0 else Leave(), f"acc_{seat}") for n in range(2 * times)]
    answers = await asyncio.gather(*(node.command(name, each) for each in orders))
    assert {answer.code for answer in answers} == {"accepted"}


def streams_of(house: House) -> list[Stream]:
    """The service's ends of all streams, the oldest first."""
    return list(house.app[STREAMS_KEY]._tokens)


async def freed(house: House) -> None:
    """Wait until nothing is left of any stream."""
    held = house.app[STREAMS_KEY]
    await until(lambda: not held._tokens)
    await until(lambda: not held._places)
    assert (held._channels, +held._using, +held._placed) == ({}, {}, {})
    await until(lambda: not house.node._feeds._watching)
