"""Which combinations of báciga's fields no log leads to, as a table stands between two commands."""

from collections.abc import Iterator

from dealer.rules.baciga import state
from dealer.rules.baciga.cards import PACK, packs
from dealer.rules.baciga.melds import MELDS
from dealer.rules.baciga.state import HAND, Play, play_of, players
from dealer.rules.frame.state import Table
from dealer.rules.tricks import seats

PHASES = ("preparing", *HAND, "between_rounds", "match_over")


def flaws(table: Table) -> Iterator[str]:
    """All that does not fit together, each in a few words; nothing for a state that can be."""
    play = play_of(table)
    yield from _phase(table, play)
    yield from _match(table, play)
    if table.playing:
        yield from _hand(table, play)


def _phase(table: Table, play: Play) -> Iterator[str]:
    if table.phase not in PHASES:
        yield f"there is no phase {table.phase}"
    if (table.phase in HAND) != table.playing:
        yield f"a round is {'' if table.playing else 'not '}played in phase {table.phase}"
    if (table.phase == "match_over") != bool(play.match and not play.running):
        yield f"match {play.match} {'runs' if play.running else 'does not run'} in phase {table.phase}"
    if table.playing and not play.running:
        yield "a hand is played outside a match"


def _match(table: Table, play: Play) -> Iterator[str]:
    if not play.match:
        if play != Play(paired=play.paired):
            yield "something is left of a match that never was"
        return
    number = players(table)
    every = set(seats.from_seat(1, number))
    sides = seats.sides(number)
    if {len(each) for each in (play.scores, play.gained, play.won, play.briscas)} != {sides}:
        yield f"there are not {sides} sides"
    if play.dealer not in every or not {*play.offered, *play.conceded} <= every:
        yield f"seat {play.dealer} deals, or somebody gives up who does not play"
    if any(points < 0 or points % 10 for points in (*play.scores, *play.gained)):
        yield "a score is not a multiple of 10"
    if not 0 <= play.winner <= sides or (play.running and play.winner):
        yield f"side {play.winner} has won"
    staked = {place for place in table.chips if place.startswith("pot:")}
    if staked and not play.running:
        yield "a buy-in lies at the table outside a match"


def _hand(table: Table, play: Play) -> Iterator[str]:
    number = players(table)
    everybody = seats.from_seat(1, number)
    if play.leader not in everybody or (table.phase != "dealing") != (play.turn in everybody):
        yield f"seat {play.turn} is on turn in a trick led by {play.leader}"
        return
    if table.phase == "dealing":
        if table.hands or play.trump or play.scored:
            yield "cards are out before the deal"
        return
    names = {state.TRICK, state.TRUMP, state.EXCHANGED}
    names |= {name for seat in everybody for name in (state.hand_of(seat), state.laid_by(seat))}
    if not table.hands.keys() <= names:
        yield "a card lies where none belongs"
    trick = table.hands.get(state.TRICK, ())
    if len(trick) >= number or play.turn != seats.from_seat(play.leader, number)[len(trick)]:
        yield f"seat {play.turn} is on turn after {len(trick)} cards"
    if play.trump not in {"C", "D", "H", "S"}:
        yield f"{play.trump} is trump"
    left = state.stock_left(table)
    if (table.phase == "last_tricks") == bool(left):
        yield f"{left} cards are in the stock in phase {table.phase}"
    out = len(state.lying(table)) - len(table.hands.get(state.TRUMP, ()))
    if out + number * sum(play.won) + left != PACK * packs(table.options):
        yield "the cards of the deck are not all there"
    shown = {name: lying for name, lying in table.hands.items() if not name.isdecimal()}
    if not {pos for lying in shown.values() for pos in lying} <= table.faces.keys():
        yield "a card lies open whose face nobody knows"
    if any(each.meld not in MELDS or each.seat not in everybody for each in play.scored):
        yield "something was declared that is no combination"
