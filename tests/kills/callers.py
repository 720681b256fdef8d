"""Callers of the API: each command goes out under one key until there is a definite answer, which is kept."""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from http import HTTPStatus
from random import Random
from typing import Any, Self

import aiohttp
import msgspec

from tests.ops.processes import LIMIT_S

PAUSE_S = 0.03
LONGEST_PAUSE_S = 0.3
"""Between two tries, longer and longer."""
TRY_S = 4.0
"""A try that takes longer is given up; the house may work on it all the same."""
LATER = frozenset({HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS})
"""Whoever is told this asks the same again."""


class Person(msgspec.Struct, frozen=True):
    """Somebody with a key. A player's principal is the account, a host's the key itself."""

    principal: str
    token: str


class Asked(msgspec.Struct, frozen=True):
    """A command on its way: whoever repeats it sends the same body under the same key."""

    who: Person
    path: str
    body: dict[str, Any]
    idem: str


class Told(msgspec.Struct, frozen=True):
    """The first definite answer to a command.

    Attributes:
        raw: the answer's body as it came.
        since: when the command was first sent, monotonic s.
        tries: how often it was sent.
    """

    asked: Asked
    status: int
    raw: bytes
    since: float
    tries: int

    @property
    def accepted(self) -> bool:
        """Whether the house said so."""
        return self.status in {HTTPStatus.OK, HTTPStatus.CREATED}

    @property
    def answer(self) -> Any:
        """The answer's body as an object."""
        return json.loads(self.raw)


class Wire:
    """The way to the house, whichever of its processes are up.

    Args:
        addresses: where it listens at the moment.
        chance: picks one of them for every try.

    Attributes:
        told: every first definite answer.
        late: commands that were put aside without one; `catch_up` asks them again.
        deferring: whoever gets no answer puts the command aside instead of trying again.
    """

    def __init__(self, addresses: Callable[[], Sequence[str]], chance: Random) -> None:
        self.told: list[Told] = []
        self.late: list[Asked] = []
        self.deferring = False
        self._addresses = addresses
        self._chance = chance
        self._session: aiohttp.ClientSession

    async def __aenter__(self) -> Self:
        """Open the connections' pool."""
        limits = aiohttp.ClientTimeout(total=TRY_S)
        self._session = aiohttp.ClientSession(timeout=limits, connector=aiohttp.TCPConnector(limit=0))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def do(self, asked: Asked) -> Told | None:
        """The first definite answer to a command, None if it was put aside."""
        since, tries = time.monotonic(), 1
        while (reply := await self._try(asked)) is None:
            if self.deferring:
                self.late.append(asked)
                return None
            tries += 1
            await self._pause(since, asked.path)
        told = Told(asked, *reply, since, tries)
        self.told.append(told)
        return told

    async def see(self, who: Person, path: str) -> Any:
        """What is to be seen, as soon as it can be."""
        since = time.monotonic()
        while (reply := await self._send("GET", path, who.token)) is None:
            await self._pause(since, path)
        status, raw = reply
        assert status == HTTPStatus.OK, raw
        return json.loads(raw)

    async def catch_up(self) -> None:
        """Ask again whatever was put aside."""
        late, self.late = self.late, []
        await asyncio.gather(*map(self.do, late))

    async def again(self, told: Told) -> tuple[int, bytes]:
        """The answer to a command that was answered before."""
        since = time.monotonic()
        while (reply := await self._try(told.asked)) is None:
            await self._pause(since, told.asked.path)
        return reply

    def figures(self) -> str:
        """How many commands were answered, for whoever reads the log of a run."""
        accepted, tries = (sum(t.accepted for t in self.told), [t.tries for t in self.told])
        return (
            f"{accepted} of {len(tries)} commands accepted, {sum(n > 1 for n in tries)} asked more than once"
        )

    async def _pause(self, since: float, path: str) -> None:
        waited_s = time.monotonic() - since
        assert waited_s < LIMIT_S, f"no definite answer from {path}"
        await asyncio.sleep(min(PAUSE_S + waited_s / 4, LONGEST_PAUSE_S))

    async def _try(self, asked: Asked) -> tuple[int, bytes] | None:
        return await self._send("POST", asked.path, asked.who.token, json.dumps(asked.body), asked.idem)

    async def _send(
        self, method: str, path: str, token: str, body: str | None = None, idem: str = ""
    ) -> tuple[int, bytes] | None:
        """Status and body of an answer; None if there was none, or none that is definite."""
        addresses = self._addresses()
        if not addresses:
            return None
        headers = {"Authorization": f"Bearer {token}"}
        if idem:
            headers["Idempotency-Key"] = idem
        url = self._chance.choice(addresses) + path
        try:
            async with self._session.request(method, url, data=body, headers=headers) as response:
                raw = await response.read()
        except (aiohttp.ClientError, OSError, TimeoutError):
            return None
        return None if response.status in LATER else (response.status, raw)
