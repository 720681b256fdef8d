"""The watcher: the service survives the death of its server."""

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs

from ops.valkey import embedded
from ops.valkey.client import UNREACHABLE, end
from ops.valkey.embedded import Embedded, pause_before_restart
from ops.valkey.outage import SERVER_BACK, log_trouble
from tests.valkey.conftest import servers_in, until

Begin = Callable[[Path], Awaitable[Embedded]]
Connect = Callable[..., Redis]


def spy(server: Embedded, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Notes each attempt to bring the server up."""
    attempts: list[float] = []
    whole = server._bring_up

    async def noted(timeout_s: float) -> None:
        attempts.append(timeout_s)
        await whole(timeout_s)

    monkeypatch.setattr(server, "_bring_up", noted)
    return attempts


def test_the_end_of_a_trouble_is_no_error() -> None:
    """A trouble is an error in the log, its end is none."""
    with capture_logs() as logged:
        log_trouble("disk_full", "The disk is full.")
        log_trouble(SERVER_BACK, "It serves again.")
    assert [line["log_level"] for line in logged] == ["error", "info"]


@asynccontextmanager
async def watched(*servers: Embedded) -> AsyncIterator[list[str]]:
    """Watches over the servers; gives the list of codes their hooks were told."""
    codes: list[str] = []
    tasks = [asyncio.create_task(server.watch(lambda code, _: codes.append(code))) for server in servers]
    try:
        yield codes
    finally:
        for task in tasks:
            await end(task)


async def test_a_fault_of_the_watcher(
    tmp_path: Path, begin: Begin, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody foresaw is logged, and the server is watched over as before."""
    monkeypatch.setattr(embedded, "_LONGEST_PAUSE_S", 0.1)
    server = await begin(tmp_path / "data")
    whole, failed = server._bring_up, 0

    async def faulty(timeout_s: float) -> None:
        nonlocal failed
        failed += 1
        if failed < 3:
            raise ZeroDivisionError
        await whole(timeout_s)

    monkeypatch.setattr(server, "_bring_up", faulty)
    redis = connect(server.path)
    with capture_logs() as logged:
        async with watched(server) as codes:
            os.kill(server.pid, signal.SIGKILL)
            await until(lambda: SERVER_BACK in codes)
            assert await redis.ping()
    assert [line["event"] for line in logged] == ["watch_failed"] * 2


async def test_killed_server_comes_back(tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """After kill -9 of the server the same client, on the same path, reads what was acknowledged (1.3)."""
    server = await begin(tmp_path / "data")
    redis = connect(server.path, retry=True)
    await redis.set("accepted", "yes")
    killed = server.pid
    async with watched(server) as codes:
        os.kill(killed, signal.SIGKILL)
        assert await redis.get("accepted") == b"yes"
        await until(lambda: codes == ["server_ended", "server_back"])
    assert server.pid != killed
    assert servers_in(tmp_path) == [server.pid]


async def test_one_of_two_services_restarts_it(tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """Two services on one directory bring back one server, and both use it."""
    first, second = await begin(tmp_path / "data"), await begin(tmp_path / "data")
    async with watched(first, second) as codes:
        os.kill(first.pid, signal.SIGKILL)
        await until(lambda: codes.count("server_back") == 2)
    assert first.pid == second.pid
    assert servers_in(tmp_path) == [first.pid]
    for server in (first, second):
        assert await connect(server.path).ping()


async def test_old_troubles_are_not_told_again(
    tmp_path: Path, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Why a server died is told by both services once, and not again at its next death."""
    monkeypatch.setattr(embedded, "_PROVED_S", 0.3)
    first, second = await begin(tmp_path / "data"), await begin(tmp_path / "data")
    async with watched(first, second) as codes:
        with (tmp_path / "data" / "valkey.log").open("a") as log:
            log.write("Error writing to the AOF file: No space left on device\n")
        os.kill(first.pid, signal.SIGKILL)
        await until(lambda: codes.count("server_back") == 2)
        assert codes.count("disk_full") == 2
        os.kill(first.pid, signal.SIGKILL)
        await until(lambda: codes.count("server_back") == 4)
    assert codes.count("server_ended") == 2


def test_pauses() -> None:
    """A server that keeps dying young is restarted ever more slowly, up to 5 s; one that lived, at once."""
    pauses = [0.0]
    for _ in range(8):
        pauses.append(pause_before_restart(pauses[-1], lived_s=1.0))
    assert pauses == [0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    assert pause_before_restart(5.0, lived_s=60.0) == 0.0


async def test_guest_takes_over(tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """A service that had only attached restarts the server when nobody else is left to do it."""
    owner, guest = await begin(tmp_path / "data"), await begin(tmp_path / "data")
    await owner.stop()
    async with watched(guest) as codes:
        os.kill(guest.pid, signal.SIGKILL)
        await until(lambda: "server_back" in codes)
    assert await connect(guest.path).ping()
    assert servers_in(tmp_path) == [guest.pid]


async def test_disk_full(
    tmp_path: Path, begin: Begin, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is told once, however often a server is tried, and its end when there is room (1.4)."""
    monkeypatch.setattr(embedded, "_PROVED_S", 0.3)
    data = tmp_path / "data"
    await (await begin(data)).stop()
    log = next((data / "appendonlydir").glob("*.incr.aof"))
    log.unlink()
    log.symlink_to("/dev/full")
    server = await begin(data)
    redis = connect(server.path)

    async def accepted() -> bool:
        try:
            return bool(await redis.set("k", "v"))
        except UNREACHABLE:
            return False

    brought_up = spy(server, monkeypatch)
    async with watched(server) as codes:
        assert not await accepted()
        await until(lambda: len(brought_up) >= 3)
        assert codes == ["disk_full"]
        log.unlink()
        log.touch(mode=0o600)
        await until(accepted)
        await until(lambda: codes == ["disk_full", "server_back"])
    assert await redis.get("k") == b"v"


async def test_directory_deleted_while_running(
    tmp_path: Path, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its directory gone the watcher says that it cannot start a server, and goes on watching."""
    data = tmp_path / "data"
    server = await begin(data)
    brought_up = spy(server, monkeypatch)
    async with watched(server) as codes:
        shutil.rmtree(data)
        os.kill(server.pid, signal.SIGKILL)
        await until(lambda: len(brought_up) >= 3)
    assert codes == ["server_ended", "data_dir_unusable"]


async def test_manifest_lost_while_running(tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """The watcher, too, never starts an empty server over a store whose manifest is gone (1.4)."""
    data = tmp_path / "data"
    server = await begin(data)
    manifest = data / "appendonlydir" / "appendonly.aof.manifest"
    kept = manifest.read_bytes()
    await connect(server.path).set("accepted", "yes")
    async with watched(server) as codes:
        manifest.unlink()
        os.kill(server.pid, signal.SIGKILL)
        await until(lambda: "manifest_missing" in codes)
        assert servers_in(tmp_path) == []
        manifest.write_bytes(kept)
        await until(lambda: codes[-1] == "server_back")
    assert await connect(server.path).get("accepted") == b"yes"
