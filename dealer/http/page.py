"""The API's description as one page for people. It holds its own style and loads nothing."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

import msgspec

from dealer.http.problems import status_of
from dealer.words.language import read


class Page(msgspec.Struct, frozen=True):
    """A page and the content policy under which it may be shown."""

    html: bytes
    policy: str


def make(document: Mapping[str, Any]) -> Page:
    """The page of an OpenAPI document."""
    style = (files("dealer.http") / "page.css").read_text("utf-8")
    body = "\n".join(_body(document))
    html = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(document['info']['title'])} API</title><style>{style}</style></head>\n"
        f"<body><main>\n{body}\n</main></body></html>\n"
    )
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return Page(html.encode(), policy)


def _body(document: Mapping[str, Any]) -> Iterator[str]:
    info = document["info"]
    yield f"<h1>{_text(info['title'])} API <small>{_text(info['version'])}</small></h1>"
    yield f"<p>{_text(info['description'])} <a href='/openapi.json'>openapi.json</a></p>"
    yield "<h2>Doors</h2>"
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield from _door(path, method.upper(), operation)
    yield "<h2>Problems</h2><p>Every error answer is <code>application/problem+json</code>.</p>"
    yield from _problems()
    yield "<h2>Types</h2>"
    for name, schema in sorted(document["components"]["schemas"].items()):
        yield from _type(name, schema)


def _door(path: str, method: str, operation: Mapping[str, Any]) -> Iterator[str]:
    roles = operation.get("x-roles")
    yield f"<section><h3><code>{method} {_text(path)}</code></h3>"
    yield f"<p>{_text(operation['description'])} Open to: {_text(', '.join(roles) if roles else 'all')}.</p>"
    if operation["parameters"]:
        yield "<table><tr><th>parameter</th><th>in</th><th>type</th><th></th></tr>"
        for each in operation["parameters"]:
            yield (
                f"<tr><td><code>{_text(each['name'])}</code>{'' if each['required'] else ' ?'}</td>"
                f"<td>{_text(each['in'])}</td><td>{_shape(each['schema'])}</td>"
                f"<td>{_text(each.get('description', ''))}</td></tr>"
            )
        yield "</table>"
    if "requestBody" in operation:
        yield f"<p>Body: {_content(operation['requestBody'])}</p>"
    for status, response in operation["responses"].items():
        if status < "300":
            yield f"<p>{status}: {_content(response)}</p>"
    errors = [status for status in operation["responses"] if status >= "300"]
    yield f"<p>Problems: {', '.join(errors)}</p></section>"


def _problems() -> Iterator[str]:
    yield "<table><tr><th>code</th><th>status</th><th>meaning</th></tr>"
    for code, told in sorted(read("en").refusals.items()):
        meaning = _text(told if isinstance(told, str) else told[-1])
        yield f"<tr><td><code>{_text(code)}</code></td><td>{status_of(code)}</td><td>{meaning}</td></tr>"
    yield "</table>"


def _type(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield f'<section id="{_text(name)}"><h3><code>{_text(name)}</code></h3>'
    yield f"<p>{_text(schema.get('description', ''))}</p>"
    wanted = schema.get("required", ())
    if schema.get("properties"):
        yield "<table><tr><th>field</th><th>type</th><th></th></tr>"
        for field, kind in schema["properties"].items():
            yield (
                f"<tr><td><code>{_text(field)}</code>{'' if field in wanted else ' ?'}</td>"
                f"<td>{_shape(kind)}</td><td>{_text(kind.get('description', ''))}</td></tr>"
            )
        yield "</table>"
    yield "</section>"


def _content(holder: Mapping[str, Any]) -> str:
    return ", ".join(f"{_text(media)} {_shape(it['schema'])}" for media, it in holder["content"].items())


def _shape(schema: Mapping[str, Any]) -> str:
    """A schema in one line of markup."""
    if "$ref" in schema:
        name = _text(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " | ".join(_shape(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(f"<code>{_text(str(value))}</code>" for value in schema["enum"])
    kind = _text(schema.get("type", "any"))
    if "items" in schema:
        return f"{kind} of {_shape(schema['items'])}"
    bounds = [
        _text(f"{sign} {schema[key]}")
        for key, sign in (("minimum", ">="), ("maximum", "<="), ("pattern", "like"))
        if key in schema
    ]
    return " ".join([kind, *bounds])


def _text(text: str) -> str:
    return escape(text)
