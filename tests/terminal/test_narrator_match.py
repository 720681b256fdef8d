"""How a match of báciga or butifarra is told."""

import pytest

from dealer.rules.baciga.events import EVENTS
from dealer.rules.butifarra.events import EVENTS as BUTIFARRA
from dealer.rules.butifarra.events import MatchDrawn
from dealer.rules.frame.event import Event
from dealer.rules.tricks.commands import Concede
from dealer.words import LANGUAGES, Words
from ops.terminal.narrator import Narrator
from tests.baciga.positions import Position
from tests.baciga.rig import Baciga, started
from tests.golden.played import ladder, pairs, standard, words

BIDDING = {*BUTIFARRA} - {MatchDrawn}
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
    for played, kinds in (((pairs, standard), EVENTS), ((words, ladder), BIDDING)):
        events = [event for play in played for event in play().events]
        narrator = Narrator(lang, color=False)
        silent = {event.type for event in events if not narrator.lines(event)}
        known = {kind.TYPE for kind in kinds}
        assert known & silent <= SILENT
        assert known <= {event.type for event in events}


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


def test_a_bidding_is_told() -> None:
    """Who says what, what is played, what a hand brings, a draw: butifarra:5.1, butifarra:6.1."""
    lines = told(words().events)
    said = lines.index("  J2 leaves it to the partner")
    assert lines[said : said + 7] == [
        "  J2 leaves it to the partner",
        "  J4 names coins",
        "  J1 passes",
        "  J3 contests with butifarra",
        "  J4 passes",
        "  J2 insists",
        "  coins, \u00d78 · J4 leads",
    ]
    assert "  Points 15 : 37 · noted 0 : 88" in lines
    spoken = [line for line in told(ladder().events, "es") if line.startswith("  J")]
    assert spoken[:6] == [
        "  J1 marca espadas",
        "  J2: contro",
        "  J3 pasa",
        "  J1: recontro",
        "  J2: Sant Vicenç",
        "  J3: barraca",
    ]
    drawn = Event("croupier", 0, MatchDrawn((40, 40)), "", 8, 9, "match.drawn", 1)
    assert told([drawn]) == ["", "The match is drawn: 40 : 40"]


def test_spanish_cards_are_told() -> None:
    """A card of the Spanish deck is written with its letter, for a C is no club there."""
    (trick,) = [line for line in told(ladder().events) if "trick to" in line]
    assert not set("♣♦♥♠") & set(trick)
    assert {word[-1] for word in trick.split() if word[:1].isdecimal()} <= set("OCEB")
