"""The worked examples that run a hand from a position, command by command (butifarra 16, `bu_run`)."""

from typing import Any

import pytest

from tests.butifarra.examples import load
from tests.butifarra.positions import Position


@pytest.mark.parametrize("example", load("bu_run"), ids=lambda example: example["id"])
def test_run(example: dict[str, Any]) -> None:
    """BU-50 to BU-53, BU-59, BU-61: what the sheet says of a hand, step by step, and of the table in between.

    4.5, 12.2; section 7, section 10, section 11, section 13; U-05, U-23.
    """
    position = Position(example)
    for step in example["steps"]:
        position.do(step)
