"""What an append writes beside the log: secrets, people, rounds, the list of aggregates, the feed."""

import asyncio

from redis.asyncio import Redis

from dealer.journal import Extras, FeedItem, Journal, Round
from dealer.journal.keys import PARTITIONS, keys_of, partition
from tests.journal.makers import NONE, TABLE, entry


async def test_secrets_are_set_and_deleted_by_the_append(journal: Journal) -> None:
    """A sealed blob comes and goes with the events that speak of it; others stay."""
    await journal.append(TABLE, -1, [entry("a", b"0")], Extras(secrets={"1": b"\0one", "2": b"two"}))
    assert await journal.secrets(TABLE) == {"1": b"\0one", "2": b"two"}
    await journal.append(TABLE, 0, [entry("b", b"1")], Extras(secrets={"1": None, "3": b"three", "9": None}))
    assert await journal.secrets(TABLE) == {"2": b"two", "3": b"three"}
    assert await journal.secrets("t/other") == {}


async def test_people_are_kept_beside_the_log(journal: Journal) -> None:
    """The mapping of pseudonyms is written by the same append (design.md section 4)."""
    await journal.append(TABLE, -1, [entry("a", b"0")], Extras(people={"pid_1": "acc_ñ"}))
    await journal.append(TABLE, 0, [entry("b", b"1")], Extras(people={"pid_2": "acc_2"}))
    assert await journal.people(TABLE) == {"pid_1": "acc_ñ", "pid_2": "acc_2"}


async def test_rounds_are_found_by_number_and_by_place(journal: Journal) -> None:
    """Round to first sequence number, paged both ways; what was written first stands."""
    await journal.append(TABLE, -1, [entry("a", *[b"e"] * 10)], Extras(rounds={1: 2, 2: 5, 3: 9}))
    await journal.append(TABLE, 9, [entry("b", b"e")], Extras(rounds={3: 10, 4: 10}))
    one, two, three, four = Round(1, 2), Round(2, 5), Round(3, 9), Round(4, 10)
    assert await journal.rounds(TABLE) == [one, two, three, four]
    assert await journal.rounds(TABLE, after=2, limit=2) == [two, three]
    assert await journal.rounds(TABLE, newest=True, limit=2) == [four, three]
    assert await journal.rounds(TABLE, newest=True, before=9) == [two, one]
    assert await journal.rounds(TABLE, newest=True, before=9, limit=1) == [two]
    assert await journal.round_first(TABLE, 3) == 9
    assert await journal.round_first(TABLE, 5) is None


async def test_aggregates_are_listed_over_all_partitions(journal: Journal) -> None:
    """Listed ones, of the kind asked for, in order; what is not listed is not found."""
    names = [f"t/tbl_{i:02}" for i in range(99)]
    assert {partition(name) for name in names} == set(range(PARTITIONS))
    await asyncio.gather(
        *(journal.append(name, -1, [entry("a", b"0")], Extras(listed=True)) for name in names)
    )
    await journal.append("c/main", -1, [entry("a", b"0")], Extras(listed=True))
    await journal.append("t/hidden", -1, [entry("a", b"0")], NONE)
    await journal.append(names[0], 0, [entry("b", b"1")], NONE)
    assert await journal.aggregates("t/") == names
    assert await journal.aggregates("c/") == ["c/main"]
    assert await journal.aggregates("") == ["c/main", *names]
    assert await journal.aggregates("x") == []


async def test_a_long_list_is_read_in_pages(journal: Journal, redis: Redis) -> None:
    """More names in one partition than one round trip fetches come complete."""
    names = [f"t/{i:05}" for i in range(2_500)]
    await redis.zadd(keys_of(TABLE).shared.index, dict.fromkeys(names, 0))
    assert await journal.aggregates("t/") == names


async def test_the_feed_tells_of_each_append_once(journal: Journal) -> None:
    """One item an append, with the numbers of all its events, read on from where one stopped."""
    here = partition(TABLE)
    assert await journal.feed_end(here) == "0-0"
    assert await journal.read_feed(here, "0-0") == []
    await journal.append(TABLE, -1, [entry("a", b"0", b"1"), entry("b"), entry("c", b"2")], NONE)
    end = await journal.feed_end(here)
    await journal.append(TABLE, 2, [entry("d")], NONE)
    await journal.append(TABLE, 2, [entry("e", b"3")], NONE)
    first, second = await journal.read_feed(here, "0-0")
    assert first == FeedItem(end, TABLE, 0, 2)
    assert (second.aggregate, second.first, second.last) == (TABLE, 3, 3)
    assert await journal.read_feed(here, first.id) == [second]
    assert await journal.read_feed(here, "0-0", limit=1) == [first]


async def test_a_blocked_reader_wakes_up_and_holds_up_nobody(journal: Journal) -> None:
    """The blocking read has its own connection: appends pass it and end it."""
    here = partition(TABLE)
    waiting = asyncio.create_task(journal.read_feed(here, "0-0", block_ms=60_000))
    for _ in range(3):
        assert await journal.last(TABLE) == -1
    await journal.append(TABLE, -1, [entry("a", b"0")], NONE)
    items = await waiting
    assert [(item.aggregate, item.first, item.last) for item in items] == [(TABLE, 0, 0)]
    assert await journal.read_feed(here, items[0].id, block_ms=1) == []
