"""Profiles as data: which options a game has, their defaults, and what may be chosen."""

from collections.abc import Mapping
from typing import Any

import msgspec

from dealer.rules.frame.refusal import Refusal


class Setting(msgspec.Struct, frozen=True):
    """One option: its default, and the values allowed, an inclusive range, or what a list of it may hold.

    An option with `optional` may be left unset (no table maximum, for instance). Of `items` a value lists at
    least one, each once, in any order.
    """

    default: Any = None
    allowed: tuple[Any, ...] = ()
    min: int | None = None
    max: int | None = None
    items: tuple[str, ...] = ()
    optional: bool = False

    @property
    def bounds(self) -> dict[str, int]:
        """The ends of the range, of an option that has one."""
        ends = {"max": self.max, "min": self.min}
        return {end: value for end, value in ends.items() if value is not None}

    def accepts(self, value: object) -> bool:
        """Whether a table may choose this value."""
        if self.allowed:
            return any(type(value) is type(a) and value == a for a in self.allowed)
        if self.items:
            if not isinstance(value, list) or not all(type(v) is str for v in value):
                return False
            return 0 < len(value) == len(set(value).intersection(self.items))
        if type(value) is not int:
            return False
        return (self.min is None or value >= self.min) and (self.max is None or value <= self.max)


class Mode(msgspec.Struct, frozen=True):
    """One way to play a profile."""

    options: dict[str, Setting]


class Profile(msgspec.Struct, frozen=True):
    """A profile of a game; id and version are recorded with every table."""

    id: str
    version: int
    automations: tuple[str, ...]
    modes: dict[str, Mode]


def read(text: bytes) -> Profile:
    """A profile from its TOML file.

    Raises:
        msgspec.ValidationError: the file is not a profile.
    """
    return msgspec.toml.decode(text, type=Profile)


def resolve(profile: Profile, mode: str, chosen: Mapping[str, Any]) -> dict[str, Any] | Refusal:
    """All options of a table: the profile's defaults with what the host chose, keys sorted.

    Refuses `option_unknown` and `option_not_allowed`; combinations are the game's to judge.
    """
    settings = profile.modes[mode].options
    for key, value in chosen.items():
        setting = settings.get(key)
        if setting is None:
            return Refusal("option_unknown", {"option": key})
        if not setting.accepts(value):
            return Refusal("option_not_allowed", {"option": key, **setting.bounds})
    full = {k: chosen.get(k, s.default) for k, s in settings.items()}
    return {k: full[k] for k in sorted(full) if full[k] is not None}
