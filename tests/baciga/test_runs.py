"""The worked examples that run a hand from a position, command by command (baciga 18, `bc_run`)."""

from typing import Any

import pytest

from tests.baciga.examples import load
from tests.baciga.positions import Position


@pytest.mark.parametrize("example", load("bc_run"), ids=lambda example: example["id"])
def test_run(example: dict[str, Any]) -> None:
    """What the sheet says of a hand, step by step, and of the table in between.

    A-01, A-05, A-06, A-12, A-13, A-14, A-15, A-16, A-18, A-20, A-21, A-22, A-24, A-26; 6.1, 6.2, 6.3, 7.1,
    7.2, 8.2, 9.1, 9.2, 9.3, 9.4, 9.5, 12.2, 12.3, 12.4, 12.5, 12.7, 12.8, 12.9, 13.2.
    """
    position = Position(example)
    for step in example["steps"]:
        position.do(step)
