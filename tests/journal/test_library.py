"""The function library gets into the engine once, and never over a later one."""

import pytest
from redis.asyncio import Redis

from dealer.journal import Appended, Journal, JournalError, library
from tests.journal.makers import NONE, TABLE, entry
from tests.journal.server import Server

DECLARED = f"VERSION = {library.VERSION}"
LATER = library.TEXT.replace(DECLARED, f"VERSION = {library.VERSION + 1}")
REFUSED = f"version {library.VERSION + 1}, not {library.VERSION}"


async def _opened(server: Server) -> Appended:
    async with server.client() as client:
        journal = Journal(client)
        try:
            await journal.open()
            answer = await journal.append(TABLE, -1, [entry("a", b"0")], NONE)
            assert isinstance(answer, Appended)
            return answer
        finally:
            await journal.close()


async def test_an_empty_engine_gets_it(server: Server) -> None:
    """Opening is enough."""
    assert await _opened(server) == Appended(0, 0)


async def test_the_same_text_is_not_loaded_twice(journal: Journal, server: Server, redis: Redis) -> None:
    """A second node writes nothing at its start."""
    await redis.config_resetstat()
    await _opened(server)
    assert "cmdstat_function|load" not in await redis.info("commandstats")


@pytest.mark.parametrize(
    "text", [library.TEXT + "-- changed\n", library.TEXT.replace(DECLARED, "VERSION = 0")]
)
async def test_an_older_text_is_replaced(server: Server, redis: Redis, text: str) -> None:
    """A text of the same or an earlier version gives way."""
    assert text != library.TEXT
    await redis.function_load(text)
    assert await _opened(server) == Appended(0, 0)
    assert (await redis.function_list(withcode=True))[0][7] == library.TEXT.encode()


async def test_a_later_version_is_left_alone(server: Server, redis: Redis) -> None:
    """A node too old for its store refuses to start and breaks nothing for the newer ones."""
    await redis.function_load(LATER)
    with pytest.raises(JournalError, match=REFUSED):
        await _opened(server)
    assert (await redis.function_list(withcode=True))[0][7] == LATER.encode()


async def test_a_later_version_is_left_alone_by_a_running_node(journal: Journal, redis: Redis) -> None:
    """A newer node replaced the functions: the older one stops with an error instead of fighting it."""
    await redis.function_load(LATER, replace=True)
    with pytest.raises(JournalError, match=REFUSED):
        await journal.append(TABLE, -1, [entry("a", b"0")], NONE)


async def test_records_must_outlive_repetitions(server: Server) -> None:
    """A life of records shorter than a repetition may take is refused: it would not meet its own write."""
    async with server.client() as client:
        with pytest.raises(ValueError, match="would not outlive"):
            Journal(client, idempotency_ttl_ms=59_999)
        with pytest.raises(ValueError, match="would not outlive"):
            Journal(client, idempotency_ttl_ms=60_000, patience_ms=30_001)
