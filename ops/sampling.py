"""What nobody tells and somebody has to look at: the store's health, the room on its disk, open holds."""

import asyncio
import shutil

from redis.asyncio import Redis

from dealer.croupier.node import Node
from ops.metrics import Metrics
from ops.settings import Settings
from ops.valkey.client import UNREACHABLE, client
from ops.valkey.store import Store

EVERY_S = 2.0
"""As often as a node sweeps the holds it looks at here."""


async def sample(metrics: Metrics, settings: Settings, store: Store, node: Node) -> None:
    """Look now and every two seconds, for ever; end it by `ops.valkey.client.end`."""
    async with client(store.path_or_url, retry=False) as redis:
        while True:
            metrics.hand_over()
            await _ask(metrics, redis)
            holds = node.cage.state.holds.values()
            now = node.journal.now()
            metrics.holding(len(holds), max((now - held.at for held in holds), default=0))
            if store.embedded is not None:
                metrics.room(_free(settings))
            await asyncio.sleep(EVERY_S)


async def _ask(metrics: Metrics, redis: Redis) -> None:
    try:
        async with asyncio.timeout(EVERY_S):
            info = await redis.info("server", "memory", "persistence")
    except (*UNREACHABLE, TimeoutError):
        metrics.store_silent()
        return
    log = int(info.get("aof_current_size", 0))  # told only by a server that writes one
    metrics.store_answers(int(info["uptime_in_seconds"]), int(info["used_memory"]), log)


def _free(settings: Settings) -> int:
    try:
        return shutil.disk_usage(settings.data).free
    except OSError:
        return 0  # whatever it is, nothing can be written there
