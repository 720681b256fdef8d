"""Who has won, and what ends a hand or a match (baciga 9, 12.8, 12.9)."""

from collections.abc import Sequence

from dealer.rules.baciga import events as ev
from dealer.rules.baciga.cards import BRISCA
from dealer.rules.baciga.melds import TRIPLE
from dealer.rules.baciga.state import added, for_side, nothing, play_of, players, side_of
from dealer.rules.frame.chips import check_total, grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import Move, RoundEnded
from dealer.rules.frame.state import Table
from dealer.rules.tricks import events as tricks
from dealer.rules.tricks import seats

_STANDARD_TARGETS = {2: 1_000}
_STANDARD_TARGET = 2_000


def target(table: Table) -> int:
    """The points a side needs; unset, as many as the number of players asks for (section 3)."""
    chosen: int | None = table.options.get("target")
    return chosen or _STANDARD_TARGETS.get(players(table), _STANDARD_TARGET)


def pot(seat: int) -> str:
    """Where the buy-in of a seat lies during a match."""
    return f"pot:{seat}"


def winner(table: Table, totals: Sequence[int]) -> int:
    """The side that wins with these totals, 0 for none (9.4, 12.9); who has conceded no longer counts."""
    play, goal = play_of(table), target(table)
    out = {side_of(table, seat) for seat in play.conceded}
    counting = {side: total for side, total in enumerate(totals, 1) if side not in out}
    if table.options["briscas"] == "always":
        first = seats.following(play.dealer, players(table))
        order = [side_of(table, seat) for seat in seats.from_seat(first, players(table))]
        return next((side for side in order if counting.get(side, 0) >= goal), 0)
    best = max(counting.values())
    ahead = [side for side, total in counting.items() if total == best]
    return ahead[0] if best >= goal and len(ahead) == 1 else 0


def reached(table: Table) -> list[Data]:
    """The croupier's announcement that somebody has won, and the end of the match; nothing otherwise (9.2).

    A side also has won when it is alone above the target because others have given up.
    """
    totals, crowned = play_of(table).totals, _crowned(table)
    if not crowned and max(totals) < target(table):
        return []
    return _announced(table, totals, crowned)


def victory(table: Table, gains: Sequence[int]) -> list[Data]:
    """The same, with what every side gets on top of its total."""
    return _announced(table, added(play_of(table).totals, gains), 0)


def _announced(table: Table, totals: Sequence[int], crowned: int) -> list[Data]:
    side = crowned or winner(table, totals)
    if not side:
        return []
    reason = "triple" if crowned else "target"
    return [ev.TargetReached(side, totals[side - 1]), *over(table, side, totals, reason)]


def _crowned(table: Table) -> int:
    """The side that has declared a triple from the hand, and wins whatever the totals are (A-26), or 0."""
    options, scored = table.options, play_of(table).scored
    if not scored or not options["triple_from_hand"] or options["briscas"] != "if_nobody_won":
        return 0
    return next((side_of(table, each.seat) for each in scored if each.meld == TRIPLE), 0)


def over(table: Table, side: int, totals: Sequence[int], reason: str) -> list[Data]:
    """A side has won the match: it is paid, and a hand that was open is over."""
    return [
        tricks.MatchWon(reason, tuple(totals), side),
        *grouped("match", _payments(table, side)),
        *([RoundEnded(check_total(table.chips))] if table.playing else []),
    ]


def _payments(table: Table, side: int) -> list[Move]:
    """Every buy-in goes to a winner, the loser's to the winner before him in order of play.

    So winners get equal shares and no chip is odd: of a pair each gets his own and one loser's.
    """
    number = players(table)
    winners = seats.seats_of(side, number)
    moves = []
    for seat in seats.from_seat(1, number):
        paid = seat
        while paid not in winners:
            paid = seats.previous(paid, number)
        moves.append(Move(table.chips.get(pot(seat), 0), pot(seat), f"stack:{paid}"))
    return moves


def hand_over(table: Table, seat: int, gained: Sequence[int]) -> list[Data]:
    """What follows when a seat has won the last trick of a hand.

    Args:
        table: before that trick was taken.
        seat: who takes it.
        gained: aces and tens of the whole hand by side, that trick's among them.
    """
    options = table.options
    steps: list[Data] = []
    gains = nothing(table)
    if options["last_trick_bonus"]:
        points = options["last_trick_bonus"]
        steps.append(ev.LastTrickScored(points, seat))
        gains = for_side(table, side_of(table, seat), points)
    won = victory(table, gains) if options["briscas"] == "if_nobody_won" else []
    if won:
        return [*steps, *won]
    counted = tuple(BRISCA * each for each in gained)
    ended = victory(table, added(gains, counted)) or [RoundEnded(check_total(table.chips))]
    return [*steps, ev.BriscasCounted(counted), *ended]
