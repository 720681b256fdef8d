"""The options an example is played with."""

from importlib.resources import files
from typing import Any

from dealer.rules.frame import profile as frame
from dealer.rules.frame.refusal import Refusal
from tests.bacara.examples import Example

SEED = frame.read(files("dealer.rules.bacara").joinpath("profiles/seed.toml").read_bytes())

OF_THE_SHEET: dict[str, dict[str, Any]] = {
    "reglamento-1979": {"banker_rule": "free", "commission_bp": 0},
    "arrete-2007/limited": {"banker_rule": "free", "commission_bp": 200},
    "arrete-2007/open": {"banker_rule": "free", "commission_bp": 125},
}
"""Profiles with two paños: what section 13 gives them beside the common values."""

_COMMON = {"commission_unit": 1, "coverage": "before", "five": "free"}


def options_of(example: Example) -> dict[str, Any]:
    """Return the options of a table like the example's, its own choices included."""
    if example.profile == "seed":
        options = frame.resolve(SEED, example.mode, example.options)
        assert not isinstance(options, Refusal), options
        return options
    name = f"{example.profile}/{example.mode}" if example.mode else example.profile
    return {**_COMMON, **OF_THE_SHEET[name], **example.options}
