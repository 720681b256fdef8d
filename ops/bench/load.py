"""The load generator: closed-loop HTTP clients on bare protocols, run as a process of its own.

Each connection has one request out at any time and sends the next one the moment the answer is complete.
The generator shares a core with the store, so all it does per answer is to find its end, its status and its
time. The result goes to stdout as one JSON object.
"""

import argparse
import asyncio
import gc
import re
import sys
import time
from array import array
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import cast

import msgspec
import uvloop

from ops.bench.plan import decode_plan, requests
from ops.bench.procfs import busy_seconds, cpu_seconds
from ops.bench.stats import percentile

GRACE_SECONDS = 10.0
"""How long after its time a phase waits for answers still out."""

_LENGTH = re.compile(rb"\r\nContent-Length: *(\d+)\r\n", re.IGNORECASE)


class LoadResult(msgspec.Struct, frozen=True, gc=False):
    """What one measured phase gave. Times and counts cover exactly the same requests.

    Attributes:
        busy_s: CPU time of the whole machine during the phase, whoever used it.
        elapsed_s: From the first request sent to the last answer.
        load_cpu_s: CPU time of the generator itself.
        lost: Requests that got no answer one could read.
        p50_ms: Median time from request to answer, of the answers with a status of 2xx.
        p99_ms: Likewise the 99th percentile; both are 0 when there was no such answer.
        statuses: Number of answers by HTTP status.
        watched_cpu_s: CPU time of each watched process, in the order they were named.
    """

    busy_s: float
    elapsed_s: float
    load_cpu_s: float
    lost: int
    p50_ms: float
    p99_ms: float
    statuses: dict[int, int]
    watched_cpu_s: tuple[float, ...]

    @property
    def good(self) -> int:
        """Number of answers with a status of 2xx."""
        return sum(number for status, number in self.statuses.items() if 200 <= status < 300)


def parse_answer(data: bytes) -> tuple[int, int] | None:
    """Find status and total length of the answer at the start of `data`; None while it is not complete.

    Raises:
        ValueError: This is no HTTP/1.1 answer with a Content-Length.
    """
    body = data.find(b"\r\n\r\n") + 4
    if body < 4:
        return None
    length = _LENGTH.search(data, 0, body)
    if length is None or not data.startswith(b"HTTP/1.1 "):
        raise ValueError("an answer without HTTP/1.1 status line or Content-Length")
    end = body + int(length[1])
    return (int(data[9:12]), end) if len(data) >= end else None


class _Phase:
    """One bounded stretch of load, warm-up or measured, with what it counted."""

    def __init__(self, clients: int, stream: Iterator[bytes], seconds: float, count: int) -> None:
        self.done = asyncio.get_running_loop().create_future()
        self.latencies = array("d")
        self.lost = 0
        self.statuses: dict[int, int] = {}
        self._count = count
        self._deadline = time.perf_counter() + seconds
        self._running = clients
        self._stream = stream

    def next(self, now: float) -> bytes | None:
        """The next request, or None once the phase has had its time or its count, or there is no more."""
        if now >= self._deadline or self._count <= 0:
            return None
        self._count -= 1
        return next(self._stream, None)

    def answered(self, status: int, seconds: float) -> None:
        """Count an answer."""
        self.statuses[status] = self.statuses.get(status, 0) + 1
        if 200 <= status < 300:
            self.latencies.append(seconds)

    def rest(self) -> None:
        """One connection has nothing more to do."""
        self._running -= 1
        if self._running == 0 and not self.done.done():
            self.done.set_result(None)


