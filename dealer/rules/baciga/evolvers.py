"""The state of a match after an event."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from dealer.rules.baciga import cards, state
from dealer.rules.baciga import events as ev
from dealer.rules.baciga.melds import Scored
from dealer.rules.baciga.state import Play, play_of
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
from dealer.rules.matches.state import (
    TRICK,
    added,
    cleared,
    enter,
    hand_of,
    more,
    moved,
    nothing,
    players,
    side_of,
)
from dealer.rules.tricks import events as tricks
from dealer.rules.tricks import seats


def _opened(t: Table, e: Event) -> Table:
    return enter(t, e, "preparing", Play())


def _match_started(t: Table, e: Event) -> Table:
    none = nothing(t)
    return matches.match_started(t, e, Play(gained=none, briscas=none))


def _cleared(t: Table) -> Play:
    """The match without anything of the hand before."""
    none = nothing(t)
    fresh = replace(play_of(t), gained=none, briscas=none, trumps=0, scored=())
    return replace(fresh, sevens=(), melded=False, spoke=0)


def _round_started(t: Table, e: Event) -> Table:
    return matches.round_started(t, e, _cleared(t))


def _ended(t: Table, e: Event) -> Table:
    """The totals carry over (9.4)."""
    play = play_of(t)
    noted = replace(play, scores=play.totals, gained=nothing(t), spoke=0)
    return matches.round_ended(replace(t, play=noted), e)


def _voided(t: Table, e: Event) -> Table:
    return matches.round_voided(t, e, _cleared(t))


def _dealt(t: Table, e: Event) -> Table:
    """A card that lay open, under the stock or beside it, leaves its place when it is drawn."""
    d: CardDealt = e.data
    for place in (state.TRUMP, state.EXCHANGED):
        if d.pos in t.hands.get(place, ()):
            rest = {name: lying for name, lying in t.hands.items() if name != place}
            return replace(t, hands=rest)
    return t


def _trump_turned(t: Table, e: Event) -> Table:
    d: tricks.TrumpTurned = e.data
    if t.shoe is None:
        raise ValueError("a card is turned up without a shoe")
    play = play_of(t)
    shoe = replace(t.shoe, pos=t.shoe.pos + (d.pos == t.shoe.pos))
    turned = replace(t, shoe=shoe, hands={**t.hands, state.TRUMP: (d.pos,)})
    return enter(turned, e, "stock", replace(play, trump=d.trump, turn=play.leader))


def _trick_won(t: Table, e: Event) -> Table:
    d: tricks.TrickWon = e.data
    play = play_of(t)
    lying = [t.faces[pos] for pos in t.hands[TRICK]]
    after = replace(
        play,
        won=more(play.won, d.side, 1),
        briscas=more(play.briscas, d.side, cards.briscas(lying)),
        trumps=play.trumps + len([card for card in lying if cards.face(card)[1] == play.trump]),
        turn=d.seat,
        leader=d.seat,
        melded=False,
    )
    rests = t.phase == "stock" and t.options["declare_when"] == "trick_winner"
    return enter(t, e, "declaring" if rests else t.phase, after, **cleared(t))


def _declared(t: Table, e: Event) -> Table:
    d: ev.MeldDeclared = e.data
    play, table_cards = play_of(t), state.laid_by(d.seat)
    fresh = set(d.pos) - set(t.hands.get(table_cards, ()))
    after = replace(
        play,
        gained=more(play.gained, side_of(t, d.seat), d.points),
        scored=(*play.scored, Scored(d.cards, d.meld, d.seat)),
        melded=True,
        spoke=e.at,
    )
    return replace(moved(t, fresh, table_cards), play=after)


def _seven(t: Table, e: Event) -> Table:
    d: ev.SevenShown | ev.SevenExchanged = e.data
    play = play_of(t)
    gained = more(play.gained, side_of(t, d.seat), d.points)
    return replace(t, play=replace(play, gained=gained, sevens=(*play.sevens, d.card), spoke=e.at))


def _exchanged(t: Table, e: Event) -> Table:
    d: ev.SevenExchanged = e.data
    taken = moved(t, [d.taken], state.EXCHANGED)
    return _seven(moved(taken, [d.pos], state.TRUMP), e)


def _drawn(t: Table, e: Event) -> Table:
    return enter(t, e, "stock", play_of(t))


def _returned(t: Table, e: Event) -> Table:
    for seat in seats.from_seat(1, players(t)):
        t = moved(t, t.hands.get(state.laid_by(seat), ()), hand_of(seat))
    return enter(t, e, "last_tricks", play_of(t))


def _last_trick(t: Table, e: Event) -> Table:
    d: ev.LastTrickScored = e.data
    play = play_of(t)
    gained = more(play.gained, side_of(t, d.seat), d.points)
    return replace(t, play=replace(play, gained=gained))


def _counted(t: Table, e: Event) -> Table:
    d: ev.BriscasCounted = e.data
    play = play_of(t)
    return replace(t, play=replace(play, gained=added(play.gained, d.points)))


def _unchanged(t: Table, e: Event) -> Table:
    return t


EVOLVERS: Mapping[type[Data], Callable[[Table, Event], Table]] = {
    **matches.EVOLVERS,
    TableOpened: _opened,
    TableClosed: _opened,
    tricks.MatchStarted: _match_started,
    RoundStarted: _round_started,
    CardDealt: _dealt,
    tricks.TrumpTurned: _trump_turned,
    tricks.TrickWon: _trick_won,
    ev.MeldDeclared: _declared,
    ev.SevenShown: _seven,
    ev.SevenExchanged: _exchanged,
    ev.StockDrawn: _drawn,
    ev.TableCardsReturned: _returned,
    ev.LastTrickScored: _last_trick,
    ev.BriscasCounted: _counted,
    ev.TargetReached: _unchanged,
    RoundEnded: _ended,
    RoundVoided: _voided,
}
"""By event type; the frame's own part comes first."""
