"""Fields of a match that do not fit together are named, so that no such snapshot is taken (design 5)."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from dealer.rules.butifarra.bidding import Bidding
from dealer.rules.butifarra.state import Play, Taken, play_of
from dealer.rules.frame.state import Table
from dealer.table.snapshot import flaw
from tests.butifarra.rig import Butifarra, started
from tests.matches.positions import with_play

Broken = Callable[[Table], Table]


def _table(**change: Any) -> Broken:
    return lambda table: replace(table, **change)


def _play(**change: Any) -> Broken:
    return lambda table: with_play(table, **change)


def _hands(change: Callable[[dict[str, tuple[int, ...]]], dict[str, tuple[int, ...]]]) -> Broken:
    return lambda table: replace(table, hands={**table.hands, **change(table.hands)})


def _bidding(**change: Any) -> Broken:
    """The same when the bidding is on."""

    def broken(table: Table) -> Table:
        return with_play(replace(started(luck=9).table, log=table.log), **change)

    return broken


IMPOSSIBLE: dict[str, tuple[Broken, str]] = {
    "no such phase": (_table(phase="stock"), "no phase stock"),
    "a hand without a match": (_play(match=0, running=False), "outside a match"),
    "fewer hands than none": (_play(hands=-1), "-1 hands"),
    "too many points": (_play(raw=(30, 30)), "more points"),
    "fewer points than none": (_play(raw=(-1, 30)), "below nothing"),
    "half a trick": (_play(taken=(Taken(1, (1, 2), 1),)), "cannot be"),
    "a card where none belongs": (_hands(lambda h: {"9": h["1"], "1": ()}), "where none belongs"),
    "a card too few": (_hands(lambda h: {"1": h["1"][1:]}), "not all there"),
    "a trick too many": (_play(won=(5, 5)), "not all there"),
    "no trump": (_play(trump=""), " is trump"),
    "no contract": (_play(contract=None), "O is trump"),
    "out of turn": (lambda t: with_play(t, turn=play_of(t).turn % 4 + 1), "is on turn after"),
    "an open card unknown": (lambda t: replace(t, faces={}), "whose face nobody knows"),
    "a word out of turn": (_bidding(turn=2), "in step open of the bidding"),
    "a bidding that is over": (_bidding(bidding=Bidding()), "in step  of the bidding"),
}


def _rig() -> Butifarra:
    """A table in its second trick."""
    rig = started(luck=9)
    rig.say("name_trump:O", "pass", "pass")
    for _ in range(6):
        rig.best()
    return rig


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_cannot_be_is_named(name: str) -> None:
    """Each field has a value it may have; together no log leads to them."""
    change, word = IMPOSSIBLE[name]
    rig = _rig()
    assert flaw(rig.game, rig.table) == ""
    assert word in flaw(rig.game, change(rig.table))


def test_an_empty_table_can_be() -> None:
    """Before the first match there is nothing but people."""
    rig = _rig()
    waiting = replace(rig.table, playing=False, phase="preparing", hands={}, faces={}, play=Play())
    assert flaw(rig.game, waiting) == ""
