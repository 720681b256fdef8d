"""Deadlines, claims with a lease, and the outages between them (design.md section 5)."""

import pytest
from redis.asyncio import Redis

from dealer.journal import Claimed, Extras, Gap, Journal
from dealer.journal.keys import keys_of, partition
from tests.journal.makers import NONE, TABLE, entry

HERE = partition(TABLE)
NEIGHBOUR = next(name for i in range(1_000) if partition(name := f"t/n{i}") == HERE)
HOUR = 3_600_000


async def test_a_due_aggregate_is_claimed_once_a_lease(journal: Journal) -> None:
    """Who claims it has it until the lease ends; then anybody may, should the first have died."""
    past = journal.now() - 1_000
    await journal.append(TABLE, -1, [entry("a", b"0")], Extras(deadline=past))
    claimed = await journal.claim(HERE, HOUR)
    assert claimed.due == [TABLE]
    assert claimed.next is not None
    assert claimed.next >= past + HOUR
    again = await journal.claim(HERE, HOUR)
    assert (again.due, again.next) == ([], claimed.next)


async def test_a_lease_that_ended_frees_the_aggregate(journal: Journal) -> None:
    """A node that died after its claim is replaced."""
    await journal.append(TABLE, -1, [entry("a", b"0")], Extras(deadline=journal.now() - 1_000))
    assert (await journal.claim(HERE, 0)).due == [TABLE]
    assert (await journal.claim(HERE, HOUR)).due == [TABLE]


async def test_each_append_says_the_deadline_anew(journal: Journal) -> None:
    """Later, earlier, none: what the last append said stands, also against a lease."""
    now = journal.now()
    await journal.append(TABLE, -1, [entry("a", b"0")], Extras(deadline=now + HOUR))
    assert await journal.claim(HERE, 1) == Claimed([], now + HOUR)
    await journal.append(TABLE, 0, [entry("b", b"1")], Extras(deadline=now - 5))
    assert (await journal.claim(HERE, HOUR)).due == [TABLE]
    await journal.append(TABLE, 1, [entry("c", b"2")], Extras(deadline=now + 2 * HOUR))
    assert await journal.claim(HERE, 1) == Claimed([], now + 2 * HOUR)
    await journal.append(TABLE, 2, [entry("d", b"3")], NONE)
    assert await journal.claim(HERE, 1) == Claimed([], None)


async def test_an_append_may_let_the_deadline_stand(journal: Journal, redis: Redis) -> None:
    """One that is not `timed` changes neither the deadline nor when the oldest decision was opened."""
    now = journal.now()
    shared = keys_of(TABLE).shared
    await journal.append(TABLE, -1, [entry("a", b"0")], Extras(deadline=now + HOUR, opened=now - 7))
    await journal.append(TABLE, 0, [entry("b", b"1")], Extras(deadline=1, opened=1, timed=False))
    assert await journal.claim(HERE, 1) == Claimed([], now + HOUR)
    assert await redis.zscore(shared.openings, TABLE) == now - 7


async def test_a_claim_is_of_its_own_partition(journal: Journal) -> None:
    """Nobody is claimed with another partition, and a partition that does not exist is refused."""
    await journal.append(TABLE, -1, [entry("a", b"0")], Extras(deadline=1))
    assert (await journal.claim((HERE + 1) % 16, HOUR)).due == []
    with pytest.raises(ValueError, match="partition 16"):
        await journal.claim(16, HOUR)


async def test_earliest_first_and_a_hundred_at_most(journal: Journal, redis: Redis) -> None:
    """A claim takes so many; `next` in the past says that there are more."""
    await redis.zadd(keys_of(TABLE).shared.due, {f"t/{i:03}": i + 1 for i in range(150)})
    first = await journal.claim(HERE, HOUR)
    assert first.due == [f"t/{i:03}" for i in range(100)]
    assert first.next == 101
    assert (await journal.claim(HERE, HOUR)).due == [f"t/{i:03}" for i in range(100, 150)]


