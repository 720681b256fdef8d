"""How this house builds a Redis client."""

import asyncio
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

UNREACHABLE = (RedisError, OSError, AttributeError, RuntimeError)
"""What a call may raise when the server is not there. AttributeError is a known bug of redis-py 8.1, which
meets its own closed connection (platform.md 2.4); RuntimeError is uvloop's word for the same."""

QUERY = frozenset({"db", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile"})
"""What a URL may say behind its `?`. redis-py takes any option there: one that ends the encryption, one that
makes other answers of all, or one that nobody knows, which it finds out with its first command."""
_DATABASE = re.compile("/?|/[0-9]+")


def client(path_or_url: str, *, retry: bool, timeout_s: float = 5.0) -> Redis:
    """Makes a client that answers in bytes; it connects at its first command.

    Args:
        path_or_url: a unix socket's path, or a URL (`redis://`, `rediss://`, `unix://`).
        retry: True is redis-py as shipped: it resends **any** command some ten times within 4.5 s, so every
            write needs its idempotency key. False fails at once: for probes, credentials and SHUTDOWN.
        timeout_s: how long to wait for a connection and for each reply; a blocking read needs more than its
            own BLOCK time.

    Raises:
        ValueError: the URL is malformed. The message may quote parts of it, a password among them.
    """
    options: dict[str, Any] = {"socket_timeout": timeout_s, "socket_connect_timeout": timeout_s}
    if not retry:
        options["retry"] = Retry(NoBackoff(), 0)
    if "://" in path_or_url:
        _refuse_odd(path_or_url)
        return Redis.from_url(path_or_url, **options)
    return Redis(unix_socket_path=path_or_url, **options)


def _refuse_odd(url: str) -> None:
    """What redis-py would pass over: it takes another database, or another server, than the URL means."""
    parts = urlsplit(url)
    place = "" if parts.scheme == "unix" else parts.path
    if parts.fragment or not _DATABASE.fullmatch(place) or parse_qs(parts.query, True).keys() - QUERY:
        raise ValueError("a URL with something in it that is not understood")


async def end(task: asyncio.Task[None]) -> None:
    """Cancels a task that talks to Redis, until it really ends.

    redis-py sends under `asyncio.wait_for`, which up to Python 3.11 swallows a cancellation that meets the
    end of the sending; once is therefore not enough.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.05)
