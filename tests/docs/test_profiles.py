"""The pages of bacará's profiles: in both languages, with every option that a table may choose."""

import re
from collections.abc import Iterator

import pytest

from dealer.rules.bacara.commands import (
    AcceptAllStakes,
    AnswerShare,
    AskShare,
    Banco,
    ConLaMesa,
    PassBanco,
    PassBank,
    ReplenishBank,
    RequestNewShoe,
    SetAside,
)
from dealer.rules.frame.profile import Setting
from dealer.rules.registry import GAMES
from tests.project.tree import TREE

PAGES = {
    "bacara-tournant": ("seed", ["tournant"]),
    "chemin-de-fer": ("chemin-de-fer", [""]),
    "reglamento-1979": ("reglamento-1979", [""]),
    "arrete-2007": ("arrete-2007", ["limited", "open"]),
    "punto-y-banca": ("punto-y-banca", [""]),
}
"""By the name of the page: the profile and its modes."""
LANGUAGES = ("", ".es")
EXPLAINED = re.compile(r"(?!banco_)\w+_ms|corte|min_contributors|cut_spectators|(min|max)_(stake|bank)")
"""Options that the page of two paños explains for all."""
ELSEWHERE = (
    AcceptAllStakes,
    AnswerShare,
    AskShare,
    Banco,
    ConLaMesa,
    PassBanco,
    PassBank,
    ReplenishBank,
    RequestNewShoe,
    SetAside,
)
"""The commands that two paños under the seed's rules do not have."""


def _read(name: str, language: str) -> str:
    return (TREE / "docs" / f"{name}{language}.md").read_text(encoding="utf-8")


def _chosen(settings: dict[str, Setting]) -> Iterator[tuple[str, str]]:
    """Options with more than one value, each with its default as a page writes it."""
    for name, setting in settings.items():
        idle = name == "banco_ms" and settings["banco"].default == "off"
        if idle or EXPLAINED.fullmatch(name) or max(len(setting.allowed), len(setting.items)) == 1:
            continue
        default = setting.default if isinstance(setting.default, list) else [setting.default]
        yield name, ", ".join(map(_written, default))


def _written(value: object) -> str:
    if isinstance(value, bool):
        return f"`{value}`".lower()
    return f"{value:,}".replace(",", " ") if isinstance(value, int) else f"`{value}`"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_every_option_is_on_the_page(name: str, language: str) -> None:
    """With its default, and no option that the profile does not have."""
    profile, modes = PAGES[name]
    table = re.findall(
        r"^\| `(\w+)` \| ([^|]+) \|", _read(name, language).rpartition("\n## ")[2], re.MULTILINE
    )
    known = GAMES["bacara"].profiles[profile].modes
    assert table == [row for mode in modes for row in _chosen(known[mode].options)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_further_command_is_on_some_page(language: str) -> None:
    """What the page of two paños does not list, and the field of a stake that only other profiles allow."""
    text = "".join(_read(name, language) for name in PAGES)
    for word in ("half", *(str(kind.__struct_config__.tag) for kind in ELSEWHERE)):
        assert f"`{word}`" in text
