"""Somebody who asks a service, and keeps every byte he is told."""

import asyncio
from collections.abc import Sequence
from itertools import count
from typing import Any, Protocol

import msgspec
from aiohttp import ClientSession


class Place(Protocol):
    """Where people ask."""

    session: ClientSession

    def turn(self) -> None:
        """Be told that something is about to be asked by itself."""
        ...


class Guest:
    """Somebody with a key, or without one, and all that is ever told him.

    Attributes:
        heard: what was asked and what was answered, in order; nothing more once he is an insider.
        inside: whether he sees cards that others do not.
    """

    def __init__(self, place: Place, token: str, account: str = "") -> None:
        self.account = account
        self.token = token
        self.heard: list[tuple[str, bytes]] = []
        self.inside = False
        self._place = place
        self._keys = count(1)

    async def ask(self, method: str, path: str, body: object = None) -> bytes:
        """What comes back, in all its bytes but the time of day."""
        self._place.turn()
        return await self._ask(method, path, body)

    async def _ask(self, method: str, path: str, body: object) -> bytes:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if method == "POST":
            headers["Idempotency-Key"] = f"k:{next(self._keys)}"
        raw = None if body is None else msgspec.json.encode(body)
        asked, place = f"{method} {path} {body or ''}", len(self.heard)
        if not self.inside:
            self.heard.append((asked, b""))
        async with self._place.session.request(method, path, data=raw, headers=headers) as response:
            told = await response.read()
            lines = [b"%b: %b" % (n, value) for n, value in response.raw_headers if n != b"Date"]
            assert response.status != 500, told
            answer = b"%d\n%b\n\n%b" % (response.status, b"\n".join(lines), told)
        if not self.inside:
            self.heard[place] = asked, answer
        return answer

    async def seen(self, path: str) -> Any:
        """Something that must be there."""
        answer = await self.ask("GET", path)
        assert answer.startswith(b"200"), answer
        return msgspec.json.decode(answer.partition(b"\n\n")[2])

    async def made(self, path: str, body: object) -> Any:
        """A change that must be taken."""
        answer = await self.ask("POST", path, body)
        assert answer.startswith(b"20"), (body, answer)
        return msgspec.json.decode(answer.partition(b"\n\n")[2])

    async def all(self, asked: Sequence[tuple[str, str, object]]) -> None:
        """Ask at once what changes nothing; it is heard in the order in which it is asked."""
        await asyncio.gather(*(self._ask(*each) for each in asked))
