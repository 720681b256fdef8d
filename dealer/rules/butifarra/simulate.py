"""Whole matches of butifarra between bots, counted: what the bidding comes to, and the points."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from dealer.rules.butifarra import events as ev
from dealer.rules.butifarra.bidding import BUTIFARRA, LADDER
from dealer.rules.butifarra.bots.policies import POLICIES
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import RoundStarted
from dealer.rules.frame.game import Policy
from dealer.rules.frame.practice import OpenPractice
from dealer.rules.matches import simulate as matches
from dealer.rules.tricks.seats import PAIRS, from_seat, sides

_GAME = "butifarra"
_LINES = {
    (False, "", False): "1",
    (True, "", False): "2",
    (False, "suit", False): "3",
    (False, "suit", True): "4",
    (True, "suit", False): "5",
    (True, "suit", True): "6",
    (False, BUTIFARRA, False): "7",
    (False, BUTIFARRA, True): "8",
}
"""The lines of 5.1, by whether butifarra was named first, what it was contested with, and insisting."""


def simulate(
    rounds: int,
    seed: int,
    open_table: OpenPractice,
    profile: str = "seed",
    on_progress: Callable[[int], None] | None = None,
    rivals: Mapping[int, Policy] | None = None,
) -> dict[str, Any]:
    """Play matches to their end until so many hands were dealt; the same arguments give the same counts.

    Args:
        rounds: hands to deal at least; the match that is under way then is finished.
        seed: number of the simulation.
        open_table: opens the tables.
        profile: the profile of the rules.
        on_progress: called after each hand with the hands played so far.
        rivals: who plays in a seat instead of the house's bot.

    Returns:
        An object for JSON: `matches`, `rounds`; `rounds_per_match` and the `winner`'s and `others`' totals,
        each with `least`, `mean` and `most`; `won`, matches by side; `outcomes`, hands by the line of 5.1,
        or by the last word of the ladder that was said (`none` without one); `multipliers`, hands by theirs;
        `delegated`, hands whose trump the dealer's partner named.

    Raises:
        ValueError: there is no such profile.
    """
    table = open_table(_GAME, profile, "", {}, seed)
    playing = dict.fromkeys(from_seat(1, PAIRS), POLICIES["quick"]) | dict(rivals or {})
    told = _Told(table.view()["options"]["bidding"])
    matches.play(table, playing, rounds, told, on_progress)
    return {**told.report(sides(PAIRS)), **told.bidding()}


class _Told(matches.Told):
    """What has happened so far, and what was said."""

    def __init__(self, bidding: str) -> None:
        super().__init__()
        self._ladder = bidding == "contro"
        named = ("none", *LADDER) if self._ladder else tuple(_LINES.values())
        self._outcomes = Counter(dict.fromkeys(named, 0))
        self._multipliers = Counter(dict.fromkeys((1, 2, 4, 8, 16) if self._ladder else (1, 2, 4, 8), 0))
        self._delegated = 0
        self._offers: list[str] = []
        self._words = 0

    def hear(self, event: Event) -> None:
        """Take in what a step has brought."""
        super().hear(event)
        data = event.data
        match data:
            case RoundStarted():
                self._offers, self._words = [], 0
            case ev.TrumpDelegated():
                self._delegated += 1
            case ev.TrumpNamed() | ev.TrumpContested():
                self._offers.append(data.trump)
            case ev.TrumpInsisted() | ev.ControSaid():
                self._words += 1
            case ev.ContractFixed():
                self._outcomes[self._outcome()] += 1
                self._multipliers[data.multiplier] += 1
            case _:
                pass

    def _outcome(self) -> str:
        if self._ladder:
            return LADDER[self._words - 1] if self._words else "none"
        first, *contest = self._offers
        contested = "" if not contest else BUTIFARRA if contest[0] == BUTIFARRA else "suit"
        return _LINES[first == BUTIFARRA, contested, bool(self._words)]

    def bidding(self) -> dict[str, Any]:
        """The counts of what was said."""
        return {
            "delegated": self._delegated,
            "multipliers": {str(each): count for each, count in sorted(self._multipliers.items())},
            "outcomes": dict(self._outcomes),
        }
