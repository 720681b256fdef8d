"""Whole matches of báciga between bots, counted: how long they are, their scores, what is declared."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from dealer.rules.baciga.bots import steady
from dealer.rules.baciga.events import MeldDeclared
from dealer.rules.baciga.melds import offered
from dealer.rules.frame.event import Event
from dealer.rules.frame.game import Policy
from dealer.rules.frame.practice import OpenPractice
from dealer.rules.matches import simulate as matches
from dealer.rules.tricks.seats import from_seat, sides

_GAME = "baciga"


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
    told = _Told()
    matches.play(table, playing, rounds, told, on_progress)
    melds = {
        name: {
            "declared": told.declared[name],
            "per_100_rounds": round(100 * told.declared[name] / told.dealt, matches.DIGITS),
        }
        for name in offered(table.view()["options"])
    }
    return {**told.report(sides(players)), "melds": melds}


class _Told(matches.Told):
    """What has happened so far, and what was declared."""

    def __init__(self) -> None:
        super().__init__()
        self.declared: Counter[str] = Counter()

    def hear(self, event: Event) -> None:
        """Take in what a step has brought."""
        super().hear(event)
        if isinstance(event.data, MeldDeclared):
            self.declared[event.data.meld] += 1
