"""Putting parameters into a sentence: only whole numbers and short ids ever get in.

Parameters come with a refusal and may repeat what a client sent, so anything else is as if it were missing.
"""

import re
from collections.abc import Mapping
from string import Formatter

_SHORT = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_MOST = 2**53 - 1
_LIST = 8
"""So many ids of a list are named at most."""
_PLAIN = frozenset({"round", "seat", "seq", "shuffle"})
"""Numbers that are names, not amounts: they are never grouped."""


def grouped(number: int, thousands: str) -> str:
    """A whole number with its digits in groups of three."""
    return f"{number:,}".replace(",", thousands)


def fields(pattern: str) -> frozenset[str]:
    """The parameters a pattern asks for."""
    return frozenset(name for _, name, _, _ in Formatter().parse(pattern) if name)


def fit(name: str, value: object, thousands: str) -> str:
    """What a parameter looks like in a sentence; empty if it has no business in one."""
    if type(value) is int and abs(value) <= _MOST:
        return str(value) if name in _PLAIN else grouped(value, thousands)
    if isinstance(value, str):
        return value if _SHORT.fullmatch(value) else ""
    if isinstance(value, list | tuple):
        return ", ".join(v for v in value[:_LIST] if isinstance(v, str) and _SHORT.fullmatch(v))
    return ""


def choose(patterns: tuple[str, ...], fitted: Mapping[str, str]) -> str:
    """The first pattern whose parameters are all there, filled in; the last one asks for none."""
    for pattern in patterns[:-1]:
        if all(fitted.get(name) for name in fields(pattern)):
            return pattern.format_map(fitted)
    return patterns[-1]