async def test_an_outage_is_told_until_nobody_was_caught_in_it(journal: Journal, redis: Redis) -> None:
    """A pulse older than 3 s is a gap; every claim tells it while a decision from before its end is open."""
    now = journal.now()
    keys = keys_of(TABLE).shared
    await journal.append(TABLE, -1, [entry("a", b"0")], Extras(deadline=now + HOUR, opened=now - 9_000))
    await journal.append(NEIGHBOUR, -1, [entry("a", b"0")], Extras(deadline=now + HOUR, opened=now - 8_000))
    await redis.set(keys.pulse, now - 7_000)
    (gap,) = (await journal.claim(HERE, HOUR)).gaps
    assert gap.from_ms == now - 7_000
    assert gap.to_ms > now - 1_000
    assert (await journal.claim(HERE, HOUR)).gaps == [gap]
    await journal.append(TABLE, 0, [entry("b", b"1")], Extras(deadline=now + HOUR, opened=gap.to_ms))
    assert (await journal.claim(HERE, HOUR)).gaps == [gap]
    await journal.append(NEIGHBOUR, 0, [entry("b", b"1")], NONE)
    assert (await journal.claim(HERE, HOUR)).gaps == []
    assert await redis.exists(keys.gaps) == 0


async def test_gaps_add_up(journal: Journal, redis: Redis) -> None:
    """Two outages within one decision are two gaps, oldest first."""
    now = journal.now()
    keys = keys_of(TABLE).shared
    await journal.append(TABLE, -1, [entry("a", b"0")], Extras(deadline=now + HOUR, opened=now - 99_000))
    await redis.rpush(keys.gaps, f"{now - 50_000} {now - 40_000}")
    await redis.set(keys.pulse, now - 30_000)
    first, second = (await journal.claim(HERE, HOUR)).gaps
    assert first == Gap(now - 50_000, now - 40_000)
    assert second.from_ms == now - 30_000


async def test_without_open_decisions_an_outage_is_none(journal: Journal, redis: Redis) -> None:
    """An old pulse with nobody waiting leaves no gap behind."""
    await redis.set(keys_of(TABLE).shared.pulse, 1_000)
    assert (await journal.claim(HERE, HOUR)).gaps == []
    await journal.append(TABLE, -1, [entry("a", b"0")], Extras(deadline=journal.now() + HOUR, opened=1))
    assert (await journal.claim(HERE, HOUR)).gaps == []


async def test_the_first_deadline_of_a_partition_beats_its_pulse(journal: Journal, redis: Redis) -> None:
    """A decision opened after a time without any is not caught in that time."""
    await redis.set(keys_of(TABLE).shared.pulse, 1_000)
    await journal.append(TABLE, -1, [entry("a", b"0")], Extras(deadline=journal.now() + HOUR))
    assert (await journal.claim(HERE, HOUR)).gaps == []


async def test_a_new_table_does_not_hide_its_neighbours_outage(journal: Journal, redis: Redis) -> None:
    """Where a deadline already stood, an append leaves the pulse alone."""
    now = journal.now()
    await journal.append(TABLE, -1, [entry("a", b"0")], Extras(deadline=now + HOUR, opened=now - 9_000))
    await redis.set(keys_of(TABLE).shared.pulse, now - 8_000)
    await journal.append(NEIGHBOUR, -1, [entry("a", b"0")], Extras(deadline=now + HOUR))
    assert [gap.from_ms for gap in (await journal.claim(HERE, HOUR)).gaps] == [now - 8_000]


async def test_an_opening_that_is_not_said_stays(journal: Journal, redis: Redis) -> None:
    """Without `opened` the first time a deadline stood counts, so that no gap is forgotten too early."""
    now = journal.now()
    openings = keys_of(TABLE).shared.openings
    await journal.append(TABLE, -1, [entry("a", b"0")], Extras(deadline=now + HOUR))
    opened = await redis.zscore(openings, TABLE)
    assert opened is not None
    assert opened > now - 1_000
    await redis.zadd(openings, {TABLE: 5})
    await journal.append(TABLE, 0, [entry("b", b"1")], Extras(deadline=now + 2 * HOUR))
    assert await redis.zscore(openings, TABLE) == 5
    await journal.append(TABLE, 1, [entry("c", b"2")], NONE)
    assert await redis.zscore(openings, TABLE) is None
