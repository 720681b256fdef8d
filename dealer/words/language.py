"""The file of a language, read once.

A further language is one more TOML file beside the others, with the same keys, and its name in `Lang`.
"""

from functools import lru_cache
from importlib.resources import files
from typing import Literal, get_args

import msgspec

Lang = Literal["en", "es", "ca"]
"""The languages there is a file for, by their ISO 639-1 code."""

LANGUAGES: tuple[str, ...] = get_args(Lang)
"""All of them; the first is spoken where no other is asked for."""

Sentence = str | tuple[str, ...]
"""A pattern, or several from the fullest to one without parameters: the first that can be filled is taken."""


class Pack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one kind of deck is spoken of; ranks and suits by the letters of the glossary, section 2.

    `card_before_vowel` is for a language that elides before a suit such as the Catalan «oros».
    """

    card: str
    ranks: dict[str, str]
    suits: dict[str, str]
    card_before_vowel: str = ""


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a language has to say.

    Attributes:
        name: the language's own name for itself.
        thousands: what stands between groups of three digits.
        unknown: the sentence for a code that has none.
        refusals: sentences by code (glossary, section 6), with those of the doors.
        phases: by the ids of the glossary, section 3.
        calls: the croupier's three calls.
        hands: the paños and the bank.
        labels: of seats, with the number counted within the paño.
        results: by the ids of `pano.settled`.
        games: names by id.
        modes: names by id.
        fr52: the French cards.
        es48: the Spanish cards.
        bids: the words of a bidding, by the commands that say them, and `butifarra`.
        melds: combinations by their ids (glossary, section 7).
        bank_ended: why a bank is over, by the reasons of `bank.ended`.
        table: the lines of a table that is being watched.
    """

    name: str
    thousands: str
    unknown: str
    refusals: dict[str, Sentence]
    phases: dict[str, str]
    calls: dict[str, str]
    hands: dict[str, str]
    labels: dict[str, str]
    results: dict[str, str]
    games: dict[str, str]
    modes: dict[str, str]
    fr52: Pack
    es48: Pack
    bids: dict[str, str]
    melds: dict[str, str]
    bank_ended: dict[str, str]
    table: dict[str, str]


@lru_cache(maxsize=len(LANGUAGES))
def read(lang: str) -> Language:
    """The file of a language.

    Raises:
        ValueError: there is no such language.
    """
    if lang not in LANGUAGES:
        raise ValueError(f"no words in {lang!r}; there are {', '.join(LANGUAGES)}")
    return msgspec.toml.decode((files("dealer.words") / f"{lang}.toml").read_bytes(), type=Language)
