"""The streams of one process: how many there may be, which tables they follow, when they end."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import cast

import structlog
from aiohttp import HttpVersion11, web

from dealer.croupier.node import Node
from dealer.croupier.tables import TableDesk
from dealer.http import frames
from dealer.http.answers import SECURITY
from dealer.http.channel import Channel
from dealer.http.connections import Connection
from dealer.http.doors import token_of
from dealer.http.keyring import KeyRecord, Keyring
from dealer.http.limits import HEARTBEAT_S, STREAMS, STREAMS_OF_A_KEY, STREAMS_OF_A_PLAYER, is_number
from dealer.http.problems import Problem
from dealer.http.queries import table_of
from dealer.http.stream import TICK_S, Stream

LAST_EVENT_ID = "Last-Event-ID"
_HEADERS = {**SECURITY, "Content-Type": frames.MEDIA, "X-Accel-Buffering": "no"}
"""The last asks a proxy not to hold events back."""

log = structlog.get_logger()


def wanted(request: web.Request) -> bool:
    """Whether a client asks for a stream and not for a page."""
    accepted = request.headers.get("Accept", "").split(",")
    return any(each.partition(";")[0].strip().lower() == frames.MEDIA for each in accepted)


class Streams:
    """All streams of one process, and the channels they listen to.

    Args:
        keyring: a stream ends when its key is no longer in force.
    """

    def __init__(self, node: Node, keyring: Keyring) -> None:
        self._node = node
        self._keyring = keyring
        self._channels: dict[str, Channel] = {}
        self._using: Counter[str] = Counter()
        self._placed: Counter[str] = Counter()
        self._places = 0
        self._tokens: dict[Stream, str] = {}
        self._closing = False

    async def follow(self, request: web.Request, key: KeyRecord, after: int | None) -> web.StreamResponse:
        """Answer with the events of a table for as long as the client listens.

        Args:
            request: to the events of a table.
            key: whose stream it is.
            after: the last event the client has; None to begin with the next one. What a client that comes
                back has seen by itself stands in its `Last-Event-ID`, which goes before.

        Raises:
            Problem: there are too many streams, or the header is no sequence number.
            NoSuchAggregate: there is no such table.
            Unavailable: the journal cannot be read now.
            JournalError: likewise.
        """
        resumed = request.headers.getall(LAST_EVENT_ID, [])
        if any(resumed):
            if len(resumed) > 1 or not is_number(resumed[0]):
                raise Problem("malformed", {"path": LAST_EVENT_ID})
            after = int(resumed[0])
        with self._place(key):
            desk = await table_of(request, self._node)
            with self._channel(desk) as channel:
                seq = channel.tail.last if after is None else after
                await channel.tail.reach_back(seq)
                return await self._serve(request, key, channel, seq)

    async def watch(self) -> None:
        """Look after all streams once a second, until cancelled."""
        for second in count(1):
            await asyncio.sleep(TICK_S)
            valid = {token: self._keyring.look_up(token) is not None for token in set(self._tokens.values())}
            for stream, token in self._tokens.items():
                if valid[token]:
                    stream.tick(second % HEARTBEAT_S == 0)
                else:
                    stream.end()

    def close(self) -> None:
        """End all streams, and let none begin."""
        self._closing = True
        for stream in self._tokens:
            stream.end()

    @contextmanager
    def _place(self, key: KeyRecord) -> Iterator[None]:
        """One of the streams that this key, and all together, may have."""
        most = STREAMS_OF_A_PLAYER if key.role == "player" else STREAMS_OF_A_KEY
        if self._placed[key.id] >= most or self._places >= STREAMS:
            raise Problem("rate_limited", bound="streams")
        self._placed[key.id] += 1
        self._places += 1
        try:
            yield
        finally:
            self._places -= 1
            _subtract(self._placed, key.id)

    @contextmanager
    def _channel(self, desk: TableDesk) -> Iterator[Channel]:
        """The channel of a table, which lasts while somebody uses it."""
        name = desk.aggregate
        if name not in self._channels:
            self._channels[name] = Channel(self._node, desk)
        self._using[name] += 1
        try:
            yield self._channels[name]
        finally:
            if not _subtract(self._using, name):
                self._channels.pop(name).close()

    async def _serve(
        self, request: web.Request, key: KeyRecord, channel: Channel, seq: int
    ) -> web.StreamResponse:
        response = web.StreamResponse(headers=_HEADERS)
        response.force_close()
        transport = request.transport
        cast("Connection", request.protocol).last()
        writer = await response.prepare(request)
        if transport is None or writer is None:  # the client has gone meanwhile
            return response
        chunked = request.version >= HttpVersion11
        account = key.account if key.role == "player" else ""
        stream = Stream(channel, seq, account, response, writer, transport, chunked)
        self._tokens[stream] = token_of(request)
        channel.join(stream)
        self._node.hooks.listening(1)
        if self._closing:
            stream.end()
        try:
            await stream.run()
        except ConnectionError:
            pass  # so listeners leave
        except Exception:
            log.exception("stream_failed")
            transport.abort()
        finally:
            self._node.hooks.listening(-1)
            channel.leave(stream)
            del self._tokens[stream]
        return response


STREAMS_KEY = web.AppKey("streams", Streams)


def _subtract(counter: Counter[str], name: str) -> int:
    """Count one less, and keep no noughts."""
    counter[name] -= 1
    left = counter[name]
    if not left:
        del counter[name]
    return left
