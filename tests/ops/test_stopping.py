"""The end of a service: what was accepted is finished, then it goes, whatever is connected or away."""

import asyncio
import contextlib
import http.client
import os
import pty
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from dealer.croupier.tasks import end
from dealer.http import keyring
from ops.service import running
from ops.settings import Settings
from ops.valkey import embedded
from ops.workers import listening
from tests.ops.processes import LIMIT_S, MAIN, Service, children, environment, until
from tests.valkey.conftest import servers_in

Serve = Callable[..., Service]
CONTROLLED = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
"""Python by which a process makes its standard input the terminal that controls it."""
TOLD_EARLY = """
import os, signal, sys

class Watch:
    def find_spec(self, name, path, target=None):
        if name in {"asyncio", "cyclopts", "structlog"}:
            os.kill(os.getpid(), signal.SIGTERM)

sys.meta_path.insert(0, Watch())
"""
"""Whatever takes time to import is met by a signal."""
ACCOUNT = b'{"external_ref": "ana"}'


def begun(service: Service, key: str) -> http.client.HTTPConnection:
    """A connection on which all of a command but its last byte has been sent, and is being read."""
    connection = service.connect()
    connection.putrequest("POST", "/v1/accounts")
    for name, value in {
        "Authorization": f"Bearer {key}",
        "Content-Length": str(len(ACCOUNT)),
        "Expect": "100-continue",
        "Idempotency-Key": "k",
    }.items():
        connection.putheader(name, value)
    connection.endheaders(ACCOUNT[:-1])
    assert connection.sock.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    return connection


def listens(service: Service) -> bool:
    """Whether the service still takes connections."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", service.port)) == 0


@pytest.mark.parametrize("arguments", [(), ("--workers", "2")], ids=["alone", "workers"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_told_to_stop(serve: Serve, number: signal.Signals, arguments: tuple[str, ...]) -> None:
    """Ctrl-C, SIGTERM and SIGHUP end it with 0 and its Valkey with it, though a connection is kept open."""
    service = serve(*arguments, anew=number is signal.SIGINT).start()
    connection = service.connect()
    connection.request("GET", "/healthz")
    assert connection.getresponse().read()
    assert service.stop(number) == 0
    connection.close()
    assert servers_in(service.data) == []
    assert service.err.read_text(encoding="utf-8") == ""


@pytest.mark.parametrize("arguments", [(), ("--workers", "2")], ids=["alone", "workers"])
def test_without_its_terminal(serve: Serve, arguments: tuple[str, ...]) -> None:
    """Who was started by `nohup` goes on when its terminal is closed, and stops when it is told to."""
    ignoring = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    service = serve(*arguments, before=ignoring).start()
    for pid in (service.pid, *children(service.pid)):
        os.kill(pid, signal.SIGHUP)
    assert service.seen("/readyz")["ready"] is True
    assert service.stop() == 0
    assert service.err.read_text(encoding="utf-8") == ""


def test_terminal_closed(tmp_path: Path) -> None:
    """When the terminal of a demonstration is closed it drains, though nothing can be written any more."""
    ours, its = pty.openpty()
    options = ["--demo", "--pace", "20", "--port", "0", "--data", str(tmp_path / "data")]
    process = subprocess.Popen(
        [sys.executable, "-c", f"{CONTROLLED}; {MAIN}", "serve", *options],
        env=environment(TERM="dumb"),
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    try:
        os.close(its)
        told = b""
        while b"No va" not in told:
            told += os.read(ours, 4096)
        os.close(ours)
        assert process.wait(LIMIT_S) == 0
    finally:
        process.kill()
        process.wait()
    assert servers_in(tmp_path) == []
    assert (tmp_path / "data" / "croupier.log").read_text(encoding="utf-8") == ""


def test_told_again_and_again(serve: Serve) -> None:
    """Further signals, down to the last moment of the process, change neither its end nor its exit code."""
    service = serve(anew=True).start()
    while not service.ended():
        service.tell(signal.SIGINT)
        time.sleep(0.001)
    assert service.wait() == 0
    assert service.err.read_text(encoding="utf-8") == ""


def test_a_command_under_way_is_finished(serve: Serve) -> None:
    """A command whose append is under way when the service is told to stop is answered, and is in the log."""
    service = serve()
    key = service.key()
    connection = begun(service.start(), key)
    os.kill(service.valkey(), signal.SIGSTOP)
    connection.send(ACCOUNT[-1:])
    service.tell(signal.SIGTERM)
    until(lambda: not listens(service))
    os.kill(service.valkey(), signal.SIGCONT)
    answer = connection.getresponse()
    assert answer.status == 201
    answer.close()
    connection.close()
    assert service.wait() == 0
    (made,) = service.start().seen("/v1/accounts", key)["accounts"]
    assert made["external_ref"] == "ana"


def test_a_command_that_never_comes_is_given_up(serve: Serve) -> None:
    """Who sends a part of a command and then nothing does not keep the service from stopping."""
    service = serve()
    key = service.key()
    connection = begun(service.start(), key)
    assert service.stop() == 0
    connection.close()


def test_without_a_store(serve: Serve) -> None:
    """Design 5: told to stop while Valkey is down, it answers who waits for the store with 503, and goes."""
    service = serve()
    key = service.key()
    connection = begun(service.start(), key)
    with service.without_store():
        connection.send(ACCOUNT[-1:])
        assert service.stop() == 0
        answer = connection.getresponse()
        assert answer.status == 503
        answer.close()
        connection.close()
    assert servers_in(service.data) == []


def test_told_before_it_starts(serve: Serve) -> None:
    """Told to stop while the program is still being read, a service ends with 0 and has begun nothing."""
    service = serve(before=TOLD_EARLY)
    service.launch()
    assert service.wait() == 0
    assert service.err.read_text(encoding="utf-8") == service.printed == ""
    assert not service.data.exists()


def test_told_while_it_starts(serve: Serve) -> None:
    """Told to stop at any moment of its start it ends, and the next start finds everything in order."""
    service = serve()
    chance = Random(7)  # noqa: S311 - moments, the same in each run
    for _ in range(4):
        service.launch()
        until(lambda: servers_in(service.data))
        time.sleep(chance.uniform(0, 0.15))
        assert service.stop() == 0
        assert servers_in(service.data) == []


async def test_stubborn_tasks() -> None:
    """Tasks that swallow a cancellation, as redis-py may make them, are ended all the same."""

    async def stubborn(times: int) -> None:
        for _ in range(times):
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
        await asyncio.Event().wait()

    tasks = [asyncio.create_task(stubborn(times)) for times in range(3)]
    done = asyncio.create_task(asyncio.sleep(0, "done"))
    assert await done == "done"
    async with asyncio.timeout(20):
        await end(*tasks, done)
    assert all(task.cancelled() for task in tasks)
    assert done.result() == "done"


async def test_cycles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often the service is started and stopped, and wherever that meets its tasks, it never hangs."""
    monkeypatch.setattr(keyring, "REFRESH_S", 0.0)
    settings = Settings(data=tmp_path / "data", port=0)
    chance = Random(11)  # noqa: S311 - moments, the same in each run
    server = await embedded.start(settings.data)
    try:
        for _ in range(25):
            async with asyncio.timeout(20), running(settings, listening(settings)):
                await asyncio.sleep(chance.uniform(0, 0.03))
    finally:
        await server.stop()
