"""The embedded Valkey: one server a data directory, shared by whoever starts on it (platform.md 1).

Two locks decide everything. `lock` is inherited by the server and lives exactly as long as it does, so a
second server can never start beside a living one, even one whose parent was killed. `users` is held shared
by each service that uses the server, exclusively while one starts or stops it; the last to leave stops it.
"""

import asyncio
import contextlib
import os
import subprocess
import time
from enum import Enum
from pathlib import Path

import structlog
from redis.exceptions import BusyLoadingError, RedisError

from ops.valkey import serverlog
from ops.valkey.binary import server_binary
from ops.valkey.client import UNREACHABLE, client
from ops.valkey.directory import (
    LOG,
    SERVER_LOCK,
    SOCKET,
    USERS_LOCK,
    SocketWay,
    prepare,
    refuse_lost_manifest,
)
from ops.valkey.locks import FileLock
from ops.valkey.outage import Hook, Outage, log_trouble
from ops.valkey.refused import StoreRefused

_CONFIG = f"""\
port 0
unixsocket {SOCKET}
unixsocketperm 700
appendonly yes
appendfsync always
save ""
aof-use-rdb-preamble no
aof-load-truncated yes
maxmemory-policy noeviction
logfile {LOG}
"""

_POLL_S = 0.01
_WATCH_EVERY_S = 0.1
_STEADY_S = 10.0  # a server that lived this long died of something new
_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 5.0
_PROVED_S = 3.0
"""After a full disk a server serves again when it could be written for so long."""
_ROOM = b"room"
"""Key that is written to see whether there is room on the disk; what it holds says nothing."""

_log = structlog.get_logger("ops.valkey")


def pause_before_restart(last_s: float, lived_s: float) -> float:
    """How long to wait with a dead server: longer each time it died young, as it does on a full disk."""
    if lived_s >= _STEADY_S:
        return 0.0
    return min(max(2 * last_s, _FIRST_PAUSE_S), _LONGEST_PAUSE_S)


class _Answer(Enum):
    NONE = "none"
    LOADING = "loading"
    READY = "ready"


async def start(data_dir: Path, timeout_s: float = 10.0) -> "Embedded":
    """Brings a server up on the directory, or joins the one that lives there.

    Args:
        data_dir: created with mode 700 if it is missing.
        timeout_s: how long a silent server may take; one that says it is loading may take longer.

    Raises:
        StoreRefused: with what is wrong, in words.
    """
    directory = prepare(data_dir)
    embedded = Embedded(directory)
    try:
        await embedded.join(timeout_s)
    except BaseException:
        embedded.abandon()
        raise
    return embedded


