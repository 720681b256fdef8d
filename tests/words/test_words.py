"""The rest of a language: cards, seats, calls, results, and the same keys in each."""

from typing import Any

import msgspec
import pytest

from dealer.rules.bacara.state import SPEAKING
from dealer.rules.baciga.melds import MELDS
from dealer.rules.butifarra.bidding import BUTIFARRA
from dealer.rules.butifarra.commands import WORDS
from dealer.words import LANGUAGES, Words
from dealer.words.filling import fields
from dealer.words.language import Language, read
from shoe.cards import Deck

FACES = [Deck("fr52", 1).face(card) for card in range(52)]
SPANISH = [Deck("es48", 1).face(card) for card in range(48)]


def keys_of(value: Any, path: str = "") -> set[str]:
    """All keys of a language, nested ones as a path."""
    if not isinstance(value, dict):
        return {path}
    return {key for name, inner in value.items() for key in keys_of(inner, f"{path}/{name}")}


def told(lang: str) -> dict[str, Any]:
    """A language as plain data."""
    found: dict[str, Any] = msgspec.to_builtins(read(lang))
    return found


def test_every_language_says_the_same_things() -> None:
    """The files of all languages have the same keys, down to the last."""
    first, *others = (keys_of(told(lang)) for lang in LANGUAGES)
    for other in others:
        assert first ^ other == set()
    assert len(first) > 150


def test_lines_ask_for_the_same_values() -> None:
    """A line of the watched table takes the same values in every language."""
    lines = [{key: fields(line) for key, line in read(lang).table.items()} for lang in LANGUAGES]
    assert all(each == lines[0] for each in lines)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_empty(lang: str) -> None:
    """No word is missing behind its key."""
    for name in Language.__struct_fields__:
        value = getattr(read(lang), name)
        assert value
        assert all(value.values()) if isinstance(value, dict) else True


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_has_a_name_and_a_symbol(lang: str) -> None:
    """The 52 French cards have 52 names and 52 short forms, none longer than three characters."""
    words = Words(lang)
    assert len({words.card(face) for face in FACES}) == 52
    assert len({words.symbol(face) for face in FACES}) == 52
    assert max(len(words.symbol(face)) for face in FACES) == 3


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_spanish_card_has_a_name(lang: str) -> None:
    """The 48 Spanish cards have 48 names of their own; in short they are written with their letter."""
    words = Words(lang)
    names = {words.card(face, "es48") for face in SPANISH}
    assert len(names) == 48
    assert not names & {*SPANISH}
    assert [words.symbol(face, "es48") for face in SPANISH] == SPANISH


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_word_of_a_bidding_has_a_name(lang: str) -> None:
    """What is said at a butifarra table, and the offer without trumps, in every language (butifarra:5.2)."""
    said = {str(kind.__struct_config__.tag) for kind in WORDS} | {BUTIFARRA}
    assert read(lang).bids.keys() == said
    assert Words(lang).bid("of_tomorrow") == "of_tomorrow"


def test_cards_in_words() -> None:
    """A card is said as people say it."""
    assert Words("en").card("9H") == "nine of hearts"
    assert Words("es").card("9H") == "nueve de corazones"
    assert Words("es").card("QS") == "dama de picas"
    assert Words("ca").card("JC") == "valet de trèvols"
    assert [Words("es").symbol(face) for face in ("9H", "TD", "AC", "KS")] == ["9♥", "10♦", "A♣", "K♠"]
    assert Words("en").rank("T") == "ten"
    assert Words("es").suit("C") == "tréboles"
    assert Words("es").card("9O", "es48") == "nueve de oros"
    assert Words("es").suit("C", "es48") == "copas"
    assert Words("ca").card("1O", "es48") == "as d'oros"
    assert Words("ca").card("10C", "es48") == "sota de copes"
    assert Words("es").bid("name_trump") == "marcar"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("seat", "panos", "label"),
    [
        (1, 2, "D1"),
        (8, 2, "D8"),
        (11, 2, "I1"),
        (18, 2, "I8"),
        (1001, 2, "P1"),
        (1, 1, "J1"),
        (14, 1, "J14"),
        (1012, 1, "P12"),
    ],
)
def test_labels_of_seats(lang: str, seat: int, panos: int, label: str) -> None:
    """Seats have the labels of the glossary, section 2, the same in every language."""
    assert Words(lang).seat(seat, panos) == label


def test_the_calls_of_the_croupier() -> None:
    """The three calls are spoken as the rule sheet has them (R-22)."""
    words = Words("es")
    spoken = [words.call(call) for call in ("place_bets", "last_call", "no_more_bets")]
    assert spoken == ["¡Hagan juego, señores!", "¿Está hecho?", "¡No va más!"]
    assert Words("en").call("no_more_bets") == "No more bets!"
    assert Words("ca").call("place_bets") == "Facin joc, senyors!"


def test_results_of_the_table() -> None:
    """Results are said in the table's words (R-44)."""
    words = Words("es")
    assert [words.result(r) for r in ("bank", "pano", "push")] == ["gana la banca", "gana el paño", "nula"]
    assert Words("en").result("push") == "push"
    assert Words("ca").result("push") == "nul·la"


def test_numbers() -> None:
    """Chips are grouped by threes, gains and losses carry a sign, nothing has none."""
    assert Words("es").number(1234567) == "1.234.567"
    assert [Words("en").change(n) for n in (1500, 0, -1500)] == ["+1,500", "0", "\u22121,500"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_not_known_comes_back(lang: str) -> None:
    """An id of a later time is shown as it is and breaks nothing."""
    words = Words(lang)
    say = (words.phase, words.call, words.hand, words.result, words.game, words.mode, words.bank_ended)
    assert [each("of_tomorrow") for each in say] == ["of_tomorrow"] * len(say)
    assert words.symbol("9O") == "9O"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_hands_and_phases_of_the_sources_have_words(lang: str) -> None:
    """Every phase in which somebody speaks, and the hand that speaks, has its own words."""
    words = Words(lang)
    for phase in SPEAKING:
        assert words.phase(phase) != phase
    assert words.hand("right") != words.hand("left") != words.hand("bank")


def test_names_of_games_and_modes() -> None:
    """Games and modes have names for people."""
    assert Words("en").game("baciga") == "Báciga"
    assert Words("ca").game("butifarra") == "Botifarra"
    assert Words("es").mode("dos-panos") == "dos paños"
    assert Words("es").bank_ended("exhausted") == "la banca ha saltado"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_combination_has_a_name(lang: str) -> None:
    """What báciga declares has a name of its own in every language, and no name is another's."""
    words = Words(lang)
    names = [words.meld(meld) for meld in MELDS]
    assert len(set(names)) == len(MELDS)
    assert read(lang).melds.keys() == MELDS.keys()
    assert words.meld("of_tomorrow") == "of_tomorrow"


def test_a_line_needs_its_values() -> None:
    """A line that does not exist, or lacks a value, is a defect of the caller and fails loudly."""
    with pytest.raises(KeyError):
        Words("en").line("of_tomorrow")
    with pytest.raises(KeyError):
        Words("en").line("seat_taken")


def test_the_language_is_named() -> None:
    """A language knows its code and its own name."""
    assert [(Words(lang).lang, Words(lang).name) for lang in LANGUAGES] == [
        ("en", "English"),
        ("es", "Español"),
        ("ca", "Català"),
    ]
