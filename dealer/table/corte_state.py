"""How an open cut follows from its events, and what its end leaves behind."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from dealer.rules.frame import events as ev
from dealer.rules.frame.event import Data, Event
from dealer.rules.frame.state import Aborts, Contributor, Cut, Table
from dealer.table.corte import hidden, least, waited


def _cut(t: Table) -> Cut:
    if t.cut is None:
        raise ValueError("a step of a cut that is not open")
    return t.cut


def _willing(t: Table, e: Event) -> Table:
    d: ev.SeatWilling = e.data
    held = t.seats[d.seat]
    recanted = t.shuffles if held.willing and not d.willing else held.recanted
    return replace(t, seats={**t.seats, d.seat: replace(held, willing=d.willing, recanted=recanted)})


def _opened(t: Table, e: Event) -> Table:
    d: ev.CorteOpened = e.data
    cut = Cut(d.shuffle, d.deck, d.cutter, d.seats, e.at, d.commit_by, d.reveal_within_ms)
    return replace(t, shuffles=d.shuffle, cut=cut)


def _committed(t: Table, e: Event) -> Table:
    d: ev.CorteCommitted = e.data
    cut = _cut(t)
    contributor = Contributor(d.pid or t.seats[d.seat].pid, d.commit)
    return replace(t, cut=replace(cut, contributors={**cut.contributors, d.seat: contributor}))


def _declined(t: Table, e: Event) -> Table:
    d: ev.CorteDeclined = e.data
    cut = _cut(t)
    return replace(t, cut=replace(cut, declined=cut.declined | {d.seat}))


def _closed(t: Table, e: Event) -> Table:
    """Who was waited for until time was up is absent: his last decision ended by time-out (design 3)."""
    cut = _cut(t)
    revealing = replace(cut, revealing=True, since=e.at, until=e.at + cut.reveal_ms)
    return replace(t, cut=revealing, absent=t.absent | set(waited(t, cut)))


def _revealed(t: Table, e: Event) -> Table:
    d: ev.CorteRevealed = e.data
    cut = _cut(t)
    opened = replace(cut.contributors[d.seat], cut=d.cut, reveal=d.reveal)
    return replace(t, cut=replace(cut, contributors={**cut.contributors, d.seat: opened}))


def _aborted(t: Table, e: Event) -> Table:
    """The missing are out until a shoe is sealed, and nobody new comes in.

    Where contributors are required and too few would be left, others may step in for the missing.
    """
    cut, aborts = _cut(t), t.aborts
    missing = {cut.contributors[n].pid for n in hidden(cut)}
    rest = aborts.rest
    if rest is None:
        rest = frozenset(t.seats[n].pid for n in cut.asked if n in t.seats)
        rest |= {each.pid for each in cut.contributors.values()}
    rest -= missing
    after = Aborts(aborts.count + 1, aborts.barred | missing, rest if len(rest) >= least(t) else None)
    commitments = {n: c for n, c in t.commitments.items() if n != cut.shuffle}
    return replace(t, commitments=commitments, cut=None, aborts=after)


EVOLVERS: Mapping[type[Data], Callable[[Table, Event], Table]] = {
    ev.SeatWilling: _willing,
    ev.CorteOpened: _opened,
    ev.CorteCommitted: _committed,
    ev.CorteDeclined: _declined,
    ev.CorteClosed: _closed,
    ev.CorteRevealed: _revealed,
    ev.CorteAborted: _aborted,
}
"""By event type."""
