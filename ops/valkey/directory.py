"""The data directory: its files, its modes, and the way to its socket."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from ops.valkey.refused import StoreRefused

SERVER_LOCK = "lock"
"""Held by the server process itself, through an inherited descriptor."""
USERS_LOCK = "users"
"""Held shared by each service that uses the server, exclusively by one that starts or stops it."""
SOCKET = "v.sock"
LOG = "valkey.log"
MARKER = "store.json"
SEAL_KEY = "seal.key"
SERVICE_LOG = "croupier.log"
"""The service's own log, where the terminal is taken by a demonstration."""
AOF_DIRECTORY = "appendonlydir"
MANIFEST = "appendonly.aof.manifest"

_OURS = frozenset({SERVER_LOCK, USERS_LOCK, SOCKET, LOG, MARKER, SEAL_KEY, SERVICE_LOG, AOF_DIRECTORY})
_LONGEST_SOCKET_PATH = 103  # bytes: macOS allows 104 with the closing zero, Linux 108


def prepare(data_dir: Path) -> Path:
    """Makes the directory ready for a server: there, ours, and closed to everybody else.

    Returns:
        Its absolute path.

    Raises:
        StoreRefused: `data_dir_unusable` (a file, no permission), `data_dir_foreign` (holds other things).
    """
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        directory = data_dir.resolve(strict=True)
        names = {entry.name for entry in directory.iterdir()}
        _refuse_foreign(directory, names)
        if directory.stat().st_mode & 0o077:
            directory.chmod(0o700)
    except OSError as error:
        raise StoreRefused(
            "data_dir_unusable",
            f"The data directory {data_dir} cannot be used: {error.strerror}. It must be a directory that "
            "belongs to the user who runs the service.",
        ) from error
    return directory


def _refuse_foreign(directory: Path, names: set[str]) -> None:
    visible = {name for name in names if not name.startswith(".") and name != "lost+found"}
    if visible and not visible & _OURS:
        raise StoreRefused(
            "data_dir_foreign",
            f"The directory {directory} holds other things and no store of ours (it has {min(visible)!r}, "
            "for instance). Name an empty or a new directory.",
        )


def refuse_lost_manifest(directory: Path) -> None:
    """Refuses a directory on which a server would start empty although it held a store.

    Without its manifest a server takes no notice of the append-only files and begins to write a second
    history into them (platform.md 1.4), so this is asked before each start.

    Raises:
        StoreRefused: `manifest_missing`.
    """
    log = directory / AOF_DIRECTORY
    if (log / MANIFEST).exists():
        return
    if (directory / MARKER).exists() or any(log.glob("*.aof")):
        raise StoreRefused(
            "manifest_missing",
            f"The store's manifest {log / MANIFEST} is missing. A server would start empty and all data "
            "would be lost, so none is started. Put the manifest back, or restore a backup.",
        )


class SocketWay:
    """A path to the directory's socket that is short enough for every system, valid in this process.

    On Linux it leads through an open descriptor of the directory. Elsewhere it is the plain path or, where
    that is too long, one through a short symbolic link.
    """

    def __init__(self, directory: Path, *, through_proc: bool = sys.platform == "linux") -> None:
        self._fd: int | None = None
        self._link_dir: str | None = None
        plain = str(directory / SOCKET)
        if through_proc:
            self._fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            self.path = f"/proc/self/fd/{self._fd}/{SOCKET}"
        elif len(os.fsencode(plain)) <= _LONGEST_SOCKET_PATH:
            self.path = plain
        else:
            self._link_dir = tempfile.mkdtemp(prefix="croupier-")
            link = Path(self._link_dir) / "d"
            link.symlink_to(directory, target_is_directory=True)
            self.path = str(link / SOCKET)

    def close(self) -> None:
        """Gives back what the path needed; the path leads nowhere afterwards."""
        if self._fd is not None:
            os.close(self._fd)
        if self._link_dir is not None:
            shutil.rmtree(self._link_dir, ignore_errors=True)
