"""What the commands share that open a store, do one thing, and close it again."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable

from dealer.croupier.order import Unavailable
from dealer.journal.errors import JournalError
from ops.cli.output import Unwritten
from ops.service import opened_store
from ops.settings import StoreSettings
from ops.valkey.client import UNREACHABLE
from ops.valkey.directory import AOF_DIRECTORY
from ops.valkey.refused import StoreRefused
from ops.valkey.store import Store


def refuse(sentence: str, code: int = 1) -> int:
    """Say why not on standard error; the exit code."""
    print(f"croupier: {sentence}", file=sys.stderr)
    return code


def with_store(settings: StoreSettings, work: Callable[[Store], Awaitable[int]]) -> int:
    """Do the work on a store that is there already, whether or not a service uses it; the exit code."""

    async def run() -> int:
        async with opened_store(settings) as store:
            return await work(store)

    if not settings.redis and not os.path.isdir(settings.data / AOF_DIRECTORY):  # noqa: PTH112 - never raises
        return refuse(
            f"There is no store in {str(settings.data)!a}. `croupier serve` makes one at its first start; "
            "--data names the directory of another."
        )
    try:
        return asyncio.run(run())
    except StoreRefused as refused:
        return refuse(str(refused))
    except Unwritten:
        raise
    except (*UNREACHABLE, JournalError, Unavailable) as trouble:
        return refuse(f"The store gives no answer ({type(trouble).__name__}).")
