"""Puts the doors together into one aiohttp application."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cache
from typing import Any, Literal

import msgspec
from aiohttp import web

from dealer.croupier.node import Node
from dealer.croupier.tasks import end
from dealer.http import page
from dealer.http.doors import DURABILITY, KEYRING, NODE, SANDBOX, expectation, keyed, nowhere, unlocked
from dealer.http.keyring import Keyring
from dealer.http.limits import BODY_BYTES, DRAIN_S, Bounds
from dealer.http.openapi import describe
from dealer.http.rates import Rates
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
    durability: Literal["checked", "declared"] = "checked",
    bounds: Bounds | None = None,
) -> web.Application:
    """The service as an application; it is served by `dealer.http.serving.Serving`.

    Args:
        node: opened and closed by the caller.
        keyring: read now and again each second while the application runs.
        metrics: the figures, in the format that `prometheus_client.generate_latest` writes.
        ready: what is known of readiness; its key `ready` decides between 200 and 503. It is shown to all.
        version: of the software.
        sandbox: whether tables with cards laid by hand may be opened.
        durability: whether the store was found durable, or somebody answers for it; every table shows it.
        bounds: how often anybody may ask; the usual ones unless given.
    """
    app = web.Application(client_max_size=BODY_BYTES)
    rates = Rates(bounds or Bounds())
    app[NODE] = node
    app[KEYRING] = keyring
    app[SANDBOX] = sandbox
    app[DURABILITY] = durability
    app[SHOES] = ShoeIndex(node.journal)
    app[STREAMS_KEY] = Streams(node, keyring)
    app[ABOUT] = About(metrics, ready, version, *described(version))
    for route in ROUTES:
        handler: Any = route.handler
        door = (
            keyed(handler, route.roles, keyring, rates, changes=route.method != "GET")
            if route.roles
            else unlocked(handler, rates)
        )
        app.router.add_route(route.method, route.path, door, expect_handler=expectation)
    app.router.add_route("*", r"/{nowhere:[\s\S]*}", unlocked(nowhere, rates), expect_handler=expectation)
    app.cleanup_ctx.append(_watch_keys)
    app.cleanup_ctx.append(_watch_streams)
    app.on_shutdown.append(_end_streams)
    return app


@cache
def described(version: str) -> tuple[bytes, page.Page]:
    """The description of the API as it is sent, and as a page; the same for every application."""
    document = describe(ROUTES, version)
    return msgspec.json.encode(document), page.make(document)


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
