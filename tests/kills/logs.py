"""The stored logs of an installation, entry by entry: an entry is what one command came to (design 5)."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from dealer.cage.ledger import CODEC
from dealer.croupier.cages import BOOK
from dealer.journal import Journal
from dealer.journal.keys import keys_of
from dealer.rules.frame.event import Codec, Event
from dealer.rules.registry import GAMES
from dealer.table.aggregate import codec
from ops.service import opened_store
from ops.settings import StoreSettings
from ops.valkey.store import Store

GAME = GAMES["bacara"]


class Entry(NamedTuple):
    """One entry of a log and the sequence numbers of its events."""

    first: int
    last: int
    events: list[Event]


class Log(NamedTuple):
    """A log, and who stands behind its pseudonyms."""

    aggregate: str
    entries: list[Entry]
    people: dict[str, str]

    @property
    def events(self) -> list[Event]:
        """All events in order."""
        return [event for entry in self.entries for event in entry.events]


async def load(data: Path) -> tuple[Log, list[Log]]:
    """The book, and every table, of a data directory on which no service runs."""
    async with opened_store(StoreSettings(data=data)) as store:
        journal = Journal(store.redis)
        await journal.open()
        tables = await journal.aggregates("t/")
        book = await _read(store, journal, BOOK, CODEC)
        logs = [await _read(store, journal, table, codec(GAME)) for table in tables]
        await journal.close()
    return book, logs


async def _read(store: Store, journal: Journal, aggregate: str, reads: Codec) -> Log:
    """A log, which has no gap, whose bytes are canonical, and whose time never goes back."""
    entries: list[Entry] = []
    seq = at = 0
    stream: Any = await store.redis.xrange(keys_of(aggregate).stream)
    for name, fields in stream:
        stored = list(fields.values())
        assert name == f"{seq + 1}-0".encode(), f"{aggregate}: {name!r} comes after event {seq - 1}"
        assert [event for event in stored if event != _canonical(event)] == []
        events = [reads.decode(event) for event in stored]
        assert [event.seq for event in events] == list(range(seq, seq + len(events)))
        times = [at, *(event.at for event in events)]
        assert times == sorted(times)
        entries.append(Entry(seq, seq + len(events) - 1, events))
        seq, at = seq + len(events), times[-1]
    return Log(aggregate, entries, await journal.people(aggregate))


def _canonical(stored: bytes) -> bytes:
    plain = json.loads(stored)
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
