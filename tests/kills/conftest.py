"""Fixtures that leave no process behind, however a test ends."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kills.houses import House
from tests.valkey.conftest import kill_servers_in

MakeHouse = Callable[..., House]


@pytest.fixture(autouse=True)
def _uncounted(uncounted: None) -> None:
    """Whoever is killed leaves no figures behind, and whoever looks on goes the ways of all tests."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[MakeHouse]:
    """Makes houses, not yet started; see `House` for the arguments."""
    made: list[House] = []

    def house(services: int = 1, workers: int = 1) -> House:
        made.append(House(tmp_path / f"house-{len(made)}", services, workers))
        return made[-1]

    yield house
    for each in made:
        each.fell()
    kill_servers_in(tmp_path)
