"""Processes of a benchmark."""

import os
import resource
import sys
from asyncio.subprocess import PIPE

import pytest

from ops.bench import processes
from ops.bench.processes import (
    BenchmarkError,
    Cores,
    allow_files,
    choose_cores,
    first_line,
    on_core,
    spawn,
    stop,
)


def test_cores_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server gets the first usable core and all else the second; one core alone is shared unpinned."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {7, 3, 5})
    assert choose_cores() == Cores(others=5, server=3)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3})
    assert choose_cores() == Cores(others=None, server=None)


def test_other_systems_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Linux the bench says so at once."""
    monkeypatch.delattr(os, "sched_getaffinity")
    with pytest.raises(BenchmarkError, match="Linux"):
        choose_cores()


@pytest.mark.parametrize(
    ("hard", "wanted", "set_to"), [(9_000, 5_000, 5_000), (-1, 5_000, 5_000), (64, 64, 0)]
)
def test_files_are_allowed_as_far_as_need_be(
    monkeypatch: pytest.MonkeyPatch, hard: int, wanted: int, set_to: int
) -> None:
    """The soft limit of open files rises if it is too low, and stays if not."""
    limits: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (64, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limit: limits.append(limit))
    allow_files(wanted)
    assert limits == ([(set_to, hard)] if set_to else [])


def test_more_files_than_the_system_allows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be measured is said before anything is started."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (64, 4_096))
    with pytest.raises(BenchmarkError, match="hard limit is 4096"):
        allow_files(4_097)


async def test_a_process_is_born_on_its_core() -> None:
    """A pinned process runs on its core from the start, and we keep all of ours."""
    before = os.sched_getaffinity(0)
    core = max(before)
    script = "import os; print(sorted(os.sched_getaffinity(0)))"
    process = await spawn(core, sys.executable, "-c", script, stdout=PIPE)
    assert await first_line(process) == f"[{core}]"
    await stop(process)
    assert os.sched_getaffinity(0) == before


def test_no_core_pins_nothing() -> None:
    """Without a choice the kernel decides."""
    before = os.sched_getaffinity(0)
    with on_core(None):
        assert os.sched_getaffinity(0) == before


async def test_a_process_that_ends_is_not_ready() -> None:
    """A server that dies at its start is an error, not an endless wait."""
    process = await spawn(None, sys.executable, "-c", "", stdout=PIPE)
    with pytest.raises(BenchmarkError, match="did not get ready"):
        await first_line(process)
    await stop(process)


async def test_a_silent_process_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that says nothing is given up after the time allowed."""
    monkeypatch.setattr(processes, "START_SECONDS", 0.05)
    process = await spawn(None, sys.executable, "-c", "import time; time.sleep(60)", stdout=PIPE)
    with pytest.raises(BenchmarkError, match="did not get ready"):
        await first_line(process)
    await stop(process)


async def test_a_program_without_a_pipe_cannot_say_it_is_ready() -> None:
    """Asking a program whose output goes elsewhere is a mistake that is told."""
    process = await spawn(None, sys.executable, "-c", "")
    with pytest.raises(BenchmarkError, match="not a pipe"):
        await first_line(process)
    await stop(process)


async def test_a_stubborn_process_is_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that ignores the request to end is killed: none survives a benchmark."""
    monkeypatch.setattr(processes, "STOP_SECONDS", 0.05)
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    script = f"{deaf}; print('ready', flush=True); time.sleep(60)"
    process = await spawn(None, sys.executable, "-c", script, stdout=PIPE)
    await first_line(process)
    await stop(process)
    assert process.returncode == -9