class Embedded:
    """Our share in the server of one data directory.

    Attributes:
        path: the socket's path to connect to; valid in this process, until `stop`.
        owned: True if we started the server, or found it orphaned, with no other service using it.
        pid: process id of the server, as the server last told it.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._server_lock = FileLock(directory / SERVER_LOCK)
        self._users_lock = FileLock(directory / USERS_LOCK)
        self._way = SocketWay(directory)
        self._child: subprocess.Popen[bytes] | None = None
        self._log_start = serverlog.size(directory)
        self._closed = False
        self.path = self._way.path
        self.owned = False
        self.pid = 0

    def process_alive(self) -> bool:
        """Whether a server (or, after a crash, its rewriting child) still holds the data directory."""
        if self._closed:
            return False
        if self._child is not None:
            self._child.poll()  # reaps it
        if self._server_lock.take(shared=True):
            self._server_lock.release()
            return False
        return True

    async def join(self, timeout_s: float) -> None:
        """Registers us as a user of the directory and sees to it that a server answers.

        Raises:
            StoreRefused: no server could be brought up, or others start or stop one for too long.
        """
        self.owned = not await self._register(timeout_s, shared_kinds=(False, True))
        await self._bring_up(timeout_s)
        await self._register(timeout_s, shared_kinds=(True,))

    async def watch(self, hook: Hook = log_trouble, timeout_s: float = 10.0) -> None:
        """Restarts the server whenever it dies, for ever; end it (`client.end`) before `stop`.

        Of several services on one directory whichever gets the lock restarts, the others find it answering.
        Clients keep their path. A trouble is told once, and lasts until the server serves again.
        """
        outage = Outage(hook)
        pause, up_since = 0.0, time.monotonic()
        while True:
            await asyncio.sleep(_WATCH_EVERY_S)
            try:
                if self.process_alive():
                    if outage.code and await self._proved(outage, time.monotonic() - up_since):
                        outage.over(f"The Valkey server on {self._directory} serves again.")
                    continue
                pause = pause_before_restart(pause, time.monotonic() - up_since)
                await self._restart(outage, pause, timeout_s)
            except Exception:  # noqa: BLE001 - whatever it is, a server that dies is still to be restarted
                _log.exception("watch_failed", data_dir=str(self._directory))
                await asyncio.sleep(_LONGEST_PAUSE_S)
            up_since = time.monotonic()

    async def _restart(self, outage: Outage, pause_s: float, timeout_s: float) -> None:
        outage.told(serverlog.explain(self._directory, self._log_start))
        await asyncio.sleep(pause_s)
        try:
            await self._bring_up(timeout_s)
        except StoreRefused as trouble:
            outage.told(trouble)

    async def _proved(self, outage: Outage, lived_s: float) -> bool:
        """Whether a server that answers serves: on a full disk it answers, and dies of the first write."""
        if outage.code != serverlog.DISK_FULL:
            return True
        return await self._write() and lived_s >= _PROVED_S

    async def _write(self) -> bool:
        redis = client(self.path, retry=False, timeout_s=1.0)
        try:
            await redis.set(_ROOM, b"")
        except UNREACHABLE:
            return False
        finally:
            await redis.aclose()
        return True

    async def stop(self, timeout_s: float = 30.0) -> None:
        """Leaves the server, and stops it cleanly if no other service uses it. A second call does nothing."""
        if self._closed:
            return
        self._users_lock.release()  # before asking, so that of two that leave at once one finds itself alone
        try:
            if self._users_lock.take(shared=False):
                await self._shut_down(timeout_s)
        finally:
            self._close()

    def abandon(self) -> None:
        """Gives up after a failed start. A server of ours is killed: nobody was answered by it yet."""
        if self._child is not None and self._child.poll() is None:
            self._child.kill()
            self._child.wait()
        self._close()

    async def _register(self, timeout_s: float, *, shared_kinds: tuple[bool, ...]) -> bool:
        """Waits for one of these kinds of hold on `users`, the first that is free; True if it is shared."""
        end = time.monotonic() + timeout_s
        while True:
            for shared in shared_kinds:
                if self._users_lock.take(shared=shared):
                    return shared
            if time.monotonic() > end:
                raise StoreRefused(
                    "store_busy",
                    f"Another process has been starting or stopping the store in {self._directory} for "
                    f"{timeout_s:g} s. Try again when it is done.",
                )
            await asyncio.sleep(_POLL_S)

    async def _bring_up(self, timeout_s: float) -> None:
        end = time.monotonic() + timeout_s
        child = None
        while True:
            answer = await self._ask()
            if answer is _Answer.READY and self.process_alive():
                self._log_start = serverlog.size(self._directory)
                return
            if answer is _Answer.READY and await self._ask() is _Answer.READY and not self.process_alive():
                raise StoreRefused(
                    "server_unlocked",
                    f"A server answers in {self._directory} but does not hold its lock file: it was started "
                    "by other means, or the lock file was deleted. Stop that server first.",
                )
            if answer is _Answer.LOADING:
                end = time.monotonic() + timeout_s
            if child is None:
                child = self._spawn()
            elif child.poll() is not None:
                raise serverlog.explain(self._directory, self._log_start)
            if time.monotonic() > end:
                raise StoreRefused(
                    "server_silent",
                    f"A process holds the lock of {self._directory}, but no server has answered there for "
                    f"{timeout_s:g} s. Its log is {self._directory / LOG}.",
                )
            await asyncio.sleep(_POLL_S)

    async def _ask(self) -> _Answer:
        redis = client(self.path, retry=False, timeout_s=1.0)
        try:
            await redis.ping()
            self.pid = int((await redis.info("server"))["process_id"])
        except BusyLoadingError:
            return _Answer.LOADING
        except UNREACHABLE:
            return _Answer.NONE
        finally:
            await redis.aclose()
        return _Answer.READY

    def _spawn(self) -> subprocess.Popen[bytes] | None:
        """Starts a server that inherits the lock; None if one lives already."""
        lock = FileLock(self._directory / SERVER_LOCK)
        try:
            if not lock.take(shared=False):
                return None
            refuse_lost_manifest(self._directory)
            self._log_start = serverlog.size(self._directory)
            self._child = _run_server(self._directory, lock.fd)
        except OSError as error:
            raise StoreRefused(
                "server_unstartable", f"The server in {self._directory} cannot be started: {error}."
            ) from error
        finally:
            lock.close()
        return self._child

    async def _shut_down(self, timeout_s: float) -> None:
        if not self.process_alive():
            return
        if self._child is not None and self._child.poll() is None:
            self._child.terminate()
        else:
            # Not our child: a signal could hit a stranger with the same number, its socket cannot.
            redis = client(self.path, retry=False)
            with contextlib.suppress(RedisError, OSError):
                await redis.shutdown()
            await redis.aclose()
        end = time.monotonic() + timeout_s
        while self.process_alive() or (self._child is not None and self._child.poll() is None):
            if time.monotonic() > end:
                _log.warning("server_left_running", data_dir=str(self._directory), waited_s=timeout_s)
                return
            await asyncio.sleep(_POLL_S)

    def _close(self) -> None:
        if self._child is not None and self._child.poll() is None:
            self._child.returncode = 0  # meant to outlive its handle, which would warn about that
        self._closed = True
        self._users_lock.close()
        self._server_lock.close()
        self._way.close()


def _run_server(directory: Path, lock_fd: int) -> subprocess.Popen[bytes]:
    """Runs the server in its own session, or the terminal's Ctrl-C would end it under a draining service.

    Its settings wait for it in the pipe: told them afterwards, by somebody who is killed before he does, it
    would serve on a port of its own, keep nothing, and keep the directory locked.
    """
    log = os.open(directory / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    settings, told = os.pipe()
    try:
        os.write(told, _CONFIG.encode())
        os.close(told)
        return subprocess.Popen(  # noqa: S603 - the program is ours, its only argument is constant
            [server_binary(), "-"],
            cwd=directory,
            stdin=settings,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=(lock_fd,),
            umask=0o077,
        )
    finally:
        os.close(settings)
        os.close(log)
