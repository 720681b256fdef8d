"""What the logs must say after an evening: all that was told, once and whole, and nothing else."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, TypeVar

from dealer.cage import events as book_events
from dealer.cage.ledger import HOUSE, TRANSIT, Cage
from dealer.cage.ledger import evolve as write_up
from dealer.rules.bacara import events as ev
from dealer.rules.frame import events as frame
from dealer.rules.frame.chips import CAGE, check_total
from dealer.rules.frame.event import CROUPIER, Event
from dealer.rules.frame.state import Table
from dealer.table.aggregate import due
from dealer.table.evolve import evolve
from dealer.table.view import view
from tests.kills.callers import Asked, Told
from tests.kills.logs import GAME, Log

KINDS: Mapping[str, tuple[type, ...]] = {
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
    "expire": (frame.RoundStarted, ev.StakesLastCalled, ev.StakesClosed, ev.HandDrew, ev.HandStood),
    "pause": (frame.TablePaused,),
}
"""The event that a command comes to, once."""
LEAST_MS = 5_000
"""Whoever was to decide when an outage began has so long at least after its end (design 5)."""
SAID = (ev.HandDrew, ev.HandStood, ev.HandLaidDown)

T = TypeVar("T")
Dark = Sequence[tuple[int, int]]
"""Times in which nothing was up, as (after the kill, before the next start) in ms UTC."""


def check_table(log: Log, told: Sequence[Told], dark: Dark = ()) -> Table:
    """A table's log holds what its callers were told, its coups are whole, nobody's time was cut short.

    Args:
        log: of the table.
        told: every answer about this table.
        dark: only outages that a pulse must have noticed, more than 3 s (design 5).

    Returns:
        The table that the log leads to.
    """
    check_commands(log, told)
    check_rounds(log.events)
    moved = Counter((d.decision, d.gap) for d in _all(log, frame.DeadlineMoved) if d.gap)
    assert set(moved.values()) <= {1}, "moved twice for one outage"
    table = Table(log=log.events[0].log)
    for entry in log.entries:
        if any(getattr(event.data, "source", "") == "timeout" for event in entry.events):
            check_time_was_up(table, entry.events[0].at, dark)
        for event in entry.events:
            table = evolve(GAME, table, event)
            check_total(table.chips)
    return table


def check_commands(log: Log, told: Sequence[Told]) -> None:
    """The entries of people are exactly the accepted commands, each of them once and whole.

    Chips that a table turned away are an event too; whoever brought them was told so.
    """
    accepted = {(t.answer["first"], t.answer["last"]): t.asked for t in told if t.accepted}
    assert len(accepted) == sum(t.accepted for t in told), "two commands have the same events"
    refused = {(t.asked.who.principal, t.answer.get("seq")) for t in told if not t.accepted}
    theirs = {}
    for first, last, events in log.entries:
        actor = events[0].actor
        if actor in log.people and type(events[0].data) is frame.ChipsRejected:
            assert (log.people[actor], last) in refused
        elif actor in log.people:
            theirs[first, last] = [event for event in events if event.actor != CROUPIER]
    assert theirs.keys() == accepted.keys(), f"{log.aggregate}: {theirs.keys() ^ accepted.keys()}"
    for place, asked in accepted.items():
        check_command(log.people, theirs[place], asked)


def check_command(people: Mapping[str, str], own: Sequence[Event], asked: Asked) -> None:
    """What somebody's own events say is what he asked for."""
    (actor,) = {event.actor for event in own}
    assert people[actor] == asked.who.principal
    body = asked.body
    kinds = KINDS[body["type"]] if "type" in body else (frame.TableOpened,)
    found: list[Any] = [event.data for event in own if isinstance(event.data, kinds)]
    assert [type(data) for data in found] in [[kind] for kind in kinds], f"{asked}: {found}"
    (data,) = found
    for name in ("amount", "seat", "on"):
        if name in body and hasattr(data, name):
            assert getattr(data, name) == body[name]
    if "account" in body:
        assert people[data.pid] == body["account"]


def check_rounds(events: Sequence[Event]) -> int:
    """Every coup is whole and each of its decisions ended once; the last one may be under way.

    A bot stakes once, but again if a host takes that back for it.

    Returns:
        How many coups there are.
    """
    rounds: dict[int, list[Event]] = {}
    for event in events:
        if event.round:
            rounds.setdefault(event.round, []).append(event)
    assert list(rounds) == list(range(1, len(rounds) + 1))
    for number, coup in rounds.items():
        spoken = Counter(e.data.hand for e in coup if isinstance(e.data, SAID))
        staked = Counter(
            e.data.seat for e in coup if type(e.data) is ev.StakePlaced and e.data.source == "bot"
        )
        staked -= Counter(e.data.seat for e in coup if type(e.data) is ev.StakeWithdrawn)
        assert {*spoken.values(), *staked.values()} <= {1}, f"coup {number}: {spoken} {staked}"
        check_steps(coup, over=number < len(rounds))
    return len(rounds)


