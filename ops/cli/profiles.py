"""The options of a profile that a command names."""

from typing import Any

from dealer.rules.frame.profile import Profile


def options_of(profile: Profile, mode: str | None) -> tuple[str, dict[str, Any]]:
    """The mode that is meant, the profile's first one unless it is named, and its options by default.

    Raises:
        ValueError: the profile has no such mode.
    """
    played = next(iter(profile.modes)) if mode is None else mode
    if played not in profile.modes:
        raise ValueError(f"{profile.id} has no mode {mode!r}; it has: {', '.join(profile.modes)}")
    return played, {name: setting.default for name, setting in profile.modes[played].options.items()}
