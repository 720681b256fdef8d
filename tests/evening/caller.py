"""Somebody with a key who does not give up: what gets no answer is sent again, under the same key."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout

from tests.ops.processes import LIMIT_S, Service

AGAIN_S = 0.02
"""Pause before what got no answer is sent again."""
_TIMEOUT = ClientTimeout(LIMIT_S)


@dataclass(frozen=True)
class Said:
    """A change that somebody asked for, and its answer."""

    path: str
    key: str
    body: Any
    status: int
    answer: Any


class Caller:
    """A key, and everything that was said with it.

    Attributes:
        said: all changes that were answered.
        again: how many requests were sent more than once.
        before: called once, when the first try of the named kind of command is about to leave.
    """

    def __init__(self, name: str, token: str, service: Service, session: ClientSession) -> None:
        self.name = name
        self.said: list[Said] = []
        self.again = 0
        self.before: dict[str, Callable[[], None]] = {}
        self._headers = {"Authorization": f"Bearer {token}"}
        self._service = service
        self._session = session
        self._keys = count(1)

    async def known(self) -> None:
        """Wait until the service knows the key."""
        async with asyncio.timeout(LIMIT_S):
            while (await self._ask("GET", "/v1/tables"))[0] != 200:
                await asyncio.sleep(AGAIN_S)

    async def read(self, path: str) -> bytes:
        """The bytes that a request gives, which must succeed."""
        status, given = await self._ask("GET", path)
        assert status == 200, given
        return given

    async def see(self, path: str) -> Any:
        """What a request shows that must succeed."""
        return json.loads(await self.read(path))

    async def say(self, path: str, body: Any) -> tuple[int, Any]:
        """Change something, under a key of its own; status and answer, which may be a refusal."""
        key = f"{self.name}-{next(self._keys)}"
        warned = self.before.get(body.get("type", ""))
        if warned:
            warned()
        status, given = await self._ask("POST", path, body, key)
        answer = json.loads(given)
        self.said.append(Said(path, key, body, status, answer))
        return status, answer

    async def make(self, path: str, body: Any) -> Any:
        """The answer to a change that must be taken."""
        status, answer = await self.say(path, body)
        assert status in {200, 201}, answer
        return answer

    async def repeat(self, said: Said) -> Said:
        """Say it once more, with the key it was said with."""
        status, given = await self._ask("POST", said.path, said.body, said.key)
        return replace(said, status=status, answer=json.loads(given))

    async def _ask(self, method: str, path: str, body: Any = None, key: str = "") -> tuple[int, bytes]:
        headers = {**self._headers, "Idempotency-Key": key} if key else self._headers
        async with asyncio.timeout(LIMIT_S):
            for attempt in count():
                self.again += attempt == 1
                url = f"http://127.0.0.1:{self._service.port}{path}"
                try:
                    async with self._session.request(
                        method, url, json=body, headers=headers, timeout=_TIMEOUT
                    ) as response:
                        given = await response.read()
                except (ClientError, OSError):
                    await asyncio.sleep(AGAIN_S)
                    continue
                if response.status != 503:
                    return response.status, given
                await asyncio.sleep(AGAIN_S)
        raise AssertionError("unreachable: it is asked until there is an answer")
