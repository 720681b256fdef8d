"""The load generator of a fan-out: the listeners of one table, and a speaker whose commands make its events.

The speaker sends a command the moment the one before is answered. So a server has one command's events to
tell at a time, and cannot seem fast by telling those of several in one piece. What one command brings to one
listener is a delivery. A listener costs as little as it can: it counts the events in what it gets. The result
goes to stdout as one JSON object.
"""

import argparse
import asyncio
import gc
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import cast

import msgspec
import uvloop
from msgspec.structs import replace

from ops.bench.load import GRACE_SECONDS, LoadResult, drive
from ops.bench.plan import Plan, requests
from ops.bench.processes import START_SECONDS
from ops.bench.stats import percentile

_EVENT = b"\nevent: event\n"
_SYNC = b"\nevent: sync\n"
_END = b"\n\n\r\n"
"""How a chunk ends that ends with a frame; a head, or a chunk's first line, does not end so."""
_AT_ONCE = 128
"""So many connections are made at a time, so that all find room where they wait to be taken."""


class Stage(msgspec.Struct, frozen=True, gc=False):
    """One table as its speaker and its listeners find it.

    Attributes:
        commands: What the speaker says, in turn.
        events: How many events each command makes.
        keys: Headers of the listeners, in turn.
        path: Where the events are heard.
    """

    commands: Plan
    events: int
    keys: tuple[dict[str, str], ...]
    path: str


