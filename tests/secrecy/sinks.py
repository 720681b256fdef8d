"""Every place in which a service keeps or says something."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redis.asyncio import Redis


async def stored(redis: Redis) -> dict[bytes, list[bytes]]:
    """Everything in a store by key, in parts, in an order that is always the same."""
    keys = sorted([key async for key in redis.scan_iter(count=1_000)])
    async with redis.pipeline(transaction=False) as asked:
        for key in keys:
            asked.type(key)
        kinds = await asked.execute()
        for key, kind in zip(keys, kinds, strict=True):
            _READ[kind.decode()](asked, key)
        return {key: list(_flat(value)) for key, value in zip(keys, await asked.execute(), strict=True)}


_READ: dict[str, Any] = {
    "hash": lambda redis, key: redis.hgetall(key),
    "list": lambda redis, key: redis.lrange(key, 0, -1),
    "set": lambda redis, key: redis.smembers(key),
    "stream": lambda redis, key: redis.xrange(key),
    "string": lambda redis, key: redis.get(key),
    "zset": lambda redis, key: redis.zrange(key, 0, -1, withscores=True),
}


def _flat(value: Any) -> Iterator[bytes]:
    match value:
        case bytes():
            yield value
        case dict():
            for name in sorted(value):
                yield from _flat([name, value[name]])
        case set():
            yield from sorted(value)
        case list() | tuple():
            for each in value:
                yield from _flat(each)
        case _:
            yield str(value).encode()


def files(directory: Path) -> dict[str, bytes]:
    """Every file under a directory."""
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }
