"""A snapshot of somebody's Valkey or Redis, asked for as a replica asks for its first copy.

That is the one way to a state of all keys at one moment over the network, without a pause of the server and
without access to its files; `valkey-cli --rdb` goes it too.
"""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from ops.valkey.refused import StoreRefused

SILENCE_S = 60.0
"""A server that makes a snapshot gives a sign of life each second or so."""
_CHUNK = 1 << 20
_MARK = 40  # bytes, of the mark that ends a snapshot whose length was not known before


async def copy_snapshot(redis: Redis, to: Path) -> None:
    """Writes the server's snapshot to a new file.

    Args:
        redis: a client of the server, without retry.
        to: the file, in the server's own format.

    Raises:
        StoreRefused: `sync_denied`, `sync_broken` (the server ended it too early).
        OSError: the file cannot be written.
    """
    connection = await redis.connection_pool.get_connection()  # type: ignore[no-untyped-call]
    try:
        for word in (("capa", "eof"), ("rdb-only", "1")):
            await connection.send_command("REPLCONF", *word)
            await connection.read_response()
        await connection.send_command("SYNC")
        reader: asyncio.StreamReader = connection._reader  # noqa: SLF001 - what comes now is no reply, but a file
        await _receive(reader, to)
    except ResponseError as denied:
        raise _denied(str(denied)) from denied
    except (asyncio.IncompleteReadError, TimeoutError) as broken:
        raise StoreRefused("sync_broken", "The server did not send its snapshot to the end.") from broken
    finally:
        await connection.disconnect()


async def _receive(reader: asyncio.StreamReader, to: Path) -> None:
    head = b""
    while not head:  # empty lines say that it is still at work
        head = (await _within(reader.readuntil(b"\n"))).strip()
    if not head.startswith(b"$"):
        raise _denied(head.decode("utf-8", "replace").lstrip("-"))
    with to.open("xb") as file:
        if not head.startswith(b"$EOF:"):
            left = int(head[1:])
            while left:
                left -= file.write(await _within(reader.readexactly(min(left, _CHUNK))))
            return
        mark, tail = head[len(b"$EOF:") :], b""
        while tail != mark:
            chunk = await _within(reader.read(_CHUNK))
            if not chunk:
                raise asyncio.IncompleteReadError(tail, None)
            kept = tail + chunk
            file.write(kept[:-_MARK])
            tail = kept[-_MARK:]


async def _within(reading: Coroutine[Any, Any, bytes]) -> bytes:
    async with asyncio.timeout(SILENCE_S):
        return await reading


def _denied(said: str) -> StoreRefused:
    return StoreRefused(
        "sync_denied",
        f"The server gives this user no snapshot ({said}). Allow it +sync, +psync and +replconf, or use the "
        "server's own backup.",
    )
