"""Standard streams as a command finds them: closed, full, or with nobody at the other end."""

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

_GONE = frozenset({errno.EPIPE, errno.EIO})
"""Whoever read us has left, as `head` does, or has closed the terminal."""


class Unwritten(OSError):
    """Standard output takes nothing more."""

    @property
    def nobody_reads(self) -> bool:
        """Whether there is nobody left to write for, which is no failure."""
        return self.errno in _GONE


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """What is done within writes to standard output and does nothing else that can fail so.

    Raises:
        Unwritten: it cannot be written.
    """
    try:
        yield
    except OSError as trouble:
        raise Unwritten(trouble.errno, trouble.strerror) from trouble


def printable(text: str) -> str:
    """A text as it may be printed: whatever could move a terminal's cursor is a question mark (S-16)."""
    return "".join(character if character.isprintable() else "?" for character in text)


def open_streams() -> None:
    """Put nothing in the place of a stream that was closed before we began; Python has None there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - for as long as we run
            setattr(sys, name, nothing)


def give_up(trouble: OSError, code: int) -> int:
    """The exit code of a command that the system has stopped; why is told, unless nobody is there to read.

    Args:
        trouble: what the system said, mostly of standard output.
        code: of the command itself.
    """
    # Python would complain of what is still in the buffer.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if trouble.errno in _GONE:
        return code
    with contextlib.suppress(OSError):
        print(f"croupier: {trouble.strerror or trouble}.", file=sys.stderr)
    return 1
