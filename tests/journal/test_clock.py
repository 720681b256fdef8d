"""Time is the engine's and never goes back (design.md section 5)."""

import time

import pytest
from redis.asyncio import Redis

from dealer.journal import Journal
from dealer.journal.clock import Clock
from tests.journal.server import Server


async def test_now_is_the_engines_time(journal: Journal, redis: Redis) -> None:
    """Between two readings of the engine's clock lies `now`, but for the round trip's uncertainty."""
    before = (await redis.time())[0]
    await journal.sync_clock()
    now = journal.now()
    after = (await redis.time())[0]
    assert (before - 1) * 1000 <= now <= (after + 2) * 1000


def test_now_stands_still_when_the_engine_steps_back() -> None:
    """After a fail-over to a slower clock no command is dated before an earlier one."""
    clock = Clock()
    clock.sync(5_000_000.9, time.monotonic())
    first = clock.now()
    assert first >= 5_000_000
    clock.sync(1_000_000, time.monotonic())
    assert clock.now() == first
    clock.sync(9_000_000, time.monotonic())
    assert clock.now() >= 9_000_000


async def test_an_unopened_journal_knows_no_time(server: Server) -> None:
    """No node invents a time of its own."""
    async with server.client() as client:
        journal = Journal(client)
        with pytest.raises(RuntimeError, match="open the journal first"):
            journal.now()
        await journal.close()
