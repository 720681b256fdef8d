"""What nobody tells and somebody has to look at.

The store's health and whether it is still durable, the room on its disk, open holds.
"""

import asyncio
import contextlib
import shutil
from itertools import count

import structlog
from redis.asyncio import Redis

from dealer.croupier.node import Node
from ops.metrics import Metrics
from ops.settings import Settings
from ops.valkey import external
from ops.valkey.client import UNREACHABLE, client
from ops.valkey.store import Store

EVERY_S = 2.0
"""As often as a node sweeps the holds it looks at here."""
DURABLE_EVERY = 15
"""Once in so many looks the server is asked for the settings that make it durable: each half minute."""

log = structlog.get_logger()


class Durability:
    """Whether the store is still what it was found to be at the start.

    Attributes:
        lost: why not, or nothing.
        trouble: code of what keeps the embedded server from serving, empty if nothing does.
    """

    def __init__(self) -> None:
        self.lost: list[external.Problem] = []
        self.trouble = ""

    def found(self, problems: list[external.Problem]) -> None:
        """The server was asked again; a change is told once."""
        if problems and not self.lost:
            reason = " ".join(problem.sentence for problem in problems)
            log.error("not_durable", code=problems[0].code, reason=reason)
        if self.lost and not problems:
            log.info("durable_again")
        self.lost = problems


async def sample(
    metrics: Metrics, settings: Settings, store: Store, node: Node, durability: Durability
) -> None:
    """Look now and every two seconds, for ever; end it by `ops.valkey.client.end`."""
    asked = settings.durability == "checked"
    async with client(store.path_or_url, retry=False) as redis:
        for look in count():
            metrics.hand_over()
            await _ask(metrics, redis)
            if asked and look % DURABLE_EVERY == 0:
                await _ask_again(durability, redis)
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


async def _ask_again(durability: Durability, redis: Redis) -> None:
    with contextlib.suppress(*UNREACHABLE, TimeoutError):  # of a server that is silent nothing new is known
        async with asyncio.timeout(EVERY_S):
            durability.found(await external.durability(redis))


def _free(settings: Settings) -> int:
    try:
        return shutil.disk_usage(settings.data).free
    except OSError:
        return 0  # whatever it is, nothing can be written there
