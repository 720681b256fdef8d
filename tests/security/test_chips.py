"""A hundred thousand random events at tables: after each, all chips are there (fairness S-9)."""

import random
from collections import Counter

import pytest

from tests.bacara.test_machine_banks_properties import MODES, WORDS, BankWalk
from tests.security.counted import Counted
from tests.table import walk
from tests.table.walk import KINDS, RARELY

pytestmark = pytest.mark.usefixtures("uncounted")

EVENTS = 100_000
STEPS = 400


def test_no_chip_is_lost_in_a_hundred_thousand_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """S-9: whatever people try, after each event no place is overdrawn and the sum is what the cage gave."""
    monkeypatch.setattr(walk, "Rig", Counted)
    chance = random.Random(9)  # noqa: S311 - of a test, to be played again
    kinds: Counter[str] = Counter()
    luck = 0
    while kinds.total() < EVENTS:
        luck += 1
        modes = chance.sample(MODES, chance.randint(1, len(MODES)))
        walked = BankWalk(luck, bank_modes=modes, house_bank=chance.choice((30, 300)))
        for _ in range(STEPS):
            walked.step((chance.randint(0, KINDS + WORDS), chance.randint(0, 4), chance.randint(1, RARELY)))
        kinds.update(event.type for event in walked.rig.events)
    assert (
        min(kinds[kind] for kind in ("chips.moved", "chips.bought_in", "stake.placed", "round.ended")) > 1_000
    )
