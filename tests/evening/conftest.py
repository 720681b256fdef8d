"""A service for an evening."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ops.processes import Service
from tests.valkey.conftest import kill_servers_in


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service that runs; nothing of it is left behind, however the test ends."""
    service = Service(tmp_path)
    try:
        yield service.start()
    finally:
        service.kill()
        kill_servers_in(tmp_path)
