"""The reference of the events in docs/events.md: from their types, with examples out of the golden logs."""

import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from dealer.cage.events import EVENTS as BOOK
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import EVENTS
from dealer.rules.registry import GAMES
from dealer.words import Words
from tests.golden.make import HERE

BEGIN, END = "<!-- events: `python -m tests.docs.make` writes what follows -->", "<!-- end of the events -->"
"""The reference stands between these two lines of the page; what is around it is written by hand."""

_CITED = re.compile(r"\s*\((?:design|fairness|glossary|[RA]-\d)[^()]*\)")
"""Where the sources say on what sheet a thing was decided."""
_LONGEST = 16
"""Digits and letters of an example's hash that are shown."""
_SHOWN = 3
"""Members of an example's list that are shown."""
_NAMES = {bool: "boolean", int: "integer", str: "text", Any: "value"}
_TABLE = "Everybody who may read the table reads these, with the same bytes."
_IN_BOOK = (
    "The log of the book has no address of its own: hosts and auditors read it as lines of "
    "[`/v1/transfers`](api.md#the-book) and accounts of `/v1/accounts`."
)


def section() -> str:
    """All events: those of every table, those of each game, those of the book."""
    parts = [_group("Of every table", _TABLE, EVENTS)]
    parts += (_group(f"Of {Words('en').game(name)}", _TABLE, game.events) for name, game in GAMES.items())
    return "\n\n".join([BEGIN, *parts, _group("Of the book", _IN_BOOK, BOOK), END])


def page(present: str) -> str:
    """The page with its reference written anew."""
    before, _, rest = present.partition(BEGIN)
    return before + section() + rest.partition(END)[2]


def _group(title: str, readers: str, kinds: Iterable[type[Data]]) -> str:
    return "\n\n".join([f"## {title}", readers, *map(_entry, kinds)])


def _entry(kind: type[Data]) -> str:
    meaning = _CITED.sub("", " ".join((kind.__doc__ or "").split())).replace(", ....", " and so on.")
    lines = [f"### `{kind.TYPE}`", f"Version {kind.V}. {meaning}", _fields(kind)]
    return "\n\n".join([*filter(None, lines), f"```json\n{_example(kind)}\n```"])


def _fields(kind: type[msgspec.Struct]) -> str:
    """The fields and what they hold; of a structure its own in brackets."""
    fields = msgspec.structs.fields(kind)
    return ", ".join(f"`{f.encode_name}`{'' if f.required else '?'} {_type(f.type)}" for f in fields)


def _type(kind: Any) -> str:
    """A type in words."""
    arguments = get_args(kind)
    match get_origin(kind):
        case origin if origin is tuple:
            return f"list of {_type(arguments[0])}"
        case origin if origin is dict:
            return f"by name {_type(arguments[1])}"
        case origin if origin is Annotated:
            return _type(arguments[0])
        case origin if origin is Literal:
            return _type(type(arguments[0]))
    if kind in _NAMES:
        return _NAMES[kind]
    return f"({_fields(kind)})"


def _example(kind: type[Data]) -> str:
    """What a golden log has of this type, without most of long hashes and lists."""
    for log in sorted(HERE.glob("*/*.jsonl"), reverse=True):
        for line in log.read_bytes().splitlines():
            event = msgspec.json.decode(line)
            if event["type"] == kind.TYPE:
                return msgspec.json.encode(_short(event["data"])).decode()
    raise AssertionError(f"no golden log has a {kind.TYPE}")


def _short(value: Any) -> Any:
    match value:
        case str() if len(value) > 2 * _LONGEST:
            return f"{value[:_LONGEST]}…"
        case [*members] if len(members) > _SHOWN:
            return [*map(_short, members[:_SHOWN]), "…"]
        case [*members]:
            return [*map(_short, members)]
        case dict():
            return {name: _short(member) for name, member in value.items()}
    return value
