"""A Valkey for each test, and an installation on it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from tests.croupier.world import World
from tests.journal.server import Server


@pytest.fixture(autouse=True)
def logs() -> Iterator[list[EventDict]]:
    """What is logged, instead of the terminal."""
    with capture_logs() as logs:
        yield logs


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A durable Valkey on an empty directory."""
    server = Server(tmp_path)
    server.start()
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture
async def world(server: Server) -> AsyncIterator[World]:
    """An installation without nodes."""
    async with server.client() as redis:
        world = World(server, redis)
        await world.start()
        yield world
        await world.close()
