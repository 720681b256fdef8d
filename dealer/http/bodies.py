"""Reading the body of a request: bounded, strict, and with a digest by which a repetition is known.

The digest is that of the decoded message written anew, so neither blanks nor the order of keys make another
request of it; the same meaning under the same key is the same request (fairness S-5).

A key given twice is refused. To find one costs almost nothing, for a message has no field that can be sent
and is not written anew: as long as nothing is escaped, a body has exactly as many quotation marks as its
message written anew, or it said something twice. Only bodies with a backslash are parsed a second time.
"""

import asyncio
import json
import re
from hashlib import sha256
from http import HTTPStatus
from typing import Any, TypeVar

import msgspec
from aiohttp import web
from aiohttp.web_exceptions import HTTPRequestEntityTooLarge

from dealer.http.answers import KEY_HEADER
from dealer.http.limits import BODY_BYTES, BODY_S, is_idempotency_key
from dealer.http.problems import Problem
from dealer.rules.frame.commands import MAX_CHIPS

T = TypeVar("T")

_BACKSLASH = 0x5C
_write = msgspec.json.Encoder(order="deterministic").encode
_PLACE = re.compile(r" - at `(\$[A-Za-z0-9_.\[\]]*)`$")
_MISSING = re.compile(r"^Object missing required field `([a-z_]+)`")
_UNKNOWN = "Object contains unknown field"
_BOUND = re.compile(r"^Expected `int` [<>]=|out of range")


def idempotency_key(request: web.Request) -> str:
    """The key under which a repetition is known.

    Raises:
        Problem: there is none, there are several, or it is not one.
    """
    given = request.headers.getall(KEY_HEADER, ())
    if not given:
        raise Problem("idempotency_key_missing")
    if len(given) > 1 or not is_idempotency_key(given[0]):
        raise Problem("malformed", {"path": KEY_HEADER}, status=400)
    return given[0]


async def read(request: web.Request, decoder: msgspec.json.Decoder[T]) -> tuple[T, str]:
    """The message of a request, and its digest.

    Raises:
        Problem: the body is packed, too large, too slow, broken, or not such a message.
    """
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Problem("malformed", {"path": "Content-Encoding"}, status=HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    return understand(await _body(request), decoder)


def understand(raw: bytes, decoder: msgspec.json.Decoder[T]) -> tuple[T, str]:
    """The message that a body is, and its digest.

    Raises:
        Problem: the body is broken, or not such a message.
    """
    try:
        message = decoder.decode(raw)
    except msgspec.ValidationError as error:
        raise _invalid(str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Problem("malformed", status=400) from None
    written = _write(message)
    if raw.count(b'"') != written.count(b'"') or _BACKSLASH in raw:
        _refuse_twins(raw)
    return message, sha256(written).hexdigest()


async def _body(request: web.Request) -> bytes:
    try:
        if request.content.is_eof():
            # As nearly always: it came together with the head.
            raw = request.content.read_nowait()
            if len(raw) > BODY_BYTES:
                raise Problem("payload_too_large", {"max": BODY_BYTES})
            return raw
        async with asyncio.timeout(BODY_S):
            return await request.read()
    except HTTPRequestEntityTooLarge:
        raise Problem("payload_too_large", {"max": BODY_BYTES}) from None
    except OSError:
        # Too slow, or the client has gone: then nobody reads this, and nothing is wrong in this house.
        raise Problem("request_timeout") from None
    except web.RequestPayloadError:
        raise Problem("malformed", status=400) from None


def _invalid(message: str) -> Problem:
    """The problem a message does not fit its type for; only the place is told, never what stood there."""
    # The name of an unknown field is the client's, and could be made to look like a place.
    found = None if message.startswith(_UNKNOWN) else _PLACE.search(message)
    place = found[1] if found else "$"
    missing = _MISSING.search(message)
    if missing:
        place = f"{place}.{missing[1]}"
    if place == "$.type" and message.startswith("Invalid value"):
        return Problem("unknown_command")
    if place == "$.amount" and _BOUND.search(message):
        return Problem("amount_out_of_range", {"max": MAX_CHIPS, "min": 1})
    return Problem("malformed", {"path": place})


def _refuse_twins(raw: bytes) -> None:
    def unique(pairs: list[tuple[str, Any]]) -> None:
        if len({key for key, _ in pairs}) < len(pairs):
            raise Problem("malformed", status=400)

    json.loads(raw, object_pairs_hook=unique)
