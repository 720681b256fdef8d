"""Lost connections, dead servers, missing functions: each append has one outcome (platform.md 2.4)."""

import asyncio
import signal

import pytest
from redis.asyncio import Redis

from dealer.journal import (
    Appended,
    Conflict,
    Extras,
    Journal,
    JournalError,
    JournalUnavailable,
    Known,
    Record,
)
from dealer.journal.keys import keys_of
from tests.journal.makers import NONE, TABLE, entry
from tests.journal.proxy import Proxy
from tests.journal.server import Server

ACCEPTED = b'{"code":"accepted"}'


async def test_a_repetition_recognises_its_own_write(journal: Journal, server: Server) -> None:
    """The reply was lost, the write was not: the repetition answers as the first would have."""
    batch = [entry("a", b"0", b"1"), entry("no"), entry("b", b"2")]
    async with Proxy(server.socket) as proxy, Redis(unix_socket_path=proxy.path) as client:
        behind = Journal(client)
        await behind.open()
        proxy.lose_reply()
        extras = Extras(deadline=5, secrets={"s": b"s"}, rounds={1: 2}, listed=True)
        assert await behind.append(TABLE, -1, batch, extras) == Appended(0, 2)
        proxy.lose_reply()
        assert await behind.append(TABLE, 2, [entry("refused")], NONE) == Appended(3, 2)
        assert proxy.mishaps == 2
        await behind.close()
    assert await journal.read(TABLE) == [b"0", b"1", b"2"]


async def test_own_write_is_recognised_under_later_ones(journal: Journal, server: Server) -> None:
    """Somebody appended after the lost reply; the repetition still answers its own numbers."""
    async with Proxy(server.socket) as proxy, Redis(unix_socket_path=proxy.path) as client:
        behind = Journal(client)
        await behind.open()
        proxy.lose_reply(meanwhile=lambda: journal.append(TABLE, 0, [entry("later", b"1")], NONE))
        assert await behind.append(TABLE, -1, [entry("a", b"0")], NONE) == Appended(0, 0)
        assert proxy.mishaps == 1
        await behind.close()
    assert await journal.read(TABLE) == [b"0", b"1"]


async def test_an_equal_record_of_another_node_is_not_own(journal: Journal, server: Server) -> None:
    """The same command, decided elsewhere with other events: it must be read, not taken for ours."""
    record = Record("hash of a", ACCEPTED, 0, 0)
    async with Proxy(server.socket) as proxy, Redis(unix_socket_path=proxy.path) as client:
        behind = Journal(client)
        await behind.open()
        proxy.lose_request(lambda: journal.append(TABLE, -1, [entry("a", b"theirs")], NONE))
        assert await behind.append(TABLE, -1, [entry("a", b"ours")], NONE) == Known({0: record}, 0)
        assert proxy.mishaps == 1
        await behind.close()
    assert await journal.read(TABLE) == [b"theirs"]


async def test_part_of_a_batch_known_is_not_own(journal: Journal, server: Server) -> None:
    """Another node took one command of the batch: the rest was never written."""
    async with Proxy(server.socket) as proxy, Redis(unix_socket_path=proxy.path) as client:
        behind = Journal(client)
        await behind.open()
        proxy.lose_request(lambda: journal.append(TABLE, -1, [entry("a", b"0")], NONE))
        answer = await behind.append(TABLE, -1, [entry("a", b"0"), entry("b", b"1")], NONE)
        assert answer == Known({0: Record("hash of a", ACCEPTED, 0, 0)}, 0)
        await behind.close()
    assert await journal.read(TABLE) == [b"0"]


async def test_a_lost_request_is_sent_again(journal: Journal, server: Server) -> None:
    """Nothing was written: the repetition appends, or conflicts with who came first."""
    async with Proxy(server.socket) as proxy, Redis(unix_socket_path=proxy.path) as client:
        behind = Journal(client)
        await behind.open()
        proxy.lose_request(lambda: journal.last(TABLE))
        assert await behind.append(TABLE, -1, [entry("a", b"0")], NONE) == Appended(0, 0)
        proxy.lose_request(lambda: journal.append(TABLE, 0, [entry("b", b"1")], NONE))
        assert await behind.append(TABLE, 0, [entry("c", b"2")], NONE) == Conflict(1)
        assert proxy.mishaps == 2
        await behind.close()
    assert await journal.read(TABLE) == [b"0", b"1"]


