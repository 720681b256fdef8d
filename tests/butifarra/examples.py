"""The worked examples of butifarra's rule sheet, read from data into the names of the API (glossary 8)."""

import json
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

from dealer.rules.butifarra.bidding import BUTIFARRA
from dealer.rules.butifarra.cards import DECK
from dealer.rules.frame.profile import read, resolve
from dealer.rules.frame.refusal import Refusal

DATA = Path(__file__).parent.parent / "examples" / "butifarra"
KINDS = ("bu_points", "bu_trick", "bu_legal", "bu_bid", "bu_score", "bu_timeout", "bu_run")
PHASES = {"bid": "bidding", "play": "tricks", "hand_over": "between_rounds", "game_over": "match_over"}
"""The sheet's names of phases."""
_CODES = {"GAME_OVER": "match_over", "HAND_OVER": "round_over"}
_KEYS = {"values": "card_values"}
_CHOSEN = (
    "card_values",
    "contro_steps_suit",
    "contro_steps_butifarra",
    "deals",
    "tie",
    "score_cap",
    "target",
)
PROFILES = {
    profile.id: profile
    for profile in (
        read(path.read_bytes())
        for path in (files("dealer.rules.butifarra") / "profiles").iterdir()
        if path.name.endswith(".toml")
    )
}


def load(kind: str) -> list[dict[str, Any]]:
    """The examples of one kind, as the sheet has them."""
    lines = (DATA / "bu.jsonl").read_text("utf-8").splitlines()
    return [example for example in map(json.loads, lines) if example["kind"] == kind]


def chosen(profile: str, **options: Any) -> dict[str, Any]:
    """All options of a table of this profile with these choices."""
    found = resolve(PROFILES[profile], "", options)
    assert not isinstance(found, Refusal), found
    return found


def options(example: dict[str, Any]) -> dict[str, Any]:
    """All options of a table that plays an example: `seed`, unless its duties or its bidding are others."""
    rules = example.get("rules", "lliure" if example.get("bidding") == "contro" else "")
    profile = f"competicio-{rules}" if rules else "seed"
    named = {_KEYS.get(key, key): value for key, value in example.items()}
    return chosen(profile, **{key: named[key] for key in _CHOSEN if key in named})


def code(word: str) -> str:
    """A refusal of the sheet as the API has it."""
    return _CODES.get(word, word.lower())


def trump(suit: str | None) -> str:
    """What is trump: no suit is `butifarra`."""
    return suit or BUTIFARRA


def bid(text: str) -> tuple[str, str]:
    """A bid as the word and the offer that goes with it."""
    word, _, offer = text.partition(":")
    if word == BUTIFARRA.upper() or len(word) == 1:
        return "name_trump", word.lower() if len(word) > 1 else word
    return word, offer.lower() if len(offer) > 1 else offer


def ids(faces: Iterable[str]) -> list[int]:
    """Physical cards by their faces."""
    return [DECK.parse(face) for face in faces]
