"""One Valkey for all scripts; each world empties it."""

from tests.http.conftest import server, short_reads

__all__ = ["server", "short_reads"]
