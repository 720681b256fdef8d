"""The service put together: store, journal, node and doors, brought up and taken down in order."""

import asyncio
import gc
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import structlog
from aiohttp import web

from dealer.croupier.node import Listener, Node
from dealer.http.app import build, runner
from dealer.http.keyring import Keyring
from dealer.journal.journal import Journal
from ops.metrics import Metrics
from ops.settings import Settings, StoreSettings
from ops.valkey.client import UNREACHABLE, client
from ops.valkey.store import Store, open_store
from ops.workers import address_of
from shoe.entropy import check_entropy
from shoe.seal import Vault

GRACE_S = 2.0
"""How long what was begun may wait for the store when the service stops."""

log = structlog.get_logger()


@dataclass(frozen=True)
class House:
    """A running service."""

    node: Node
    address: str
    store: Store


@asynccontextmanager
async def opened_store(settings: StoreSettings) -> AsyncIterator[Store]:
    """The store the settings name, closed afterwards.

    Raises:
        StoreRefused: it cannot be opened safely.
    """
    store = await open_store(
        data_dir=settings.data,
        redis_url=settings.redis or None,
        durability_declared=settings.durability == "declared",
        service_name=settings.service_name or None,
        seal_key_files=settings.seal_key,
        on_trouble=_told,
    )
    try:
        yield store
    finally:
        await store.close()


def _told(code: str, sentence: str) -> None:
    """The embedded server died, cannot restart, or is back."""
    log.error("store_health", code=code, reason=sentence)


@asynccontextmanager
async def running(
    settings: Settings, door: socket.socket, listener: Listener | None = None
) -> AsyncIterator[House]:
    """The service, listening; drained and stopped afterwards.

    Args:
        settings: how it runs.
        door: the socket it listens on.
        listener: told of every event of every table from the first on.

    Raises:
        StoreRefused: the store cannot be opened safely.
        JournalError: its journal cannot be used.
    """
    check_entropy()
    async with opened_store(settings) as store:
        metrics = Metrics()
        redis = client(store.path_or_url, retry=False)
        journal = Journal(redis, idempotency_ttl_ms=settings.idempotency_ttl * 1000)
        vault = Vault(store.keys, store.active_key_id)
        node = Node(journal, store.identity.service, vault, metrics)
        keyring = Keyring(store.redis)
        if listener is not None:
            node.listen("*", listener)
        application = build(
            node,
            keyring,
            metrics=metrics.text,
            ready=_readiness(settings, store),
            version=version("croupier"),
            sandbox=settings.sandbox,
        )
        doors = runner(application)
        try:
            await journal.open()
            await doors.setup()
            await web.SockSite(doors, door).start()
            await node.open()
            _settle_memory()
            yield House(node, address_of(door), store)
        finally:
            draining = asyncio.create_task(_drain(doors, node))
            await asyncio.wait({draining}, timeout=GRACE_S)
            await journal.close()  # whoever waits for the store until now is told that there is no answer
            await draining
            await redis.aclose()


async def _drain(doors: web.AppRunner, node: Node) -> None:
    """Let everything finish that was begun: requests first, then what bots and clocks do."""
    await doors.cleanup()
    await node.close()


def _settle_memory() -> None:
    """What start-up made stays; the collector need not look at it again, nor so often."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _readiness(settings: Settings, store: Store) -> Any:
    async def ready() -> dict[str, Any]:
        """Whether the store answers, and what stands behind `accepted`."""
        try:
            async with asyncio.timeout(2):
                await store.redis.ping()
            answers = True
        except (*UNREACHABLE, TimeoutError):
            answers = False
        return {
            "ready": answers,
            "store": "external" if settings.redis else "embedded",
            "durability": settings.durability,
            "service": store.identity.service,
            "version": version("croupier"),
        }

    return ready


def on_uvloop() -> Any:
    """The loop factory: uvloop where it exists."""
    if sys.platform == "win32":
        return None
    import uvloop  # noqa: PLC0415 - not there on every system

    return uvloop.new_event_loop
