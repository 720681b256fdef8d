"""What an append writes, and when it writes nothing (design.md section 5)."""

import asyncio

from redis.asyncio import Redis

from dealer.journal import Appended, Conflict, Extras, Journal, Known, Record
from dealer.journal.keys import keys_of
from tests.journal.makers import NONE, TABLE, entry, events
from tests.journal.server import Server


async def test_events_come_back_byte_for_byte(journal: Journal) -> None:
    """Each event's stored bytes are the truth."""
    made = events("e", 7)
    assert await journal.append(TABLE, -1, [entry("k", *made)], NONE) == Appended(0, 6)
    assert await journal.read(TABLE) == list(made)


async def test_numbers_start_at_zero_and_have_no_gap(journal: Journal) -> None:
    """A batch of commands with 2, 0, 1 and 3 events takes the numbers 0 to 5, and the next goes on."""
    made = events("e", 6)
    batch = [entry("a", *made[:2]), entry("b"), entry("c", made[2]), entry("d", *made[3:])]
    assert await journal.last(TABLE) == -1
    assert await journal.append(TABLE, -1, batch, NONE) == Appended(0, 5)
    assert await journal.append(TABLE, 5, [entry("e", b"next")], NONE) == Appended(6, 6)
    assert await journal.read(TABLE) == [*made, b"next"]
    assert await journal.last(TABLE) == 6


async def test_one_entry_a_command_with_its_canonical_id(journal: Journal, redis: Redis) -> None:
    """An entry holds all events of one command and has the id (first seq + 1)-0."""
    await journal.append(TABLE, -1, [entry("a", b"0", b"1"), entry("b"), entry("c", b"2")], NONE)
    await journal.append(TABLE, 2, [entry("d", b"3")], NONE)
    entries = await redis.xrange(keys_of(TABLE).stream)
    assert entries == [(b"1-0", {b"0": b"0", b"1": b"1"}), (b"3-0", {b"0": b"2"}), (b"4-0", {b"0": b"3"})]


async def test_another_version_is_a_conflict_and_writes_nothing(journal: Journal, redis: Redis) -> None:
    """All or nothing: neither too early nor too late a version leaves a trace, beside the log or in it."""
    await journal.append(TABLE, -1, [entry("a", b"0", b"1")], NONE)
    stored = await everything(redis)
    extras = Extras(deadline=5, secrets={"s": b"s"}, people={"p": "q"}, rounds={}, listed=True, opened=4)
    for expected in (-1, 0, 2, 500):
        batch = [entry("b", b"2"), entry("c")]
        assert await journal.append(TABLE, expected, batch, extras) == Conflict(1)
    assert await everything(redis) == stored


async def test_a_known_key_answers_the_same_for_ever(journal: Journal) -> None:
    """A key answers what it answered first, with its numbers, whatever is sent under it at what version."""
    await journal.append(TABLE, -1, [entry("a", b"0", b"1")], NONE)
    await journal.append(TABLE, 1, [entry("b", b"2")], NONE)
    first = Record("hash of a", b'{"code":"accepted"}', 0, 1)
    for expected in (-1, 1, 2):
        other = entry("a", b"other", outcome=b"other")
        assert await journal.append(TABLE, expected, [other], NONE) == Known({0: first}, 2)
    assert await journal.known(TABLE, "acc_1", "a") == first
    assert await journal.read(TABLE) == [b"0", b"1", b"2"]


async def test_a_refusal_is_stored_and_takes_no_number(journal: Journal, redis: Redis) -> None:
    """A refusal travels with zero events: a record, no entry, no feed item; its last is its version."""
    await journal.append(TABLE, -1, [entry("a", b"0")], NONE)
    no = entry("no", outcome=b'{"code":"not_your_turn"}')
    assert await journal.append(TABLE, 0, [no], NONE) == Appended(1, 0)
    assert await journal.known(TABLE, "acc_1", "no") == Record("hash of no", no.outcome, 1, 0)
    assert await journal.append(TABLE, 7, [no], NONE) == Known({0: Record("hash of no", no.outcome, 1, 0)}, 0)
    assert await journal.append(TABLE, -1, [entry("late")], NONE) == Conflict(0)
    assert await redis.xlen(keys_of(TABLE).stream) == 1
    assert await redis.xlen(keys_of(TABLE).shared.feed) == 1


