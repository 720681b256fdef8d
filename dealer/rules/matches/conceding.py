"""Giving a match up: alone at once, of a pair both, of three until one is left.

Baciga 13.2, butifarra 12.2.
"""

from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Act, Decided
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.matches import ending
from dealer.rules.matches.state import match_of, players, side_of
from dealer.rules.tricks import seats
from dealer.rules.tricks.events import ConcessionOffered, MatchConceded

CONCEDED = "conceded"
"""Why a match is over that nobody played to its end."""


def refusal(table: Table, seat: int) -> Refusal | None:
    """Why a seat may not concede now, None if it may."""
    match = match_of(table)
    if not match.running:
        return Refusal("match_over") if match.match else Refusal("wrong_phase", {"phase": table.phase})
    if seat in match.conceded or seat in match.offered:
        return Refusal("already_conceded")
    return None


def concede(table: Table, chance: Chance, act: Act) -> Decided:
    """A seat gives up; of a pair the first word is an offer, which a bot takes at once."""
    refused = refusal(table, act.seat)
    if refused:
        return refused
    match, number = match_of(table), players(table)
    side = side_of(table, act.seat)
    partners = [seat for seat in seats.seats_of(side, number) if seat != act.seat]
    if not all(_agrees(table, partner) for partner in partners):
        return [ConcessionOffered(by=act.by, seat=act.seat, source=act.source)]
    out = {side_of(table, seat) for seat in (*match.conceded, act.seat)}
    left = [each for each in range(1, seats.sides(number) + 1) if each not in out]
    conceded: list[Data] = [MatchConceded(by=act.by, seat=act.seat, side=side, source=act.source)]
    return conceded if len(left) > 1 else [*conceded, *ending.won(table, left[0], match.totals, CONCEDED)]


def _agrees(table: Table, partner: int) -> bool:
    held = table.seats.get(partner)
    return partner in match_of(table).offered or held is None or bool(held.bot)
