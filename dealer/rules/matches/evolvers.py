"""The state of a match after an event, as far as all games played in matches are alike."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from dealer.rules.frame.event import Data, Event
from dealer.rules.frame.events import SeatLeft
from dealer.rules.frame.settled import noted
from dealer.rules.frame.state import Table
from dealer.rules.matches.course import at_stake
from dealer.rules.matches.state import TRICK, Match, enter, hand_of, match_of, nothing, players
from dealer.rules.tricks import events as ev
from dealer.rules.tricks import seats


def match_started(table: Table, event: Event, fresh: Match) -> Table:
    """A match from nothing to nothing, for a game whose part of the state begins as `fresh`."""
    d: ev.MatchStarted = event.data
    none = nothing(table)
    begun = replace(
        fresh,
        match=d.match,
        running=True,
        dealer=d.dealer,
        scores=none,
        won=none,
        paired=match_of(table).paired,
    )
    return enter(table, event, "preparing", begun)


def round_started(table: Table, event: Event, fresh: Match) -> Table:
    """A hand is to be dealt; `fresh` is the state without anything of the hand before."""
    leader = seats.following(fresh.dealer, players(table))
    return enter(
        table,
        event,
        "dealing",
        replace(fresh, won=nothing(table), trump="", turn=0, leader=leader),
    )


def round_ended(table: Table, event: Event) -> Table:
    """The deal passes on as long as the match does; a word of conceding lapses."""
    match = replace(match_of(table), turn=0, offered=frozenset())
    if not match.running:
        return noted(replace(table, play=match), at_stake(table))
    passed = replace(match, dealer=seats.following(match.dealer, players(table)))
    return enter(table, event, "between_rounds", passed)


def round_voided(table: Table, event: Event, fresh: Match) -> Table:
    """The hand never was: the same dealer deals it again."""
    none = replace(fresh, won=nothing(table), trump="", turn=0, offered=frozenset())
    return enter(table, event, "between_rounds", none)


def match_over(table: Table, event: Event, winner: int) -> Table:
    """The match is over, won by a side or, with 0, by nobody."""
    over = replace(match_of(table), running=False, winner=winner, turn=0, offered=frozenset())
    return enter(table, event, "match_over", over)


def _match_won(table: Table, event: Event) -> Table:
    d: ev.MatchWon = event.data
    return match_over(table, event, d.side)


def _pairs_made(table: Table, event: Event) -> Table:
    """People take other seats; what goes with a person goes along."""
    d: ev.PairsMade = event.data
    to = {old: new for new, old in enumerate(d.seats, 1)}
    placed = {to[old]: table.seats[old] for old in d.seats}
    paired = tuple(placed[seat].pid for seat in sorted(placed))
    absent = frozenset(to[seat] for seat in table.absent)
    return replace(table, seats=placed, absent=absent, play=replace(match_of(table), paired=paired))


def _played(table: Table, event: Event) -> Table:
    d: ev.CardPlayed = event.data
    hands = dict(table.hands)
    held = hand_of(d.seat)
    if d.pos not in hands.get(held, ()):
        held = next(name for name, lying in hands.items() if d.pos in lying)
    hands[held] = tuple([pos for pos in hands[held] if pos != d.pos])
    if not hands[held]:
        del hands[held]
    hands[TRICK] = (*hands.get(TRICK, ()), d.pos)
    following = seats.following(d.seat, players(table))
    return enter(table, event, table.phase, replace(match_of(table), turn=following), hands=hands)


def _offered(table: Table, event: Event) -> Table:
    d: ev.ConcessionOffered = event.data
    match = match_of(table)
    return replace(table, play=replace(match, offered=match.offered | {d.seat}))


def _conceded(table: Table, event: Event) -> Table:
    d: ev.MatchConceded = event.data
    match = match_of(table)
    return replace(table, play=replace(match, conceded=(*match.conceded, d.seat)))


def _left(table: Table, event: Event) -> Table:
    """Whoever goes on for him has not asked to give up."""
    d: SeatLeft = event.data
    match = match_of(table)
    return replace(table, play=replace(match, offered=match.offered - {d.seat}))


EVOLVERS: Mapping[type[Data], Callable[[Table, Event], Table]] = {
    ev.MatchWon: _match_won,
    ev.PairsMade: _pairs_made,
    ev.CardPlayed: _played,
    ev.ConcessionOffered: _offered,
    ev.MatchConceded: _conceded,
    SeatLeft: _left,
}
"""Those that need nothing of the game; the frame's own part comes first."""
