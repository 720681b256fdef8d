"""Who has won, and what ends a hand or a match (baciga 9, 12.8, 12.9)."""

from collections.abc import Sequence

from dealer.rules.baciga import events as ev
from dealer.rules.baciga.cards import BRISCA
from dealer.rules.baciga.melds import TRIPLE
from dealer.rules.baciga.state import play_of
from dealer.rules.frame.event import Data
from dealer.rules.frame.state import Table
from dealer.rules.matches import ending
from dealer.rules.matches.state import added, for_side, nothing, players, side_of
from dealer.rules.tricks import seats

_STANDARD_TARGETS = {2: 1_000}
_STANDARD_TARGET = 2_000


def target(table: Table) -> int:
    """The points a side needs; unset, as many as the number of players asks for (section 3)."""
    chosen: int | None = table.options.get("target")
    return chosen or _STANDARD_TARGETS.get(players(table), _STANDARD_TARGET)


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
    return [ev.TargetReached(side, totals[side - 1]), *ending.won(table, side, totals, reason)]


def _crowned(table: Table) -> int:
    """The side that has declared a triple from the hand, and wins whatever the totals are (A-26), or 0."""
    options, scored = table.options, play_of(table).scored
    if not scored or not options["triple_from_hand"] or options["briscas"] != "if_nobody_won":
        return 0
    return next((side_of(table, each.seat) for each in scored if each.meld == TRIPLE), 0)


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
    ended = victory(table, added(gains, counted)) or ending.hand_over(table)
    return [*steps, ev.BriscasCounted(counted), *ended]
