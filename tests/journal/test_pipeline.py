"""Many callers share few round trips, and none gets another's reply."""

import asyncio
import random

import pytest
from redis.asyncio import Redis

from dealer.journal import Appended, Journal, JournalError
from dealer.journal.keys import keys_of
from tests.journal.makers import NONE, TABLE, entry, events
from tests.journal.server import Server


async def test_cancelled_callers_shift_no_reply(journal: Journal) -> None:
    """Three thousand reads, of which four in ten are cancelled at some moment: the others get their own."""
    logs = {f"t/{i}": events(f"log {i}", 1 + i % 3) for i in range(20)}
    for name, made in logs.items():
        await journal.append(name, -1, [entry("a", *made)], NONE)
    chance = random.Random(20_260_101)  # noqa: S311 - a test's own repeatable chance
    cancelled = 0
    for _ in range(60):
        reads = [(name, asyncio.create_task(journal.read(name))) for name in chance.choices(list(logs), k=50)]
        for _ in range(chance.randrange(8)):
            await asyncio.sleep(0)
        for _, task in chance.sample(reads, k=20):
            task.cancel()
        await asyncio.wait([task for _, task in reads])
        for name, task in reads:
            cancelled += task.cancelled()
            if not task.cancelled():
                assert await task == list(logs[name])
    assert cancelled >= 300


async def test_a_cancelled_append_is_still_carried_out(journal: Journal, redis: Redis) -> None:
    """The command is on its way, whoever stopped waiting (platform.md 2.4: shield the append)."""
    for number in range(50):
        append = journal.append(f"t/{number}", -1, [entry("a", b"0")], NONE)
        await asyncio.sleep(0)
        append.cancel()
        await asyncio.wait([append])
    await journal.close()
    assert [await redis.xlen(keys_of(f"t/{number}").stream) for number in range(50)] == [1] * 50


async def test_all_callers_share_two_connections(journal: Journal, redis: Redis) -> None:
    """Three hundred at once: no third connection, and everybody is answered."""
    before = (await redis.info("stats"))["total_connections_received"]
    appends = (journal.append(f"t/{i}", -1, [entry("a", b"0")], NONE) for i in range(300))
    assert await asyncio.gather(*appends) == [Appended(0, 0)] * 300
    after = (await redis.info("stats"))["total_connections_received"]
    assert after - before <= 1


async def test_an_unpackable_command_harms_only_its_caller(journal: Journal) -> None:
    """A value of a wrong type is refused where it came from; those who wait with it are served."""
    before = journal.append("t/before", -1, [entry("a", b"0")], NONE)
    with pytest.raises(TypeError):
        await journal.append(TABLE, -1, [entry("a", ["no bytes"])], NONE)  # type: ignore[arg-type]
    after = journal.append("t/after", -1, [entry("a", b"0")], NONE)
    assert (await before, await after) == (Appended(0, 0), Appended(0, 0))


async def test_the_clients_own_settings_do_not_matter(server: Server) -> None:
    """A client that decodes, speaks RESP3 and resends by itself gives a journal like any other."""
    async with Redis(unix_socket_path=server.socket, decode_responses=True, protocol=3) as client:
        journal = Journal(client)
        await journal.open()
        made = events("e", 3)
        assert await journal.append(TABLE, -1, [entry("a", *made)], NONE) == Appended(0, 2)
        assert await journal.read(TABLE) == list(made)
        await journal.close()
        assert await client.type(keys_of(TABLE).stream) == "stream"


async def test_a_wrong_password_is_no_silence(server: Server, redis: Redis) -> None:
    """Credentials are taken over from the client, and wrong ones end in an error."""
    await redis.config_set("requirepass", "right")
    for password in ("right", "wrong"):
        async with Redis(unix_socket_path=server.socket, password=password) as client:
            journal = Journal(client, patience_ms=5_000)
            if password == "right":
                await journal.open()
            else:
                with pytest.raises(JournalError, match="invalid username-password pair"):
                    await journal.open()
            await journal.close()
