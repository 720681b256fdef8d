"""A practice table plays like a real one, and its chance is its own (design 6)."""

import pytest

from dealer.rules.baciga.commands import DrawStock
from dealer.rules.frame.commands import SetCutWilling
from dealer.rules.frame.events import SeedsCommitted, ShoeSealed
from dealer.rules.registry import GAMES
from dealer.rules.tricks.commands import Concede
from dealer.table.practice import Practice


def _shoes(seed: int, hands: int) -> list[str]:
    """The roots of so many decks of a table that nobody plays at: time runs out at every turn."""
    table = Practice(GAMES["baciga"], "seed", "", {"target": 100_000, "first_dealer": 1}, seed)
    found: list[str] = []
    while len(found) < hands:
        events = table.wait()
        found += [event.data.shoe_root for event in events if isinstance(event.data, ShoeSealed)]
        if not table.view()["playing"]:
            for seat in (1, 2):
                table.give(seat, SetCutWilling(willing=False))
    return found


def test_the_same_seed_gives_the_same_table() -> None:
    """Every deck of it, and another seed gives others."""
    assert _shoes(1, 2) == _shoes(1, 2)
    assert not set(_shoes(1, 2)) & set(_shoes(2, 2))


def test_seeds_do_not_run_out() -> None:
    """The house's chore of committing to further seeds is done before anything else waits."""
    table = Practice(GAMES["baciga"], "seed", "", {"first_dealer": "lot"}, 3)
    committed = 0
    for _ in range(20):
        table.give(1, Concede())
        while not table.view()["playing"]:
            committed += sum(isinstance(event.data, SeedsCommitted) for event in table.wait())
    assert committed


def test_what_is_illegal_fails_loudly() -> None:
    """A simulation that plays against the rules is a defect, not a result."""
    table = Practice(GAMES["baciga"], "seed", "", {}, 1)
    with pytest.raises(ValueError, match="wrong_phase"):
        table.give(1, DrawStock())
