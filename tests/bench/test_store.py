"""The Valkey of a measurement."""

from pathlib import Path

import pytest
from redis.asyncio import Redis

from ops.bench import store
from ops.bench.processes import BenchmarkError
from ops.bench.store import default_parent, valkey


def is_empty(directory: Path) -> bool:
    """Whether nothing was left behind."""
    return not any(directory.iterdir())


async def test_store_is_durable_and_leaves_nothing(tmp_path: Path) -> None:
    """Nothing is acknowledged before it is on disk (design 9), and afterwards the disk is as before."""
    async with valkey(tmp_path, None) as running:
        client = Redis(unix_socket_path=str(running.socket), decode_responses=True)
        config = await client.config_get("append*", "maxmemory-policy")
        await client.aclose()
    assert (config["appendonly"], config["appendfsync"]) == ("yes", "always")
    assert config["maxmemory-policy"] == "noeviction"
    assert is_empty(tmp_path)


async def test_store_that_cannot_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Valkey that ends at once is an error that shows its log, and leaves nothing either."""
    monkeypatch.setattr(
        store, "_CONFIG", 'logfile "{directory}/valkey.log"\nport 0\nunixsocket "/nowhere/x"\n'
    )
    with pytest.raises(BenchmarkError, match="Failed opening Unix socket"):
        async with valkey(tmp_path, None):
            pass
    assert is_empty(tmp_path)


def test_data_lie_on_an_existing_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the usual place for large data the system's temporary one serves."""
    assert default_parent().is_dir()
    monkeypatch.setattr(store, "_LARGE_DISK", tmp_path / "missing")
    assert default_parent().is_dir()
