"""Processes of a benchmark: born on a chosen core, ended for certain.

The subject's server has the first core to itself; Valkey and the load generator share the second. Where there
are fewer than two cores nothing is pinned, and the report says so.
"""

import asyncio
import contextlib
import os
import resource
from asyncio.subprocess import Process
from collections.abc import Iterator
from typing import Any

import msgspec

START_SECONDS = 20.0
"""How long anything may take to start."""

STOP_SECONDS = 10.0
"""How long a process has to end by itself."""


class BenchmarkError(Exception):
    """A measurement could not be made; the message says why."""


class Cores(msgspec.Struct, frozen=True, gc=False):
    """Which core carries the subject's server and which one all else; None leaves it to the kernel."""

    others: int | None
    server: int | None


def choose_cores() -> Cores:
    """Take the first two cores this process may use, or none if there are not two to choose from.

    Raises:
        BenchmarkError: This system has neither affinities nor the /proc that CPU times are read from.
    """
    if not hasattr(os, "sched_getaffinity"):
        raise BenchmarkError("benchmarks need Linux")
    usable = sorted(os.sched_getaffinity(0))
    if len(usable) < 2:
        return Cores(others=None, server=None)
    return Cores(others=usable[1], server=usable[0])


def allow_files(number: int) -> None:
    """Let this process, and those it starts, have so many files open.

    Raises:
        BenchmarkError: The system does not let it.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY != hard < number:
        raise BenchmarkError(f"{number} files are to be open, and the hard limit is {hard}")
    if resource.RLIM_INFINITY != soft < number:
        resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))


@contextlib.contextmanager
def on_core(core: int | None) -> Iterator[None]:
    """Have processes started inside born on one core, with all the threads they will ever make."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


async def spawn(core: int | None, *command: str, **streams: Any) -> Process:
    """Start a program on a core, out of reach of the terminal's Ctrl-C: its owner ends it in good order.

    Args:
        core: The core, or None for any.
        command: Program and arguments.
        streams: `stdin`, `stdout`, `stderr` as `asyncio.create_subprocess_exec` takes them.
    """
    with on_core(core):
        return await asyncio.create_subprocess_exec(*command, start_new_session=True, **streams)


async def stop(process: Process) -> None:
    """Ask a process to end, force it if it does not, and wait until it is gone."""
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()


async def first_line(process: Process) -> str:
    """Wait for the line by which a program started with `stdout=PIPE` says that it is ready.

    Raises:
        BenchmarkError: It ended or kept silent instead.
    """
    if process.stdout is None:
        raise BenchmarkError("the program's stdout is not a pipe")
    try:
        line = await asyncio.wait_for(process.stdout.readline(), START_SECONDS)
    except TimeoutError:
        line = b""
    if not line:
        raise BenchmarkError("a program of the benchmark did not get ready")
    return line.decode().strip()
