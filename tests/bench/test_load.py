"""The load generator, against servers that behave oddly on purpose."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ops.bench import load
from ops.bench.load import drive, parse_answer

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length:  4\r\nServer: odd\r\n\r\nabcd"
REQUEST = b"POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n"

Script = Callable[[int, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def server(script: Script) -> AsyncIterator[int]:
    """Serve on loopback: for the n-th request of a connection call `script(n, writer)`."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            for number in count():
                await reader.readuntil(b"\r\n\r\n")
                await script(number, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    listening = await asyncio.start_server(talk, "127.0.0.1", 0)
    async with listening:
        yield listening.sockets[0].getsockname()[1]


def always(answer: bytes) -> Script:
    """Answer every request with the same bytes in one piece."""

    async def script(_: int, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)

    return script


async def drop(number: int, writer: asyncio.StreamWriter) -> None:
    """Answer two requests and hang up on the third."""
    if number == 2:
        writer.close()
    else:
        writer.write(ANSWER)


@given(cut=st.integers(min_value=0, max_value=len(ANSWER) - 1), more=st.binary(max_size=3))
def test_answer_is_found_when_complete_and_not_before(cut: int, more: bytes) -> None:
    """No beginning of an answer is taken for it, and what follows is none of it."""
    assert parse_answer(ANSWER[:cut]) is None
    assert parse_answer(ANSWER + more) == (200, len(ANSWER))


@pytest.mark.parametrize(
    "data", [b"HTTP/1.1 200 OK\r\nServer: odd\r\n\r\n", b"SMTP 220\r\nContent-Length: 1\r\n\r\nx"]
)
def test_answer_without_length_or_of_another_protocol_is_refused(data: bytes) -> None:
    """What cannot be measured is an error rather than a guess."""
    with pytest.raises(ValueError, match="Content-Length"):
        parse_answer(data)


async def test_fragmented_answers_are_counted_once() -> None:
    """An answer that trickles in byte by byte is one answer."""

    async def trickle(_: int, writer: asyncio.StreamWriter) -> None:
        for byte in ANSWER:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0)

    async with server(trickle) as port:
        result = await drive(port, iter([REQUEST] * 30), connections=3, seconds=5, count=30)
    assert result.statuses == {200: 30}
    assert result.lost == 0


async def test_every_status_is_counted_and_only_success_is_timed() -> None:
    """A refusal shows under its own status and has no part in the latencies."""
    async with server(always(ANSWER.replace(b"200", b"409"))) as port:
        result = await drive(port, iter([REQUEST] * 6), connections=2, seconds=5, count=6)
    assert result.statuses == {409: 6}
    assert (result.p50_ms, result.p99_ms) == (0.0, 0.0)


async def test_count_bounds_a_phase() -> None:
    """No more requests go out than were asked for, however much time is left."""
    async with server(always(ANSWER)) as port:
        result = await drive(port, iter([REQUEST] * 5), connections=4, seconds=60, count=5)
    assert result.statuses == {200: 5}
    assert 0 < result.p50_ms <= result.p99_ms


async def test_time_bounds_a_phase_and_warm_up_is_not_counted() -> None:
    """A phase ends by its time, and the requests of the warm-up are not in the result."""
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while True:
            sent += 1
            yield REQUEST

    async with server(always(ANSWER)) as port:
        result = await drive(port, endless(), connections=2, seconds=0.3, warmup_seconds=0.1)
    assert 0 < result.statuses[200] < sent


async def test_lost_answers_are_counted() -> None:
    """A connection that breaks loses the request that was out; the other connections go on."""
    async with server(drop) as port:
        result = await drive(port, iter([REQUEST] * 99), connections=3, seconds=5, count=99)
    assert (result.statuses, result.lost) == ({200: 6}, 3)


async def test_connections_lost_in_the_warm_up_show() -> None:
    """A connection that died before the measured phase counts there as one lost request."""
    async with server(drop) as port:
        result = await drive(port, iter([REQUEST] * 99), connections=3, seconds=5, warmup_seconds=5)
    assert (result.statuses, result.lost) == ({}, 3)


@pytest.mark.parametrize("answer", [ANSWER * 2, b"HTTP/1.1 204 No Content\r\n\r\n"])
async def test_unreadable_answers_are_lost(answer: bytes) -> None:
    """Two answers to one request, or one without a length, end the connection instead of skewing counts."""
    async with server(always(answer)) as port:
        result = await drive(port, iter([REQUEST] * 9), connections=2, seconds=5)
    assert (result.statuses, result.lost) == ({}, 2)


async def test_silence_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that never answers cannot hold the generator beyond its time and grace."""
    monkeypatch.setattr(load, "GRACE_SECONDS", 0.05)
    async with server(always(b"")) as port:
        result = await drive(port, iter([REQUEST] * 9), connections=2, seconds=0.05)
    assert (result.statuses, result.lost) == ({}, 2)


async def test_watched_processes_are_accounted() -> None:
    """CPU time of a watched process is that of the phase: here our own, so at least what the clients used."""
    async with server(always(ANSWER)) as port:
        result = await drive(
            port, iter([REQUEST] * 500), connections=2, seconds=5, count=500, watch=(os.getpid(),)
        )
    assert len(result.watched_cpu_s) == 1
    assert result.watched_cpu_s[0] > 0