async def test_kill_and_restart_loses_and_doubles_nothing(journal: Journal, server: Server) -> None:
    """Three times `kill -9` under load: every acknowledged append is there exactly once, in its order."""
    stop = asyncio.Event()
    count = 0

    async def play(aggregate: str) -> list[bytes]:
        nonlocal count
        done: list[bytes] = []
        while not stop.is_set():
            event = f"{aggregate} {len(done)}".encode()
            answer = await journal.append(aggregate, len(done) - 1, [entry(f"k{len(done)}", event)], NONE)
            assert answer == Appended(len(done), len(done))
            done.append(event)
            count += 1
        return done

    names = [f"t/tbl_{i}" for i in range(24)]
    players = [asyncio.create_task(play(name)) for name in names]
    for kills in range(3):
        while count < 400 * (kills + 1):
            await asyncio.sleep(0)
        server.kill()
        await asyncio.sleep(0.02)
        server.start()
    while count < 1_600:
        await asyncio.sleep(0)
    stop.set()
    acknowledged = await asyncio.gather(*players)
    for name, done in zip(names, acknowledged, strict=True):
        assert await journal.read(name) == done


async def test_without_an_answer_it_is_unavailable(journal: Journal, server: Server, redis: Redis) -> None:
    """A server that hangs: no answer is made up, and later the same keys tell what became of it."""
    async with server.client() as client:
        hasty = Journal(client, patience_ms=400)
        await hasty.open()
        server.signal(signal.SIGSTOP)
        try:
            with pytest.raises(JournalUnavailable):
                await hasty.append(TABLE, -1, [entry("a", b"0")], NONE)
            with pytest.raises(JournalUnavailable):
                await hasty.read(TABLE)
        finally:
            server.signal(signal.SIGCONT)
        answer = await journal.append(TABLE, -1, [entry("a", b"0")], NONE)
        assert answer in (Appended(0, 0), Known({0: Record("hash of a", ACCEPTED, 0, 0)}, 0))
        await hasty.close()
    assert await journal.read(TABLE) == [b"0"]
    assert await redis.ping()


async def test_nobody_listening_is_unavailable(server: Server) -> None:
    """A server that is not there: the journal cannot be opened, and says so."""
    server.kill()
    async with server.client() as client:
        journal = Journal(client, patience_ms=50)
        with pytest.raises(JournalUnavailable):
            await journal.open()
        await journal.close()


async def test_a_closed_journal_is_unavailable(server: Server) -> None:
    """Nothing is sent after `close`, and what was sent before it is answered."""
    async with server.client() as client:
        journal = Journal(client)
        await journal.open()
        sent = journal.append(TABLE, -1, [entry("a", b"0")], NONE)
        await asyncio.sleep(0)
        await journal.close()
        assert await sent == Appended(0, 0)
        with pytest.raises(JournalUnavailable):
            await journal.last(TABLE)


async def test_missing_functions_are_loaded_again(journal: Journal, redis: Redis) -> None:
    """Functions do not travel with slots, and may be flushed: whoever misses them brings them."""
    await redis.function_flush()
    answers = await asyncio.gather(
        *(journal.append(f"t/{i}", -1, [entry("a", b"0")], NONE) for i in range(9))
    )
    assert answers == [Appended(0, 0)] * 9
    await redis.function_flush()
    assert (await journal.claim(0, 1)).due == []


async def test_an_append_is_repeated_by_one_only(server: Server, redis: Redis) -> None:
    """Refused for now, and then its connection lost as well: it is still sent once more, not twice."""
    async with Proxy(server.socket) as proxy, Redis(unix_socket_path=proxy.path) as client:
        behind = Journal(client)
        await behind.open()
        await redis.function_flush()
        proxy.lose_later_replies()
        sent = [behind.append(f"t/tbl_{n}", -1, [entry("a", b"0")], NONE) for n in range(2)]
        assert await asyncio.gather(*sent) == [Appended(0, 0)] * 2
        await behind.close()
        assert (proxy.mishaps, proxy.appends) == (1, 4)


async def test_a_state_that_passes_is_waited_for(journal: Journal, redis: Redis) -> None:
    """READONLY is no answer: a node that is a replica for a while takes the append afterwards."""
    await redis.replicaof("127.0.0.1", 1)
    append = journal.append(TABLE, -1, [entry("a", b"0")], NONE)
    while "errorstat_READONLY" not in await redis.info("errorstats"):
        await asyncio.sleep(0)
    assert not append.done()
    await redis.replicaof("NO", "ONE")
    assert await append == Appended(0, 0)


async def test_a_definite_refusal_is_raised(journal: Journal, redis: Redis) -> None:
    """What no repetition changes is not repeated, and nothing has been written."""
    await redis.set(keys_of(TABLE).stream, b"no stream")
    with pytest.raises(JournalError, match="WRONGTYPE") as raised:
        await journal.append(TABLE, -1, [entry("a", b"0")], NONE)
    assert not isinstance(raised.value, JournalUnavailable)
    assert await redis.keys("*") == [keys_of(TABLE).stream.encode()]
