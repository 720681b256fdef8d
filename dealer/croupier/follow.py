"""Following one log: its latest events kept at hand, and the three answers to `since` (design 5)."""

import asyncio
from collections.abc import Callable, Sequence

from dealer.journal.journal import Journal

BEHIND = 1_000
"""Whoever is further behind than so many events reads pages instead."""


class Tail:
    """The end of a log, made once into what listeners get.

    What is told while somebody waits for older events joins at the other end, so whoever asks `since` and is
    told from then on misses nothing and gets nothing twice.

    Args:
        journal: where older events are read.
        aggregate: the log.
        last: sequence number of its last event.
        frame: makes of a sequence number and the stored bytes what is sent.

    Attributes:
        last: the last event told.
    """

    def __init__(
        self, journal: Journal, aggregate: str, last: int, frame: Callable[[int, bytes], bytes]
    ) -> None:
        self.last = last
        self._journal = journal
        self._aggregate = aggregate
        self._frame = frame
        self._frames: list[bytes] = []
        self._reaching = asyncio.Lock()

    def add(self, stored: Sequence[bytes]) -> list[bytes]:
        """Take in the events that follow; they come back as they are sent."""
        frames = self._made(stored, self.last + 1)
        self.last += len(frames)
        self._frames += frames
        del self._frames[:-BEHIND]
        return frames

    def since(self, seq: int) -> list[bytes] | None:
        """What follows an event: nothing, a list, or None for *resync*: it does not connect from there.

        That is so when it is too far back, was not reached back to, or lies beyond the end of the log.
        """
        behind = self.last - seq
        if not 0 <= behind <= len(self._frames):
            return None
        return self._frames[len(self._frames) - behind :]

    async def reach_back(self, seq: int) -> None:
        """Have all at hand that follows an event, unless it is too far back or beyond the end.

        Raises:
            JournalError: the journal cannot be read now.
        """
        async with self._reaching:
            first = self._first
            if self.last - seq > BEHIND or seq + 1 >= first:
                return
            older = await self._journal.read(self._aggregate, seq, first - 1 - seq)
            if self._first == first:  # else so much was told meanwhile that this is too far back
                self._frames[:0] = self._made(older, seq + 1)

    @property
    def _first(self) -> int:
        """Sequence number of the oldest event at hand."""
        return self.last + 1 - len(self._frames)

    def _made(self, stored: Sequence[bytes], first: int) -> list[bytes]:
        frame = self._frame
        return [frame(seq, event) for seq, event in enumerate(stored, first)]
