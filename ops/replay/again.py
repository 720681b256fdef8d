"""A log decided a second time: each act is given again, and must bring just what the log says it brought.

The table rests between two acts. So the next event begins one, and tells of whoever acted and what he said.
The rules that decided it then decide it again, and after it the croupier goes on by himself as he did.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile
from typing import Any

import msgspec
from msgspec.structs import replace

from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame.event import CROUPIER, Event, encode
from dealer.rules.frame.game import Act, Game
from dealer.rules.frame.refusal import ChipsBroken, Refusal
from dealer.rules.frame.state import Table
from dealer.table import given
from dealer.table.aggregate import advance, apply, decide, due
from dealer.table.authority import Caller, Role, to_act
from dealer.table.outage import could_move
from ops.replay.broken import Broken
from ops.replay.differing import instead
from ops.replay.told import NO_SEED, Shut, Told

IMPOSSIBLE = (
    msgspec.MsgspecError,
    ArithmeticError,
    AttributeError,
    ChipsBroken,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What reading, deciding and evolving raise of an event that cannot be: they are written for honest logs."""
_AHEAD = 16
"""Of an act, so many events are looked through for the word that began it."""


class Again:
    """Decides a log again, event by event.

    Args:
        events: all of it.

    Attributes:
        waiting: events of a shoe still shut that depend on faces nobody has seen.
    """

    def __init__(self, game: Game, events: Sequence[Event]) -> None:
        self.waiting = 0
        self._game = game
        self._events = events
        self._chance = Told(events)
        self._expected: deque[Event] = deque()
        self._shut = False

    def check(self, number: int, table: Table) -> None:
        """Check the next event of a table that stands as it did before it.

        Raises:
            Broken: nobody's act, and no rule, brings it.
        """
        event = self._events[number]
        if not self._expected:
            self._begin(number, table)
        if not self._expected:
            self.waiting += 1
            return
        expected = self._expected.popleft()
        if not _same(expected, event):
            raise Broken(instead(expected, event))

    def _begin(self, number: int, table: Table) -> None:
        """Find the act that begins here, the nearest to what follows if there is none that fits.

        Of two acts of a host that fit the longer one is meant: the other would leave events unexplained.
        After an event that waits for a seed the croupier may be in the middle of what he does unasked.

        Raises:
            Broken: there is none at all.
        """
        event = self._events[number]
        resumed, self._shut = self._shut, False
        hosts = getattr(event.data, "by", "") != ""
        fitting: list[Event] = []
        best: list[Event] = []
        shut: list[Event] | None = None
        on = [self._onward(table, event.at)] if resumed else []
        for brought in chain(on, self._acts(number, table)):
            found, end = self._compared(number, brought)
            if end == "fits":
                fitting = max(fitting, found, key=len)
                if not hosts:
                    break
            elif end == "shut":
                shut = max(shut or [], found, key=len)
            elif len(found) > len(best):
                best = found
        if fitting:
            best = fitting
        elif shut:
            self._shut, best = True, shut
        elif (resumed or shut is not None) and self._may_wait(number, table):
            self._shut, best = True, []
        elif not best and self._breaks_off(number):
            self._shut = True
        elif not best:
            raise Broken(f"nobody's word, and no rule, brings {event.type} here")
        self._expected.extend(best)

    def _may_wait(self, number: int, table: Table) -> bool:
        """Whether an event may depend on hidden faces: what a hand says or gets, or a lot at a log's end."""
        event = self._events[number]
        if not table.playing:
            return isinstance(event.data, ev.LotDrawn) and number + 1 == len(self._events)
        honest = getattr(event.data, "source", "") in _sources(event, table)
        return honest and type(event.data) in {*self._game.events, ev.CardDealt, ev.CardExposed}

    def _breaks_off(self, number: int) -> bool:
        """Whether a log ends with cards that are turned up, before it says what for."""
        return all(isinstance(event.data, ev.CardExposed) for event in self._events[number:])

    def _compared(self, number: int, brought: Iterator[Event]) -> tuple[list[Event], str]:
        """The events an act would have brought, as far as they are those of the log and one further."""
        found: list[Event] = []
        try:
            for event in brought:
                at = number + len(found)
                if at == len(self._events):
                    break
                found.append(event)
                if not _same(event, self._events[at]):
                    near = at > number or event.type == self._events[at].type
                    return found if near else [], "differs"
        except Shut:
            return found, "shut"
        except IMPOSSIBLE:
            return found, "differs"
        return found, "fits" if found else "differs"

    def _acts(self, number: int, table: Table) -> Iterator[Iterator[Event]]:
        """What each act would bring that this event, and those with it, may tell of.

        Of an act whose events bear the time of those before it, the true time may be earlier.
        """
        first = self._events[number]
        if isinstance(first.data, ev.TableOpened):
            yield self._opening(first, table)
            return
        if isinstance(first.data, ev.DeadlineMoved):
            yield self._outage(first, table)
            return
        for now in (first.at, 0) if first.at == table.at else (first.at,):
            for role, person, command in self._given(number, table):
                act = to_act(table, Caller(first.actor, role, person), command, now)
                if isinstance(act, Act):
                    yield self._brought(table, act, first)

    def _given(self, number: int, table: Table) -> Iterator[tuple[Role, str, cmd.Command | cmd.Internal]]:
        first = self._events[number]
        house = first.actor == CROUPIER
        ahead = self._events[number : number + _AHEAD]
        for event in takewhile(lambda e: (e.actor, e.at) == (first.actor, first.at), ahead):
            roles = _roles(event, table)
            named = getattr(event.data, "pid", "")
            for command in self._commands(event, table):
                if _taken(command) and not (house and isinstance(command, cmd.Command)):
                    for role in roles:
                        yield role, named if named and role == "host" else first.actor, command
        for entry in due(self._game, table):
            if entry.kind == "timeout" and (house or "host" in _roles(first, table)):
                yield "system" if house else "host", first.actor, cmd.Expire(decision=entry.decision)

    def _commands(self, event: Event, table: Table) -> Sequence[cmd.Command | cmd.Internal]:
        data = event.data
        if isinstance(data, ev.SeedsCommitted):
            return [cmd.CommitSeeds(f"seeds:{data.first}", self._seeds(data))]
        try:
            return [*given.commands_of(data, table), *self._game.commands_of(data, table)]
        except IMPOSSIBLE:
            return []

    def _brought(self, table: Table, act: Act, first: Event) -> Iterator[Event]:
        """The events of an act, and of the croupier after it."""
        decided = decide(self._game, table, self._chance, act)
        if isinstance(decided, Refusal):
            return
        if isinstance(first.data, ev.SeedsCommitted):
            decided = [self._promised(d, first.data) for d in decided]
        events, table = apply(self._game, table, decided, act.actor, act.now)
        yield from events
        yield from self._onward(table, act.now)

    def _onward(self, table: Table, now: int) -> Iterator[Event]:
        """What the croupier does unasked until somebody is awaited."""
        while step := advance(self._game, table, self._chance, now):
            events, table = apply(self._game, table, step, CROUPIER, now)
            yield from events

    def _outage(self, first: Event, table: Table) -> Iterator[Event]:
        """When nobody watched is not told; that a decision was given back no more than that time, is."""
        if first.actor == CROUPIER and could_move(self._game, table, first.data, first.at):
            yield first

    def _opening(self, first: Event, table: Table) -> Iterator[Event]:
        """The table opens with these options; commitments to seeds that are shut are taken as they are."""
        opened: ev.TableOpened = first.data
        promised = self._events[1].data if len(self._events) > 1 else None
        seeds = self._seeds(promised) if isinstance(promised, ev.SeedsCommitted) else (NO_SEED,)
        profile = self._game.profiles.get(opened.profile)
        if profile is not None and 1 <= opened.profile_version < profile.version:
            yield from self._events[:2]
            return
        laid = self._chance.faces if opened.stacked else ()
        options = {**opened.options, "automations": list(opened.automations)}
        command = cmd.OpenTable(opened.game, opened.profile, opened.mode, options, seeds, laid)
        act = Act(command, first.actor, "automation", first.actor, 0, first.at)
        decided = decide(self._game, table, self._chance, act)
        if isinstance(decided, Refusal):
            raise Broken(f"no table opens like this: {decided.code} {dict(decided.params)}")
        now, later = decided
        if isinstance(now, ev.TableOpened):
            known = {name: value for name, value in now.options.items() if name in opened.options}
            now = replace(now, options=known, stacked=opened.stacked and (not laid or now.stacked))
        if isinstance(promised, ev.SeedsCommitted):
            later = self._promised(later, promised)
        events, table = apply(self._game, table, [now, later], act.actor, act.now)
        yield from events
        yield from self._onward(table, act.now)

    def _seeds(self, promised: ev.SeedsCommitted) -> tuple[bytes, ...]:
        numbers = range(promised.first, promised.first + len(promised.commitments))
        return tuple(self._chance.known(n) for n in numbers)

    def _promised(self, decided: Any, told: ev.SeedsCommitted) -> Any:
        """The commitments to seeds that the log opens, and the others as they were given."""
        if not isinstance(decided, ev.SeedsCommitted):
            return decided
        both = zip(decided.commitments, told.commitments, strict=True)
        made = (
            ours if self._chance.opens(n) else theirs for n, (ours, theirs) in enumerate(both, decided.first)
        )
        return replace(decided, commitments=tuple(made))


