"""The directory in which the workers of one service keep their figures together.

Hidden, for where there is no temporary directory the present one is taken, which may be that of the data.
"""

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = ".croupier-metrics-"
_LOCK = "lock"
"""Held by the process that made the directory and by all its workers, which inherit it: when it is free, they
are all dead. A process id would say less, for another container may share the temporary directory."""


@contextmanager
def shared_figures() -> Iterator[Path]:
    """An empty directory for the time of the block; what this user's killed services have left goes first."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        _remove_if_left(left)
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as made:
        making = Path(made) / "making"
        with making.open("xb") as lock:
            with suppress(OSError):  # a file system without locks: nobody will clear it away, then
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                making.rename(making.with_name(_LOCK))  # only now it can be found free
            yield Path(made)


def _remove_if_left(directory: Path) -> None:
    with suppress(OSError):
        found = directory.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            return
        with (directory / _LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(directory)
