"""How the search for a banker follows from its events (glossary, section 3: `bank_step`)."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.lottery import PURPOSE
from dealer.rules.bacara.modes import FOLLOW_ON, STEPS, TURN
from dealer.rules.bacara.state import Candidate, Seeking, enter, play_of
from dealer.rules.frame.event import Data, Event
from dealer.rules.frame.events import LotDrawn, SeatTaken
from dealer.rules.frame.state import STANDING, Table


def _sought(t: Table, e: Event) -> Table:
    d: ev.BankSought = e.data
    return _enter(t, e, Seeking(d.mode, STEPS.get(d.mode, "offers")))


def _enter(t: Table, e: Event, seeking: Seeking) -> Table:
    """The next step, whose clock starts with the event."""
    return enter(t, e, "no_bank", replace(play_of(t), seeking=seeking))


def _with(t: Table, seeking: Seeking) -> Table:
    """The same step, whose clock goes on."""
    return replace(t, play=replace(play_of(t), seeking=seeking))


def _offered(t: Table, e: Event) -> Table:
    d: ev.BankOffered = e.data
    seeking = play_of(t).seeking
    if seeking.step == "offered":
        return _enter(t, e, replace(seeking, candidate=d.seat))
    candidate = Candidate(d.amount, d.seat)
    if seeking.candidate:
        return _with(t, replace(seeking, queue=(*seeking.queue, candidate)))
    return _put_forward(t, e, seeking, candidate)


def _put_forward(t: Table, e: Event, seeking: Seeking, candidate: Candidate) -> Table:
    """Everybody else who sits now is asked; who sits down later has agreed by doing so."""
    awaited = frozenset(n for n in t.seats if n < STANDING and n != candidate.seat)
    asked = replace(
        seeking,
        step="consent",
        candidate=candidate.seat,
        amount=candidate.amount,
        awaited=awaited,
        consented=frozenset(),
        queue=tuple(each for each in seeking.queue if each != candidate),
    )
    return _enter(t, e, asked)


def _without_candidate(t: Table, e: Event, seeking: Seeking) -> Table:
    """The next volunteer in line, or offers are taken anew."""
    if seeking.queue:
        return _put_forward(t, e, seeking, seeking.queue[0])
    return _enter(t, e, Seeking(seeking.mode, "offers", refused=seeking.refused))


def _consented(t: Table, e: Event) -> Table:
    d: ev.BankConsented = e.data
    seeking = play_of(t).seeking
    return _with(
        t,
        replace(seeking, awaited=seeking.awaited - {d.seat}, consented=seeking.consented | {d.seat}),
    )


def _refused(t: Table, e: Event) -> Table:
    """One is enough; that others have not answered either changes nothing more."""
    d: ev.BankRefused = e.data
    seeking = play_of(t).seeking
    if seeking.candidate != d.candidate:
        return t
    return _without_candidate(t, e, replace(seeking, refused=seeking.refused | {d.candidate}))


def _bid(t: Table, e: Event) -> Table:
    d: ev.BankBid = e.data
    seeking = play_of(t).seeking
    return _enter(t, e, replace(seeking, queue=(*seeking.queue, Candidate(d.amount, d.seat))))


def _entered(t: Table, e: Event) -> Table:
    d: ev.BankEntered = e.data
    seeking = play_of(t).seeking
    return _with(t, replace(seeking, queue=(*seeking.queue, Candidate(0, d.seat))))


def _drawn(t: Table, e: Event) -> Table:
    d: LotDrawn = e.data
    if d.purpose != PURPOSE:
        return t
    seeking = play_of(t).seeking
    queue = tuple(each for each in seeking.queue if each.seat != d.winner)
    return _enter(t, e, replace(seeking, step="offered", candidate=d.winner, queue=queue))


def _declined(t: Table, e: Event) -> Table:
    d: ev.BankDeclined = e.data
    play = play_of(t)
    if play.seeking.mode in {TURN, FOLLOW_ON}:
        declines = play.declines
        if play.seeking.mode == TURN and not play.seeking.amount:
            declines = {**declines, d.seat: declines.get(d.seat, 0) + 1}
        seeking = replace(play.seeking, refused=play.seeking.refused | {d.seat})
        t = replace(t, play=replace(play, declines=declines, seeking=seeking))
    return _gone(t, e, d.seat)


def _gone(t: Table, e: Event, seat: int) -> Table:
    """A candidate is none any more."""
    seeking = play_of(t).seeking
    if seeking.candidate != seat:
        return t
    if seeking.step == "consent":
        return _without_candidate(t, e, seeking)
    return _with(t, replace(seeking, candidate=0))


def moved(t: Table, e: Event) -> Table:
    """The winner of a banco, who stood, has sat down: it is this seat that the bank is offered to (R-69)."""
    d: SeatTaken = e.data
    seeking = play_of(t).seeking
    stood = t.seats.get(seeking.candidate)
    if seeking.step != "offered" or stood is None or stood.pid != d.pid or seeking.candidate < STANDING:
        return t
    return _with(t, replace(seeking, candidate=d.seat))


def left(t: Table, e: Event) -> Table:
    """Somebody has left the table: nothing he said counts, and nobody waits for him."""
    gone: int = e.data.seat
    seeking = play_of(t).seeking
    kept = replace(
        seeking,
        awaited=seeking.awaited - {gone},
        consented=seeking.consented - {gone},
        queue=tuple(each for each in seeking.queue if each.seat != gone),
        refused=seeking.refused - {gone},
    )
    return _gone(_with(t, kept), e, gone)


EVOLVERS: Mapping[type[Data], Callable[[Table, Event], Table]] = {
    ev.BankSought: _sought,
    ev.BankOffered: _offered,
    ev.BankConsented: _consented,
    ev.BankRefused: _refused,
    ev.BankBid: _bid,
    ev.BankEntered: _entered,
    ev.BankDeclined: _declined,
    LotDrawn: _drawn,
    SeatTaken: moved,
}
"""By event type."""
