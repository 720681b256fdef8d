"""Which store this is: a marker file beside the append-only file, and the same id inside (platform.md 1.4).

A server that starts on damaged files may start empty. The marker then says that there was a store, and the
service refuses instead of opening its tables anew.
"""

import re
import secrets
from pathlib import Path
from typing import cast

import msgspec
from redis.asyncio import Redis

from ops.valkey.directory import MARKER
from ops.valkey.files import write_new
from ops.valkey.refused import StoreRefused

__all__ = ["META", "PARTITIONS", "StoreIdentity", "StoreRefused", "identify", "read_meta"]

META = b"meta"
"""Hash of the store's constants: `store_id`, `service`, `created_at` (ms, the engine's clock), `partitions`,
`seal_key` (id of the key in force)."""
PARTITIONS = 16
"""Design 5: a stored constant, since every key's place follows from it."""

_SERVICE = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


class StoreIdentity(msgspec.Struct, frozen=True, gc=False):
    """What never changes about a store.

    Attributes:
        store_id: made at its first start.
        service: the service name, which begins the origin of every log (design 4).
    """

    store_id: str
    service: str


class _Marker(msgspec.Struct, frozen=True, gc=False):
    created_at: int
    store_id: str


async def identify(redis: Redis, data_dir: Path | None, service_name: str | None) -> StoreIdentity:
    """Says which store this is, and makes a new one its identity at the first start.

    Args:
        redis: the store.
        data_dir: where the marker file lies; None for an external server, whose files are not ours.
        service_name: None takes the stored name, or makes one up at the first start.

    Raises:
        StoreRefused: `store_lost` (file without key), `store_mismatch` (another id), `store_foreign` (an
            external database in other use), `service_fixed`, `service_malformed`, `partitions_fixed`,
            `marker_malformed`, `marker_unusable`.
    """
    if service_name is not None and _SERVICE.fullmatch(service_name) is None:
        raise StoreRefused(
            "service_malformed",
            "A service name has 1 to 64 of the characters a-z, 0-9, dot, hyphen and underscore, and begins "
            "with a letter or a digit.",
        )
    marker = _read(data_dir) if data_dir is not None else None
    keys_before = await redis.dbsize()
    meta = await read_meta(redis)
    if "store_id" not in meta:
        if marker is not None:
            raise StoreRefused(
                "store_lost",
                f"The store {marker.store_id} was in {data_dir}, and the server there has started without "
                "it: its data is gone or damaged. Nothing was written. Restore a backup of the directory.",
            )
        if keys_before:
            raise StoreRefused(
                "store_foreign",
                f"The database holds {keys_before} keys and no store of ours. Name an empty database.",
            )
        meta = await _found(redis, service_name)
    _compare(meta, marker, service_name)
    if data_dir is not None and marker is None:
        found = _Marker(created_at=int(meta["created_at"]), store_id=meta["store_id"])
        try:
            write_new(data_dir / MARKER, msgspec.json.encode(found) + b"\n")
        except OSError as error:
            raise _unusable(data_dir, error) from error
    return StoreIdentity(meta["store_id"], meta["service"])


async def read_meta(redis: Redis) -> dict[str, str]:
    """Reads the store's constants; empty before the first start."""
    stored = cast("dict[bytes, bytes]", await redis.hgetall(META))
    return {field.decode(): value.decode() for field, value in stored.items()}


async def _found(redis: Redis, service_name: str | None) -> dict[str, str]:
    """Writes the constants of a new store; of several first starts at once the first one's stand."""
    store_id = secrets.token_hex(16)
    seconds, micros = await redis.time()
    first = {
        "store_id": store_id,
        "service": service_name or f"croupier-{store_id[:8]}",
        "created_at": str(seconds * 1000 + micros // 1000),
        "partitions": str(PARTITIONS),
    }
    async with redis.pipeline(transaction=True) as pipe:
        for field, value in first.items():
            pipe.hsetnx(META, field, value)
        await pipe.execute()
    return await read_meta(redis)


def _compare(meta: dict[str, str], marker: _Marker | None, service_name: str | None) -> None:
    if marker is not None and marker.store_id != meta["store_id"]:
        raise StoreRefused(
            "store_mismatch",
            f"The marker file names the store {marker.store_id}, but the data is that of {meta['store_id']}: "
            f"files of two stores were mixed. If the data is the right one, delete the file {MARKER}.",
        )
    if meta["partitions"] != str(PARTITIONS):
        raise StoreRefused(
            "partitions_fixed",
            f"The store has {meta['partitions']} partitions and this program works with {PARTITIONS}; that "
            "cannot change.",
        )
    if service_name not in {None, meta["service"]}:
        raise StoreRefused(
            "service_fixed",
            f"The store belongs to the service {meta['service']!r}, and a service's name never changes. "
            "Leave the name out or open another store.",
        )


def _read(data_dir: Path) -> _Marker | None:
    try:
        return msgspec.json.decode((data_dir / MARKER).read_bytes(), type=_Marker)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise StoreRefused(
            "marker_malformed",
            f"The marker file {data_dir / MARKER} is damaged. If the store is known to be whole, delete the "
            "file; it is written again.",
        ) from error
    except OSError as error:
        raise _unusable(data_dir, error) from error


def _unusable(data_dir: Path, error: OSError) -> StoreRefused:
    return StoreRefused(
        "marker_unusable", f"The marker file {data_dir / MARKER} cannot be used: {error.strerror}."
    )
