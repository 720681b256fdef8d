"""Reading a log, whole and in parts."""

import pytest
from redis.asyncio import Redis

from dealer.journal import Journal, JournalDamaged
from dealer.journal.keys import keys_of
from tests.journal.makers import NONE, TABLE, entry, events


async def test_any_part_can_be_read(journal: Journal) -> None:
    """From after any number, also within an entry, and up to any count."""
    made = events("e", 12)
    batch = [entry("a", *made[:5]), entry("b", made[5]), entry("c", *made[6:])]
    await journal.append(TABLE, -1, batch, NONE)
    for after in range(-1, 14):
        rest = list(made[after + 1 :])
        assert await journal.read(TABLE, after) == rest
        for limit in range(14):
            assert await journal.read(TABLE, after, limit) == rest[:limit]


async def test_an_empty_log_reads_as_nothing(journal: Journal) -> None:
    """A log nobody wrote to has no events, whatever is asked for."""
    assert await journal.read(TABLE) == []
    assert await journal.read(TABLE, 5, 5) == []


async def test_a_long_log_is_read_in_pages(journal: Journal) -> None:
    """More entries than one round trip fetches come complete and in order."""
    made = events("e", 640)
    for start in range(0, 640, 64):
        batch = [entry(f"k{i}", made[i]) for i in range(start, start + 64)]
        await journal.append(TABLE, start - 1, batch, NONE)
    assert await journal.read(TABLE) == list(made)
    assert await journal.read(TABLE, 99) == list(made[100:])
    assert await journal.read(TABLE, 99, 512) == list(made[100:612])


@pytest.mark.parametrize(("after", "limit"), [(-2, None), (-1, -1)])
async def test_impossible_parts_are_refused(journal: Journal, after: int, limit: int | None) -> None:
    """Nothing lies before the empty log, and no read has less than no events."""
    with pytest.raises(ValueError, match="no events after"):
        await journal.read(TABLE, after, limit)


@pytest.mark.parametrize("name", ["9-0", "3-1"])
async def test_a_missing_number_is_noticed(journal: Journal, redis: Redis, name: str) -> None:
    """The engine accepts gaps (fairness.md 2.3); who reads across one is told."""
    await journal.append(TABLE, -1, [entry("a", b"0", b"1")], NONE)
    await redis.xadd(keys_of(TABLE).stream, {"0": b"x"}, id=name)
    for after in (-1, 0, 1):
        with pytest.raises(JournalDamaged):
            await journal.read(TABLE, after)


async def test_a_record_that_cannot_be_read_is_noticed(journal: Journal, redis: Redis) -> None:
    """A record of other bytes is damage, not an answer."""
    await redis.set(keys_of(TABLE).record("acc_1", "k"), b"\x91\x01")
    with pytest.raises(JournalDamaged):
        await journal.known(TABLE, "acc_1", "k")
