"""The append-only files of an embedded store, copied while its server goes on writing them.

A file that is open stays whole although a rewrite deletes it, and only the last one grows. So what the
manifest names, once it is open and the manifest is still the same, is the log from its beginning up to the
length that the server itself gives: a whole number of commands, with everything that was accepted before.
"""

import os
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from redis.asyncio import Redis

from ops.valkey.binary import server_binary
from ops.valkey.directory import AOF_DIRECTORY, MANIFEST
from ops.valkey.refused import StoreRefused

TRIES = 20
"""More rewrites than that do not happen in the moment that opening takes."""
_CHUNK = 1 << 20

Part = tuple[str, BinaryIO, int]
"""One of the files: its name, open, and how much of it counts."""


async def copy_log(redis: Redis, data: Path, to: Path) -> None:
    """Copies the log of a data directory into another directory.

    Args:
        redis: the server that writes it.
        data: where it lies.
        to: where the copy is made.

    Raises:
        StoreRefused: `aof_missing` (a file that the manifest names), `aof_damaged`.
        OSError: something cannot be read or written.
    """
    source, target = data / AOF_DIRECTORY, to / AOF_DIRECTORY
    target.mkdir(mode=0o700)
    with ExitStack() as opened:
        manifest, parts = await _open(redis, source, opened)
        for name, file, length in parts:
            _copy(file, length, target / name)
    (target / MANIFEST).write_bytes(manifest)
    _check(target)


async def _open(redis: Redis, source: Path, opened: ExitStack) -> tuple[bytes, list[Part]]:
    """What the manifest says of the files in use, and these files."""
    for _ in range(TRIES):
        manifest = _in_use(source)
        names = [line.split()[1].decode() for line in manifest.splitlines()]
        try:
            files = [opened.enter_context((source / name).open("rb")) for name in names]
        except FileNotFoundError:
            continue  # a rewrite was faster, or the file is really gone
        total = int((await redis.info("persistence"))["aof_current_size"])
        if _in_use(source) != manifest:
            continue
        lengths = [os.fstat(file.fileno()).st_size for file in files[:-1]]
        return manifest, list(zip(names, files, [*lengths, total - sum(lengths)], strict=True))
    raise StoreRefused(
        "aof_missing", f"A file that {source / MANIFEST} names is missing. Restore a backup of the directory."
    )


def _in_use(source: Path) -> bytes:
    """The manifest without the files that a rewrite has left and the server is about to delete."""
    lines = (source / MANIFEST).read_bytes().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.rstrip().endswith(b"type h"))


def _copy(file: BinaryIO, length: int, to: Path) -> None:
    with to.open("xb") as copy:
        while chunk := file.read(min(length, _CHUNK)):
            length -= copy.write(chunk)
    if length:
        raise StoreRefused("aof_damaged", f"The append-only file {to.name} is shorter than its server says.")


def _check(log: Path) -> None:
    """Lets the server's own checker read the copy from one end to the other."""
    done = subprocess.run(  # noqa: S603 - the program is ours; it is its own checker under another name
        ["valkey-check-aof", str(log / MANIFEST)],  # noqa: S607 - the name tells it what to be
        executable=server_binary(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        words = done.stdout.decode("utf-8", "replace").strip().splitlines()
        raise StoreRefused(
            "aof_damaged",
            f"The store's append-only files do not pass valkey-check-aof: {' / '.join(words[-2:])}",
        )
