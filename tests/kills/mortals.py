"""A service that is born again and again, each time to die at a place that is named."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Self

import msgspec

from tests.kills.nursery import Plan, Stop
from tests.ops.processes import LIMIT_S, environment

CODE = "from tests.kills.nursery import nurse; nurse()"


class Mortal:
    """The service and its nursery; use it as a context.

    Args:
        data: directory of the store.
        err: file of its log.

    Attributes:
        addresses: where it listens, if it does.
        lives: how often it was born.
    """

    def __init__(self, data: Path, err: Path) -> None:
        self.addresses: list[str] = []
        self.lives = 0
        self._data = str(data)
        self._err = err
        self._pid = 0
        self._nursery: asyncio.subprocess.Process

    async def __aenter__(self) -> Self:
        """Start the nursery."""
        with self._err.open("ab") as err:
            self._nursery = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                CODE,
                env=environment(),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=err,
            )
        return self

    async def __aexit__(self, *_: object) -> None:
        """Nobody is left, however the test ends."""
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
        if self._nursery.returncode is None:
            self._nursery.kill()
        await self._nursery.communicate()

    async def live(self, *stops: Stop, **tuned: float) -> int:
        """One life; how it ended.

        Raises:
            AssertionError: it does not come to where it should die.
        """
        plan = Plan(self._data, stops, tuned)
        stdin, stdout = self._nursery.stdin, self._nursery.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(msgspec.json.encode(plan) + b"\n")
        self.lives += 1
        try:
            async with asyncio.timeout(LIMIT_S if stops else None):
                return await self._end(stdout)
        except TimeoutError:
            raise AssertionError(f"nobody came to {stops}") from None

    async def _end(self, stdout: asyncio.StreamReader) -> int:
        """Follow what the nursery says of a life until that ends; the exit code."""
        async for line in stdout:
            word, _, last = line.decode().rstrip().rpartition(" ")
            if word == "born":
                self._pid = int(last)
            elif word == "ended":
                self._pid, self.addresses = 0, []
                return int(last)
            else:
                self.addresses = [last]
        raise AssertionError("the nursery is gone")

    async def stop(self) -> None:
        """Let the present life end as a good one does, once it serves."""
        async with asyncio.timeout(LIMIT_S):
            while not self.addresses:
                await asyncio.sleep(0.01)
        os.kill(self._pid, signal.SIGTERM)
