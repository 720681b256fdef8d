"""The worked examples of báciga's rule sheet, read from data into the names of the API (glossary 8)."""

import json
from pathlib import Path
from typing import Any

from dealer.rules.frame.profile import resolve
from dealer.rules.frame.refusal import Refusal
from dealer.rules.registry import GAMES

DATA = Path(__file__).parent.parent / "examples" / "baciga"
GAME = GAMES["baciga"]

_RANKS = {"ases": "aces", "reyes": "kings", "damas": "queens", "jotas": "jacks"}
MELDS = {
    "baciga": "baciga",
    "baciga_doble": "baciga_double",
    "baciga_triple": "baciga_triple",
    "baciga_cuadruple": "baciga_quadruple",
    "escalera_triunfo": "trump_sequence",
    "escalera": "plain_sequence",
    "tute_triunfo": "trump_marriage",
    "tute": "plain_marriage",
    **{f"cuatro_{es}": f"four_{en}" for es, en in _RANKS.items()},
    **{f"cuatro_{es}_triunfo": f"four_trump_{en}" for es, en in _RANKS.items()},
}
"""The sheet's words for combinations."""
PHASES = {"final": "last_tricks", "hand_over": "between_rounds", "game_over": "match_over"}
"""The sheet's names of phases, where they are not the API's."""
_CODES = {"GAME_OVER": "match_over", "HAND_OVER": "round_over"}


def load(kind: str) -> list[dict[str, Any]]:
    """The examples of one kind, as the sheet has them."""
    lines = (DATA / "bc.jsonl").read_text("utf-8").splitlines()
    return [example for example in map(json.loads, lines) if example["kind"] == kind]


def options(example: dict[str, Any], **more: Any) -> dict[str, Any]:
    """All options of a table that plays an example."""
    profile = GAME.profiles[example.get("profile", "seed").replace("_", "-")]
    chosen: dict[str, Any] = {key: example[key] for key in ("players", "target") if key in example}
    found = resolve(profile, "", {**chosen, **more})
    assert not isinstance(found, Refusal), found
    assert GAME.check_options(found) is None
    return found


def code(word: str) -> str:
    """A refusal of the sheet as the API has it."""
    return _CODES.get(word, word.lower())
