"""A clock that jumps changes nothing that was decided (fairness S-10)."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.rules.frame import commands as cmd
from tests.security.counted import Counted
from tests.table import walk
from tests.table.rig import HOST, Rig
from tests.table.walk import Step, Walk

pytestmark = pytest.mark.usefixtures("uncounted")

HOUR_MS = 3_600_000
WORDS = 15
"""Steps that are somebody's word; those after them are about time itself, or take two people."""
STEPS = st.lists(
    st.tuples(st.integers(0, WORDS - 1), st.integers(0, 4), st.integers(1, 59)), min_size=10, max_size=50
)
BACK = st.lists(st.booleans(), min_size=50, max_size=50)
"""Whether the clock is an hour behind at each step."""


@pytest.fixture(autouse=True, scope="module")
def _lean() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk, "Rig", Counted)
        yield


def told(rig: Rig) -> list[Any]:
    """All that was decided, without when."""
    return [(event.type, event.round, msgspec.to_builtins(event.data)) for event in rig.events]


def walked(steps: list[Step], back: list[bool]) -> Rig:
    """A table to which people say these words while its clock jumps to and fro."""
    walking = Walk(1, bank_modes=["house"])
    behind = False
    for step, now in zip(steps, back, strict=False):
        walking.rig.now += HOUR_MS * (behind - now)
        behind = now
        walking.step(step)
    walking.rig.now += HOUR_MS * behind
    return walking.rig


@settings(max_examples=40, deadline=None)
@given(steps=STEPS, back=BACK)
def test_a_clock_that_falls_back(steps: list[Step], back: list[bool]) -> None:
    """S-10: under a clock that falls back an hour the same words decide the same, in order, and once."""
    steady, falling = walked(steps, [False] * len(steps)), walked(steps, back)
    assert told(falling) == told(steady)
    times = [event.at for event in falling.events]
    assert times == sorted(times), "no event is dated before an earlier one"


@settings(max_examples=40, deadline=None)
@given(steps=STEPS, hours=st.sampled_from([-24, -1, 1, 24]))
def test_a_clock_that_runs_ahead(steps: list[Step], hours: int) -> None:
    """S-10: a jump moves no deadline; what ends by it ends once, wherever the clock jumps afterwards."""
    rig = walked(steps, [False] * len(steps))
    due = rig.due()
    rig.now += hours * HOUR_MS
    assert rig.due() == due
    for running in [each for each in due if each.kind == "timeout" and each.until]:
        rig.expire()
        rig.now -= 2 * abs(hours) * HOUR_MS
        again = cmd.Expire(decision=running.decision)
        assert rig.refusal(again).code == rig.refusal(again, HOST, "host").code == "decision_over"
