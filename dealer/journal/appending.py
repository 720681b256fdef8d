"""One append under way: what its reply means, and asking again until there is one."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from dealer.journal import wire
from dealer.journal.link import Link, Trouble
from dealer.journal.model import Appended, Conflict, Entry, Known, Record

Result = Appended | Known | Conflict
Read = Callable[[str, int, int], Awaitable[list[bytes]]]
"""Reads so many events of a log after a sequence number."""


class Appending:
    """An append that is sent as this is made; takes the reply where it is read, and makes the result of it.

    In a pipeline it stands in the place of a future: two in a row would be one more turn of the loop for
    every command.

    Attributes:
        result: what came of it; cancelling it does not stop the append.
    """

    __slots__ = (
        "_aggregate",
        "_command",
        "_entries",
        "_expected",
        "_insisting",
        "_link",
        "_read",
        "_records",
        "_since_s",
        "result",
    )

    def __init__(
        self,
        link: Link,
        read: Read,
        aggregate: str,
        expected: int,
        entries: Sequence[Entry],
        records: Sequence[Record],
        command: Sequence[str | bytes | int],
    ) -> None:
        self.result: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._link = link
        self._read = read
        self._aggregate = aggregate
        self._expected = expected
        self._entries = entries
        self._records = records
        self._command = command
        self._since_s = time.monotonic()
        self._insisting = False
        link.send(self, *command)

    def done(self) -> bool:
        """Whether nobody waits for the reply to the first sending."""
        return self._insisting or self.result.done()

    def set_result(self, reply: Any) -> None:
        """The engine has answered the first sending."""
        try:
            self.result.set_result(wire.appended(self._expected, reply))
        except Exception as trouble:  # noqa: BLE001 - whoever waits is told
            self.result.set_exception(trouble)

    def set_exception(self, trouble: Trouble) -> None:
        """There is no answer to the first sending, or the engine could not do it now."""
        self._insisting = True
        self._link.begin(self._insist(trouble))

    async def _insist(self, trouble: Trouble) -> None:
        try:
            reply = await self._link.again(trouble, self._since_s, *self._command)
            result = wire.appended(self._expected, reply)
            if isinstance(result, Known) and await self._is_ours(result):
                result = Appended(self._expected + 1, self._records[-1].last)
        except Exception as final:  # noqa: BLE001 - whoever waits is told
            if not self.result.done():
                self.result.set_exception(final)
        else:
            if not self.result.done():
                self.result.set_result(result)

    async def _is_ours(self, known: Known) -> bool:
        """Whether the known records are this very append, carried out by an earlier sending of it.

        Equal records are not enough: another node may have decided the same commands at the same version,
        with other times and other seeds. What counts is that the log holds these events and no others.
        """
        if known.records != dict(enumerate(self._records)):
            return False
        events = [event for entry in self._entries for event in entry.events]
        return await self._read(self._aggregate, self._expected, len(events)) == events
