"""Connections: how many there may be, and how long each may keep the house waiting (fairness S-7).

aiohttp bounds the rest between two requests, and nothing else in time. Here every connection has a moment at
which it is cut off, put off whenever it gets on: so a head that does not come, a request without end, an
answer that nobody reads and what is left in a closed connection all end.
"""

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from typing import Any, cast

import structlog
from aiohttp import StreamReader, web

from dealer.http.limits import (
    HEAD_S,
    HEADER_BYTES,
    HEADERS,
    IDLE_S,
    LINE_BYTES,
    LINGER_S,
    REQUEST_S,
    UNREAD_S,
    Bounds,
    Reason,
)
from dealer.http.problems import BOUND, Problem

TICK_S = 1.0
_TOO_MANY = int(HTTPStatus.TOO_MANY_REQUESTS)  # every answer is compared with it: a plain number is quickest

log = structlog.get_logger()


class Connection(web.RequestHandler):
    """One client's connection.

    Attributes:
        address: the network it comes from, empty for one that is not counted.
        due: when it is cut off, in the loop's time.
    """

    __slots__ = ("_all", "_answered", "_body", "_ended", "_now", "_resting", "_wire", "address", "due")

    def __init__(self, every: "Connections", server: web.Server, loop: asyncio.AbstractEventLoop) -> None:
        # Of events the log of the table is the record; no line is written for a request.
        super().__init__(
            server,
            loop=loop,
            access_log=None,  # type: ignore[arg-type]  # means: none
            auto_decompress=False,  # aiohttp logs a body that it cannot unpack as a fault of this house
            keepalive_timeout=IDLE_S,
            lingering_time=LINGER_S,
            logger=_wire,
            max_field_size=HEADER_BYTES,
            max_headers=HEADERS,
            max_line_size=LINE_BYTES,
        )
        self._all = every
        self._now = loop.time
        self._answered = 0
        self._body: StreamReader | None = None
        self._ended = False
        self._resting = False
        self._wire: asyncio.Transport | None = None
        # The parser stops at so many, but may count one that is answered already: its body came after it had
        # been taken up. Held to be full one earlier, the queue is never waited for when it is empty.
        self._max_msg_queue_size -= 1
        self.address = ""
        self.due = math.inf

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take it, or hang up where there are too many."""
        wire = cast("asyncio.Transport", transport)
        self.address = network_of(wire.get_extra_info("peername"))
        if not self._all.join(self):
            wire.abort()
            return
        self._wire = wire
        self.due = self._now() + HEAD_S
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Forget it."""
        if self._wire is not None:
            self._all.leave(self)
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count the time for a head from its first byte."""
        if self._resting:
            self._resting = False
            self.due = self._now() + HEAD_S
        super().data_received(data)
        if self._messages:
            self._body = self._messages[-1][1]

    def resume_reading(self, resume_parser: bool = True) -> None:
        """Go on reading where it was held up; aiohttp asks twice a request, and parses anew each time.

        While a body is not here in whole, the parser may have stopped without anything else that tells of it.
        """
        held = self._reading_paused or self._buffer_paused
        if held or (resume_parser and not (self._body is not None and self._body.is_eof())):
            super().resume_reading(resume_parser)

    def eof_received(self) -> bool:  # type: ignore[override]  # aiohttp's own says that it never stays
        """The client sends no more; what it has asked for in whole is answered before the house hangs up.

        One that has gone altogether looks the same, so a stream, which would not notice, ends here.
        """
        asked = self._request_count > self._answered and self._body is not None and self._body.is_eof()
        self._ended = asked and self.due != math.inf
        return self._ended

    def begin(self) -> None:
        """A head has come; the request has its time from now."""
        self._resting = False
        self.due = self._now() + REQUEST_S

    def last(self) -> None:
        """The answer has no end of its own: whoever gives it looks after the connection."""
        self.due = math.inf

    def log_access(self, request: web.BaseRequest, response: web.StreamResponse, time: float | None) -> None:
        """An answer has been written. What aiohttp calls for its own log is when that can be known."""
        self._resting = True
        self.due = self._now() + IDLE_S + UNREAD_S
        if response.status == _TOO_MANY:
            self._all.turned_away(response[BOUND])
        self._answered += 1
        if self._answered == self._request_count:
            self._body = None
            if self._ended:
                self.close()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer what is no HTTP with a problem like any other; the client's, it is not logged."""
        if status != HTTPStatus.BAD_REQUEST:
            return super().handle_error(request, status, exc, message)
        refused = Problem("malformed", status=status).response(request)
        refused.force_close()
        return refused

    def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> Coroutine[Any, Any, tuple[web.StreamResponse, bool]]:
        """Write an answer; what no door has seen, such as `OPTIONS *`, is answered as doors answer."""
        if isinstance(resp, Exception):  # the library's own
            resp = Problem("not_found").response(request)
        return super().finish_response(request, resp, start_time)

    def cut(self) -> None:
        """Hang up at once, whatever is still to be sent."""
        if self._wire is not None:
            self._wire.abort()


class Connections:
    """All connections of one process.

    Args:
        bounds: what the operator has set.

    Attributes:
        turned_away: told of every connection and request that a bound has kept out.
    """

    turned_away: Callable[[Reason], None]

    def __init__(self, bounds: Bounds) -> None:
        self.turned_away = lambda _: None
        self._most = bounds.connections or math.inf
        self._most_of_one = bounds.address_connections or math.inf
        self._open: set[Connection] = set()
        self._of_one: Counter[str] = Counter()
        self._refused = 0

    def __len__(self) -> int:
        return len(self._open)

    def join(self, connection: Connection) -> bool:
        """Take one more, and say whether there was room for it."""
        address = connection.address
        full = len(self._open) >= self._most
        if full or (address and self._of_one[address] >= self._most_of_one):
            self._refused += 1
            self.turned_away("connections" if full else "address_connections")
            return False
        self._open.add(connection)
        if address:
            self._of_one[address] += 1
        return True

    def leave(self, connection: Connection) -> None:
        """Forget one."""
        self._open.discard(connection)
        address = connection.address
        if address:
            self._of_one[address] -= 1
            if not self._of_one[address]:
                del self._of_one[address]

    async def watch(self) -> None:
        """Cut off once a second whatever is due, until cancelled."""
        now = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(TICK_S)
            moment = now()
            for connection in [each for each in self._open if each.due < moment]:
                connection.cut()
            if self._refused:
                log.warning("connections_refused", count=self._refused)
                self._refused = 0


def network_of(peer: object) -> str:
    """The network an address is counted under: itself, or of IPv6 the /64 that one customer has.

    This machine is not counted: from here come its owner, and everybody at once through a proxy.
    """
    if not isinstance(peer, tuple):
        return ""
    address = ip_address(peer[0].partition("%")[0])
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return ""
    if isinstance(address, IPv6Address):
        return address.exploded[:19]
    return str(address)


_wire = logging.getLogger("dealer.http.wire")
