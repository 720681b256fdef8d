"""A Valkey of one's own: `--redis URL` (design 5, Durability)."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from redis.client import Redis
from structlog.testing import capture_logs

from dealer.journal import library
from ops import sampling
from ops.service import running
from ops.settings import Settings
from ops.workers import listening
from tests.ops.processes import LIMIT_S, Service, croupier, until, valkey

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


async def test_durable_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Design 5: a server that is made less durable under a service is told once, and is ready no more."""
    monkeypatch.setattr(sampling, "EVERY_S", 0.05)
    monkeypatch.setattr(sampling, "DURABLE_EVERY", 1)
    with valkey(tmp_path / "own", DURABLE) as own, Redis(unix_socket_path=str(own)) as redis:
        settings = Settings(data=tmp_path / "data", port=0, redis=f"unix://{own}")
        async with running(settings, listening(settings)) as house, ClientSession(house.address) as session:

            async def ready() -> Any:
                async with session.get("/readyz") as answer:
                    told = await answer.json()
                    return answer.status, told.get("params", told).get("reason")

            async def becomes(wanted: tuple[int, str | None]) -> None:
                async with asyncio.timeout(LIMIT_S):
                    while await ready() != wanted:
                        await asyncio.sleep(0.02)

            assert await ready() == (200, None)
            with capture_logs() as logged:
                redis.config_set("appendfsync", "everysec")
                await becomes((503, "not_durable"))
                redis.config_set("appendfsync", "always")
                await becomes((200, None))
    told = [line for line in logged if "durable" in line["event"]]
    assert [(line["event"], line["log_level"]) for line in told] == [
        ("not_durable", "error"),
        ("durable_again", "info"),
    ]
    assert "appendfsync 'everysec'" in told[0]["reason"]


def test_nobody_there(tmp_path: Path) -> None:
    """S-15: a server that cannot be reached is refused in words, which show nothing of the URL's password."""
    url = "redis://me:canary@127.0.0.1:1/0"
    done = croupier("serve", "--port", "0", "--data", tmp_path / "data", CROUPIER_REDIS=url)
    assert done.returncode == 1
    assert done.stderr.startswith("croupier: The server cannot be reached: ")
    assert "canary" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("counted")
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
