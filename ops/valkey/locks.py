"""Advisory whole-file locks, which the operating system drops when their holder dies."""

import fcntl
import os
from pathlib import Path

from ops.valkey.refused import StoreRefused


class FileLock:
    """One open description of a lock file; closing the last copy of its descriptor gives the lock up.

    A child process that inherits `fd` therefore keeps the lock for as long as it lives, whatever becomes of
    us. That is how a data directory stays locked by its server (platform.md 1.3).
    """

    def __init__(self, path: Path) -> None:
        try:
            self.fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise StoreRefused(
                "data_dir_unusable", f"The lock file {path} cannot be opened: {error.strerror}."
            ) from error

    def take(self, *, shared: bool) -> bool:
        """Takes the lock without waiting; False if others hold it in a way that forbids this.

        A lock already held is converted; where that fails, count it as lost.

        Raises:
            StoreRefused: `no_locks` where the file system has none.
        """
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(self.fd, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise StoreRefused(
                "no_locks",
                f"The data directory's file system cannot lock files ({error.strerror}), so two servers "
                "could write one history. Put the data directory on a local disk.",
            ) from error
        return True

    def release(self) -> None:
        """Gives the lock up and keeps the file open."""
        fcntl.flock(self.fd, fcntl.LOCK_UN)

    def close(self) -> None:
        """Closes our descriptor; an inherited copy goes on holding the lock."""
        os.close(self.fd)