def check_steps(coup: Sequence[Event], *, over: bool) -> None:
    """Called, dealt, shown and settled, each once; without a covered stake nothing is dealt (R-20)."""
    types = Counter(type(e.data) for e in coup)
    hands = {e.data.to for e in coup if type(e.data) is frame.CardDealt}
    once = [frame.RoundStarted, frame.RoundEnded, ev.StakesOpened, ev.StakesLastCalled, ev.StakesClosed]
    once += [ev.RoundSettled] if hands else []
    assert max(types[kind] for kind in once) == 1
    if over:
        assert (type(coup[0].data), type(coup[-1].data)) == (frame.RoundStarted, frame.RoundEnded)
        assert min(types[kind] for kind in once) == 1
        assert Counter(e.data.hand for e in coup if type(e.data) is ev.HandShown) == dict.fromkeys(hands, 1)
        assert types[ev.PanoSettled] == max(0, len(hands) - 1)


def check_time_was_up(table: Table, at: int, dark: Dark) -> None:
    """The decision that time ended at `at` had its time, and what an outage took of it was given back."""
    (found,) = [d for d in due(GAME, table) if d.kind == "timeout"]
    (set_,) = [d for d in GAME.due(table) if d.decision == found.decision]
    assert found.until is not None
    assert set_.until is not None
    assert at >= found.until
    for start, end in dark:
        if found.since < end and set_.until > start and at > start:
            assert at >= end + max(LEAST_MS, set_.until - max(found.since, start))


def check_cage(book: Log, told: Sequence[Told], tables: Mapping[str, tuple[Log, Table]]) -> None:
    """The book holds what was told; nothing is on its way; it names the chips that stand at the tables.

    Args:
        book: the log of the cage.
        told: every answer about accounts and transfers.
        tables: by aggregate, with the table each log leads to.
    """
    cage = reduce(write_up, book.events, Cage(log=book.events[0].log))
    assert sum(cage.balances.values()) == 0
    assert min(balance for account, balance in cage.balances.items() if account != HOUSE) >= 0
    assert cage.holds == {}
    for aggregate, (log, table) in tables.items():
        assert cage.balances.get(aggregate, 0) == -table.chips.get(CAGE, 0)
        assert not [place for place in table.chips if place.startswith("transit:")]
        posted = _posted(book, aggregate)
        assert posted == Counter((d.x, d.amount) for d in _all(log, frame.ChipsCashedOut))
    held = Counter(d.x for d in _all(book, book_events.TransferHeld))
    taken = _posted(book, TRANSIT)
    voided = Counter(d.x for d in _all(book, book_events.TransferVoided))
    assert Counter(x for x, _ in taken.elements()) + voided == held
    assert taken == sum(
        (Counter((d.x, d.amount) for d in _all(log, frame.ChipsBoughtIn)) for log, _ in tables.values()),
        Counter(),
    )
    _check_entries(book, told)


def _check_entries(book: Log, told: Sequence[Told]) -> None:
    """The accounts and transfers of people are exactly those that were accepted."""
    accepted = [t for t in told if t.accepted]
    opened = {(t.answer["first"], t.answer["account"]) for t in accepted if t.asked.path == "/v1/accounts"}
    entries = [e for e in book.events if type(e.data) is book_events.AccountOpened]
    assert {(e.seq, e.data.account) for e in entries} == opened
    moved = {
        (t.answer["first"], t.answer["transfer"], *(t.asked.body[name] for name in ("from", "to", "amount")))
        for t in accepted
        if t.asked.path == "/v1/transfers"
    }
    entries = [
        e
        for e in book.events
        if type(e.data) is book_events.TransferPosted
        and e.data.origin != TRANSIT
        and "/" not in e.data.origin
    ]
    assert {(e.seq, e.data.x, e.data.origin, e.data.to, e.data.amount) for e in entries} == moved
    assert len(moved) + len(opened) == len(accepted)


def check_shown(log: Log, shown: Mapping[str, Any]) -> None:
    """A table that the API showed is the one its log led to at that time."""
    table = Table(log=log.events[0].log)
    for event in log.events[: shown["seq"] + 1]:
        table = evolve(GAME, table, event)
    assert shown | json.loads(json.dumps(view(GAME, table))) == shown


def _posted(book: Log, origin: str) -> Counter[tuple[str, int]]:
    """What the cage took from an account of its own kind, each by name and amount."""
    return Counter((d.x, d.amount) for d in _all(book, book_events.TransferPosted) if d.origin == origin)


def _all(log: Log, kind: type[T]) -> list[T]:
    return [event.data for event in log.events if type(event.data) is kind]
