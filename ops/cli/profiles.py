"""The options of a profile that a command names."""

from collections.abc import Sequence
from typing import Any

import msgspec

from dealer.rules.frame.game import Game
from dealer.rules.frame.profile import Profile, resolve
from dealer.rules.frame.refusal import Refusal
from dealer.words import sentence


def options_of(
    game: Game, profile: Profile, mode: str | None, chosen: Sequence[str] = ()
) -> tuple[str, dict[str, Any]]:
    """The mode that is meant, the profile's first one unless it is named, and its options.

    Args:
        game: that the profile is of.
        profile: the profile.
        mode: one of its modes.
        chosen: options that are not to be as the profile has them, each as `name=value`.

    Raises:
        ValueError: the profile has no such mode, or no table of it may have these options.
    """
    played = next(iter(profile.modes)) if mode is None else mode
    if played not in profile.modes:
        raise ValueError(f"{profile.id} has no mode {mode!r}; it has: {', '.join(profile.modes) or 'none'}")
    named = dict(_read(each) for each in chosen)
    found = resolve(profile, played, named)
    options = {} if isinstance(found, Refusal) else found
    refused = found if isinstance(found, Refusal) else game.check_options(found)
    if refused:
        said = sentence(refused.code, refused.params, "en").rstrip(".")
        raise ValueError(f"{profile.id} is not played like this: {said}")
    settings = profile.modes[played].options
    return played, {name: setting.default for name, setting in settings.items()} | options


def _read(text: str) -> tuple[str, Any]:
    """`name=value`, where a number, `true` and `false` are what they are in JSON."""
    name, _, value = text.partition("=")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value
