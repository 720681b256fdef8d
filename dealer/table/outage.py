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

    What of the gap lies within the last pause is not given back here: the clocks stood still, and going on
    moves all that was open by the length of the pause.
    """
    start, end = max(due.since, gap[0]), gap[1]
    paused = table.status == "paused"
    stopped, resumed = table.paused_at, end if paused else table.resumed_at
    missed = end - start - max(0, min(end, resumed) - max(start, stopped))
    if missed <= 0:
        return until
    if end <= resumed:
        end = min(end, stopped) + (0 if paused else resumed - stopped)
    return max(end + LEAST_MS, until + missed)


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
            if gap[1] > max(table.outage, due.since) and until > gap[0]:
                moved = moved_until(table, due, until, gap)
                until, last = moved, gap[1] if moved > until else last
        if last:
            found.append(DeadlineMoved(decision=due.decision, gap=last, until=until))
    return found
