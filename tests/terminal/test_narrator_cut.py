"""How the cut is told (fairness 1.4, 1.7; R-05)."""

import pytest
from msgspec.structs import replace

from dealer.rules.bacara.game import BACARA
from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame.event import Data, Event
from dealer.table.aggregate import codec
from dealer.words import LANGUAGES
from ops.terminal import Narrator
from ops.terminal.paint import WIDTH
from shoe.cards import Deck
from tests.golden.test_golden import TABLES
from tests.table.cut import asked, commit, opening, reveal, watching
from tests.table.rig import Rig

ABOUT = ("corte.", "seat.willing", "shoe.sealed", "lot.drawn", "seed.revealed")


def told(events: list[Event], lang: str) -> list[str]:
    """What is said of cuts and seals, without the blank lines between; seeds and roots in short."""
    narrator = Narrator(lang, color=False)
    lines = [line for e in events for line in narrator.lines(e) if e.type.startswith(ABOUT) and line]
    return [line.partition("raíz")[0].partition("root")[0][:WIDTH].rstrip(" ·") for line in lines]


def failed() -> Rig:
    """Two cut, one lets it pass, a spectator adds to it; he does not reveal, and they cut again."""
    rig = asked((1, 2, 11), cut_spectators=True)
    rig.play(11, cmd.CutDecline())
    commit(rig, 1, 21)
    rig.play(101, watching(rig, 101))
    commit(rig, 2, 33)
    reveal(rig, 1, 21)
    reveal(rig, 2, 33)
    rig.expire()
    commit(rig, 1, 44)
    rig.expire()
    rig.play(2, opening(1, 44))
    return rig


def seed_of(rig: Rig) -> str:
    """The seed that was opened with the attempt."""
    (aborted,) = rig.of(ev.CorteAborted)
    return f"  {aborted.seed}"


def test_a_cut_is_told_in_spanish() -> None:
    """Each step in a croupier's words: bound, passed, opened, failed with who was missing, sealed."""
    rig = failed()
    assert told(rig.events, "es") == [
        "D1 quiere cortar",
        "D2 quiere cortar",
        "I1 quiere cortar",
        "Corte 1: corta D1 · se espera a D1 · D2 · I1",
        "I1 no corta",
        "D1 compromete su corte",
        "E1 compromete su corte",
        "D2 compromete su corte",
        "Corte cerrado: 3 por descubrir",
        "D1 descubre su corte: 21",
        "D2 descubre su corte: 33",
        "Corte 1 fallido, sin descubrir: E1",
        "Semilla del corte 1, a la vista de todos:",
        seed_of(rig),
        "Corte 2: corta D1 · se espera a D1 · D2 · I1",
        "D1 compromete su corte",
        "Corte cerrado: 1 por descubrir  (tiempo agotado)",
        "D1 descubre su corte: 44",
        "Sabot 2 sellado · 156 cartas",
        "  Cortado por D1 en 44 · aportan D1",
    ]


def test_a_cut_is_told_in_english() -> None:
    """The same, so that two people who read different languages hear the same."""
    rig = failed()
    assert told(rig.events, "en") == [
        "D1 wishes to cut",
        "D2 wishes to cut",
        "I1 wishes to cut",
        "Cut 1: D1 cuts · awaited: D1 · D2 · I1",
        "I1 lets the cut pass",
        "D1 commits a cut",
        "E1 commits a cut",
        "D2 commits a cut",
        "The cut is closed: 3 to be opened",
        "D1 opens a cut at 21",
        "D2 opens a cut at 33",
        "Cut 1 has failed, not opened: E1",
        "Seed of cut 1, open to everybody:",
        seed_of(rig),
        "Cut 2: D1 cuts · awaited: D1 · D2 · I1",
        "D1 commits a cut",
        "The cut is closed: 1 to be opened  (time is up)",
        "D1 opens a cut at 44",
        "Shoe 2 sealed · 156 cards",
        "  Cut by D1 at 44 · in it: D1",
    ]


def test_whoever_adds_without_cutting_is_told_as_such() -> None:
    """R-05: where the cutter is silent nothing is cut, and all the same it is said who has added."""
    rig = asked((1, 11))
    commit(rig, 11, 30)
    rig.expire()
    reveal(rig, 11, 30)
    assert told(rig.events, "es")[-1] == "  Sin cortar · aportan I1"
    assert told(rig.events, "en")[-1] == "  Not cut · in it: I1"


def test_a_table_that_is_watched_says_whose_numbers_those_are() -> None:
    """The letter of spectators stands in the legend where they may add to the cut, and only there."""
    for allowed in (True, False):
        opened = Rig(cut_spectators=allowed).events[0]
        legend = Narrator("en", color=False).lines(opened)[1]
        assert legend.endswith("P standing · E watching" if allowed else "P standing")


def test_nobody_stands_where_nobody_may() -> None:
    """R-13: at tables of matches all sit, and the legend says nothing of standing."""
    opened = Rig().events[0]
    assert isinstance(opened.data, ev.TableOpened)
    sat = replace(opened.data, options={**opened.data.options, "standing": False})
    event = replace(opened, data=sat)
    assert Narrator("en", color=False).lines(event)[1] == "seats  D right · I left"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_other_ends_of_a_cut(lang: str) -> None:
    """Nobody to cut, nobody who did, somebody who no longer wants to, a table that closes: all are told."""
    deck, narrator = Deck("fr52", 6), Narrator(lang, color=False)
    crowd = tuple(range(1001, 1065))
    others: list[Data] = [
        ev.SeatWilling(seat=1, source="player", willing=False),
        ev.CorteOpened(0, 0, deck, 10_000, crowd, 12_345),
        ev.CorteClosed((), 7, "timeout"),
        ev.CorteAborted((), "0" * 64, 7),
        ev.CorteAborted(crowd, "0" * 64, 7),
    ]
    said = [narrator.lines(Event("croupier", 0, d, "a/t/b", 0, 0, d.TYPE, 1)) for d in others]
    assert [len([line for line in lines if line]) for lines in said] == [1, 1, 1, 3, 3]
    assert max(len(line) for lines in said for line in lines) <= WIDTH
    assert len({line for lines in said for line in lines[:2] if line}) == len(others)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Seed of lot {}, open to everybody:"),
        ("es", "Semilla del sorteo {}, a la vista de todos:"),
        ("ca", "Llavor del sorteig {}, a la vista de tothom:"),
    ],
)
def test_the_seed_of_a_lot_is_called_so(lang: str, said: str) -> None:
    """Design 3: a lot has a shuffle number of its own; its seed is not called that of a shoe."""
    (path,) = [path for path in TABLES if path.stem == "bacara-banks"]
    events = [codec(BACARA).decode(line) for line in path.read_bytes().splitlines()]
    lots = [e.data.shuffle for e in events if e.type == "lot.drawn"]
    assert lots
    assert [line for line in told(events, lang) if line.startswith(said[:10])] == [
        *(said.format(number) for number in lots),
    ]
