"""What the server's own log says about its end, in words for people."""

import os
from pathlib import Path
from typing import NamedTuple

from ops.valkey.directory import LOG
from ops.valkey.refused import StoreRefused

_TAIL_BYTES = 16_384
_FULL_BELOW_BYTES = 1 << 20  # a full disk takes no log line either, so its free room is asked as well


class _Sign(NamedTuple):
    code: str
    fragments: tuple[str, ...]
    sentence: str


_SIGNS = (
    _Sign(
        "disk_full",
        ("No space left on device", "Disk quota exceeded"),
        "The disk is full. What was acknowledged is safe; make room, and the store goes on by itself.",
    ),
    _Sign(
        "aof_manifest_damaged",
        ("AOF MANIFEST FILE ERROR", "Invalid AOF manifest", "empty AOF manifest"),
        "The manifest of the append-only files is damaged. Restore a backup of the whole directory.",
    ),
    _Sign(
        "aof_missing",
        ("Unable to obtain the AOF file", "AOF file doesn't exist", "can't open the append log file"),
        "A file that the append-only manifest names is missing. Restore a backup of the whole directory.",
    ),
    _Sign(
        "store_newer",
        ("Can't handle RDB format version",),
        "The store was written by a newer server than this one. Use that version again.",
    ),
    _Sign(
        "aof_damaged",
        (
            "reading the append only file",
            "loading the AOF",
            "AOF loading aborted",
            "reading the RDB preamble",
        ),
        "The append-only file is damaged, as after a power loss. Copy the whole directory away first; then "
        "valkey-check-aof can cut the file at the damage (what follows it is lost), or restore a backup.",
    ),
    _Sign(
        "socket_refused",
        ("Unix socket",),
        "The directory cannot hold a unix socket (some shared volumes cannot). Use another directory, or "
        "name a running server by its URL.",
    ),
    _Sign(
        "data_dir_unusable",
        ("Permission denied", "Read-only file system"),
        "The server may not write in the data directory. It must belong to the user who runs the service.",
    ),
)

DISK_FULL = _SIGNS[0].code
ENDED = "server_ended"
"""What is said of an end that has no known sign."""
TROUBLES = (
    *(sign.code for sign in _SIGNS),
    "data_dir_foreign",
    "manifest_missing",
    "no_locks",
    "no_server_binary",
    ENDED,
    "server_silent",
    "server_unlocked",
    "server_unstartable",
)
"""Every code under which a server is told to be down."""


def size(directory: Path) -> int:
    """Length of the log in bytes: where the lines of the next server will begin."""
    try:
        return (directory / LOG).stat().st_size
    except FileNotFoundError:
        return 0


def explain(directory: Path, since: int) -> StoreRefused:
    """Translates the log after byte `since` into a refusal; `server_ended` if it holds no known sign."""
    lines = _tail(directory, since)
    text = "\n".join(lines)
    if _is_full(directory):
        text += "\nNo space left on device"
    for sign in _SIGNS:
        if any(fragment in text for fragment in sign.fragments):
            return StoreRefused(sign.code, f"{sign.sentence} Data directory: {directory}.")
    last = f"Its last words: {' / '.join(lines[-3:])}" if lines else "It left no word, as if it was killed."
    return StoreRefused("server_ended", f"The Valkey server on {directory} ended. {last}")


def _is_full(directory: Path) -> bool:
    try:
        disk = os.statvfs(directory)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < _FULL_BELOW_BYTES


def _tail(directory: Path, since: int) -> list[str]:
    try:
        with (directory / LOG).open("rb") as log:
            end = log.seek(0, os.SEEK_END)
            log.seek(max(since, end - _TAIL_BYTES) if since <= end else 0)
            raw = log.read(_TAIL_BYTES)
    except OSError:
        return []
    return [line for line in raw.decode("utf-8", "replace").splitlines() if line.strip()]
