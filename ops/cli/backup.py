"""`croupier backup`: a copy of the store, made while it is in use."""

import os
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from ops.backup.backup import SUMS, back_up
from ops.cli.output import printable, writing
from ops.cli.stores import refuse, with_store
from ops.settings import StoreSettings
from ops.valkey.store import Store

_DEFAULTS = StoreSettings()


def backup(
    to: Path,
    /,
    *,
    with_seal_key: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
    settings: StoreSettings = _DEFAULTS,
) -> int:
    """Copy the store, as it is at this moment, into a new directory, while services go on.

    The seal key is left out unless it is asked for: both together tell every card of the shoes in play.

    Args:
        to: the directory to make; nothing of that name may be there.
        with_seal_key: put the seal key in force into it.
        json: print one JSON object that says what the backup is of.
        settings: where the store is.
    """
    if Path(os.path.realpath(to)).is_relative_to(os.path.realpath(settings.data)):
        return refuse(
            f"A backup in the data directory {printable(str(settings.data))} would be lost with it, and the "
            "directory is the store's alone. Name a place outside of it."
        )

    async def work(store: Store) -> int:
        try:
            about = await back_up(store, settings, to, with_seal_key=with_seal_key)
        except FileExistsError:
            return refuse(
                f"There is something called {printable(str(to))} already; a backup is a new directory."
            )
        except OSError as trouble:
            return refuse(
                f"The backup cannot be made in {printable(str(to))}: {trouble.strerror or trouble}."
            )
        with writing():
            if json:
                print(msgspec.json.encode(about).decode())
                return 0
            print(f"{printable(str(to))}: store {about.store_id} of {about.service}, {about.bytes} bytes.")
            print(
                f"Check a copy of it by `sha256sum --check {SUMS}`. It needs the seal key {about.seal_key}."
            )
        return 0

    return with_store(settings, work)
