"""The seal key, under which unrevealed seeds lie in the store (design 5, fairness S-12)."""

import hashlib
import os
import secrets
from collections.abc import Collection
from pathlib import Path

from ops.valkey.files import write_new
from ops.valkey.refused import StoreRefused

_KEY_BYTES = 32


def key_id(key: bytes) -> str:
    """The public name of a key: 16 hex digits, from which nothing about the key follows."""
    return hashlib.sha256(b"croupier seal key\n" + key).hexdigest()[:16]


def load(path: Path) -> bytes:
    """Reads a key file: 64 hex digits, readable by its owner alone.

    Raises:
        StoreRefused: `seal_key_unreadable`, `seal_key_exposed` (its mode lets others in),
            `seal_key_malformed`.
    """
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read(_KEY_BYTES * 2 + 2)
    except OSError as error:
        raise StoreRefused(
            "seal_key_unreadable", f"The seal key file {path} cannot be read: {error.strerror}."
        ) from error
    if mode & 0o077:
        raise StoreRefused(
            "seal_key_exposed",
            f"The seal key file {path} can be read by others (mode {mode & 0o777:o}). Make it 600, and if "
            "somebody may have read it, make a new key.",
        )
    try:
        key = bytes.fromhex(text.decode("ascii"))
    except ValueError:
        key = b""
    if len(key) != _KEY_BYTES:
        raise StoreRefused(
            "seal_key_malformed", f"The seal key file {path} must hold {_KEY_BYTES} bytes as 64 hex digits."
        )
    return key


def load_or_create(path: Path) -> bytes:
    """Reads a key file, or makes a new key where there is none; of two makers at once both get the first's.

    Raises:
        StoreRefused: as `load`, and `seal_key_unwritable`.
    """
    if not os.path.lexists(path):
        try:
            write_new(path, secrets.token_hex(_KEY_BYTES).encode() + b"\n")
        except OSError as error:
            raise StoreRefused(
                "seal_key_unwritable", f"The seal key file {path} cannot be made: {error.strerror}."
            ) from error
    return load(path)


def check_seal_key(in_force: str, given: Collection[str]) -> None:
    """Refuses a node that does not hold the key in force.

    Args:
        in_force: the key id in the store's meta.
        given: the ids of the keys this node was given.

    Raises:
        StoreRefused: `seal_key_missing`.
    """
    if in_force not in given:
        raise StoreRefused(
            "seal_key_missing",
            f"The store's seeds are sealed under key {in_force}, and this node was given "
            f"{', '.join(sorted(given)) or 'none'}. Copy the key file from a node that has it, and name it "
            "with --seal-key.",
        )
