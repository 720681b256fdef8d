"""A Valkey and an open journal for each test."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from dealer.journal import Journal
from tests.journal.server import Server, binaries


@pytest.fixture(params=binaries())
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A durable server of each engine on an empty directory."""
    server = Server(tmp_path, binaries()[request.param])
    server.start()
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture
async def redis(server: Server) -> AsyncIterator[Redis]:
    """A plain client, to look behind the journal's back."""
    async with server.client() as client:
        yield client


@pytest.fixture
async def journal(server: Server) -> AsyncIterator[Journal]:
    """An open journal."""
    async with server.client() as client:
        journal = Journal(client)
        await journal.open()
        yield journal
        await journal.close()
