"""Standard streams as a command finds them: closed, full, or with nobody at the other end."""

import errno
import os
import sys
from pathlib import Path

_GONE = frozenset({errno.EPIPE, errno.EIO})
"""Whoever read us has left, as `head` does, or has closed the terminal."""


def open_streams() -> None:
    """Put nothing in the place of a stream that was closed before we began; Python has None there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - for as long as we run


def unwritten() -> OSError | None:
    """Why standard output does not take what it was given; None if it has taken all."""
    try:
        sys.stdout.flush()
    except OSError as trouble:
        return trouble
    return None


def nobody_reads(trouble: OSError) -> bool:
    """Whether there is nobody to write for, which is no failure."""
    return trouble.errno in _GONE


def settle(code: int) -> int:
    """The exit code of a command that has ended with `code`, once all it printed is written or given up."""
    trouble = unwritten()
    if trouble is None:
        return code
    # Python would complain of what is still in the buffer.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if nobody_reads(trouble):
        return code
    print(f"croupier: Standard output cannot be written: {trouble.strerror}.", file=sys.stderr)
    return 1
