"""The description of the API, made from the routes and the message types (design 8)."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from dealer.http import frames, limits
from dealer.http.answers import KEY_HEADER
from dealer.http.problems import CONFLICT, ProblemDetails, status_of
from dealer.http.queries import Query
from dealer.http.routes import Route
from dealer.http.streams import LAST_EVENT_ID
from dealer.words.language import read

_REF = "#/components/schemas/{name}"
_PLACES = re.compile(r"\{([a-z]+)\}")
_CITED = re.compile(r"\s*\((?:design|fairness|glossary|platform|[RS]-\d)[^()]*\)")
"""Where the sources say on what sheet a thing was decided; whoever reads the description has none of them."""
_PROBLEM = "application/problem+json"
_MEANING = {
    400: "The request cannot be read, or has no idempotency key.",
    401: "No valid key.",
    403: "Not with this key.",
    404: "There is no such thing.",
    408: "The body did not arrive in time.",
    409: "The rules or the moment refuse it; `code` says why.",
    413: "The body is too large.",
    415: "The body is packed.",
    422: "A field is not what it should be, or the idempotency key belongs to another request.",
    429: "Too many requests.",
    500: "An error inside; `instance` names it in the house's log.",
    503: "No definite answer now; the same idempotency key will tell it later.",
}
_PLACE_PATTERNS = {"table": limits.ID, "account": limits.ACCOUNT, "round": "^[0-9]+$", "shuffle": "^[0-9]+$"}


def describe(routes: tuple[Route, ...], version: str) -> dict[str, Any]:
    """The OpenAPI 3.1 document of these routes."""
    types = [*dict.fromkeys(t for r in routes for t in (r.answer, r.body) if _is_json(t)), ProblemDetails]
    found, components = msgspec.json.schema_components(types, ref_template=_REF)
    schemas = dict(zip(types, found, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "croupier",
            "version": version,
            "description": (
                "A card table as a log. Chips are whole numbers, written without a fraction. "
                "Every request that changes something has an Idempotency-Key; the same request under the "
                "same key is done once. Times are milliseconds UTC. An address answers a method it does not "
                "take with 405 `method_not_allowed`, and where there is nothing it is 404 `not_found`."
            ),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": {name: _tidy(schema) for name, schema in components.items()},
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "An API key, `crp_...`."}
            },
        },
    }


def _is_json(kind: Any) -> bool:
    return kind is not None and not isinstance(kind, str)


def statuses(route: Route) -> list[int]:
    """The statuses of the problems a route may answer with."""
    found = {429, 500}
    if route.roles:
        found |= {401, 403, 503}
    if route.path == "/readyz":
        found.add(503)
    if "{" in route.path:
        found.add(404)
    if route.query:
        found.add(422)
    if route.body is not None:
        found |= {400, 404, 408, CONFLICT, 413, 415, 422}
    if route.path.endswith(("/options", "/proofs")):
        found |= {CONFLICT, 404}
    return sorted(found)


@cache
def codes(status: int) -> list[str]:
    """The codes that have this status."""
    return sorted(code for code in read("en").refusals if status_of(code) == status)


def _operation(route: Route, schemas: dict[Any, Any]) -> dict[str, Any]:
    text = isinstance(route.answer, str)
    content = {"schema": {"type": "string"} if text else schemas[route.answer]}
    operation: dict[str, Any] = {
        "operationId": f"{route.handler.__module__.rpartition('.')[2]}_{route.handler.__name__}",
        "summary": route.summary,
        "description": _first(route.handler.__doc__ or ""),
        "tags": [route.path.split("/")[2] if route.roles else "service"],
        "parameters": list(_parameters(route)),
        "responses": {
            str(int(route.status)): {
                "description": route.status.phrase,
                "content": {
                    route.answer if text else "application/json": content,
                    **({frames.MEDIA: {"schema": {"type": "string"}}} if route.stream else {}),
                },
            },
            **{str(status): _problem(status) for status in statuses(route)},
        },
        "security": [{"key": []}] if route.roles else [],
    }
    if route.roles:
        operation["x-roles"] = sorted(route.roles)
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schemas[route.body]}},
        }
    return operation


def _problem(status: int) -> dict[str, Any]:
    named = codes(status)
    told = f" Codes: {', '.join(f'`{code}`' for code in named)}." if named else ""
    return {
        "description": _MEANING[status] + told,
        "content": {_PROBLEM: {"schema": {"$ref": _REF.format(name="ProblemDetails")}}},
    }


def _parameters(route: Route) -> Iterator[dict[str, Any]]:
    for name in _PLACES.findall(route.path):
        pattern = _plain(_PLACE_PATTERNS[name])
        schema = {"type": "string", "pattern": pattern}
        yield {"name": name, "in": "path", "required": True, "schema": schema}
    if route.method == "POST":
        yield {
            "name": KEY_HEADER,
            "in": "header",
            "required": True,
            "description": "Names the request: sent again, it is answered again but not done again.",
            "schema": {"type": "string", "pattern": _plain(limits.IDEMPOTENCY_KEY)},
        }
    if route.stream:
        yield {
            "name": LAST_EVENT_ID,
            "in": "header",
            "required": False,
            "description": "Of a stream: the last event already seen; it goes before `after`.",
            "schema": {"type": "integer", "minimum": 0},
        }
    for query in route.query:
        yield {
            "name": query.name,
            "in": "query",
            "required": query.wanted,
            "description": query.meaning,
            "schema": _schema(query),
        }


def _schema(query: Query) -> dict[str, Any]:
    if query.pattern:
        return {"type": "string", "pattern": _plain(query.pattern)}
    return {"type": "integer", "minimum": query.least, "maximum": query.most}


def _tidy(schema: Any) -> Any:
    """A schema as others read it: first paragraphs of descriptions, no citations, patterns in plain form."""
    if isinstance(schema, list):
        return [_tidy(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    tidied = {key: _tidy(value) for key, value in schema.items()}
    if isinstance(tidied.get("description"), str):
        tidied["description"] = _first(tidied["description"])
    if isinstance(tidied.get("pattern"), str):
        tidied["pattern"] = _plain(tidied["pattern"])
    return tidied


def _plain(pattern: str) -> str:
    return pattern.removesuffix(limits.NO_LINE_FEED)


def _first(text: str) -> str:
    return _CITED.sub("", " ".join(text.partition("\n\n")[0].split()))
