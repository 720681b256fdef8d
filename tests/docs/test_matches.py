"""The pages of games played in matches: every option, every command and every figure of the game."""

import re
from typing import Any

import pytest

from dealer.rules.butifarra.bidding import LADDER
from dealer.rules.butifarra.cards import TABLES
from dealer.rules.butifarra.scoring import score
from dealer.rules.frame.commands import Command, Expire
from dealer.rules.frame.game import Game
from dealer.rules.frame.profile import Setting
from dealer.rules.registry import GAMES
from tests.docs.test_bacara import fields, named, sections, table

GAME_IDS = ("baciga", "butifarra")
MATCHES = pytest.mark.parametrize("game", [GAMES[name] for name in GAME_IDS], ids=GAME_IDS)
BUTIFARRA = GAMES["butifarra"]
PAGES = ("butifarra.md", "butifarra.es.md")
NONE = "\u2013"
"""An option that a profile does not have."""


@MATCHES
def test_the_options_are_those_of_the_profiles(game: Game) -> None:
    """Every option with which some profile leaves a choice, once."""
    chosen = {
        name
        for profile in game.profiles.values()
        for mode in profile.modes.values()
        for name, setting in mode.options.items()
        if len(setting.allowed) != 1
    }
    shown = [name for option, *_ in table(sections(f"{game.id}.md")[-2])[1:] for name in named(option)]
    assert sorted(shown) == sorted({*chosen, "automations"})


@MATCHES
def test_the_commands_are_those_of_the_game(game: Game) -> None:
    """Every command of its own once, with its fields, and the one that ends a turn."""
    rows = table(sections(f"{game.id}.md")[-1])[1:]
    shown = [(tag, {*named(given)}) for tags, given, _ in rows for tag in named(tags)]
    known: list[type[Command]] = [*game.commands, Expire]
    told = [(str(kind.__struct_config__.tag), {*fields(kind)}) for kind in known]
    assert sorted(shown, key=str) == sorted(told, key=str)


@MATCHES
def test_the_spanish_page_has_the_same_profiles(game: Game) -> None:
    """It leaves options and commands to this page, and no profile out."""
    for page in (f"{game.id}.md", f"{game.id}.es.md"):
        assert {*game.profiles} <= {*named("".join(sections(page)))}


def _written(value: Any) -> str:
    """A value as the page writes it."""
    if isinstance(value, bool) or not isinstance(value, int):
        return f"`{str(value).lower()}`"
    return f"{value:,}".replace(",", " ")


def _may_be(setting: Setting) -> str:
    """What an option may be, as the page begins to say it."""
    if setting.allowed:
        return ", ".join(map(_written, setting.allowed))
    return f"{_written(setting.min)} … {_written(setting.max)}"


def test_the_defaults_of_butifarra() -> None:
    """Each profile's own value of every option, and what else it may be (butifarra:3)."""
    head, *rows = table(sections("butifarra.md")[-2])
    profiles = [BUTIFARRA.profiles[name].modes[""].options for name in named(" ".join(head))]
    for option, *defaults, may_be in rows:
        for name in named(option) if any(defaults) else ():
            settings = [options.get(name) for options in profiles]
            assert defaults == [_written(each.default) if each else NONE for each in settings], name
            first = next(each for each in settings if each)
            assert name.endswith("_ms") or may_be.startswith(_may_be(first)), name


def test_the_catalan_page_has_the_same_defaults() -> None:
    """Its switches, each with the profile's own value or none where there is no use for it (butifarra:3)."""
    head, *rows = table(sections("butifarra.ca.md")[-1])
    profiles = [BUTIFARRA.profiles[name].modes[""].options for name in named(" ".join(head))]
    assert {*BUTIFARRA.profiles} == {*named(" ".join(head))}
    for option, *defaults, _ in rows:
        for options, default in zip(profiles, defaults, strict=True):
            setting = options.get(named(option)[0])
            assert default in {NONE, _written(setting.default) if setting else NONE}, option


@pytest.mark.parametrize("page", PAGES)
def test_the_figures_of_butifarra(page: str) -> None:
    """Values, scores, multipliers (butifarra:5.1, butifarra:6.1, butifarra:9, butifarra:10)."""
    text = "".join(sections(page))
    assert {name.strip("`"): [*map(int, row)] for name, *row in _rows(text, "`(seed40.*|standard72)`")} == {
        name: [each.points.get(rank, 0) for rank in ("9", "1", "12", "11", "10")]
        + [1, 2 * each.half, each.half]
        for name, each in TABLES.items()
    }
    for points, *scores in _rows(text, r"\d+ : \d+"):
        raw = [int(each) for each in points.split(" : ")]
        made = [max(score({"card_values": "seed40"}, raw, times)) for times in (1, 2, 4, 8)]
        assert [*map(int, scores)] == made, points
    for said, (_, *row) in enumerate(_rows(text, "`(contro|recontro|sant_vicenc|barraca)`"), 1):
        assert row == [str(2**said), "" if said == len(LADDER) else str(2 ** (said + 1))]
    lines = [int(times) for *_, times in _rows(text, "(a suit|un palo|butifarra), .*")]
    assert lines == [1, 2, 2, 4, 4, 8, 4, 8]


def _rows(text: str, first: str) -> list[list[str]]:
    """The rows of all tables of several columns whose first cell looks like this."""
    return [row for row in table(text) if re.fullmatch(first, row[0]) and len(row) > 2]