def _roles(event: Event, table: Table) -> Sequence[Role]:
    """In what capacity the actor may have acted.

    Who holds a seat plays; who has none is a host, or somebody who only now comes to the table.
    """
    if event.actor == CROUPIER:
        return ("system",)
    held = table.seats.get(table.seat_of(event.actor))
    own: tuple[Role, ...] = ("player", "host") if held is None else ("bot",) if held.bot else ("player",)
    source = getattr(event.data, "source", "")
    return tuple(role for role in own if source in {role, "", "automation", "timeout"})


def _sources(event: Event, table: Table) -> Sequence[str]:
    """What an event that the actor himself has brought may name as its source."""
    if event.actor == CROUPIER:
        return ("", "automation", "timeout")
    seat = getattr(event.data, "seat", 0)
    if getattr(event.data, "by", "") == event.actor:
        return ("host",)
    held = table.seats.get(seat)
    own = held is not None and held.pid == event.actor
    return ("", "automation", "bot" if held and held.bot else "player") if own else ("",)


def _same(expected: Event, event: Event) -> bool:
    """Whether two events have the same bytes; equal lists in Python may be of two types."""
    return expected == event or encode(expected) == encode(event)


def _taken(command: cmd.Command | cmd.Internal) -> bool:
    """Whether a door would take a command like this."""
    if not isinstance(command, cmd.Command):
        return True
    try:
        msgspec.convert(msgspec.to_builtins(command), type(command))
    except msgspec.ValidationError:
        return False
    return True
