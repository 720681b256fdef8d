"""docs/baciga.md: every option and every command of the game, and no other."""

from dealer.rules.baciga.game import BACIGA
from dealer.rules.frame.commands import Command, Expire
from tests.docs.test_bacara import fields, named, sections, table

PAGE = "baciga.md"


def test_the_options_are_those_of_the_profiles() -> None:
    """Every option with which some profile leaves a choice, once."""
    chosen = {
        name
        for profile in BACIGA.profiles.values()
        for mode in profile.modes.values()
        for name, setting in mode.options.items()
        if len(setting.allowed) != 1
    }
    shown = [name for option, *_ in table(sections(PAGE)[-2])[1:] for name in named(option)]
    assert sorted(shown) == sorted({*chosen, "automations"})


def test_the_commands_are_those_of_the_game() -> None:
    """Every command of its own once, with its fields, and the one that ends a turn."""
    shown = [
        (tag, {*named(given)}) for tags, given, _ in table(sections(PAGE)[-1])[1:] for tag in named(tags)
    ]
    known: list[type[Command]] = [*BACIGA.commands, Expire]
    told = [(str(kind.__struct_config__.tag), {*fields(kind)}) for kind in known]
    assert sorted(shown, key=str) == sorted(told, key=str)


def test_the_spanish_page_has_the_same_profiles() -> None:
    """It leaves options and commands to this page, and no profile out."""
    for page in (PAGE, "baciga.es.md"):
        assert {*BACIGA.profiles} <= {*named("".join(sections(page)))}
