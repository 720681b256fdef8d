"""Processes of the command `croupier` that are forked from one that has loaded it already.

What is costly about a start is the import, and that is the same each time. Whoever is born so has a process
id, signals, files and an environment of its own; only what happens before `main` is called, and how the
interpreter itself ends, are promises for processes that are started anew.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import coverage

from ops.cli import main

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["tests.ops.loaded", __name__])


class Born:
    """A process of the command, with the words of its command line, its environment and its output.

    Args:
        words: of the command line.
        environ: all of its environment; what the interpreter itself reads there counts for nothing.
        out: file to which standard output is added.
        err: the same for standard error.
    """

    def __init__(self, words: Sequence[str], environ: Mapping[str, str], out: Path, err: Path) -> None:
        given = (list(words), dict(environ), str(out), str(err))
        self._process = _forks.Process(target=_live, args=given, daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def poll(self) -> int | None:
        """The exit code, None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once it has ended.

        Raises:
            AssertionError: it has not after so many seconds.
        """
        self._process.join(timeout)
        code = self.poll()
        assert code is not None, "it does not end"
        return code

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, if it runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.kill()


def _live(words: list[str], environ: dict[str, str], out: str, err: str) -> None:
    os.environ.clear()
    os.environ.update(environ)
    for path, number in ((out, 1), (err, 2)):
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.dup2(file, number)
        os.close(file)
    sys.argv = ["croupier", *words]
    counting = coverage.process_startup()  # if the environment asks for it
    try:
        main()
    finally:
        if counting:
            counting.stop()
            counting.save()
