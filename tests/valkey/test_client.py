"""The client and its quirks."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from redis.asyncio import Redis

from ops.valkey.client import UNREACHABLE, end
from ops.valkey.embedded import Embedded
from tests.valkey.conftest import until

Begin = Callable[[Path], Awaitable[Embedded]]
Connect = Callable[..., Redis]


async def test_answers_in_bytes(tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """A path and a unix:// URL lead to the same server, and answers are bytes."""
    data = tmp_path / "data"
    server = await begin(data)
    await connect(server.path).set("k", "v")
    assert await connect(f"unix://{data}/v.sock").get("k") == b"v"
    assert await connect(f"unix://{data}/v.sock?db=1").get("k") is None


@pytest.mark.parametrize(("retry", "tries"), [(False, 1), (True, 3)])
async def test_retry(tmp_path: Path, connect: Connect, retry: bool, tries: int) -> None:
    """Without retry a client tries once; redis-py as shipped goes on, here until the third (2.4)."""
    arrivals: list[None] = []

    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        arrivals.append(None)
        writer.close()

    async def ping() -> None:
        with contextlib.suppress(*UNREACHABLE):
            await connect(str(tmp_path / "v.sock"), retry=retry).ping()

    async with await asyncio.start_unix_server(hang_up, tmp_path / "v.sock"):
        task = asyncio.create_task(ping())
        await until(lambda: task.done() or len(arrivals) >= 3)
        await end(task)
    assert min(len(arrivals), 3) == tries


async def test_a_task_ends(tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """A task that talks to Redis ends wherever its cancellation meets it."""
    redis = connect((await begin(tmp_path / "data")).path)

    async def talk() -> None:
        while True:
            await redis.ping()
            await asyncio.sleep(0)

    for steps in range(25):
        task = asyncio.create_task(talk())
        for _ in range(steps):
            await asyncio.sleep(0)
        async with asyncio.timeout(5):
            await end(task)
        assert task.cancelled()
