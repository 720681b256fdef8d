"""The command `croupier` as a process of its own, and somebody who talks to its service."""

import asyncio
import http.client
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO, Any

from dealer.http.keyring import Keyring, Role
from dealer.http.limits import Bounds
from ops.service import SPARE_FILES, opened_store
from ops.settings import StoreSettings
from ops.valkey.binary import server_binary
from tests.ops.births import Born
from tests.valkey.conftest import servers_in

MAIN = "from ops.cli import main; main()"
LIMIT_S = 180.0
"""Longer than anything here takes; it only keeps a broken promise from hanging the suite."""

_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)(?:/v1)?$", re.MULTILINE)
_keys = count(1)


def environment(**more: str) -> dict[str, str]:
    """This environment without settings of croupier's own, and what a test adds."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
    return {**bare, **fewer(), "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", **more}


def fewer() -> dict[str, str]:
    """A bound on connections that this machine can meet, where the usual one would be warned of."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or hard >= Bounds().connections + SPARE_FILES:
        return {}
    return {"CROUPIER_CONNECTIONS": str(max(1, hard - SPARE_FILES))}


def croupier(
    *arguments: str | Path, out: int | IO[str] = subprocess.PIPE, **environ: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; what it prints is kept unless it goes to `out`.

    It is forked, unless its output may fail it at its very end.
    """
    if out == subprocess.PIPE:
        return _forked([*map(str, arguments)], environ)
    return subprocess.run(
        [sys.executable, "-c", MAIN, *arguments],
        env=environment(**environ),
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def _forked(words: list[str], environ: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        process = Born(words, environment(**environ), out, err)
        try:
            code = process.wait(LIMIT_S)
        finally:
            process.kill()
        printed = [path.read_text(encoding="utf-8") for path in (out, err)]
    return subprocess.CompletedProcess(words, code, *printed)


def until(condition: Callable[[], Any], pause_s: float = 0.02) -> Any:
    """What the condition gives as soon as that is something.

    Raises:
        AssertionError: it does not come.
    """
    end = time.monotonic() + LIMIT_S
    while not (found := condition()):
        assert time.monotonic() < end, "what was waited for did not come"
        time.sleep(pause_s)
    return found


def children(pid: int) -> list[int]:
    """The processes that a process has started and that are alive."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it ended meanwhile
            state, parent, *_ = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            if int(parent) == pid and state != "Z" and "valkey" not in (entry / "comm").read_text():
                found.append(int(entry.name))
    return found


class Service:
    """`croupier serve` on a free port, with what it has printed so far over all its starts.

    It is forked from a process that has loaded it, unless something says otherwise.

    Args:
        home: directory for its data and its output.
        arguments: of `serve`, beside the port and the data directory.
        before: Python that the process runs first; it is started anew then.
        anew: whether the process is started anew in any case.
        stderr: where its standard error goes; a file in `home` unless told.
    """

    def __init__(
        self, home: Path, *arguments: str, before: str = "", anew: bool = False, stderr: str = ""
    ) -> None:
        self.data = home / "data"
        self.out = home / "out"
        self.err = home / "err"
        self.port = 0
        self._stderr = Path(stderr or self.err)
        self._code = f"{before}\n{MAIN}"
        self._anew = anew or bool(before)
        self._arguments = ("--port", "0", "--data", str(self.data), *arguments)
        self._process: subprocess.Popen[bytes] | Born | None = None

    @property
    def pid(self) -> int:
        """Of the process that runs."""
        assert self._process is not None
        return self._process.pid

    @property
    def printed(self) -> str:
        """Standard output of all starts."""
        return self.out.read_text(encoding="utf-8")

    def launch(self) -> int:
        """Start the process without waiting for it; how long the output was before."""
        with self.out.open("ab") as out, self._stderr.open("ab") as err:
            before = len(self.printed)
            words = ["serve", *self._arguments]
            self._process = (
                subprocess.Popen(
                    [sys.executable, "-c", self._code, *words],
                    env=environment(),
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                )
                if self._anew
                else Born(words, environment(), self.out, self._stderr)
            )
            return before

    def start(self) -> "Service":
        """Start, and wait until it says where it listens."""
        before = self.launch()
        found = until(lambda: _ADDRESS.search(self.printed[before:]) or self.ended())
        assert found is not True, f"it ended: {self.err.read_text(encoding='utf-8')}"
        self.port = int(found[1])
        return self

    def ended(self) -> bool:
        """Whether the process is no more."""
        return self._process is None or self._process.poll() is not None

    def tell(self, number: signal.Signals) -> None:
        """Send a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def wait(self) -> int:
        """The exit code, once it ends by itself."""
        assert self._process is not None
        code = self._process.wait(LIMIT_S)
        self._process = None
        return code

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Tell it to stop; the exit code."""
        self.tell(number)
        return self.wait()

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def valkey(self) -> int:
        """Process id of the embedded server."""
        (pid,) = until(lambda: servers_in(self.data))
        return int(pid)

    def log(self) -> list[dict[str, Any]]:
        """Every line of the service's own log: each is one object, or it is none of ours."""
        path = self.data / "croupier.log" if "--demo" in self._arguments else self.err
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert all(isinstance(line, dict) for line in lines)
        return lines

    def connect(self) -> http.client.HTTPConnection:
        """A connection of one's own."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_S)

    def ask(self, path: str, key: str = "", body: Any = None, idem: str = "") -> tuple[int, Any]:
        """Status and answer of a request; with a body it changes something, under a fresh key unless told."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        raw = None
        if body is not None:
            raw = json.dumps(body).encode()
            headers["Idempotency-Key"] = idem or f"test-{next(_keys)}"
        connection = self.connect()
        try:
            connection.request("POST" if raw else "GET", path, raw, headers)
            response = connection.getresponse()
            given = response.read()
        finally:
            connection.close()
        found = json.loads(given) if response.headers["Content-Type"].endswith("json") else given.decode()
        return response.status, found

    def seen(self, path: str, key: str = "") -> Any:
        """The answer to a request that must succeed."""
        status, answer = self.ask(path, key)
        assert status == 200, answer
        return answer

    def made(self, path: str, key: str, body: Any) -> Any:
        """The answer to a change that must be taken."""
        status, answer = self.ask(path, key, body)
        assert status in {200, 201}, answer
        return answer

    def key(self, role: Role = "host", account: str = "") -> str:
        """A new key; if the service runs, it knows it."""

        async def make() -> str:
            async with opened_store(StoreSettings(data=self.data)) as store:
                _, token = await Keyring(store.redis).add(role, account)
                return token

        token = asyncio.run(make())
        if not self.ended():
            until(lambda: self.ask("/v1/tables", token)[0] == 200)
        return token

    @contextmanager
    def without_store(self) -> Iterator[None]:
        """Kill the embedded server in a way that none can be started until the end of the block."""
        manifest = self.data / "appendonlydir" / "appendonly.aof.manifest"
        away = manifest.with_suffix(".away")
        manifest.rename(away)
        os.kill(self.valkey(), signal.SIGKILL)
        until(lambda: not servers_in(self.data))
        try:
            yield
        finally:
            away.rename(manifest)


@contextmanager
def valkey(directory: Path, options: Mapping[str, str]) -> Iterator[Path]:
    """A server that is none of ours; its unix socket."""
    directory.mkdir()
    socket = directory / "v.sock"
    given = {"port": "0", "unixsocket": str(socket), "save": "", **options}
    process = subprocess.Popen(
        [server_binary(), *(word for name, value in given.items() for word in (f"--{name}", value))],
        cwd=directory,
        stdout=subprocess.DEVNULL,
    )
    try:
        until(socket.exists)
        yield socket
    finally:
        process.kill()
        process.wait()
