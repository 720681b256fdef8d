"""The load generator of a fan-out, against servers that tell their listeners odd things on purpose."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.http import frames
from ops.bench import audience
from ops.bench.audience import Audience, Listener, Stage, attend, listening
from ops.bench.load import LoadResult
from ops.bench.plan import Template
from tests.bench.test_load import ANSWER

EVENTS = 2
HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
STAGE = Stage(
    (Template(body=msgspec.Raw(b"{}"), headers={}, path="/commands"),),
    EVENTS,
    ({"Authorization": "Bearer a"}, {"Authorization": "Bearer b"}),
    "/events",
)

Tell = Callable[[int, int, bytes], bytes]
"""What the n-th listener is sent of the m-th command's events."""


@asynccontextmanager
async def hall(tell: Tell, asked: list[bytes]) -> AsyncIterator[int]:
    """Serve on loopback: listeners, and a speaker who is answered before they are told."""
    listeners: list[asyncio.StreamWriter] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        command = 0
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                if head.startswith(b"GET"):
                    asked.append(head)
                    listeners.append(writer)
                    writer.write(HEAD + frames.chunk(frames.RETRY) + frames.chunk(frames.sync(0)))
                    continue
                await reader.readexactly(2)
                writer.write(ANSWER)
                news = frames.chunk(b"".join(frames.event(EVENTS * command + n, b"{}") for n in (1, 2)))
                command += 1
                for number, listener in enumerate(listeners):
                    listener.write(tell(number, command, news))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    serving = await asyncio.start_server(talk, "127.0.0.1", 0)
    async with serving:
        yield serving.sockets[0].getsockname()[1]


async def heard(tell: Tell, warmup_seconds: float = 0.0) -> LoadResult:
    """What three listeners of a hall are found to have heard."""
    async with hall(tell, []) as port:
        return await attend(port, STAGE, "k", listeners=3, seconds=0.2, warmup_seconds=warmup_seconds)


@given(cuts=st.sets(st.integers(0, 200), max_size=8))
def test_events_in_pieces_are_counted_once(cuts: set[int]) -> None:
    """However the wire cuts what a listener is told, each command counts once, with its last event."""
    audience = Audience(1, EVENTS)
    listener = Listener(audience, b"")
    listener.data_received(HEAD + frames.chunk(frames.RETRY))
    assert not audience.ready.is_set()
    listener.data_received(frames.chunk(frames.sync(0)))
    assert audience.ready.is_set()
    said = list(audience.said(iter([b"one", b"two"])))
    told = [frames.event(seq, b"{}") for seq in range(1, len(said) * EVENTS + 1)]
    wire = frames.chunk(b"".join(told[:3])) + frames.chunk(told[3])
    for start, end in itertools.pairwise([0, *sorted(cuts), len(wire)]):
        listener.data_received(wire[start:end])
    assert (audience.heard, len(audience.took)) == (2, 2)


async def test_all_that_is_told_is_counted() -> None:
    """The measured phase counts its own commands and deliveries, not those of the warm-up."""
    result = await heard(lambda _, __, news: news, 0.1)
    assert result.lost == 0
    assert list(result.statuses) == [200]
    assert 0 < result.p50_ms <= result.p99_ms


async def test_what_one_listener_misses_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A delivery that never comes is lost, however long it is waited for, and everybody's else counts."""
    monkeypatch.setattr(audience, "GRACE_SECONDS", 0.5)
    result = await heard(lambda n, m, news: b"" if n == 1 and m == 1 else news)
    assert result.lost == 1


async def test_what_nobody_said_is_no_delivery(monkeypatch: pytest.MonkeyPatch) -> None:
    """A listener who is told more than was made is not believed any more."""
    monkeypatch.setattr(audience, "GRACE_SECONDS", 0.1)
    result = await heard(lambda _, __, news: news + news)
    assert result.lost > 0


async def test_listeners_show_the_keys_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server bounds the streams of one key; and whoever is not let in ends the measurement."""
    asked: list[bytes] = []
    async with hall(lambda _, __, news: news, asked) as port:
        async with listening(port, STAGE, Audience(4, EVENTS), 4):
            assert len(asked) == 4
        monkeypatch.setattr(audience, "START_SECONDS", 0.05)
        with pytest.raises(TimeoutError):
            async with listening(port, STAGE, Audience(3, EVENTS), 2):
                pass
    assert sorted(head.count(b"Bearer a") for head in asked) == [0, 0, 0, 1, 1, 1]
    assert all(b"\r\nAccept: text/event-stream\r\n" in head for head in asked)
