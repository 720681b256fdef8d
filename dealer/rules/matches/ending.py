"""The end of a match: what lay in the pot is paid, and a hand that was open is over."""

from collections.abc import Sequence

from dealer.rules.frame.chips import check_total, grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import Move, RoundEnded
from dealer.rules.frame.state import Table
from dealer.rules.matches.state import everybody, players
from dealer.rules.tricks import seats
from dealer.rules.tricks.events import MatchWon


def pot(seat: int) -> str:
    """Where the buy-in of a seat lies during a match."""
    return f"pot:{seat}"


def won(table: Table, side: int, totals: Sequence[int], reason: str) -> list[Data]:
    """A side has won the match: it is paid, and a hand that was open is over."""
    return [MatchWon(reason, tuple(totals), side), *_paid(table, seats.seats_of(side, players(table)))]


def given_back(table: Table) -> list[Data]:
    """Nobody has won: every buy-in goes back to whoever put it in, and an open hand is over."""
    return _paid(table, everybody(table))


def hand_over(table: Table) -> list[Data]:
    """The hand is over; the match may go on."""
    return [RoundEnded(check_total(table.chips))]


def _paid(table: Table, winners: Sequence[int]) -> list[Data]:
    """Every buy-in goes to a winner, the loser's to the winner before him in order of play.

    So winners get equal shares and no chip is odd: of a pair each gets his own and one loser's.
    """
    number = players(table)
    moves = []
    for seat in everybody(table):
        paid = seat
        while paid not in winners:
            paid = seats.previous(paid, number)
        moves.append(Move(table.chips.get(pot(seat), 0), pot(seat), f"stack:{paid}"))
    return [*grouped("match", moves), *(hand_over(table) if table.playing else [])]
