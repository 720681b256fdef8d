"""What a log says otherwise than the house would have said it, in a sentence."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import msgspec

from dealer.rules.frame.event import Event


def instead(expected: Event, event: Event) -> str:
    """What the house would have written here: the first thing that is told otherwise."""
    here = "here the house would have written"
    if expected.type != event.type:
        return f"{here} {expected.type}, not {event.type}"
    path, would, told = next(_differing(_plain(expected), _plain(event), event.type))
    return f"{here} {path} {would}, not {told}"


def _plain(event: Event) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(event)
    data: dict[str, Any] = plain.pop("data")
    return data | plain


def _differing(one: Any, other: Any, path: str) -> Iterator[tuple[str, str, str]]:
    """Where two values differ, and how."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            yield from _differing(one.get(name), other.get(name), f"{path} {name}")
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
        for n, (left, right) in enumerate(zip_longest(one, other)):
            yield from _differing(left, right, f"{path} {n}")
    elif one != other:
        yield path, msgspec.json.encode(one).decode(), msgspec.json.encode(other).decode()
