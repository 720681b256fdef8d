"""Puts the doors together into one aiohttp application."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from dealer.croupier.node import Node
from dealer.croupier.tasks import end
from dealer.http import page
from dealer.http.doors import KEYRING, NODE, SANDBOX, expectation, keyed, nowhere, unlocked
from dealer.http.keyring import Keyring
from dealer.http.limits import BODY_BYTES, DRAIN_S, HEADER_BYTES, HEADERS, IDLE_S, LINE_BYTES, LINGER_S
from dealer.http.openapi import describe
from dealer.http.routes import ROUTES
from dealer.http.service import ABOUT, About
from dealer.http.shoeindex import ShoeIndex
from dealer.http.shoes import SHOES
from dealer.http.streams import STREAMS_KEY, Streams


def build(
    node: Node,
    keyring: Keyring,
    *,
    metrics: Callable[[], bytes],
    ready: Callable[[], Awaitable[dict[str, Any]]],
    version: str,
    sandbox: bool = False,
) -> web.Application:
    """The service as an application; serve it by `runner`.

    Args:
        node: opened and closed by the caller.
        keyring: read now and again each second while the application runs.
        metrics: the figures, in the format that `prometheus_client.generate_latest` writes.
        ready: what is known of readiness; its key `ready` decides between 200 and 503. It is shown to all.
        version: of the software.
        sandbox: whether tables with cards laid by hand may be opened.
    """
    app = web.Application(client_max_size=BODY_BYTES)
    document = describe(ROUTES, version)
    app[NODE] = node
    app[KEYRING] = keyring
    app[SANDBOX] = sandbox
    app[SHOES] = ShoeIndex(node.journal)
    app[STREAMS_KEY] = Streams(node, keyring)
    app[ABOUT] = About(metrics, ready, version, msgspec.json.encode(document), page.make(document))
    for route in ROUTES:
        handler: Any = route.handler
        door = keyed(handler, route.roles) if route.roles else unlocked(handler)
        app.router.add_route(route.method, route.path, door, expect_handler=expectation)
    app.router.add_route("*", "/{nowhere:.*}", unlocked(nowhere), expect_handler=expectation)
    app.cleanup_ctx.append(_watch_keys)
    app.cleanup_ctx.append(_watch_streams)
    app.on_shutdown.append(_end_streams)
    return app


def runner(app: web.Application) -> web.AppRunner:
    """What serves the application: heads bounded in size and time, and no access log (events are the record).

    A client that hangs up does not stop what it has begun. What is not HTTP at all is answered by aiohttp
    itself, with 400 in plain text, and leaves no trace in the logs.
    """
    return web.AppRunner(
        app,
        access_log=None,
        handler_cancellation=False,
        keepalive_timeout=IDLE_S,
        lingering_time=LINGER_S,
        logger=_wire,
        max_field_size=HEADER_BYTES,
        max_headers=HEADERS,
        max_line_size=LINE_BYTES,
        shutdown_timeout=DRAIN_S,
    )


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether aiohttp speaks of an error of the house, and not of bytes that are no request."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


_wire = logging.getLogger("dealer.http.wire")
_wire.addFilter(_is_ours)


async def _watch_keys(app: web.Application) -> AsyncIterator[None]:
    keyring = app[KEYRING]
    await keyring.refresh()
    watching = asyncio.create_task(keyring.watch())
    yield
    keyring.finish()
    await asyncio.wait({watching}, timeout=DRAIN_S)
    await end(watching)


async def _watch_streams(app: web.Application) -> AsyncIterator[None]:
    watching = asyncio.create_task(app[STREAMS_KEY].watch())
    yield
    await end(watching)


async def _end_streams(app: web.Application) -> None:
    """Before requests under way are waited for: a stream would not end by itself."""
    app[STREAMS_KEY].close()
