"""What the service says of itself: alive, ready, measured, described."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from dealer.http.answers import JSON, SECURITY, answer
from dealer.http.messages import Health
from dealer.http.page import Page
from dealer.http.problems import Problem


class About(msgspec.Struct, frozen=True):
    """What the composition root tells of the service, and what was made of the routes."""

    metrics: Callable[[], bytes]
    ready: Callable[[], Awaitable[dict[str, Any]]]
    version: str
    openapi: bytes
    page: Page


ABOUT = web.AppKey("about", About)


async def healthz(request: web.Request) -> web.Response:
    """The process answers; nothing else is asked."""
    return answer(Health(status="ok", version=request.app[ABOUT].version))


async def readyz(request: web.Request) -> web.Response:
    """Whether requests should come here: what `ready` found, with its `ready` true."""
    found = await request.app[ABOUT].ready()
    if not found.get("ready"):
        raise Problem("unavailable", found)
    return answer(found)


async def metrics(request: web.Request) -> web.Response:
    """Figures for Prometheus."""
    headers = {**SECURITY, "Content-Type": CONTENT_TYPE_LATEST}
    return web.Response(body=request.app[ABOUT].metrics(), headers=headers)


async def openapi(request: web.Request) -> web.Response:
    """The description of the API, OpenAPI 3.1."""
    return web.Response(body=request.app[ABOUT].openapi, headers=JSON)


async def docs(request: web.Request) -> web.Response:
    """The same for people; the page loads nothing, from here or elsewhere."""
    page = request.app[ABOUT].page
    headers = {
        **SECURITY,
        "Content-Security-Policy": page.policy,
        "Content-Type": "text/html; charset=utf-8",
    }
    return web.Response(body=page.html, headers=headers)
