"""What goes wrong, as RFC 9457 says it: a stable code, its parameters, a sentence in the reader's language.

A problem never repeats what a client sent and never tells what is inside: an unknown exception becomes
`internal` with an id, under which the log has the rest (fairness S-30).
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from aiohttp import web

from dealer.croupier.order import Answer
from dealer.http.answers import SECURITY, encode
from dealer.http.limits import Reason
from dealer.words import LANGUAGES, sentence

TYPE = "urn:croupier:problem:"
ERROR = "urn:croupier:error:"

STATUS: Mapping[str, int] = {
    "malformed": 422,
    "amount_out_of_range": 422,
    "cut_reveal_mismatch": 422,
    "idempotency_key_missing": 400,
    "key_reused": 422,
    "no_such_card": 422,
    "option_not_allowed": 422,
    "option_unknown": 422,
    "options_conflict": 422,
    "sandbox_only": 422,
    "unknown_command": 422,
    "unauthorized": 401,
    "forbidden": 403,
    "no_such_account": 404,
    "no_such_round": 404,
    "no_such_shoe": 404,
    "no_such_table": 404,
    "not_found": 404,
    "method_not_allowed": 405,
    "request_timeout": 408,
    "payload_too_large": 413,
    "rate_limited": 429,
    "internal": 500,
    "unavailable": 503,
}
"""HTTP status by code; whatever the rules or the moment refuse is not named here and is a 409."""

BOUND: web.ResponseKey[Reason] = web.ResponseKey("bound")
"""Where a response 429 says, for the metrics alone, which bound has kept it out (`limits.Reason`)."""
CONFLICT = 409
RETRY_AFTER_S = "1"


class ProblemDetails(msgspec.Struct, frozen=True, omit_defaults=True, rename={"kind": "type"}, kw_only=True):
    """The body of every error answer (RFC 9457).

    Attributes:
        code: stable; glossary, section 6, and the codes of the doors.
        detail: a sentence for people, in the language asked for.
        instance: of an error inside: its id in the house's log.
        params: what the sentence is made of.
        seq: of a refusal: the last event it was decided on.
        status: the HTTP status again.
        title: the code in words, always the same.
        type: `urn:croupier:problem:` and the code.
    """

    code: str
    detail: str
    instance: str = ""
    params: dict[str, Any]
    seq: int | msgspec.UnsetType = msgspec.UNSET
    status: int
    title: str
    kind: str


class Problem(Exception):
    """Ends a request with an error answer.

    Args:
        code: of the glossary, or of a door.
        params: for the sentence; never what a client sent, never a face.
        seq: the version a refusal was decided on.
        status: where it is not the one of the code.
        headers: further headers.
        instance: id of an error inside.
        bound: of `rate_limited`: which bound it was; not told.
    """

    def __init__(
        self,
        code: str,
        params: Mapping[str, Any] | None = None,
        *,
        seq: int | None = None,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        instance: str = "",
        bound: Reason | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.params = dict(params or {})
        self.seq = seq
        self.status = status or status_of(code)
        self.headers = dict(headers or {})
        self.instance = instance
        self.bound = bound

    @classmethod
    def of(cls, answer: Answer) -> "Problem":
        """The problem a refusal makes."""
        return cls(answer.code, answer.params, seq=answer.last if answer.last >= 0 else None)

    def response(self, request: web.BaseRequest) -> web.Response:
        """The answer to a request, in the language it asks for."""
        lang = language(request.headers.get("Accept-Language", ""))
        details = ProblemDetails(
            code=self.code,
            detail=sentence(self.code, self.params, lang),
            instance=self.instance,
            kind=TYPE + self.code,
            params=self.params,
            seq=msgspec.UNSET if self.seq is None else self.seq,
            status=self.status,
            title=self.code.replace("_", " ").capitalize(),
        )
        headers = {
            **SECURITY,
            **self.headers,
            "Content-Language": lang,
            "Content-Type": "application/problem+json",
        }
        if self.status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        if self.status in {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}:
            headers.setdefault("Retry-After", RETRY_AFTER_S)
        response = web.Response(status=self.status, body=encode(details), headers=headers)
        if self.bound is not None:
            response[BOUND] = self.bound
        return response


def status_of(code: str) -> int:
    """The HTTP status of a code."""
    return STATUS.get(code, CONFLICT)


def language(accepted: str) -> str:
    """The language a reader likes best among those there are; English if none (RFC 9110, 12.5.4)."""
    best, weight = LANGUAGES[0], 0.0
    for wish in accepted[:256].split(","):
        name, _, quality = wish.partition(";")
        lang = name.strip().lower().partition("-")[0]
        try:
            value = float(quality.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if lang in LANGUAGES and value > weight:
            best, weight = lang, value
    return best
