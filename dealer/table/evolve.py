"""The state after an event. Total, and never computed from a face that was not given."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import force_setattr, replace

from dealer.rules.frame import events as ev
from dealer.rules.frame.chips import check_total, moved
from dealer.rules.frame.event import CROUPIER, Data, Event
from dealer.rules.frame.game import Game
from dealer.rules.frame.refusal import ChipsBroken
from dealer.rules.frame.settled import corrected
from dealer.rules.frame.state import Aborts, Claim, Proposal, Seat, ShoeState, Table
from dealer.table import corte_state

CLAIM_MEMORY_MS = 86_400_000
"""A table forgets a hold of the cage after this. It must outlast any outage: a hold whose fate was forgotten
would be given back although its chips were taken."""


def _opened(t: Table, e: Event) -> Table:
    d: ev.TableOpened = e.data
    return replace(
        t,
        game=d.game,
        profile=d.profile,
        profile_version=d.profile_version,
        mode=d.mode,
        options=d.options,
        automations=frozenset(d.automations),
        stacked=d.stacked,
        status="open",
        since=e.at,
        opened=e.seq,
    )


def _seated(t: Table, e: Event) -> Table:
    d: ev.SeatTaken | ev.PersonJoined = e.data
    seat = Seat(d.pid, d.bot if isinstance(d, ev.SeatTaken) else "", e.seq)
    return replace(t, seats={**t.seats, d.seat: seat})


def _left(t: Table, e: Event) -> Table:
    gone: int = e.data.seat
    return replace(t, seats={n: s for n, s in t.seats.items() if n != gone}, absent=t.absent - {gone})


def _chips(t: Table, e: Event) -> Table:
    d: ev.ChipsMoved = e.data
    return replace(t, chips=moved(t.chips, d.moves))


def _claimed(t: Table, e: Event) -> Table:
    d: ev.ChipsBoughtIn | ev.ChipsRejected = e.data
    kept = {x: claim for x, claim in t.claims.items() if e.at - claim.at < CLAIM_MEMORY_MS}
    return replace(t, claims={**kept, d.x: Claim(e.at, isinstance(d, ev.ChipsBoughtIn))})


def _round_started(t: Table, e: Event) -> Table:
    return replace(t, round=e.round, playing=True, hands={}, faces={})


def _round_ended(t: Table, e: Event) -> Table:
    d: ev.RoundEnded = e.data
    if check_total(t.chips) != d.chips:
        raise ChipsBroken(f"round {e.round} ends with {d.chips} chips on paper")
    return replace(t, playing=False)


def _paused(t: Table, e: Event) -> Table:
    d: ev.TablePaused = e.data
    met = tuple(pause for pause in (*t.pauses, (t.paused_at, t.resumed_at)) if pause[1] > t.oldest)
    return replace(t, status="paused", pause_reason=d.reason, paused_at=e.at, resumed_at=0, pauses=met)


def _resumed(t: Table, e: Event) -> Table:
    return replace(t, status="open", pause_reason="", resumed_at=e.at, proposal=None)


def _closing(t: Table, e: Event) -> Table:
    resumed_at = e.at if t.status == "paused" else t.resumed_at
    return replace(t, status="closing", pause_reason="", resumed_at=resumed_at, proposal=None)


def _closed(t: Table, e: Event) -> Table:
    return replace(t, status="closed", commitments={}, cut=None, moved={})


def _proposed(t: Table, e: Event) -> Table:
    d: ev.CorrectionProposed = e.data
    return replace(t, proposal=Proposal(e.at, d.by, d.kind, t.round, d.corrects, d.moves, d.reason, e.seq))


def _approved(t: Table, e: Event) -> Table:
    return corrected(replace(t, proposal=None), e)


def _settled_proposal(t: Table, e: Event) -> Table:
    return replace(t, proposal=None)


def _round_voided(t: Table, e: Event) -> Table:
    """The cards are out of play, and what nobody has seen of them stays unseen (R-82)."""
    check_total(t.chips)
    return replace(t, playing=False, hands={}, faces={})


def _deadline_moved(t: Table, e: Event) -> Table:
    """Only decisions that may be open are remembered; each has the number of the event that opened it."""
    d: ev.DeadlineMoved = e.data
    kept = {decision: until for decision, until in t.moved.items() if until > t.oldest}
    return replace(t, moved={**kept, d.decision: d.until}, outage=max(t.outage, d.gap))


def _seeds(t: Table, e: Event) -> Table:
    d: ev.SeedsCommitted = e.data
    return replace(t, commitments={**t.commitments, **dict(enumerate(d.commitments, d.first))})


def _sealed(t: Table, e: Event) -> Table:
    d: ev.ShoeSealed = e.data
    deck = d.transcript.deck
    return replace(
        t,
        commitments={n: c for n, c in t.commitments.items() if n != d.shuffle},
        shuffles=max(t.shuffles, d.shuffle),
        cut=None,
        aborts=Aborts(),
        shoe=ShoeState(d.shuffle, d.transcript, d.shoe_root, deck.size),
        deck=deck,
    )


def _shoe(t: Table, **change: Any) -> Table:
    if t.shoe is None:
        raise ValueError("a card or a call for a shoe that is not there")
    return replace(t, shoe=replace(t.shoe, **change))


def _ready(t: Table, e: Event) -> Table:
    return _shoe(t, ready=True)


def _stopped(t: Table, e: Event) -> Table:
    return _shoe(t, stopped=True)


def _shoe_closed(t: Table, e: Event) -> Table:
    """A proposal to void the shoe is about this one; it does not pass on to the next."""
    about = t.proposal is not None and t.proposal.kind == "void_shoe"
    return replace(t, shoe=None, proposal=None if about else t.proposal)


def _revealed(t: Table, e: Event) -> Table:
    return t


def _lot_drawn(t: Table, e: Event) -> Table:
    """A lot uses up a shuffle number, and touches neither the shoe nor an open cut."""
    d: ev.LotDrawn = e.data
    return replace(
        t,
        commitments={n: c for n, c in t.commitments.items() if n != d.shuffle},
        shuffles=max(t.shuffles, d.shuffle),
    )


def _burned(t: Table, e: Event) -> Table:
    d: ev.CardBurned = e.data
    return _shoe(t, pos=d.pos + 1)


def _dealt(t: Table, e: Event) -> Table:
    """A card that does not lie on top, but face up beside or under the rest, leaves the top as it is."""
    d: ev.CardDealt = e.data
    if t.shoe is None:
        raise ValueError("a card from a shoe that is not there")
    hands = {**t.hands, d.to: (*t.hands.get(d.to, ()), d.pos)}
    if t.shoe.pos != d.pos:
        return replace(t, hands=hands)
    return replace(t, hands=hands, shoe=replace(t.shoe, pos=d.pos + 1))


def _exposed(t: Table, e: Event) -> Table:
    d: ev.CardExposed = e.data
    return replace(t, faces={**t.faces, d.pos: d.card})


_FRAME: Mapping[type[Data], Callable[[Table, Event], Table]] = {
    ev.TableOpened: _opened,
    ev.TablePaused: _paused,
    ev.TableResumed: _resumed,
    ev.TableClosing: _closing,
    ev.TableClosed: _closed,
    ev.CorrectionProposed: _proposed,
    ev.CorrectionApproved: _approved,
    ev.CorrectionRejected: _settled_proposal,
    ev.RoundVoided: _round_voided,
    ev.SeatTaken: _seated,
    ev.SeatLeft: _left,
    ev.PersonJoined: _seated,
    ev.PersonLeft: _left,
    ev.ChipsMoved: _chips,
    ev.ChipsBoughtIn: _claimed,
    ev.ChipsRejected: _claimed,
    ev.ChipsCashedOut: _revealed,
    ev.RoundStarted: _round_started,
    ev.RoundEnded: _round_ended,
    ev.DeadlineMoved: _deadline_moved,
    ev.SeedsCommitted: _seeds,
    **corte_state.EVOLVERS,
    ev.ShoeSealed: _sealed,
    ev.ShoeReady: _ready,
    ev.StopCardReached: _stopped,
    ev.ShoeClosed: _shoe_closed,
    ev.ShoeVoided: _shoe_closed,
    ev.SeedRevealed: _revealed,
    ev.LotDrawn: _lot_drawn,
    ev.CardBurned: _burned,
    ev.CardDealt: _dealt,
    ev.CardExposed: _exposed,
}


def evolve(game: Game, table: Table, event: Event) -> Table:
    """The table after one event: the frame's part first, then the game's."""
    data = event.data
    kind = type(data)
    after = table
    frame = _FRAME.get(kind)
    if frame is not None:
        after = frame(after, event)
    own = game.evolvers.get(kind)
    if own is not None:
        after = own(after, event)
    if after.absent or getattr(data, "source", "") == "timeout":
        after = replace(after, absent=_absent(after, event))
    if after is table:
        return replace(table, seq=event.seq, at=event.at)
    # The copy is nobody else's yet; another one of so many fields would cost more than the event itself.
    force_setattr(after, "seq", event.seq)
    force_setattr(after, "at", event.at)
    return after


def _absent(table: Table, event: Event) -> frozenset[int]:
    """Who did not answer when last asked and has sent nothing since (design 3)."""
    data = event.data
    if getattr(data, "source", "") == "timeout":
        seat = getattr(data, "seat", 0)
        return table.absent | {seat} if seat in table.seats else table.absent
    if event.actor == CROUPIER:
        return table.absent
    return table.absent - {table.seat_of(event.actor)}
