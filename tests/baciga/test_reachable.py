"""Fields of a match that do not fit together are named, so that no such snapshot is taken (design 5)."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from dealer.rules.baciga.melds import Scored
from dealer.rules.baciga.state import Play
from dealer.rules.frame.state import Table
from dealer.table.snapshot import flaw
from tests.baciga.rig import started
from tests.matches.positions import with_play

Broken = Callable[[Table], Table]


def _table(**change: Any) -> Broken:
    return lambda table: replace(table, **change)


def _play(**change: Any) -> Broken:
    return lambda table: with_play(table, **change)


def _hands(change: Callable[[dict[str, tuple[int, ...]]], dict[str, tuple[int, ...]]]) -> Broken:
    return lambda table: replace(table, hands={**table.hands, **change(table.hands)})


def _played_unseen(table: Table) -> Table:
    """A card in the open trick that was never turned up."""
    first, *rest = table.hands["2"]
    return with_play(replace(table, hands={**table.hands, "2": tuple(rest), "trick": (first,)}), turn=1)


def _between(**change: Any) -> Broken:
    """The same when no hand is played."""

    def broken(table: Table) -> Table:
        over = replace(table, playing=False, phase="match_over", hands={}, faces={})
        return with_play(over, **{"running": False, "turn": 0, **change})

    return broken


IMPOSSIBLE: dict[str, tuple[Broken, str]] = {
    "no such phase": (_table(phase="siesta"), "no phase siesta"),
    "a phase outside the hand": (_table(phase="between_rounds"), "is played in phase between_rounds"),
    "a hand outside the phase": (_table(playing=False), "is not played in phase stock"),
    "a match that is over": (_table(phase="match_over", playing=False), "runs in phase match_over"),
    "a hand without a match": (_play(match=0, running=False), "outside a match"),
    "a match that never was": (_play(match=0), "never was"),
    "a side too many": (_play(scores=(0, 0, 0)), "there are not 2 sides"),
    "a dealer from nowhere": (_play(dealer=5), "seat 5 deals"),
    "a stranger gives up": (_play(conceded=(4,)), "gives up"),
    "an odd score": (_play(gained=(5, 0)), "multiple of 10"),
    "won too early": (_play(winner=1), "side 1 has won"),
    "won by nobody": (_between(winner=7), "side 7 has won"),
    "a pot that nobody won": (
        lambda t: replace(_between()(t), chips={"pot:1": 5, "cage": -5}),
        "a buy-in lies",
    ),
    "nobody on turn": (_play(turn=0), "seat 0 is on turn"),
    "out of turn": (_play(turn=1), "seat 1 is on turn after 0 cards"),
    "cards before the deal": (lambda t: with_play(replace(t, phase="dealing"), turn=0), "before the deal"),
    "a combination before the deal": (
        lambda t: with_play(
            replace(t, phase="dealing", hands={}, faces={}),
            turn=0,
            trump="",
            scored=(Scored((1,), "baciga", 1),),
        ),
        "declared before the deal",
    ),
    "a card where none belongs": (_hands(lambda h: {"9": h["1"], "1": ()}), "where none belongs"),
    "no trump": (_play(trump=""), "is trump"),
    "a stock in the last tricks": (_table(phase="last_tricks"), "in the stock in phase last_tricks"),
    "a card too few": (_hands(lambda h: {"1": h["1"][1:]}), "not all there"),
    "an open card unknown": (_played_unseen, "whose face nobody knows"),
    "no combination": (_play(scored=(Scored((1, 2), "royal", 1),)), "that is no combination"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_cannot_be_is_named(name: str) -> None:
    """Each field has a value it may have; together no log leads to them."""
    change, word = IMPOSSIBLE[name]
    rig = started(luck=9)
    assert flaw(rig.game, rig.table) == ""
    assert word in flaw(rig.game, change(rig.table))


def test_an_empty_table_can_be() -> None:
    """Before the first match there is nothing but people."""
    rig = started(luck=9)
    waiting = replace(rig.table, playing=False, phase="preparing", hands={}, faces={}, play=Play())
    assert flaw(rig.game, waiting) == ""
