"""Which combinations of a match's fields no log leads to, as a table stands between two commands."""

from collections.abc import Collection, Iterator

from dealer.rules.frame.state import Table
from dealer.rules.matches.state import TRICK, Match, everybody, match_of, players
from dealer.rules.tricks import seats


def flaws(table: Table, of_hand: Collection[str]) -> Iterator[str]:
    """What does not fit together of a match; `of_hand` are the phases of a hand."""
    match = match_of(table)
    if table.phase not in {"preparing", *of_hand, "between_rounds", "match_over"}:
        yield f"there is no phase {table.phase}"
    if (table.phase in of_hand) != table.playing:
        yield f"a round is {'' if table.playing else 'not '}played in phase {table.phase}"
    if (table.phase == "match_over") != bool(match.match and not match.running):
        yield f"match {match.match} {'runs' if match.running else 'does not run'} in phase {table.phase}"
    if table.playing and not match.running:
        yield "a hand is played outside a match"
    yield from _match(table, match)
    if table.playing:
        yield from _turn(table, match)


def _match(table: Table, match: Match) -> Iterator[str]:
    if not match.match:
        if match != type(match)(paired=match.paired):
            yield "something is left of a match that never was"
        return
    every = set(everybody(table))
    sides = seats.sides(players(table))
    if {len(each) for each in match.by_side} != {sides}:
        yield f"there are not {sides} sides"
    if match.dealer not in every or not {*match.offered, *match.conceded} <= every:
        yield f"seat {match.dealer} deals, or somebody gives up who does not play"
    if any(points < 0 for each in match.by_side for points in each):
        yield "a score is below nothing"
    if not 0 <= match.winner <= sides or (match.running and match.winner):
        yield f"side {match.winner} has won"
    if not match.running and any(place.startswith("pot:") for place in table.chips):
        yield "a buy-in lies at the table outside a match"


def _turn(table: Table, match: Match) -> Iterator[str]:
    every = everybody(table)
    if match.leader not in every or (table.phase != "dealing") != (match.turn in every):
        yield f"seat {match.turn} is on turn in a trick led by {match.leader}"
    elif table.phase == "dealing" and (table.hands or match.trump):
        yield "cards are out before the deal"


def trick_flaws(table: Table) -> Iterator[str]:
    """The same of a hand in which tricks are being played."""
    match, number = match_of(table), players(table)
    trick = table.hands.get(TRICK, ())
    if len(trick) >= number or match.turn != seats.from_seat(match.leader, number)[len(trick)]:
        yield f"seat {match.turn} is on turn after {len(trick)} cards"
    shown = (pos for name, lying in table.hands.items() if not name.isdecimal() for pos in lying)
    if not set(shown) <= table.faces.keys():
        yield "a card lies open whose face nobody knows"
