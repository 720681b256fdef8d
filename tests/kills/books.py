"""What the stored logs say after an evening: everything that was told, once and whole, and nothing else."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

from dealer.cage import events as cage_events
from dealer.cage.ledger import CODEC, TRANSIT, Cage
from dealer.cage.ledger import evolve as write_up
from dealer.croupier.cages import BOOK
from dealer.journal import Journal
from dealer.journal.keys import keys_of
from dealer.rules.bacara import events as ev
from dealer.rules.frame import events as frame
from dealer.rules.frame.chips import check_total
from dealer.rules.frame.event import CROUPIER, Codec, Event
from dealer.rules.frame.state import Table
from dealer.rules.registry import GAMES
from dealer.table.aggregate import codec, due
from dealer.table.evolve import evolve
from dealer.table.outage import LEAST_MS
from ops.service import opened_store
from ops.settings import StoreSettings
from ops.valkey.store import Store
from tests.kills.callers import Told

GAME = GAMES["bacara"]
KINDS: dict[str, tuple[type, ...]] = {
    "sit": (frame.SeatTaken,),
    "seat_bot": (frame.SeatTaken,),
    "join": (frame.PersonJoined,),
    "leave": (frame.SeatLeft, frame.PersonLeft),
    "buy_in": (frame.ChipsBoughtIn,),
    "cash_out": (frame.ChipsMoved,),
    "stake": (ev.StakePlaced,),
    "unstake": (ev.StakeWithdrawn,),
    "draw": (ev.HandDrew,),
    "stand": (ev.HandStood,),
    "pause": (frame.TablePaused,),
}
"""The event that a command of a table comes to, once."""
SAID = (ev.HandDrew, ev.HandStood, ev.HandLaidDown)
OPENS = "/v1/tables"

Dark = Sequence[tuple[int, int]]
"""Times in which no process was up, or no store: (after the kill, before the next start) in ms UTC."""


class Entry(NamedTuple):
    """One entry of a log: what one command came to."""

    first: int
    last: int
    events: list[Event]


class Log(NamedTuple):
    """A log with who stands behind its pseudonyms."""

    aggregate: str
    entries: list[Entry]
    people: dict[str, str]

    @property
    def events(self) -> list[Event]:
        """All events in order."""
        return [event for entry in self.entries for event in entry.events]


async def load(data: Path) -> tuple[Log, list[Log]]:
    """The book and every table of a data directory, from the bytes that lie there."""
    async with opened_store(StoreSettings(data=data)) as store:
        journal = Journal(store.redis)
        await journal.open()
        tables = await journal.aggregates("t/")
        book = await _read(store, journal, BOOK, CODEC)
        logs = [await _read(store, journal, table, codec(GAME)) for table in tables]
        await journal.close()
    return book, logs


async def _read(store: Store, journal: Journal, aggregate: str, reads: Codec) -> Log:
    """A log, which has no gap, and whose bytes are canonical."""
    entries: list[Entry] = []
    seq = 0
    for name, fields in await store.redis.xrange(keys_of(aggregate).stream):
        stored = list(fields.values())
        assert name == f"{seq + 1}-0".encode(), f"{aggregate}: {name!r} comes after event {seq - 1}"
        assert [b for b in stored if b != _canonical(b)] == []
        events = [reads.decode(b) for b in stored]
        assert [e.seq for e in events] == list(range(seq, seq + len(events)))
        entries.append(Entry(seq, seq + len(events) - 1, events))
        seq += len(events)
    return Log(aggregate, entries, await journal.people(aggregate))


def _canonical(stored: bytes) -> bytes:
    return json.dumps(
        json.loads(stored), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode()


def check_table(log: Log, told: Iterable[Told], dark: Dark) -> Table:
    """A table's log is what its callers were told, played by the rules, and nobody was ended too early.

    Returns:
        The table it leads to.
    """
    events = log.events
    assert [e.at for e in events] == sorted(e.at for e in events)
    _check_commands(log, told)
    check_rounds(events)
    moved = [(e.data.decision, e.data.gap) for e in events if type(e.data) is frame.DeadlineMoved and e.data.gap]
    assert len(moved) == len(set(moved)), "a decision was moved twice for one outage"
    table = Table(log=events[0].log)
    for entry in log.entries:
        if any(getattr(e.data, "source", "") == "timeout" for e in entry.events):
            check_ending(table, entry.events[0].at, dark)
        for event in entry.events:
            table = evolve(GAME, table, event)
            check_total(table.chips)
    return table


def _check_commands(log: Log, told: Iterable[Told]) -> None:
    """The entries of people are exactly the accepted commands, each of them once and whole."""
    accepted = {(t.answer["first"], t.answer["last"]): t.asked for t in told if t.accepted}
    count = sum(t.accepted for t in told)
    assert len(accepted) == count, f"{log.aggregate}: two commands were told the same events"
    theirs = {(e.first, e.last): e for e in log.entries if e.events[0].actor in log.people}
    assert theirs.keys() == accepted.keys(), f"{log.aggregate}: {theirs.keys() ^ accepted.keys()}"
    for place, asked in accepted.items():
        own = [e for e in theirs[place].events if e.actor != CROUPIER]
        actor = own[0].actor
        assert {e.actor for e in own} == {actor}
        assert log.people[actor] == asked.who.principal
        body = asked.body
        if asked.path == OPENS:
            assert type(own[0].data) is frame.TableOpened
            continue
        if body["type"] == "expire":
            continue
        (data,) = [e.data for e in own if isinstance(e.data, KINDS[body["type"]])] if (
            body["type"] != "buy_in" and body["type"] != "leave"
        ) else [e.data for e in own if isinstance(e.data, KINDS[body["type"]])]
        if "amount" in body:
            assert data.amount == body["amount"]
        if body["type"] == "sit" and "account" in body:
            assert log.people[data.pid] == body["account"]
