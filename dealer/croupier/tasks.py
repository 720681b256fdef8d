"""Ending tasks that run until they are told to stop."""

import asyncio
from typing import Any

_AGAIN_S = 0.05


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks until they really end, whatever they end with.

    Up to Python 3.11 `asyncio.wait_for`, under which redis-py sends, swallows a cancellation that meets the
    end of what it waits for; once is therefore not enough.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=_AGAIN_S)
