"""The answer to an accepted command, written in one piece: it is the commonest by far.

The library makes every answer of a table of headers, which costs more than deciding the command. Here they
are laid out beforehand, all but the three that differ.
"""

import time
from email.utils import formatdate
from functools import lru_cache

from aiohttp import HttpVersion11, web
from aiohttp.abc import AbstractStreamWriter

from dealer.http.answers import JSON, KEY_HEADER, done, encode

_HEAD = "HTTP/1.1 200 OK\r\n" + "".join(f"{name}: {value}\r\n" for name, value in JSON.items())


class _Piece(web.StreamResponse):
    """An answer that is written as it stands, on a connection that stays."""

    def __init__(self, written: bytes) -> None:
        super().__init__()
        self._written = written

    @property
    def keep_alive(self) -> bool:
        """It says nothing of the connection, which by HTTP/1.1 means that it stays."""
        return True

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter:
        """There is nothing to prepare but where to write."""
        self._to: AbstractStreamWriter = request.writer
        return self._to

    async def write_eof(self, data: bytes = b"") -> None:
        """Write all of it."""
        await self._to.write_eof(self._written)


def taken(request: web.Request, body: object, key: str) -> web.StreamResponse:
    """What a command under an idempotency key came to, now or when it was first sent."""
    if request.version != HttpVersion11 or not request.keep_alive:
        return done(body, key)
    text = encode(body)
    date = _date(int(time.time()))
    head = f"{_HEAD}Content-Length: {len(text)}\r\nDate: {date}\r\n{KEY_HEADER}: {key}\r\n\r\n"
    return _Piece(head.encode("ascii") + text)


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)
