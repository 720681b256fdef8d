"""A snapshot is kept beside the log, and never replaced by an older one (design 5)."""

import asyncio

import pytest
from redis.asyncio import Redis

from dealer.journal import Journal
from dealer.journal.keys import keys_of
from dealer.journal.limits import SNAPSHOT_BYTES
from tests.journal.makers import TABLE
from tests.journal.server import Server


async def test_there_is_none_at_first(journal: Journal) -> None:
    """Nothing depends on one being there."""
    assert await journal.snapshot(TABLE) is None


async def test_its_name_is_fixed_and_it_is_all_that_is_stored(journal: Journal, redis: Redis) -> None:
    """One key, with the tag of its table's partition; deleting it is enough to be rid of it."""
    assert await journal.keep_snapshot(TABLE, 7, b"\x00state\xff")
    name = keys_of(TABLE).snapshot
    assert name == f"{keys_of(TABLE).tag}:snap:{TABLE}"
    assert await redis.keys() == [name.encode()]
    assert await redis.hgetall(name) == {b"seq": b"7", b"blob": b"\x00state\xff"}
    await redis.delete(name)
    assert await journal.snapshot(TABLE) is None


async def test_a_later_one_replaces_it_and_an_older_one_does_not(journal: Journal) -> None:
    """Nodes write as they come to it; numbers count, not the order of writing."""
    assert await journal.keep_snapshot(TABLE, 900, b"900")
    assert await journal.keep_snapshot(TABLE, 1_000, b"1000")
    assert not await journal.keep_snapshot(TABLE, 999, b"999")
    assert await journal.snapshot(TABLE) == b"1000"


async def test_one_of_the_same_event_replaces_it(journal: Journal) -> None:
    """So a release with another schema gets rid of one it cannot use, at a table where nothing happens."""
    await journal.keep_snapshot(TABLE, 1_000, b"old schema")
    assert await journal.keep_snapshot(TABLE, 1_000, b"new schema")
    assert await journal.snapshot(TABLE) == b"new schema"


async def test_of_many_at_once_the_latest_stays(journal: Journal, server: Server) -> None:
    """Two nodes write in any order: the largest number wins, whole."""
    async with server.client() as client:
        other = Journal(client)
        await other.open()
        kept = await asyncio.gather(
            *((journal, other)[seq % 2].keep_snapshot(TABLE, seq, b"%d" % seq) for seq in (5, 8, 2, 9, 4, 1))
        )
        await other.close()
    assert any(kept)
    assert await journal.snapshot(TABLE) == b"9"


async def test_one_that_is_too_large_is_not_sent(journal: Journal) -> None:
    """There is a limit to everything that is stored."""
    with pytest.raises(ValueError, match="it may have 16777216"):
        await journal.keep_snapshot(TABLE, 1, bytes(SNAPSHOT_BYTES + 1))
    assert await journal.snapshot(TABLE) is None
