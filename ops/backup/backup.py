"""A backup: a new directory with the store as of one moment, what it is of, and the digests of its files."""

import hashlib
import os
import secrets
import shutil
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import msgspec

from ops.backup.aof import copy_log
from ops.backup.rdb import copy_snapshot
from ops.settings import StoreSettings
from ops.valkey.client import client
from ops.valkey.directory import MARKER, SEAL_KEY
from ops.valkey.marker import PARTITIONS
from ops.valkey.store import Store

ABOUT = "backup.json"
SUMS = "SHA256SUMS"
"""Of every other file, as `sha256sum --check` reads it."""
SNAPSHOT = "dump.rdb"


class About(msgspec.Struct, frozen=True, gc=False):
    """What a backup is of, as it stands beside it.

    Attributes:
        bytes: size of all files but this one and the digests.
        croupier: version of the program that made it.
        engine: name and version of the server that wrote the data.
        kind: `embedded`, a data directory but for the seal key; `external`, a server's snapshot.
        made_at: of the moment it shows or a little before, by the server's clock, in ms.
        partitions: of the store.
        seal_key: id of the key that the running shoes need.
        service: name of the installation.
        store_id: of the store.
    """

    bytes: int
    croupier: str
    engine: str
    kind: Literal["embedded", "external"]
    made_at: int
    partitions: int
    seal_key: str
    service: str
    store_id: str


async def back_up(store: Store, settings: StoreSettings, to: Path, *, with_seal_key: bool) -> About:
    """Makes a backup under a name that is free; it is there whole or not at all.

    Args:
        store: the store, open; whoever else uses it goes on.
        settings: how it was opened.
        to: the new directory.
        with_seal_key: copy the key in force too. Whoever has both reads every shoe in play (S-12).

    Raises:
        StoreRefused: the store cannot be copied.
        FileExistsError: there is something of that name.
        OSError: something cannot be read or written.
    """
    draft = _draft(to)
    try:
        about = await _fill(draft, store, settings, with_seal_key=with_seal_key)
        _seal(draft)
        draft.rename(to)
        _sync(to.parent)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return about


def _draft(to: Path) -> Path:
    """A hidden directory beside the one to be, so that it can be given its name at the end."""
    if os.path.lexists(to):
        raise FileExistsError(to)
    draft = to.with_name(f".{to.name}.{secrets.token_hex(4)}")
    draft.mkdir(mode=0o700)
    return draft


async def _fill(draft: Path, store: Store, settings: StoreSettings, *, with_seal_key: bool) -> About:
    info = await store.redis.info("server")
    seconds, micros = await store.redis.time()
    if store.embedded is None:
        redis = client(store.path_or_url, retry=False)
        try:
            await copy_snapshot(redis, draft / SNAPSHOT)
        finally:
            await redis.aclose()
    else:
        await copy_log(store.redis, settings.data, draft)
        shutil.copyfile(settings.data / MARKER, draft / MARKER)
    if with_seal_key:
        _write(draft / SEAL_KEY, store.keys[store.active_key_id].hex().encode() + b"\n")
    about = About(
        bytes=sum(path.stat().st_size for path in _files(draft)),
        croupier=version("croupier"),
        engine=_engine(info),
        kind="external" if store.embedded is None else "embedded",
        made_at=seconds * 1000 + micros // 1000,
        partitions=PARTITIONS,
        seal_key=store.active_key_id,
        service=store.identity.service,
        store_id=store.identity.store_id,
    )
    _write(draft / ABOUT, msgspec.json.format(msgspec.json.encode(about), indent=2) + b"\n")
    return about


def _engine(info: dict[str, object]) -> str:
    """Valkey gives the version of Redis that it is like, too."""
    if "valkey_version" in info:
        return f"valkey {info['valkey_version']}"
    return f"redis {info['redis_version']}"


def _files(directory: Path) -> list[Path]:
    return sorted(path for path in directory.rglob("*") if path.is_file())


def _seal(draft: Path) -> None:
    """Writes the digests, and sees to it that everything is closed to others and on disk."""
    lines = []
    for path in _files(draft):
        with path.open("rb") as file:
            lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.relative_to(draft)}\n")
            os.fsync(file.fileno())
        path.chmod(0o600)
    _write(draft / SUMS, "".join(lines).encode())
    for directory in (draft, *(path for path in draft.rglob("*") if path.is_dir())):
        _sync(directory)


def _write(path: Path, content: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:  # noqa: PTH123 - only open() takes a descriptor
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