class _Client(asyncio.Protocol):
    """One keep-alive connection. One that failed stays closed: what it lost shows in the result."""

    def __init__(self) -> None:
        self._waiting = False
        self._phase: _Phase | None = None
        self._received = b""
        self._sent = 0.0
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport; asyncio's interface calls it by its base type."""
        self._transport = cast(asyncio.WriteTransport, transport)

    def enter(self, phase: _Phase) -> None:
        """Take part in a phase, with a first request at once; a dead connection counts as a lost request."""
        self._phase = phase
        if self._transport is None:
            phase.lost += 1
            phase.rest()
        else:
            self._send(phase, self._transport, time.perf_counter())

    def _send(self, phase: _Phase, transport: asyncio.WriteTransport, now: float) -> None:
        request = phase.next(now)
        if request is None:
            self._waiting = False
            phase.rest()
            return
        self._waiting = True
        self._sent = now
        transport.write(request)

    def data_received(self, data: bytes) -> None:
        """Take a piece of an answer; with the last piece, count it and send the next request."""
        phase, transport = self._phase, self._transport
        if phase is None or transport is None:
            return
        if self._received:
            data = self._received + data
        try:
            answer = parse_answer(data)
        except ValueError:
            transport.abort()
            return
        if answer is None:
            self._received = data
            return
        status, end = answer
        if (
            end != len(data) or not self._waiting
        ):  # more than was asked for: nothing on this line means anything
            transport.abort()
            return
        self._received = b""
        now = time.perf_counter()
        phase.answered(status, now - self._sent)
        self._send(phase, transport, now)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the request that was out, if there was one."""
        self._transport = None
        if self._waiting and self._phase is not None:
            self._waiting = False
            self._phase.lost += 1
            self._phase.rest()

    def give_up(self) -> None:
        """Break the connection off if its answer is still out."""
        if self._waiting and self._transport is not None:
            self._transport.abort()
            self.connection_lost(None)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()


async def _run_phase(clients: list[_Client], stream: Iterator[bytes], seconds: float, count: int) -> _Phase:
    """Drive all connections through one phase and wait for the last answer."""
    phase = _Phase(len(clients), stream, seconds, count)
    for client in clients:
        client.enter(phase)
    try:
        await asyncio.wait_for(phase.done, seconds + GRACE_SECONDS)
    except TimeoutError:
        for client in clients:
            client.give_up()
    return phase


async def drive(
    port: int,
    stream: Iterator[bytes],
    *,
    connections: int,
    seconds: float,
    count: int = sys.maxsize,
    warmup_seconds: float = 0.0,
    watch: tuple[int, ...] = (),
    settled: Callable[[], Awaitable[None]] | None = None,
) -> LoadResult:
    """Send requests to a server on loopback and measure.

    Args:
        port: Where the server listens.
        stream: The requests; the warm-up takes the first ones.
        connections: Number of keep-alive connections, each with one request out.
        seconds: When the measured phase sends no more.
        count: How many requests the measured phase sends at most.
        warmup_seconds: Load before the measured phase, over the same connections.
        watch: Processes whose CPU time is to be taken at both ends of the measured phase.
        settled: What else the measured phase waits for once all is answered.

    Raises:
        OSError: Nobody listens there.
        FileNotFoundError: A watched process does not exist.
    """
    loop = asyncio.get_running_loop()
    clients = [(await loop.create_connection(_Client, "127.0.0.1", port))[1] for _ in range(connections)]
    try:
        if warmup_seconds > 0:
            await _run_phase(clients, stream, warmup_seconds, sys.maxsize)
        watched = [cpu_seconds(pid) for pid in watch]
        busy, own, start = busy_seconds(), time.process_time(), time.perf_counter()
        phase = await _run_phase(clients, stream, seconds, count)
        if settled is not None:
            await settled()
        elapsed, own, busy = time.perf_counter() - start, time.process_time() - own, busy_seconds() - busy
        used = tuple(cpu_seconds(pid) - before for pid, before in zip(watch, watched, strict=True))
    finally:
        for client in clients:
            client.close()
    ordered = sorted(phase.latencies)
    return LoadResult(
        busy_s=busy,
        elapsed_s=elapsed,
        load_cpu_s=own,
        lost=phase.lost,
        p50_ms=percentile(ordered, 0.5) * 1e3 if ordered else 0.0,
        p99_ms=percentile(ordered, 0.99) * 1e3 if ordered else 0.0,
        statuses=dict(sorted(phase.statuses.items())),
        watched_cpu_s=used,
    )


def main() -> None:
    """Run one load as the harness asks for it and write the result to stdout."""
    parser = argparse.ArgumentParser(prog="python -m ops.bench.load", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--plan", type=Path, required=True, help="JSON list of {body, headers, path}")
    parser.add_argument("--once", action="store_true", help="end with the plan instead of beginning it again")
    parser.add_argument("--prefix", required=True, help="start of every idempotency key")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--count", type=int, default=sys.maxsize)
    parser.add_argument("--warmup-seconds", type=float, default=1.0)
    parser.add_argument(
        "--watch", type=int, action="append", default=[], help="a process to take CPU time of"
    )
    given = parser.parse_args()
    stream = requests(decode_plan(given.plan.read_bytes()), given.prefix, once=given.once)
    gc.disable()  # nothing here makes cycles, and a pause would be measured as the server's
    result = uvloop.run(
        drive(
            given.port,
            stream,
            connections=given.connections,
            seconds=given.seconds,
            count=given.count,
            warmup_seconds=given.warmup_seconds,
            watch=tuple(given.watch),
        )
    )
    sys.stdout.buffer.write(msgspec.json.encode(result) + b"\n")


if __name__ == "__main__":
    main()
