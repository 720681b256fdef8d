"""What many desks have to do in the same turn of the loop, step by step: all decide, and then all append.

A processor does best what it has just done. Each desk for itself, deciding and appending by turns, a command
costs a twentieth more.
"""

import asyncio
from collections import deque
from collections.abc import Callable

Step = Callable[[], None]


class Steps:
    """The steps of one turn of the loop, of all desks of a node."""

    def __init__(self) -> None:
        self._first: deque[Step] = deque()
        self._second: deque[Step] = deque()
        self._scheduled = False
        self._running = False

    def soon(self, step: Step) -> None:
        """Do a step when all who are ready in this turn of the loop have come along; it must not raise."""
        self._first.append(step)
        self._schedule()

    def then(self, step: Step) -> None:
        """Do what follows from a step: after the first steps of all others, or at once if it stands alone."""
        if self._running:
            self._second.append(step)
        else:
            step()

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._run)

    def _run(self) -> None:
        self._running = True
        try:
            for steps in (self._first, self._second):
                while steps:
                    steps.popleft()()
        finally:
            self._running = self._scheduled = False
            if self._first or self._second:
                self._schedule()
