"""What an address says: ids, numbers and pages."""

import re
from typing import TypeVar

import msgspec
from aiohttp import web

from dealer.croupier.node import Node
from dealer.croupier.tables import TableDesk
from dealer.http.limits import MOST, PAGE, is_id, is_number
from dealer.http.problems import Problem

T = TypeVar("T")


class Query(msgspec.Struct, frozen=True):
    """A parameter after the question mark, for the description of the API.

    Attributes:
        pattern: of a text; empty for a number.
        wanted: whether it must be there.
    """

    name: str
    meaning: str
    pattern: str = ""
    wanted: bool = False
    least: int = 0
    most: int = 10**15 - 1


def table_id(request: web.Request) -> str:
    """The table an address names.

    Raises:
        Problem: no table can have such an id.
    """
    found = request.match_info["table"]
    if not is_id(found):
        raise Problem("no_such_table")
    return found


async def table_of(request: web.Request, node: Node) -> TableDesk:
    """The desk of the table an address names, up to date.

    Raises:
        Problem: no table can have such an id.
        NoSuchAggregate: there is no such table.
        Unavailable: the journal cannot be read now.
    """
    return await node.table(table_id(request))


def number_of(request: web.Request, name: str, otherwise: str) -> int:
    """The number in an address.

    Raises:
        Problem: it is none; `otherwise` is the code.
    """
    found = request.match_info[name]
    if not is_number(found):
        raise Problem(otherwise)
    return int(found)


def integer(request: web.Request, query: Query, default: int) -> int:
    """A numeric parameter of the query.

    Raises:
        Problem: it is no number, out of its range, or there are several.
    """
    text = _given(request, query)
    if text is None:
        return default
    bare = text[1:] if text.startswith("-") and query.least < 0 else text
    if not is_number(bare) or not query.least <= int(text) <= query.most:
        raise Problem("malformed", {"path": f"?{query.name}"})
    return int(text)


def identifier(request: web.Request, query: Query) -> str:
    """An id in the query, empty if it is not given.

    Raises:
        Problem: it is no such id.
    """
    text = _given(request, query)
    if text is None:
        return ""
    if not re.match(query.pattern, text):
        raise Problem("malformed", {"path": f"?{query.name}"})
    return text


def _given(request: web.Request, query: Query) -> str | None:
    """What a parameter says; whoever says it twice may mean either."""
    given = request.query.getall(query.name, [])
    if len(given) > 1:
        raise Problem("malformed", {"path": f"?{query.name}"})
    return given[0] if given else None


LIMIT = Query("limit", "How many at most.", least=1, most=MOST)


def limit(request: web.Request) -> int:
    """How many lines a page may have.

    Raises:
        Problem: it is no number, or out of its range.
    """
    return integer(request, LIMIT, PAGE)
