"""The odds of the profile `seed`, counted once for all tests that look at them."""

from functools import cache
from typing import Any

from dealer.rules.frame.profile import resolve
from dealer.rules.frame.refusal import Refusal
from dealer.rules.registry import ODDS
from tests.bacara.profiles import SEED


@cache
def seed(packs: int) -> dict[str, Any]:
    """Both paños of `seed`, mode `dos-panos`, with so many packs."""
    options = resolve(SEED, "dos-panos", {"packs": packs})
    assert not isinstance(options, Refusal)
    return ODDS["bacara"](options)
