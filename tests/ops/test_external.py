"""A Valkey of one's own: `--redis URL` (design 5, Durability)."""

from collections.abc import Callable
from pathlib import Path

import pytest
from redis.client import Redis

from dealer.journal import library
from tests.ops.processes import Service, croupier, until, valkey

Serve = Callable[..., Service]
DURABLE = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}


@pytest.mark.parametrize(
    ("options", "durability"),
    [(DURABLE, "checked"), ({**DURABLE, "appendfsync": "everysec"}, "declared")],
)
def test_durable_or_declared(serve: Serve, tmp_path: Path, options: dict[str, str], durability: str) -> None:
    """A durable server serves, another if somebody answers for it; `/readyz` and every table tell which."""
    with valkey(tmp_path / "own", options) as socket:
        store = ("--redis", f"unix://{socket}", "--durability", durability)
        service = serve(*store).start()
        ready = service.seen("/readyz")
        assert (ready["ready"], ready["store"], ready["durability"]) == (True, "external", durability)
        host = croupier("keys", "add", "--role", "host", "--data", service.data, *store).stdout.strip()
        until(lambda: service.ask("/v1/tables", host)[0] == 200)
        made = service.made("/v1/tables", host, {"game": "bacara", "profile": "seed", "mode": "dos-panos"})
        assert service.seen(f"/v1/tables/{made['table']}", host)["durability"] == durability
        assert service.stop() == 0
        with Redis(unix_socket_path=str(socket)) as redis:
            assert redis.ping()
    assert not (service.data / "appendonlydir").exists()


def test_not_durable(tmp_path: Path) -> None:
    """A server that could lose an accepted command is refused, with what to change and what to say."""
    with valkey(tmp_path / "own", {**DURABLE, "appendfsync": "everysec"}) as socket:
        done = croupier("serve", "--port", "0", "--data", tmp_path / "data", "--redis", f"unix://{socket}")
    assert (done.returncode, done.stdout) == (1, "")
    assert "appendfsync 'everysec'" in done.stderr
    assert "--durability declared" in done.stderr


def test_nobody_there(tmp_path: Path) -> None:
    """S-15: a server that cannot be reached is refused in words, which show nothing of the URL's password."""
    url = "redis://me:canary@127.0.0.1:1/0"
    done = croupier("serve", "--port", "0", "--data", tmp_path / "data", CROUPIER_REDIS=url)
    assert done.returncode == 1
    assert done.stderr.startswith("croupier: The server cannot be reached: ")
    assert "canary" not in done.stderr
    assert "Traceback" not in done.stderr


def test_later_journal(tmp_path: Path) -> None:
    """Design 3: a store whose journal a later version has written is refused in words."""
    later = library.TEXT.replace(f"local VERSION = {library.VERSION}", "local VERSION = 99")
    with valkey(tmp_path / "own", DURABLE) as socket:
        with Redis(unix_socket_path=str(socket)) as redis:
            redis.function_load(later)
        done = croupier("serve", "--port", "0", "--data", tmp_path / "data", "--redis", f"unix://{socket}")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("croupier: The store's journal cannot be used: ")
    assert "99" in done.stderr
