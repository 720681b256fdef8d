"""The state of a match after an event."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from dealer.rules.baciga import cards, state
from dealer.rules.baciga import events as ev
from dealer.rules.baciga.melds import Scored
from dealer.rules.baciga.state import Play, added, enter, more, play_of, players, side_of
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
from dealer.rules.tricks import events as tricks
from dealer.rules.tricks import seats


def _opened(t: Table, e: Event) -> Table:
    return enter(t, e, "preparing", Play())


def _match_started(t: Table, e: Event) -> Table:
    d: tricks.MatchStarted = e.data
    none = state.nothing(t)
    fresh = Play(d.match, True, d.dealer, none, none, none, none, paired=play_of(t).paired)
    return enter(t, e, "preparing", fresh)


def _pairs_made(t: Table, e: Event) -> Table:
    """People take other seats; what goes with a person goes along."""
    d: tricks.PairsMade = e.data
    to = {old: new for new, old in enumerate(d.seats, 1)}
    placed = {to[old]: t.seats[old] for old in d.seats}
    paired = tuple(placed[seat].pid for seat in sorted(placed))
    absent = frozenset(to[seat] for seat in t.absent)
    return replace(t, seats=placed, absent=absent, play=replace(play_of(t), paired=paired))


def _match_won(t: Table, e: Event) -> Table:
    d: tricks.MatchWon = e.data
    play = replace(play_of(t), running=False, winner=d.side, turn=0, offered=frozenset())
    return enter(t, e, "match_over", play)


def _round_started(t: Table, e: Event) -> Table:
    play, none = play_of(t), state.nothing(t)
    leader = seats.following(play.dealer, players(t))
    fresh = replace(
        play, gained=none, won=none, briscas=none, trumps=0, trump="", turn=0, leader=leader, scored=()
    )
    return enter(t, e, "dealing", replace(fresh, sevens=(), melded=False, spoke=0))


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


def _played(t: Table, e: Event) -> Table:
    d: tricks.CardPlayed = e.data
    hand = state.hand_of(d.seat)
    held = hand if d.pos in t.hands.get(hand, ()) else state.laid_by(d.seat)
    hands = {**t.hands, held: tuple([pos for pos in t.hands[held] if pos != d.pos])}
    if not hands[held]:
        del hands[held]
    hands[state.TRICK] = (*hands.get(state.TRICK, ()), d.pos)
    following = seats.following(d.seat, players(t))
    return enter(t, e, t.phase, replace(play_of(t), turn=following), hands=hands)


def _trick_won(t: Table, e: Event) -> Table:
    d: tricks.TrickWon = e.data
    play, trick = play_of(t), t.hands[state.TRICK]
    lying = [t.faces[pos] for pos in trick]
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
    hands = {name: lying for name, lying in t.hands.items() if name != state.TRICK}
    faces = {pos: card for pos, card in t.faces.items() if pos not in trick}
    return enter(t, e, "declaring" if rests else t.phase, after, hands=hands, faces=faces)


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
    return replace(state.moved(t, fresh, table_cards), play=after)


def _seven(t: Table, e: Event) -> Table:
    d: ev.SevenShown | ev.SevenExchanged = e.data
    play = play_of(t)
    gained = more(play.gained, side_of(t, d.seat), d.points)
    return replace(t, play=replace(play, gained=gained, sevens=(*play.sevens, d.card), spoke=e.at))


def _exchanged(t: Table, e: Event) -> Table:
    d: ev.SevenExchanged = e.data
    taken = state.moved(t, [d.taken], state.EXCHANGED)
    return _seven(state.moved(taken, [d.pos], state.TRUMP), e)


def _drawn(t: Table, e: Event) -> Table:
    return enter(t, e, "stock", play_of(t))


def _returned(t: Table, e: Event) -> Table:
    for seat in seats.from_seat(1, players(t)):
        t = state.moved(t, t.hands.get(state.laid_by(seat), ()), state.hand_of(seat))
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


def _ended(t: Table, e: Event) -> Table:
    """The totals carry over and the deal passes on (4.4, 9.4); a word of conceding lapses (13.2)."""
    play = play_of(t)
    after = replace(play, scores=play.totals, gained=state.nothing(t), turn=0, offered=frozenset(), spoke=0)
    if not play.running:
        return replace(t, play=after)
    passed = replace(after, dealer=seats.following(play.dealer, players(t)))
    return enter(t, e, "between_rounds", passed)


def _voided(t: Table, e: Event) -> Table:
    """The hand never was: the same dealer deals it again."""
    none = state.nothing(t)
    after = replace(
        play_of(t),
        gained=none,
        won=none,
        briscas=none,
        trumps=0,
        trump="",
        turn=0,
        scored=(),
        sevens=(),
        melded=False,
        spoke=0,
        offered=frozenset(),
    )
    return enter(t, e, "between_rounds", after)


def _offered(t: Table, e: Event) -> Table:
    d: tricks.ConcessionOffered = e.data
    play = play_of(t)
    return replace(t, play=replace(play, offered=play.offered | {d.seat}))


def _conceded(t: Table, e: Event) -> Table:
    d: tricks.MatchConceded = e.data
    play = play_of(t)
    return replace(t, play=replace(play, conceded=(*play.conceded, d.seat)))


def _unchanged(t: Table, e: Event) -> Table:
    return t


EVOLVERS: Mapping[type[Data], Callable[[Table, Event], Table]] = {
    TableOpened: _opened,
    TableClosed: _opened,
    tricks.MatchStarted: _match_started,
    tricks.PairsMade: _pairs_made,
    tricks.MatchWon: _match_won,
    RoundStarted: _round_started,
    CardDealt: _dealt,
    tricks.TrumpTurned: _trump_turned,
    tricks.CardPlayed: _played,
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
    tricks.ConcessionOffered: _offered,
    tricks.MatchConceded: _conceded,
}
"""By event type; the frame's own part comes first."""
