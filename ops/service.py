"""The service put together: store, journal, node and doors, brought up and taken down in order."""

import asyncio
import gc
import resource
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import structlog
from msgspec.structs import replace

from dealer.croupier.node import Listener, Node
from dealer.http.app import build
from dealer.http.keyring import Keyring
from dealer.http.limits import Bounds
from dealer.http.serving import Serving
from dealer.journal.errors import JournalError
from dealer.journal.journal import Journal
from ops.metrics import Metrics
from ops.sampling import Durability, sample
from ops.settings import Settings, StoreSettings
from ops.valkey.client import UNREACHABLE, client, end
from ops.valkey.outage import SERVER_BACK, Hook, log_trouble
from ops.valkey.refused import StoreRefused
from ops.valkey.store import Store, open_store
from ops.workers import address_of
from shoe.entropy import check_entropy
from shoe.seal import Vault

GRACE_S = 2.0
"""How long what was begun may wait for the store when the service stops."""

SPARE_FILES = 256
"""Open files that are not clients' connections, with room to spare."""

log = structlog.get_logger()


@dataclass(frozen=True)
class House:
    """A running service."""

    node: Node
    address: str
    store: Store


@asynccontextmanager
async def opened_store(settings: StoreSettings, on_trouble: Hook | None = None) -> AsyncIterator[Store]:
    """The store the settings name, closed afterwards.

    Args:
        settings: where it is.
        on_trouble: told, besides the log, when the embedded server died, cannot restart, or is back.

    Raises:
        StoreRefused: it cannot be opened safely.
    """

    def told(code: str, sentence: str) -> None:
        log_trouble(code, sentence)
        if on_trouble is not None:
            on_trouble(code, sentence)

    store = await open_store(
        data_dir=settings.data,
        redis_url=settings.redis or None,
        durability_declared=settings.durability == "declared",
        service_name=settings.service_name or None,
        seal_key_files=settings.seal_key,
        on_trouble=told,
    )
    try:
        yield store
    finally:
        await store.close()


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
    bounds = _possible(settings.bounds)
    metrics = Metrics()
    durability = Durability()
    troubles: list[StoreRefused] = []

    def trouble(code: str, sentence: str) -> None:
        metrics.trouble(code)
        durability.trouble = "" if code == SERVER_BACK else code
        if durability.trouble:
            troubles[:] = [StoreRefused(code, sentence)]

    async with opened_store(settings, trouble) as store:
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
            ready=_readiness(settings, store, durability),
            version=version("croupier"),
            sandbox=settings.sandbox,
            durability=settings.durability,
            bounds=bounds,
        )
        doors = Serving(application, bounds)
        doors.connections.turned_away = metrics.turned_away
        try:
            await _opened(journal, troubles)
            await doors.open(door)
            await node.open()
            sampling = asyncio.create_task(sample(metrics, settings, store, node, durability))
            _settle_memory()
            try:
                yield House(node, address_of(door), store)
            finally:
                await end(sampling)
        finally:
            draining = asyncio.create_task(_drain(doors, node))
            await asyncio.wait({draining}, timeout=GRACE_S)
            await journal.close()  # whoever waits for the store until now is told that there is no answer
            await draining
            await redis.aclose()


async def _opened(journal: Journal, troubles: list[StoreRefused]) -> None:
    """Open the journal; if its server has died over that, say why and not merely that it is silent."""
    try:
        await journal.open()
    except JournalError as silent:
        if troubles:
            raise troubles[0] from silent
        raise


async def _drain(doors: Serving, node: Node) -> None:
    """Let everything finish that was begun: requests first, then what bots and clocks do."""
    await doors.close()
    await node.close()


def _possible(bounds: Bounds) -> Bounds:
    """The bounds, with no more connections than this process may have files open; each is one.

    It lets itself have as many as are wanted, as far as the system allows. Beyond that nobody could be told
    anything, not even that there are too many.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = bounds.connections + SPARE_FILES if bounds.connections else hard
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if resource.RLIM_INFINITY not in {soft, most} and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most == resource.RLIM_INFINITY or most == bounds.connections + SPARE_FILES:
        return bounds
    room = max(1, most - SPARE_FILES)
    if bounds.connections:
        reason = f"the hard limit of open files is {hard}, and {SPARE_FILES} are kept for other things"
        log.warning("connections_fewer", count=room, reason=reason)
    return replace(bounds, connections=room)


def _settle_memory() -> None:
    """What start-up made stays; the collector need not look at it again, nor so often."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _readiness(settings: Settings, store: Store, durability: Durability) -> Any:
    async def ready() -> dict[str, Any]:
        """Whether the store serves and is as durable as it was, and what stands behind `accepted`."""
        reason = durability.trouble or (durability.lost[0].code if durability.lost else "")
        return {
            # On a full disk the server comes up again and again, and answers until the next write.
            "ready": not reason and await _answers(store),
            **({"reason": reason} if reason else {}),
            "store": "external" if settings.redis else "embedded",
            "durability": settings.durability,
            "service": store.identity.service,
            "version": version("croupier"),
        }

    return ready


async def _answers(store: Store) -> bool:
    try:
        async with asyncio.timeout(2):
            await store.redis.ping()
    except (*UNREACHABLE, TimeoutError):
        return False
    return True


def on_uvloop() -> Any:
    """The loop factory: uvloop where it exists."""
    if sys.platform == "win32":
        return None
    import uvloop  # noqa: PLC0415 - not there on every system

    return uvloop.new_event_loop
