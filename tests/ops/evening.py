"""What the log of a table and the book must say after any number of kills."""

import json
from collections import Counter
from functools import reduce
from pathlib import Path
from typing import Any

from dealer.cage.ledger import CODEC, Cage
from dealer.cage.ledger import evolve as write_up
from dealer.croupier.cages import BOOK
from dealer.journal import Journal
from dealer.rules.bacara import events as ev
from dealer.rules.frame import events as frame
from dealer.rules.frame.chips import check_total
from dealer.rules.frame.event import Event
from dealer.rules.frame.state import Table
from dealer.rules.registry import GAMES
from dealer.table.aggregate import codec, replay
from dealer.table.view import view
from ops.demo import TABLE
from ops.service import opened_store
from ops.settings import StoreSettings
from tests.ops.processes import Service

GAME = GAMES["bacara"]
PAGE = 500
_read = codec(GAME).decode


def told(service: Service, key: str, after: int = -1) -> list[Event]:
    """The log of the demonstration's table as the API pages it."""
    found: list[Event] = []
    while True:
        page = service.seen(f"/v1/tables/{TABLE}/events?limit={PAGE}&after={after}", key)
        found += [_read(json.dumps(event).encode()) for event in page["events"]]
        if len(page["events"]) < PAGE:
            return found
        after = page["next"]


def on_their_way(service: Service, key: str) -> set[str]:
    """The holds of the book that have not been posted or voided."""
    found: set[str] = set()
    after = -1
    while True:
        page = service.seen(f"/v1/transfers?limit={PAGE}&after={after}", key)
        for line in page["transfers"]:
            if line["state"] == "held":
                found.add(line["transfer"])
            else:
                found.discard(line["transfer"])
        if page["next"] == after:
            return found
        after = page["next"]


def table_of(events: list[Event]) -> Table:
    """The table that a log leads to, which is gap-free and whose time never goes back."""
    assert [e.seq for e in events] == list(range(len(events)))
    assert [e.at for e in events] == sorted(e.at for e in events)
    return replay(GAME, Table(log=events[0].log), events)


def check_shown(service: Service, key: str, events: list[Event]) -> None:
    """The API shows what the log leads to, at the version it names."""
    shown = service.seen(f"/v1/tables/{TABLE}", key)
    events = events + told(service, key, events[-1].seq)
    table = table_of(events[: shown["seq"] + 1])
    check_total(table.chips)
    plain: Any = json.loads(json.dumps(view(GAME, table)))
    assert shown == plain


def check_rounds(events: list[Event]) -> int:
    """Every coup is whole: called, covered, dealt, spoken, settled, ended, each once; how many there are.

    The last one may be under way.
    """
    rounds: dict[int, list[Event]] = {}
    for event in events:
        if event.round:
            rounds.setdefault(event.round, []).append(event)
    assert list(rounds) == list(range(1, len(rounds) + 1))
    rounds.popitem()
    for coup in rounds.values():
        types = Counter(type(e.data) for e in coup)
        assert type(coup[0].data) is frame.RoundStarted
        assert type(coup[-1].data) is frame.RoundEnded
        assert types[frame.RoundStarted] == types[frame.RoundEnded] == 1
        assert types[ev.StakesOpened] == types[ev.StakesLastCalled] == types[ev.StakesClosed] == 1
        staked = Counter(e.data.seat for e in coup if type(e.data) is ev.StakePlaced)
        assert set(staked.values()) <= {1}, "a bot stakes once a coup: late for its turn, it is told so"
        hands = {e.data.to for e in coup if type(e.data) is frame.CardDealt}
        said = (ev.HandDrew, ev.HandStood, ev.HandLaidDown)
        spoken = Counter(e.data.hand for e in coup if isinstance(e.data, said))
        assert set(spoken.values()) <= {1}
        assert Counter(e.data.hand for e in coup if type(e.data) is ev.HandShown) == dict.fromkeys(hands, 1)
        assert types[ev.PanoSettled] == len(hands) - 1
        assert types[ev.RoundSettled] == 1
    return len(rounds)


async def check_books(data: Path) -> tuple[list[Event], Cage]:
    """The stored log of the table and the book: nothing is on its way, and both name the same chips."""
    async with opened_store(StoreSettings(data=data)) as store:
        journal = Journal(store.redis)
        await journal.open()
        events = [_read(stored) for stored in await journal.read(f"t/{TABLE}")]
        book = [CODEC.decode(stored) for stored in await journal.read(BOOK)]
        await journal.close()
    assert [e.seq for e in book] == list(range(len(book)))
    cage = reduce(write_up, book, Cage(log=book[0].log))
    table = table_of(events)
    assert sum(cage.balances.values()) == 0
    assert cage.holds == {}
    assert cage.balances.get("transit", 0) == 0
    assert not [place for place in table.chips if place.startswith("transit:")]
    assert cage.balances[f"t/{TABLE}"] == check_total(table.chips)
    return events, cage
