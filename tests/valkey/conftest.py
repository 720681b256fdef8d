"""Fixtures that leave no server behind, however a test ends."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis

from ops.valkey.binary import server_binary
from ops.valkey.client import UNREACHABLE, client
from ops.valkey.embedded import Embedded, start

NODE = """
import asyncio, sys
from pathlib import Path
from ops.valkey.embedded import start

async def main():
    server = await start(Path(sys.argv[1]))
    print(int(server.owned), server.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""
"""A service of one line: it starts or attaches, says so, and lives until it is killed."""


def servers_in(directory: Path) -> list[int]:
    """Process ids of the servers that run in the directory or below it."""
    root, binary = directory.resolve(), server_binary().resolve()
    found = []
    for proc in Path("/proc").glob("[0-9]*"):
        try:
            inside = (proc / "cwd").readlink().is_relative_to(root)
            if inside and (proc / "exe").readlink() == binary:
                found.append(int(proc.name))
        except OSError:
            continue  # it ended meanwhile, or is a stranger's
    return found


async def until(condition: Callable[[], bool] | Callable[[], Awaitable[bool]]) -> None:
    """Waits until the condition holds; a test whose promise is broken fails here after 15 s."""
    async with asyncio.timeout(15):
        while True:
            held = condition()
            if held if isinstance(held, bool) else await held:
                return
            await asyncio.sleep(0.02)


@contextmanager
def reserved_port() -> Iterator[int]:
    """A port of the loopback that may be listened on, and that nobody else is given during the block."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def kill_servers_in(directory: Path) -> None:
    """Ends what a test left running; a clean stop of each would take the suite twice as long."""
    for pid in servers_in(directory):
        os.kill(pid, signal.SIGKILL)


@pytest.fixture(autouse=True)
def _no_server_left(tmp_path: Path) -> Iterator[None]:
    yield
    kill_servers_in(tmp_path)


@pytest.fixture
async def begin(tmp_path: Path) -> AsyncIterator[Callable[[Path], Awaitable[Embedded]]]:
    """Starts embedded servers that end with the test."""
    async with AsyncExitStack() as stack:

        async def begin(directory: Path) -> Embedded:
            server = await start(directory)
            stack.push_async_callback(server.stop)
            return server

        yield begin
        kill_servers_in(tmp_path)


@pytest.fixture
async def connect() -> AsyncIterator[Callable[..., Redis]]:
    """Makes clients without retry that are closed with the test."""
    async with AsyncExitStack() as stack:

        def connect(path_or_url: str, *, retry: bool = False) -> Redis:
            redis = client(path_or_url, retry=retry)
            stack.push_async_callback(redis.aclose)
            return redis

        yield connect


@pytest.fixture
def node() -> Iterator[Callable[[Path], subprocess.Popen[bytes]]]:
    """Runs services as processes of their own; read `0|1 pid` (attached or owner) from their output."""
    running: list[subprocess.Popen[bytes]] = []

    def node(directory: Path) -> subprocess.Popen[bytes]:
        running.append(subprocess.Popen([sys.executable, "-c", NODE, directory], stdout=subprocess.PIPE))
        return running[-1]

    yield node
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
async def outside(tmp_path: Path) -> AsyncIterator[Callable[..., Awaitable[str]]]:
    """Runs servers that are none of ours, on the loopback; gives `127.0.0.1:<port>`."""
    running: list[subprocess.Popen[bytes]] = []

    async def outside(*options: str) -> str:
        port = ports.enter_context(reserved_port())
        home = tmp_path / f"outside-{port}"
        home.mkdir()
        running.append(
            subprocess.Popen(  # noqa: ASYNC220 - it is over in a millisecond
                [server_binary(), "--bind", "127.0.0.1", "--port", str(port), *options],
                cwd=home,
                stdout=subprocess.DEVNULL,
            )
        )

        async def listens() -> bool:
            probe = client(f"redis://127.0.0.1:{port}", retry=False)
            try:
                await probe.ping()
            except UNREACHABLE as error:
                return "HELLO" in str(error)  # it wants a password, so it is there
            finally:
                await probe.aclose()
            return True

        await until(listens)
        return f"127.0.0.1:{port}"

    with ExitStack() as ports:
        yield outside
    for process in running:
        process.kill()
        process.wait()
