"""How a match of báciga is told."""

import pytest

from dealer.rules.baciga.events import EVENTS
from dealer.rules.frame.event import Event
from dealer.rules.tricks.commands import Concede
from dealer.words import LANGUAGES, Words
from ops.terminal.narrator import Narrator
from tests.baciga.positions import Position
from tests.baciga.rig import Baciga, started
from tests.golden.played import pairs, standard

SILENT = {"stock.drawn", "card.played", "target.reached"}
"""What is told by the line before or after it."""


def told(events: list[Event], lang: str = "en") -> list[str]:
    """What is said of these events."""
    narrator = Narrator(lang, color=False)
    return [line for event in events for line in narrator.lines(event)]


def test_a_hand_is_told() -> None:
    """Tricks with their cards in order of play, declarations, the end: each in a line (baciga 13)."""
    example = {
        "players": 2,
        "trump": "H",
        "scores": [1460, 700],
        "tricks": [1, 1],
        "turn": 1,
        "hands": [["QS1", "JD1", "9C1"], ["7C1", "8C1", "9D1"]],
        "stock": ["7S1", "8S1", "9S1", "7H1"],
    }
    position = Position(example)
    for step in (
        {"line": "7C1 9C1"},
        {"seat": 0, "meld": "baciga", "cards": ["QS1", "JD1"], "points": 40},
    ):
        position.do(step)
    # No table was opened here, so seats have the labels of bacará.
    assert told(position.events)[:5] == [
        "  D2 7♣  D1 9♣   trick to D1",
        "  D1 declares báciga  Q♠ J♦  +40",
        "",
        "Side 1 wins the match: 1,500 : 700",
        "Seed of shoe 1, open to everybody:",
    ]


def test_the_beginning_of_a_match_is_told() -> None:
    """Who plays what, who deals, the trump card; a seat of báciga is J1 (glossary 2)."""
    lines = told(started(luck=9).events)
    assert lines[0] == "Table tbl_1 · Báciga · 2 players · seed"
    assert "J1 sits down" in lines
    assert "Match 1 · J1 deals" in lines
    assert [line for line in lines if line.startswith("  Trump: ")]


def test_silence_is_told() -> None:
    """13.1: a card that nobody chose is marked."""
    rig = started(luck=9)
    rig.expire()
    rig.expire()
    (trick,) = [line for line in told(rig.events) if "trick to" in line]
    assert trick.count("(time is up)") == 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everything_that_happens_is_told(lang: str) -> None:
    """Each event of a match gives a line in every language, but for those that another line tells."""
    events = [*pairs().events, *standard().events]
    narrator = Narrator(lang, color=False)
    silent = {event.type for event in events if not narrator.lines(event)}
    assert {kind.TYPE for kind in EVENTS} & silent <= SILENT
    assert {kind.TYPE for kind in EVENTS} <= {event.type for event in events}


def test_giving_up_is_told() -> None:
    """13.2: an offer, the partner's word, and who has won by it."""
    rig = Baciga(players=4, first_dealer=1)
    rig.fill()
    rig.play(2, Concede())
    rig.play(4, Concede())
    lines = told(rig.events, "es")
    assert lines[lines.index("J2 se rendiría; falta su pareja") + 1] == "J4 se rinde"
    assert "Gana la partida el bando 1: 0 : 0" in lines


def test_the_words_are_those_of_the_sheet() -> None:
    """Combinations are called as at the table (baciga 8.1)."""
    assert Words("es").meld("trump_sequence") == "escalera de triunfo"
    assert Words("es").meld("plain_marriage") == "tute"
    assert Words("en").meld("baciga_double") == "double báciga"
