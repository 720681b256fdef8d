"""Whole matches between bots, counted: how long they are, their scores, what is declared."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dealer.rules.baciga.bots import steady
from dealer.rules.baciga.events import MeldDeclared
from dealer.rules.baciga.melds import offered
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import RoundStarted
from dealer.rules.frame.game import Policy
from dealer.rules.frame.practice import OpenPractice, PracticeTable
from dealer.rules.tricks.events import MatchWon
from dealer.rules.tricks.seats import from_seat, sides

_GAME = "baciga"
_DIGITS = 3


def simulate(
    rounds: int,
    seed: int,
    open_table: OpenPractice,
    players: int = 2,
    profile: str = "seed",
    on_progress: Callable[[int], None] | None = None,
    rivals: Mapping[int, Policy] | None = None,
) -> dict[str, Any]:
    """Play matches to their end until so many hands were dealt; the same arguments give the same counts.

    Args:
        rounds: hands to deal at least; the match that is under way then is finished.
        seed: number of the simulation.
        open_table: opens the tables.
        players: how many play.
        profile: the profile of the rules.
        on_progress: called after each hand with the hands played so far.
        rivals: who plays in a seat instead of the house's bot.

    Returns:
        An object for JSON: `matches`, `rounds`; `rounds_per_match` and the `winner`'s and `others`' totals,
        each with `least`, `mean` and `most`; `won`, matches by side; `melds`, of each combination how often
        it was declared and how often that is in a hundred hands.

    Raises:
        ValueError: there is no such profile or number of players.
    """
    table = open_table(_GAME, profile, "", {"players": players}, seed)
    playing = dict.fromkeys(from_seat(1, players), steady) | dict(rivals or {})
    told = _Told(table.view()["options"])
    while told.dealt < rounds or table.view()["match_running"]:
        before = told.dealt
        told.hear(_step(table, playing))
        if on_progress is not None and told.dealt > before:
            on_progress(told.dealt)
    return told.report(players)


def _step(table: PracticeTable, playing: Mapping[int, Policy]) -> Sequence[Event]:
    """Whoever is on turn does something, or the croupier goes on."""
    view = table.view()
    seat = view["turn"]
    if not seat:
        return table.wait()
    command = playing[seat](view, table.hand(seat), table.options(seat))
    if command is None:
        raise ValueError(f"seat {seat} has nothing to do on its turn")
    return table.give(seat, command)


class _Told:
    """What has happened so far."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.dealt = 1
        self._names = list(offered(options))
        self._declared: Counter[str] = Counter()
        self._lengths: list[int] = []
        self._ends: list[MatchWon] = []
        self._before = 0

    def hear(self, events: Sequence[Event]) -> None:
        """Take in what a step has brought."""
        for event in events:
            data = event.data
            if isinstance(data, RoundStarted):
                self.dealt += 1
            elif isinstance(data, MeldDeclared):
                self._declared[data.meld] += 1
            elif isinstance(data, MatchWon):
                self._lengths.append(self.dealt - self._before)
                self._before = self.dealt
                self._ends.append(data)

    def report(self, players: int) -> dict[str, Any]:
        """The counts."""
        won = Counter(end.side for end in self._ends)
        others = [total for end in self._ends for n, total in enumerate(end.scores, 1) if n != end.side]
        return {
            "matches": len(self._ends),
            "rounds": self.dealt,
            "rounds_per_match": _spread(self._lengths),
            "winner": _spread([end.scores[end.side - 1] for end in self._ends]),
            "others": _spread(others),
            "won": {str(side): won[side] for side in range(1, sides(players) + 1)},
            "melds": {
                name: {
                    "declared": self._declared[name],
                    "per_100_rounds": round(100 * self._declared[name] / self.dealt, _DIGITS),
                }
                for name in self._names
            },
        }


def _spread(values: Sequence[int]) -> dict[str, float]:
    return {"least": min(values), "mean": round(sum(values) / len(values), _DIGITS), "most": max(values)}
