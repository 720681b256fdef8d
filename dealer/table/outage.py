"""Time that nobody watched is given back: a decision caught by an outage keeps the time it had (design 5)."""

from collections.abc import Sequence

from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import MoveDeadlines
from dealer.rules.frame.events import DeadlineMoved
from dealer.rules.frame.game import Act, Decided, Due, Game
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.table.corte import decisions

LEAST_MS = 5_000
"""Whoever was to decide when the lights went out has at least this long when they are on again."""


def moved_until(table: Table, due: Due, until: int, gap: tuple[int, int]) -> int:
    """When a decision ends that a gap has caught: `to` + max(5 s, `until` - max(opened, `from`)) of the gap.

    What of the gap lies within a pause is not given back here: the clocks stood still, and going on moves all
    that was open by the length of the pause. The 5 s are such in which the clocks go.
    """
    start, end = max(due.since, gap[0]), gap[1]
    missed, again = end - start, end
    for stopped, resumed in _pauses(table):
        missed -= max(0, min(end, resumed or end) - max(start, stopped))
        if not resumed:
            again = min(again, stopped)
        elif end <= resumed:
            again += resumed - max(end, stopped)
    return max(again + LEAST_MS, until + missed) if missed > 0 else until


def _pauses(table: Table) -> list[tuple[int, int]]:
    """The pauses that open decisions may have met; one that lasts has no end, but 0."""
    return [*table.pauses, (table.paused_at, table.resumed_at)] if table.paused_at else []


def _was_open(table: Table, due: Due, until: int, at: int) -> bool:
    """Whether the time of a decision that now ends at `until` was not up yet at some moment."""
    later = (pause for pause in _pauses(table) if pause[0] >= at)
    return until - sum(max(0, resumed - max(stopped, due.since)) for stopped, resumed in later) > at


def move_deadlines(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """Move every open decision that the gaps have caught; each gap counts once.

    A gap that caught nothing is refused with `decision_over`: there is nothing to write.
    """
    command = act.command
    if not isinstance(command, MoveDeadlines):
        return Refusal("unknown_command")
    return [*caught(game, table, command.gaps)] or Refusal("decision_over")


def caught(game: Game, table: Table, gaps: Sequence[tuple[int, int]]) -> list[DeadlineMoved]:
    """The decisions that gaps have caught, with their new ends; a gap counts once."""
    found = []
    ended = table.status == "closed" or (table.status == "closing" and not table.playing)
    for due in () if ended else decisions(game, table):
        until = table.until(due.decision, due.until)
        if due.kind != "timeout" or until is None:
            continue
        last = 0
        for gap in gaps:
            if gap[1] > max(table.outage, due.since) and _was_open(table, due, until, gap[0]):
                moved = moved_until(table, due, until, gap)
                until, last = moved, gap[1] if moved > until else last
        if last:
            found.append(DeadlineMoved(decision=due.decision, gap=last, until=until))
    return found


def standing(game: Game, table: Table) -> list[Due]:
    """Decisions whose clocks stand in a pause: nothing of them is due, and yet an outage may catch them."""
    if table.status != "paused":
        return []
    return [due for due in decisions(game, table) if due.kind == "timeout" and due.until is not None]


def could_move(game: Game, table: Table, moved: DeadlineMoved, at: int) -> bool:
    """Whether some time without a watch, over by `at` (ms UTC), moves an open decision like this.

    When nobody watched is known to nobody else: an outage has caught at least a moment of the decision, and
    at most all of it since it was opened.
    """
    for due in decisions(game, table):
        until = table.until(due.decision, due.until)
        if due.decision != moved.decision or due.kind != "timeout" or until is None:
            continue
        if not max(table.outage, due.since) < moved.gap <= at or moved.until <= until:
            return False
        least = moved_until(table, due, until, (moved.gap - 1, moved.gap))
        most = moved_until(table, due, until, (due.since, moved.gap))
        return least <= moved.until <= most
    return False
