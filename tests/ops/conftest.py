"""Fixtures that leave no process behind, however a test ends."""

import logging
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog

from ops.cli import main
from ops.stopping import STOPPING
from tests.ops.processes import Service
from tests.valkey.conftest import kill_servers_in

# Promtool comes with Prometheus, which `.ci/run` installs; who has none tries the rest.
collect_ignore = [] if shutil.which("promtool") else ["test_promtool.py"]
Run = Callable[..., tuple[int, str, str]]


@contextmanager
def _undone() -> Iterator[None]:
    """What a command sets for the whole of its process ends with it, though this process goes on."""
    heeded = {number: signal.getsignal(number) for number in STOPPING}
    root, raising = logging.getLogger(), logging.raiseExceptions
    level, handlers = root.level, [*root.handlers]
    root.handlers = []
    try:
        yield
    finally:
        for number, handler in heeded.items():
            signal.signal(number, handler)
        logging.captureWarnings(False)
        root.handlers, logging.raiseExceptions = handlers, raising
        root.setLevel(level)
        structlog.reset_defaults()


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command that ends by itself, in this process; its exit code, output and errors.

    What the line's words cannot hold, such as a space, is given as words of their own.
    """

    def run(line: str, *words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["croupier", *line.split(), *words])
        with _undone(), pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    return run


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """Makes services in the test's own directory, not yet started; see `Service` for the arguments."""
    made: list[Service] = []

    def serve(*arguments: str, **more: Any) -> Service:
        made.append(Service(tmp_path, *arguments, **more))
        return made[-1]

    yield serve
    for service in made:
        service.kill()


@pytest.fixture(autouse=True)
def _no_server_left(tmp_path: Path) -> Iterator[None]:
    yield
    kill_servers_in(tmp_path)
