"""The guard before every handler: whose key it is, whether it may, how often; problems for whatever fails.

It wraps each handler instead of being a middleware, which would cost every request more than all of this.
"""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import cast

import structlog
from aiohttp import web

from dealer.croupier.node import Node
from dealer.croupier.order import NoSuchAggregate, Unavailable
from dealer.http.answers import KEY_HEADER
from dealer.http.connections import Connection
from dealer.http.keyring import KeyRecord, Keyring, Role
from dealer.http.limits import is_idempotency_key
from dealer.http.problems import ERROR, Problem
from dealer.http.rates import Rates
from dealer.journal.errors import JournalError
from shoe.entropy import random_bytes

NODE = web.AppKey("node", Node)
KEYRING = web.AppKey("keyring", Keyring)
SANDBOX = web.AppKey("sandbox", bool)
"""Whether cards may be laid by hand (design 6)."""
DURABILITY = web.AppKey("durability", str)
"""What stands behind `accepted`: `checked`, or `declared` by whoever runs the service (design 5)."""

Keyed = Callable[[web.Request, KeyRecord], Awaitable[web.StreamResponse]]
"""A handler that is told whose key it serves."""
Open = Callable[[web.Request], Awaitable[web.Response]]
"""A handler for everybody."""
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

log = structlog.get_logger()


def keyed(
    handler: Keyed, roles: frozenset[Role], keyring: Keyring, rates: Rates, *, changes: bool
) -> _Handler:
    """A handler that only keys of these roles reach, each so often; one that changes things most strictly."""

    async def door(request: web.Request) -> web.StreamResponse:
        connection = cast("Connection", request.protocol)
        connection.begin()
        try:
            key = _key(request, roles, keyring, rates)
            if changes:
                rates.change(connection.address, key, request.match_info.get("table", ""))
            else:
                rates.read(connection.address, key)
            return await handler(request, key)
        except Exception as trouble:  # noqa: BLE001 - whatever it is, the client gets a problem
            return _answer(request, trouble)

    return door


def unlocked(handler: Open, rates: Rates) -> _Handler:
    """A handler that everybody reaches."""

    async def door(request: web.Request) -> web.StreamResponse:
        connection = cast("Connection", request.protocol)
        connection.begin()
        try:
            rates.visit(connection.address)
            return await handler(request)
        except Exception as trouble:  # noqa: BLE001 - whatever it is, the client gets a problem
            return _answer(request, trouble)

    return door


async def nowhere(request: web.Request) -> web.Response:
    """What is answered where there is no door, or none for this method."""
    allowed: set[str] = set()
    for resource in request.app.router.resources():
        if resource is not request.match_info.route.resource:
            _, methods = await resource.resolve(request)
            allowed |= methods
    if allowed:
        raise Problem("method_not_allowed", headers={"Allow": ", ".join(sorted(allowed))})
    raise Problem("not_found")


async def expectation(request: web.Request) -> web.Response | None:
    """`Expect: 100-continue` is met; there is no other (RFC 9110, 10.1.1)."""
    if request.headers.get("Expect", "").lower() != "100-continue":
        return _answer(request, Problem("malformed", status=HTTPStatus.EXPECTATION_FAILED))
    if request.transport is not None:
        request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return None


def token_of(request: web.Request) -> str:
    """The token a request shows, empty for none, or for several: one reader might take the other."""
    shown = request.headers.getall("Authorization", ())
    scheme, _, token = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
    return token if scheme.lower() == "bearer" else ""


def _key(request: web.Request, roles: frozenset[Role], keyring: Keyring, rates: Rates) -> KeyRecord:
    token = token_of(request)
    found = keyring.look_up(token) if token else None
    if found is None:
        rates.guess(cast("Connection", request.protocol).address)
        raise Problem("unauthorized")
    if found.role not in roles:
        raise Problem("forbidden")
    return found


def _answer(request: web.Request, trouble: Exception) -> web.Response:
    """The problem that an exception makes; nothing of what is inside goes with it."""
    match trouble:
        case Problem():
            problem = trouble
        case NoSuchAggregate():
            problem = Problem("no_such_table")
        case Unavailable() | JournalError():
            problem = Problem("unavailable")
        case _:
            error = f"err_{random_bytes(8).hex()}"
            route = request.match_info.route.resource
            log.error(
                "request_failed",
                error=error,
                method=request.method,
                route=route.canonical if route is not None else "",
                exc_info=trouble,
            )
            problem = Problem("internal", instance=ERROR + error)
    given = request.headers.getall(KEY_HEADER, [])
    if len(given) == 1 and is_idempotency_key(given[0]):
        problem.headers[KEY_HEADER] = given[0]
    return problem.response(request)
