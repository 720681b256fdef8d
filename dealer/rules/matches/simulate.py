"""Whole matches between bots, counted as far as all games are alike."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dealer.rules.frame.event import Event
from dealer.rules.frame.events import RoundStarted
from dealer.rules.frame.game import Policy
from dealer.rules.frame.practice import PracticeTable
from dealer.rules.tricks.events import MatchWon

DIGITS = 3
"""Decimals of a mean."""


class Told:
    """What has happened so far; a game counts more.

    Attributes:
        dealt: hands begun.
        ends: how each match was won.
    """

    def __init__(self) -> None:
        self.dealt = 1
        self.ends: list[MatchWon] = []
        self._lengths: list[int] = []
        self._before = 0

    def hear(self, event: Event) -> None:
        """Take in what a step has brought."""
        if isinstance(event.data, RoundStarted):
            self.dealt += 1
        elif isinstance(event.data, MatchWon):
            self._lengths.append(self.dealt - self._before)
            self._before = self.dealt
            self.ends.append(event.data)

    def report(self, sides: int) -> dict[str, Any]:
        """The counts."""
        won = Counter(end.side for end in self.ends)
        others = [total for end in self.ends for n, total in enumerate(end.scores, 1) if n != end.side]
        return {
            "matches": len(self.ends),
            "rounds": self.dealt,
            "rounds_per_match": spread(self._lengths),
            "winner": spread([end.scores[end.side - 1] for end in self.ends]),
            "others": spread(others),
            "won": {str(side): won[side] for side in range(1, sides + 1)},
        }


def play(
    table: PracticeTable,
    playing: Mapping[int, Policy],
    rounds: int,
    told: Told,
    on_progress: Callable[[int], None] | None = None,
) -> None:
    """Matches to their end until so many hands were dealt.

    Args:
        table: where they are played.
        playing: who plays, by seat.
        rounds: hands to deal at least; the match that is under way then is finished.
        told: hears of everything.
        on_progress: called after each hand with the hands played so far.
    """
    while (view := table.view())["match_running"] or told.dealt < rounds:
        before = told.dealt
        for event in _step(table, playing, view):
            told.hear(event)
        if on_progress is not None and told.dealt > before:
            on_progress(told.dealt)


def spread(values: Sequence[int]) -> dict[str, float]:
    """The least, the mean and the most."""
    return {"least": min(values), "mean": round(sum(values) / len(values), DIGITS), "most": max(values)}


def _step(table: PracticeTable, playing: Mapping[int, Policy], view: Mapping[str, Any]) -> Sequence[Event]:
    """Whoever is on turn does something, or the croupier goes on."""
    seat = view["turn"]
    if not seat:
        return table.wait()
    command = playing[seat](view, table.hand(seat), table.options(seat))
    if command is None:
        raise ValueError(f"seat {seat} has nothing to do on its turn")
    return table.give(seat, command)