async def test_one_known_key_holds_back_the_whole_batch(journal: Journal, redis: Redis) -> None:
    """The known ones are returned by their place; of the others nothing is written."""
    await journal.append(TABLE, -1, [entry("a", b"0"), entry("b")], NONE)
    stored = await everything(redis)
    batch = [entry("c", b"1"), entry("b"), entry("d"), entry("a", b"2")]
    answer = await journal.append(TABLE, 0, batch, Extras(deadline=5, people={"p": "q"}, listed=True))
    code = b'{"code":"accepted"}'
    assert answer == Known({1: Record("hash of b", code, 1, 0), 3: Record("hash of a", code, 0, 0)}, 0)
    assert await everything(redis) == stored
    assert await journal.known(TABLE, "acc_1", "c") is None


async def test_a_known_key_makes_a_write_but_no_longer_life(journal: Journal, redis: Redis) -> None:
    """Confirmation by WAITAOF needs a write of its own (platform.md 2.3, rule 2); the TTL runs on."""
    await journal.append(TABLE, -1, [entry("a", b"0")], NONE)
    name = keys_of(TABLE).record("acc_1", "a")
    assert 0 < await redis.pttl(name) <= 86_400_000
    await redis.pexpire(name, 60_000)
    changes = (await redis.info("persistence"))["rdb_changes_since_last_save"]
    assert isinstance(await journal.append(TABLE, 0, [entry("a", b"0")], NONE), Known)
    assert (await redis.info("persistence"))["rdb_changes_since_last_save"] == changes + 1
    assert 0 < await redis.pttl(name) <= 60_000


async def test_a_key_belongs_to_principal_and_aggregate(journal: Journal) -> None:
    """The same key of somebody else, or at another table, is another key."""
    assert await journal.append(TABLE, -1, [entry("k", b"0")], NONE) == Appended(0, 0)
    assert await journal.append(TABLE, 0, [entry("k", b"1", principal="acc_2")], NONE) == Appended(1, 1)
    assert await journal.append("t/other", -1, [entry("k", b"2")], NONE) == Appended(0, 0)
    assert await journal.known("t/third", "acc_1", "k") is None


async def test_fifty_duplicates_at_once_make_one_event(journal: Journal, server: Server) -> None:
    """Two nodes, one command fifty times in parallel: one is appended, all others meet its record."""
    async with server.client() as client:
        other = Journal(client)
        await other.open()
        answers = await asyncio.gather(
            *((journal, other)[i % 2].append(TABLE, -1, [entry("k", b"once")], NONE) for i in range(50))
        )
        await other.close()
    assert answers.count(Appended(0, 0)) == 1
    assert answers.count(Known({0: Record("hash of k", b'{"code":"accepted"}', 0, 0)}, 0)) == 49
    assert await journal.read(TABLE) == [b"once"]


async def test_writers_never_interleave(journal: Journal, server: Server) -> None:
    """Eight writers on one log, each deciding again on a conflict: no gap, and no command torn apart."""
    clients = [server.client() for _ in range(3)]
    journals = [journal, *map(Journal, clients)]

    async def write(number: int) -> None:
        own, last, done = journals[number % 4], -1, 0
        while done < 20:
            command = f"{number}/{done}"
            sent = tuple(f"{command} {i}".encode() for i in range(1 + done % 3))
            answer = await own.append(TABLE, last, [entry(command, *sent)], NONE)
            last = answer.last
            done += isinstance(answer, Appended)

    await asyncio.gather(*map(write, range(8)))
    log = await journal.read(TABLE)
    expected = []
    for event in log:
        if event.endswith(b" 0"):
            count = 1 + int(event[:-2].split(b"/")[1]) % 3
            expected += [event[:-1] + str(i).encode() for i in range(count)]
    assert log == expected
    assert len(set(log)) == len(log) == 8 * sum(1 + i % 3 for i in range(20))
    for own, client in zip(journals[1:], clients, strict=True):
        await own.close()
        await client.aclose()


async def everything(redis: Redis) -> dict[bytes | str, bytes | None]:
    """All that is stored, by key."""
    return {key: await redis.dump(key) for key in await redis.keys()}
