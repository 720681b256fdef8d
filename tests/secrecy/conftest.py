"""One Valkey for all scripts; each world empties it."""

import pytest

from tests.http.conftest import server, short_reads

__all__ = ["server", "short_reads"]


@pytest.fixture(autouse=True)
def _uncounted(uncounted: None) -> None:
    """Long evenings, in which nothing is done that others do not try."""
