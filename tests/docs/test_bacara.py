"""docs/bacara.md and docs/bacara.es.md: complete, the same in both languages, and true."""

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from dealer.rules.bacara.coverage import Stake, cover
from dealer.rules.bacara.game import BACARA
from dealer.rules.bacara.tableau import banker_default, banker_may, punter_default, punter_may
from dealer.rules.frame.commands import PUBLIC, Command
from dealer.rules.frame.profile import Setting
from tests.docs.test_profiles import ELSEWHERE
from tests.project.tree import TREE

PAGES = ["bacara.md", "bacara.es.md"]
SEED = BACARA.profiles["seed"]
OPTIONS = SEED.modes["dos-panos"].options
COMMON = {field.name for field in msgspec.structs.fields(Command)}
"""What any command may have; it is told once, below the table."""

pages = pytest.mark.parametrize("name", PAGES)


def sections(name: str) -> list[str]:
    """The parts of a page, each from its heading on."""
    return (TREE / "docs" / name).read_text(encoding="utf-8").split("\n## ")


def table(section: str) -> list[list[str]]:
    """The cells of the rows of a section's tables, heads included."""
    lines = [line for line in section.splitlines() if line.startswith("|") and not line.startswith("|-")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def named(text: str) -> list[str]:
    """What stands as code."""
    return re.findall("`([^`]+)`", text)


def test_both_pages_say_the_same() -> None:
    """The same sections in the same order, each with as many points and rows, naming the same things."""
    for english, spanish in zip(*map(sections, PAGES), strict=True):
        assert len(table(english)) == len(table(spanish)), english
        assert {*named(english)} ^ {*named(spanish)} <= {"draw", "stand", "lay_down"}, english
        points = [re.findall(r"^(?:\d\.|-)", text, re.MULTILINE) for text in (english, spanish)]
        assert points[0] == points[1], english


def code(value: Any) -> str:
    """Values as the page shows them."""
    values = value if isinstance(value, list | tuple) else [value]
    return ", ".join(f"`{each if isinstance(each, str) else json.dumps(each)}`" for each in values)


def bounds(setting: Setting) -> str:
    """What a table may choose, as the page shows it."""
    return code(setting.allowed or setting.items) if setting.min is None else f"{setting.min} … {setting.max}"


@pages
def test_the_options_are_those_of_the_profile(name: str) -> None:
    """Every option with a choice, with its default and its bounds, and no other."""
    shown = {named(option)[0]: tuple(cells) for option, *cells, _ in table(sections(name)[-2])[1:]}
    told = {
        option: ("—" if setting.default is None else code(setting.default), bounds(setting))
        for option, setting in OPTIONS.items()
        if len(setting.allowed) != 1
    }
    assert shown == {**told, "automations": (code(SEED.automations),) * 2}


@pages
def test_the_numbers_in_the_text(name: str) -> None:
    """Seats, packs and the stop card are those of the profile (R-01, R-07, R-12)."""
    seats, shoe = sections(name)[1], sections(name)[9]
    last = OPTIONS["seats_per_pano"].default
    assert re.findall(r"(\d+) … (\d+)", seats) == [("1", str(last)), ("11", str(10 + last))]
    assert re.findall(r"([DI])1 … [DI](\d+)", seats) == [("D", str(last)), ("I", str(last))]
    packs, left = OPTIONS["packs"].default, OPTIONS["stop_card"].default
    assert re.findall(r"\d+", shoe) == [str(packs), "52", str(left)]


@pages
def test_the_third_card(name: str) -> None:
    """The table of who draws is that of the rules, and nobody has a choice (R-37, R-41)."""
    five, rule = OPTIONS["five"].default, OPTIONS["banker_rule"].default
    assert all(len(punter_may(points, five) | banker_may(rule, points)) <= 1 for points in range(10))
    _, pano, bank = table(sections(name)[2])
    assert [named(cell)[0] for cell in pano[1:]] == [punter_default(points, five) for points in range(10)]
    assert [named(cell)[0] for cell in bank[1:]] == [banker_default(rule, points) for points in range(10)]


@pages
def test_the_example_of_coverage(name: str) -> None:
    """The bank answers for the stakes as the example says (R-30)."""
    head, on, staked, covered = table(sections(name)[3])
    people = {"D1": 1, "D2": 2, "I1": 11, "I2": 12, "P1": 1001}
    seats = [people[cell.partition(",")[0]] for cell in head[1:]]
    stakes = [
        Stake(int(amount), named(pano)[0], order, seat)
        for order, (seat, pano, amount) in enumerate(zip(seats, on[1:], staked[1:], strict=True))
    ]
    (bank,) = re.findall(r"(\d+):$", sections(name)[3], re.MULTILINE)
    found = cover(int(bank), stakes, {"right": 1, "left": 11})
    assert [each.seat for each in found] == seats
    assert [each.covered for each in found] == [int(cell) for cell in covered[1:]]


def fields(kind: type[Command]) -> Iterator[str]:
    """The fields of a command beside those that any may have; a place that is asked for is its own."""
    wanted = {"seat"} if kind.__struct_config__.tag in {"sit", "seat_bot"} else set()
    wanted |= {"decision"} if kind.__struct_config__.tag == "expire" else set()
    for field in msgspec.structs.fields(kind):
        if field.name not in COMMON - wanted:
            yield field.name


@pages
def test_the_commands_are_those_of_the_table(name: str) -> None:
    """Every command of two paños once, with its fields, and no other; `half` is told where it may be used."""
    shown = [
        (tag, {*named(given)}) for tags, given, _ in table(sections(name)[-1])[1:] for tag in named(tags)
    ]
    known = {*PUBLIC, *BACARA.commands} - {*ELSEWHERE}
    told = [(str(kind.__struct_config__.tag), {*fields(kind)} - {"half"}) for kind in known]
    assert sorted(shown, key=str) == sorted(told, key=str)
