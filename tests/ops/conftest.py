"""Fixtures that leave no process behind, however a test ends."""

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ops.cli import main
from tests.ops.processes import Service
from tests.valkey.conftest import kill_servers_in

# Promtool comes with Prometheus, which `.ci/run` installs; who has none tries the rest.
collect_ignore = [] if shutil.which("promtool") else ["test_promtool.py"]
Run = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command that ends by itself, in this process; its exit code, output and errors."""

    def run(line: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["croupier", *line.split()])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    return run


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """Makes services in the test's own directory, not yet started; see `Service` for the arguments."""
    made: list[Service] = []

    def serve(*arguments: str, **more: str) -> Service:
        made.append(Service(tmp_path, *arguments, **more))
        return made[-1]

    yield serve
    for service in made:
        service.kill()


@pytest.fixture(autouse=True)
def _no_server_left(tmp_path: Path) -> Iterator[None]:
    yield
    kill_servers_in(tmp_path)
