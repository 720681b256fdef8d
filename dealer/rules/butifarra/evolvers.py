"""The state of a match after an event."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from dealer.rules.butifarra import bidding, cards
from dealer.rules.butifarra import events as ev
from dealer.rules.butifarra.bidding import Bidding, Contract
from dealer.rules.butifarra.state import Play, Said, Taken, play_of
from dealer.rules.frame.event import Data, Event
from dealer.rules.frame.events import (
    CardDealt,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    TableClosed,
    TableOpened,
)
from dealer.rules.frame.state import Table
from dealer.rules.matches import evolvers as matches
from dealer.rules.matches.state import TRICK, added, cleared, enter, more, nothing
from dealer.rules.tricks import events as tricks


def _opened(t: Table, e: Event) -> Table:
    return enter(t, e, "preparing", Play())


def _match_started(t: Table, e: Event) -> Table:
    return matches.match_started(t, e, Play(raw=nothing(t)))


def _cleared(t: Table) -> Play:
    """The match without anything of the hand before."""
    return replace(play_of(t), raw=nothing(t), bidding=Bidding(), said=(), contract=None, taken=())


def _round_started(t: Table, e: Event) -> Table:
    return matches.round_started(t, e, _cleared(t))


def _dealt(t: Table, e: Event) -> Table:
    """With the last card of the pack the bidding begins."""
    if sum(map(len, t.hands.values())) < cards.DECK.size:
        return t
    play = play_of(t)
    return enter(t, e, "bidding", replace(play, bidding=bidding.opened(play.dealer), turn=play.dealer))


def _said(word: str) -> Callable[[Table, Event], Table]:
    def evolve(t: Table, e: Event) -> Table:
        spoken = bidding.LADDER[e.data.level - 1] if isinstance(e.data, ev.ControSaid) else word
        trump: str = getattr(e.data, "trump", "")
        play = play_of(t)
        after = bidding.said(play.bidding, t.options, e.data.seat, spoken, trump)
        said = (*play.said, Said(e.data.seat, spoken, trump))
        return enter(t, e, "bidding", replace(play, bidding=after, said=said, turn=bidding.turn(after)))

    return evolve


def _contract_fixed(t: Table, e: Event) -> Table:
    d: ev.ContractFixed = e.data
    play = play_of(t)
    side = bidding.contract(play.bidding, t.options, play.dealer).side
    fixed = Contract(d.trump, d.multiplier, d.leader, side)
    return enter(t, e, "tricks", replace(play, contract=fixed, trump=d.trump, turn=d.leader, leader=d.leader))


def _trick_won(t: Table, e: Event) -> Table:
    d: tricks.TrickWon = e.data
    play = play_of(t)
    lying = tuple([t.faces[pos] for pos in t.hands[TRICK]])
    points = cards.points(lying, t.options["card_values"]) + 1
    after = replace(
        play,
        won=more(play.won, d.side, 1),
        raw=more(play.raw, d.side, points),
        taken=(*play.taken, Taken(play.leader, lying, d.seat)),
        turn=d.seat,
        leader=d.seat,
    )
    return enter(t, e, t.phase, after, **cleared(t))


def _scored(t: Table, e: Event) -> Table:
    d: ev.RoundScored = e.data
    play = play_of(t)
    return replace(t, play=replace(play, scores=added(play.scores, d.points), hands=play.hands + 1))


def _drawn(t: Table, e: Event) -> Table:
    return matches.match_over(t, e, 0)


def _voided(t: Table, e: Event) -> Table:
    return matches.round_voided(t, e, _cleared(t))


EVOLVERS: Mapping[type[Data], Callable[[Table, Event], Table]] = {
    **matches.EVOLVERS,
    TableOpened: _opened,
    TableClosed: _opened,
    tricks.MatchStarted: _match_started,
    RoundStarted: _round_started,
    CardDealt: _dealt,
    ev.TrumpNamed: _said("name_trump"),
    ev.TrumpDelegated: _said("delegate"),
    ev.TrumpContested: _said("contest"),
    ev.TrumpInsisted: _said("insist"),
    ev.BidPassed: _said("pass"),
    ev.ControSaid: _said("contro"),
    ev.ContractFixed: _contract_fixed,
    tricks.TrickWon: _trick_won,
    ev.RoundScored: _scored,
    ev.MatchDrawn: _drawn,
    RoundEnded: matches.round_ended,
    RoundVoided: _voided,
}
"""By event type; the frame's own part comes first."""
