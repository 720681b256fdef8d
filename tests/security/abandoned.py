"""A client that gives up in the midst of many of its requests, and looks closely at every answer it gets."""

import asyncio
import itertools
import random
from collections.abc import Iterator
from contextlib import suppress

import msgspec

ABORTED = 0.3
"""Which part of all it sends is given up."""
TOGETHER = 4
"""Requests that are sent at once on one connection, at most."""


class Asked(msgspec.Struct, frozen=True):
    """One stake that tells which it is: no other has its amount."""

    number: int
    path: str

    @property
    def key(self) -> str:
        """Its idempotency key."""
        return f"stake:{self.number}"

    def written(self, token: str) -> bytes:
        """The whole request."""
        body = b'{"type":"stake","seat":1,"on":"right","amount":%d}' % self.number
        head = (
            f"POST {self.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
            f"Idempotency-Key: {self.key}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body


class Abandoner:
    """Sends stakes over connections of its own; what was given up is known, and can be asked again.

    Attributes:
        answers: of each stake by number, the event it was told is its own.
        mismatches: what an answer said that was not the answer to its request.
        given_up: stakes whose answer was not waited for, or not read.
    """

    def __init__(self, port: int, token: str, seed: int) -> None:
        self._port = port
        self._token = token
        self._chance = random.Random(seed)  # noqa: S311 - of a test, to be played again
        self.answers: dict[int, int] = {}
        self.mismatches: list[str] = []
        self.given_up: list[Asked] = []

    async def ask(self, stakes: list[Asked], connections: int, *, faithful: bool = False) -> None:
        """Ask all of them, over so many connections at once; a faithful client gives none up."""
        waiting = iter(stakes)
        await asyncio.gather(*(self._work(waiting, faithful) for _ in range(connections)))

    async def _work(self, waiting: Iterator[Asked], faithful: bool) -> None:
        staying = True
        while batch := self._next(waiting):
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            try:
                while staying := faithful or self._chance.random() > ABORTED:
                    await self._send(writer, batch)
                    for each in batch:
                        await self._read(reader, each)
                    if not (batch := self._next(waiting)):
                        break
                if not staying:
                    await self._give_up(reader, writer, batch)
            finally:
                writer.transport.abort()
                with suppress(ConnectionError):
                    await writer.wait_closed()

    def _next(self, waiting: Iterator[Asked]) -> list[Asked]:
        return list(itertools.islice(waiting, self._chance.randint(1, TOGETHER)))

    async def _send(self, writer: asyncio.StreamWriter, batch: list[Asked], part: float = 1) -> None:
        sent = b"".join(each.written(self._token) for each in batch)
        writer.write(sent[: int(part * len(sent))])
        await writer.drain()

    async def _give_up(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, batch: list[Asked]
    ) -> None:
        """Be gone: in the midst of what is sent, while it is being done, or in the midst of the answers."""
        heard = 0
        if self._chance.random() < 0.4:
            await self._send(writer, batch, self._chance.random())
        else:
            await self._send(writer, batch)
            if self._chance.random() < 0.5:
                await asyncio.sleep(0.004 * self._chance.random())
            else:
                heard = self._chance.randint(1, len(batch))
                for each in batch[: heard - 1]:
                    await self._read(reader, each)
                await reader.readexactly(self._chance.randint(1, 60))
                heard -= 1
        self.given_up += batch[heard:]

    async def _read(self, reader: asyncio.StreamReader, asked: Asked) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        status, *lines = head.rstrip().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        told = msgspec.json.decode(await reader.readexactly(int(headers["Content-Length"])))
        if status != "HTTP/1.1 200 OK" or headers["Idempotency-Key"] != asked.key:
            self.mismatches.append(f"{asked.key}: {status}, {headers['Idempotency-Key']}, {told}")
        else:
            self.answers[asked.number] = told["first"]
