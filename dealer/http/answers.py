"""How every answer leaves the house: JSON with the same headers (fairness S-11, S-17)."""

from collections.abc import Mapping

import msgspec
from aiohttp import web
from multidict import CIMultiDict

SECURITY: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Server": "croupier",
    "X-Content-Type-Options": "nosniff",
}
"""On every answer. No CORS header is ever sent; HSTS belongs to whoever ends TLS."""

JSON: Mapping[str, str] = {**SECURITY, "Content-Type": "application/json"}

KEY_HEADER = "Idempotency-Key"
"""Names a request that changes something, and every answer to it."""

encode = msgspec.json.Encoder().encode
_json = CIMultiDict(JSON)


def answer(body: object) -> web.Response:
    """What was asked for."""
    return web.Response(body=encode(body), headers=JSON)


def done(body: object, key: str, status: int = 200) -> web.Response:
    """What a request under an idempotency key came to, now or when it was first sent."""
    headers = _json.copy()  # far cheaper than making it anew from a plain mapping
    headers[KEY_HEADER] = key
    return web.Response(status=status, body=encode(body), headers=headers)
