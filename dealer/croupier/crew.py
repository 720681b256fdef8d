"""Tasks that stay for the next piece of work: making a task costs more than many a piece."""

import asyncio
from collections.abc import Awaitable, Callable

from dealer.croupier.tasks import end

Work = Callable[[], Awaitable[None]]


class Crew:
    """As many tasks as there was ever work at one time."""

    def __init__(self) -> None:
        self._idle: list[asyncio.Future[Work]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Work) -> None:
        """Begin a piece of work in the next turn of the loop; it must not raise."""
        if self._idle:
            self._idle.pop().set_result(work)
            return
        task = asyncio.create_task(self._serve(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def dismiss(self) -> None:
        """End all tasks, with whatever they are at."""
        self._idle.clear()
        await end(*self._tasks)

    async def _serve(self, work: Work) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await work()
            following: asyncio.Future[Work] = loop.create_future()
            self._idle.append(following)
            work = await following