class Audience:
    """What was said at a table, and what all its listeners together have heard.

    Args:
        size: Number of listeners.
        events: How many events each command makes.

    Attributes:
        heard: Deliveries since it was `fresh`.
        ready: Set once all are told what happens.
        took: Of each command that all have heard of since then, the seconds until the last of them had.
    """

    def __init__(self, size: int, events: int) -> None:
        self.ready = asyncio.Event()
        self.fresh()
        self._deaf = size
        self._events = events
        self._left: list[int] = []
        self._open = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._sent: list[float] = []
        self._size = size

    def fresh(self) -> None:
        """Count from here."""
        self.heard = 0
        self.took: list[float] = []

    def said(self, stream: Iterator[bytes]) -> Iterator[bytes]:
        """Pass the speaker's requests on, each at the moment at which it is sent."""
        for request in stream:
            self._left.append(self._size)
            self._open += 1
            self._quiet.clear()
            self._sent.append(time.perf_counter())
            yield request

    def join(self) -> None:
        """One listener is told from now on."""
        self._deaf -= 1
        if not self._deaf:
            self.ready.set()

    def hear(self, before: int, number: int) -> bool:
        """One listener, who had heard some events before, has heard so many more; False if none were made."""
        now, left = time.perf_counter(), self._left
        first, last = before // self._events, (before + number) // self._events
        if last > len(left):
            return False
        for command in range(first, last):
            left[command] -= 1
            if not left[command]:
                self.took.append(now - self._sent[command])
                self._open -= 1
        self.heard += last - first
        if not self._open:
            self._quiet.set()
        return True

    async def settled(self) -> None:
        """Wait until all have heard everything; not for ever, so that what is lost shows in the count."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._quiet.wait(), GRACE_SECONDS)


class Listener(asyncio.Protocol):
    """One stream. One that breaks stays closed: what it lost shows in the result.

    Args:
        audience: of which it is one; no event is made before all of it have joined.
        request: with which it asks for the events.
    """

    def __init__(self, audience: Audience, request: bytes) -> None:
        self._audience = audience
        self._heard = 0
        self._received = b""
        self._request = request

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the events."""
        self._transport = cast("asyncio.WriteTransport", transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Count the events, once the last frame is whole."""
        if self._received:
            data = self._received + data
        if not data.endswith(_END):
            self._received = data
            return
        self._received = b""
        number = data.count(_EVENT)
        if number:
            if not self._audience.hear(self._heard, number):
                self._transport.abort()
            self._heard += number
        elif _SYNC in data:
            self._audience.join()


@asynccontextmanager
async def listening(port: int, stage: Stage, audience: Audience, size: int) -> AsyncIterator[None]:
    """Connect all listeners, wait until each has been told that it hears live, and hang up in the end.

    Raises:
        OSError: Nobody listens at the port.
        TimeoutError: Some are not told.
    """
    loop = asyncio.get_running_loop()
    usual = {"Host": "127.0.0.1", "Accept": "text/event-stream"}
    heads = [
        "\r\n".join([f"GET {stage.path} HTTP/1.1", *map(": ".join, (usual | key).items()), "\r\n"])
        for key in stage.keys
    ]
    asked = islice(cycle(head.encode("ascii") for head in heads), size)
    lines: list[asyncio.BaseTransport] = []
    try:
        while batch := list(islice(asked, _AT_ONCE)):
            making = [
                loop.create_connection(partial(Listener, audience, head), "127.0.0.1", port) for head in batch
            ]
            lines += [line for line, _ in await asyncio.gather(*making)]
        await asyncio.wait_for(audience.ready.wait(), START_SECONDS)
        yield
    finally:
        for line in lines:
            line.close()


async def attend(
    port: int,
    stage: Stage,
    prefix: str,
    *,
    listeners: int,
    seconds: float,
    warmup_seconds: float,
    watch: tuple[int, ...] = (),
) -> LoadResult:
    """Listen to a table on loopback, make its events, and measure until the last is delivered.

    Args:
        port: Where the server listens.
        stage: The table.
        prefix: Start of every idempotency key.
        listeners: How many listen.
        seconds: When the measured phase makes no more events.
        warmup_seconds: Events before the measured phase, over the same streams.
        watch: Processes whose CPU time is to be taken at both ends of the measured phase.

    Returns:
        The statuses are those of the commands; times are from a command to its last delivery;
        lost are commands without an answer, and deliveries that are missing.

    Raises:
        OSError: Nobody listens there.
        TimeoutError: Not all listeners are let in.
        FileNotFoundError: A watched process does not exist.
    """
    audience = Audience(listeners, stage.events)
    said = audience.said(requests(stage.commands, prefix))
    speak = partial(drive, port, said, connections=1, settled=audience.settled)
    async with listening(port, stage, audience, listeners):
        await speak(seconds=warmup_seconds)
        audience.fresh()
        result = await speak(seconds=seconds, watch=watch)
    took = sorted(audience.took)
    return replace(
        result,
        lost=result.lost + result.good * listeners - audience.heard,
        p50_ms=percentile(took, 0.5) * 1e3 if took else 0.0,
        p99_ms=percentile(took, 0.99) * 1e3 if took else 0.0,
    )


def main() -> None:
    """Run one fan-out as the bench asks for it and write the result to stdout."""
    parser = argparse.ArgumentParser(prog="python -m ops.bench.audience", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--plan", type=Path, required=True, help="JSON of {commands, events, keys, path}")
    parser.add_argument("--prefix", required=True, help="start of every idempotency key")
    parser.add_argument("--listeners", type=int, required=True)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--warmup-seconds", type=float, default=0.5)
    parser.add_argument(
        "--watch", type=int, action="append", default=[], help="a process to take CPU time of"
    )
    given = parser.parse_args()
    stage = msgspec.json.decode(given.plan.read_bytes(), type=Stage)
    gc.disable()  # nothing here makes cycles, and a pause would be measured as the server's
    result = uvloop.run(
        attend(
            given.port,
            stage,
            given.prefix,
            listeners=given.listeners,
            seconds=given.seconds,
            warmup_seconds=given.warmup_seconds,
            watch=tuple(given.watch),
        )
    )
    sys.stdout.buffer.write(msgspec.json.encode(result) + b"\n")


if __name__ == "__main__":
    main()
