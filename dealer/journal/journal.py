"""The journal: the one way to write what happened, and to read it again."""

import asyncio
import time
from collections.abc import Sequence

from redis.asyncio import Redis

from dealer.journal import wire
from dealer.journal.appending import Appending, Result
from dealer.journal.clock import Clock
from dealer.journal.errors import JournalDamaged
from dealer.journal.keys import PARTITIONS, keys_of, partition_keys
from dealer.journal.limits import SNAPSHOT_BYTES, check_append
from dealer.journal.link import Link
from dealer.journal.model import (
    Claimed,
    Entry,
    Extras,
    FeedItem,
    Record,
    Round,
)

# Records must outlive every repetition of an append, or a repetition would not meet its own write.
_SHORTEST_TTL_MS = 60_000
# Entries fetched in one round trip, and names; a long log must not hold up everybody else's replies.
_PAGE_ENTRIES = 256
_PAGE_NAMES = 1_000


class Journal:
    """Logs of events in Valkey, one stream an aggregate, with their idempotency records and indexes.

    Any node may append to any log; the expected version is the only arbiter. All methods but `now` raise
    `JournalUnavailable` when there is no definite answer within `patience_ms`; of an append the outcome is
    then unknown, and the same keys will tell it later.

    Args:
        redis: A client whose settings are taken over; the journal makes its own connections.
        idempotency_ttl_ms: How long a key answers the same.
        patience_ms: How long a definite answer is waited for.
    """

    def __init__(
        self, redis: Redis, *, idempotency_ttl_ms: int = 86_400_000, patience_ms: int = 10_000
    ) -> None:
        if idempotency_ttl_ms < max(_SHORTEST_TTL_MS, 2 * patience_ms):
            raise ValueError(
                f"records of {idempotency_ttl_ms} ms would not outlive the repetitions of an append"
            )
        self._redis = redis
        self._ttl_ms = idempotency_ttl_ms
        self._patience_ms = patience_ms
        self._clock = Clock()
        self._link = Link(redis, patience_ms=patience_ms)
        self._feeds: dict[int, Link] = {}

    async def open(self) -> None:
        """Bring the functions into the engine and take over its time.

        Raises:
            JournalError: The store has functions of a later version.
        """
        await self._link.install()
        await self.sync_clock()

    async def close(self) -> None:
        """Wait for the replies under way and hang up; whoever calls later gets `JournalUnavailable`."""
        for link in (self._link, *self._feeds.values()):
            await link.close()

    def append(
        self, aggregate: str, expected: int, entries: Sequence[Entry], extras: Extras
    ) -> asyncio.Future[Result]:
        """Append a batch of commands at a version, all or nothing, in one round trip.

        Keys are looked up before the version: a batch with a known key writes nothing, whatever the version.
        A refusal is an entry without events, so that it too is decided on the current version and repeats.

        Args:
            aggregate: The log.
            expected: The last sequence number the batch was decided for, -1 for an empty log.
            entries: The commands, 1 to 64, each decided on what the ones before it lead to.
            extras: What is written beside the log.

        Returns:
            A future of what came of it. Cancelling it does not stop the append.

        Raises:
            ValueError: The batch passes a limit (`limits.check_append`).
        """
        check_append(expected, entries, extras)
        records = wire.records_of(expected, entries)
        command = wire.append_command(keys_of(aggregate), expected, entries, records, extras, self._ttl_ms)
        return Appending(self._link, self.read, aggregate, expected, entries, records, command).result

    async def known(self, aggregate: str, principal: str, key: str) -> Record | None:
        """What a key was answered, or None if it is unknown or its time is over."""
        stored, _ = await self._link.ask("GET", keys_of(aggregate).record(principal, key))
        return None if stored is None else wire.decode_record(stored)

    async def read(self, aggregate: str, after: int = -1, limit: int | None = None) -> list[bytes]:
        """The events after a sequence number, in order, each as it was stored.

        Args:
            aggregate: The log.
            after: The last sequence number already seen, -1 for none.
            limit: How many events at most.

        Raises:
            JournalDamaged: A sequence number is missing.
        """
        if after < -1 or (limit is not None and limit < 0):
            raise ValueError(f"no events after {after}, or no {limit} of them")
        stream = keys_of(aggregate).stream
        events: list[bytes] = []
        start = wire.entry_id(after + 1)
        while limit is None or len(events) < limit:
            count = _PAGE_ENTRIES if limit is None else min(_PAGE_ENTRIES, limit - len(events))
            page, _ = await self._link.ask("XRANGE", stream, start, "+", "COUNT", count)
            if not events and after >= 0 and (not page or page[0][0] != start.encode()):
                events += await self._rest_of_entry(stream, after)
            for reply in page:
                first, found = wire.stored_entry(reply)
                if first != after + 1 + len(events):
                    raise JournalDamaged(f"{aggregate}: event {after + 1 + len(events)} is missing")
                events += found
            if len(page) < count:
                break
            start = f"({page[-1][0].decode()}"
        return events[:limit]

    async def last(self, aggregate: str) -> int:
        """The last sequence number, -1 for an empty log."""
        reply, _ = await self._link.ask("XREVRANGE", keys_of(aggregate).stream, "+", "-", "COUNT", 1)
        if not reply:
            return -1
        first, events = wire.stored_entry(reply[0])
        return first + len(events) - 1

    async def secrets(self, aggregate: str) -> dict[str, bytes]:
        """The sealed blobs of an aggregate by name."""
        reply, _ = await self._link.ask("HGETALL", keys_of(aggregate).secrets)
        return {name.decode(): blob for name, blob in zip(reply[::2], reply[1::2], strict=True)}

    async def people(self, aggregate: str) -> dict[str, str]:
        """Who stands behind the pseudonyms of an aggregate."""
        reply, _ = await self._link.ask("HGETALL", keys_of(aggregate).people)
        return {name.decode(): who.decode() for name, who in zip(reply[::2], reply[1::2], strict=True)}

    async def snapshot(self, aggregate: str) -> bytes | None:
        """The snapshot kept of an aggregate, or None. It only saves time: the log alone is the truth."""
        blob: bytes | None
        blob, _ = await self._link.ask("HGET", keys_of(aggregate).snapshot, "blob")
        return blob

    async def keep_snapshot(self, aggregate: str, seq: int, blob: bytes) -> bool:
        """Keep a snapshot instead of the one that stands, unless that is a later one.

        Args:
            aggregate: The log.
            seq: The last event it holds.
            blob: The snapshot, opaque here.

        Returns:
            Whether it is kept.

        Raises:
            ValueError: It is larger than a snapshot may be.
        """
        if len(blob) > SNAPSHOT_BYTES:
            raise ValueError(f"a snapshot of {len(blob)} bytes, but it may have {SNAPSHOT_BYTES}")
        kept, _ = await self._link.ask(*wire.snap_command(keys_of(aggregate), seq, blob))
        return bool(kept)

    async def aggregates(self, kind_prefix: str) -> list[str]:
        """All listed aggregates whose id begins so, such as `t/`, in order of their ids."""
        found = await asyncio.gather(*(self._names(number, kind_prefix) for number in range(PARTITIONS)))
        return sorted(name for names in found for name in names)

    async def rounds(
        self,
        aggregate: str,
        *,
        after: int = -1,
        before: int | None = None,
        newest: bool = False,
        limit: int = 100,
    ) -> list[Round]:
        """Lines of the rounds index, by the sequence number they begin at.

        The round in which event n lies is `rounds(aggregate, before=n + 1, newest=True, limit=1)`.

        Args:
            aggregate: The log.
            after: Only rounds that begin after this sequence number; for the next page, the last line's.
            before: Only rounds that begin before this one.
            newest: Latest first; the next page then is `before` the last line.
            limit: How many at most.
        """
        low, high = f"({after}", "+inf" if before is None else f"({before}"
        bounds = ("REV", "LIMIT") if newest else ("LIMIT",)
        ends = (high, low) if newest else (low, high)
        reply, _ = await self._link.ask(
            "ZRANGE", keys_of(aggregate).rounds, *ends, "BYSCORE", *bounds, 0, limit, "WITHSCORES"
        )
        return [Round(int(number), int(first)) for number, first in zip(reply[::2], reply[1::2], strict=True)]

    async def round_first(self, aggregate: str, number: int) -> int | None:
        """The sequence number at which a round begins, or None if there is no such round."""
        reply, _ = await self._link.ask("ZSCORE", keys_of(aggregate).rounds, number)
        return None if reply is None else int(reply)

    async def claim(self, partition: int, lease_ms: int) -> Claimed:
        """Take the aggregates of a partition whose deadline has come, and beat the partition's pulse.

        Nobody else gets them until the lease ends; the append that follows sets their next deadline. Each
        node calls this once a second for each partition, and when `next` comes.

        Args:
            partition: Which.
            lease_ms: After what time another node may have them, should this one die.
        """
        reply, _ = await self._link.ask(*wire.claim_command(partition_keys(partition), lease_ms))
        return wire.claimed(reply)

    def now(self) -> int:
        """The engine's time in ms, as known from the last `sync_clock`; it never goes back."""
        return self._clock.now()

    async def sync_clock(self) -> None:
        """Ask the engine for its time."""
        repeated = True
        while repeated:
            # The reply belongs to the middle of the round trip, so one that had to be repeated tells nothing.
            asked_s = time.monotonic()
            (seconds, micros), repeated = await self._link.ask("TIME")
        self._clock.sync(int(seconds) * 1000 + int(micros) / 1000, (asked_s + time.monotonic()) / 2)

    async def feed_end(self, partition: int) -> str:
        """Where the feed of a partition ends now: read from here to get only what comes."""
        reply, _ = await self._link.ask("XREVRANGE", partition_keys(partition).feed, "+", "-", "COUNT", 1)
        return reply[0][0].decode() if reply else "0-0"

    async def read_feed(
        self, partition: int, after: str, *, block_ms: int = 0, limit: int = 256
    ) -> list[FeedItem]:
        """News of a partition, oldest first.

        The feed keeps the latest 10,000 items or so and only warms caches: nothing may depend on seeing each.

        Args:
            partition: Which.
            after: The id of the last item seen, or `feed_end`.
            block_ms: How long to wait if there is nothing; such a read has a connection of its own, and one
                reader a partition is meant.
            limit: How many items at most.
        """
        link = self._link
        block: tuple[str | int, ...] = ()
        if block_ms > 0:
            if partition not in self._feeds:
                self._feeds[partition] = Link(self._redis, patience_ms=self._patience_ms, lanes=1)
            link, block = self._feeds[partition], ("BLOCK", block_ms)
        feed = partition_keys(partition).feed
        reply, _ = await link.ask("XREAD", "COUNT", limit, *block, "STREAMS", feed, after, extra_ms=block_ms)
        return [
            FeedItem(name.decode(), log.decode(), int(first), int(last))
            for _, items in reply or ()
            for name, (_, log, _, first, _, last) in items
        ]

    async def _names(self, partition: int, prefix: str) -> list[str]:
        """The listed aggregates of one partition whose id begins so."""
        index = partition_keys(partition).index
        # 0xFF stands in no id, so it comes after all that begin with the prefix.
        start, end = f"[{prefix}", b"[" + prefix.encode() + b"\xff"
        names: list[str] = []
        while True:
            page, _ = await self._link.ask("ZRANGEBYLEX", index, start, end, "LIMIT", 0, _PAGE_NAMES)
            names += (name.decode() for name in page)
            if len(page) < _PAGE_NAMES:
                return names
            start = f"({names[-1]}"

    async def _rest_of_entry(self, stream: str, after: int) -> list[bytes]:
        """The events after `after` of the entry that `after` lies in, if it does not end there."""
        reply, _ = await self._link.ask("XREVRANGE", stream, wire.entry_id(after + 1), "-", "COUNT", 1)
        if not reply:
            return []
        first, events = wire.stored_entry(reply[0])
        return events[after + 1 - first :]
