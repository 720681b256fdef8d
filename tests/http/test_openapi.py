"""The description of the API, and the page made from it, say what the service does (design 8)."""

import re
from html.parser import HTMLParser

from openapi_spec_validator import OpenAPIV31SpecValidator

from dealer.http.messages import COMMANDS
from dealer.http.problems import status_of
from dealer.http.routes import ROUTES
from dealer.words.language import read
from tests.http.house import House


async def test_valid(house: House) -> None:
    """Platform 5: it is OpenAPI 3.1 by an independent reader."""
    OpenAPIV31SpecValidator(house.contract.document).validate()
    assert house.contract.document["openapi"] == "3.1.0"


async def test_every_door_is_described(house: House) -> None:
    """Design 8: what is served and what is described are the same doors, each with its body and its key."""
    described = {
        (method.upper(), path): operation
        for path, operations in house.contract.document["paths"].items()
        for method, operation in operations.items()
    }
    assert set(described) == {(route.method, route.path) for route in ROUTES}
    assert len({operation["operationId"] for operation in described.values()}) == len(ROUTES)
    for (method, path), operation in described.items():
        assert operation["security"] == ([{"key": []}] if path.startswith("/v1/") else [])
        headers = [each["name"] for each in operation["parameters"] if each["in"] == "header"]
        live = "text/event-stream" in operation["responses"].get("200", {}).get("content", {})
        assert live == (path == "/v1/tables/{table}/events")
        assert headers == (["Idempotency-Key"] if method == "POST" else ["Last-Event-ID"] if live else [])
        assert ("requestBody" in operation) == (method == "POST")


async def test_every_command_is_described(house: House) -> None:
    """Design 8: the union of commands is told by `type`, with no command of the house's own."""
    commands = house.contract.document["paths"]["/v1/tables/{table}/commands"]["post"]
    schema = commands["requestBody"]["content"]["application/json"]["schema"]
    assert set(schema["discriminator"]["mapping"]) == {kind.__struct_config__.tag for kind in COMMANDS}
    assert "commit_seeds" not in str(house.contract.document)


async def test_problems_are_described(house: House) -> None:
    """Design 8: every error of every door is a problem, and every code there is stands with its status."""
    told = set()
    for operations in house.contract.document["paths"].values():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                if status >= "400":
                    assert list(response["content"]) == ["application/problem+json"]
                    named = set(re.findall(r"`([a-z_]+)`", response["description"].partition("Codes:")[2]))
                    assert all(status_of(code) == int(status) for code in named)
                    told |= named
    assert "405 `method_not_allowed`" in house.contract.document["info"]["description"]
    assert told == set(read("en").refusals) - {"method_not_allowed"}


async def test_nothing_is_cited_that_a_reader_has_not(house: House) -> None:
    """Design 8: description and page stand alone: no rule id, no section of a sheet, no name of a module."""
    for path in ("/openapi.json", "/docs"):
        text = str(await house.stranger.seen(path))
        assert "draw" in text
        assert re.findall(r"(?:design|fairness|glossary|platform|section) \d|[RS]-\d\d", text) == []
        assert re.findall(r"\bshoe\.(?:verify|corte|shoe)\b|\bdealer\.|\bops\.", text) == []


class _Links(HTMLParser):
    """What a page loads, and where it leads."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element's addresses."""
        given = dict(attrs)
        if given.get("id"):
            self.ids.add(str(given["id"]))
        if tag in {"script", "link", "img", "iframe", "style"} and (given.get("src") or given.get("href")):
            self.loads.append(tag)
        if tag == "a":
            self.leads.append(str(given["href"]))


async def test_page(house: House) -> None:
    """S-19: the page at /docs tells every door, loads nothing and runs nothing."""
    page = await house.stranger.seen("/docs")
    policy = house.stranger.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    found = _Links()
    found.feed(page)
    assert found.loads == []
    assert "<script" not in page
    assert {link for link in found.leads if not link.startswith("#")} == {"/openapi.json"}
    assert {link[1:] for link in found.leads if link.startswith("#")} <= found.ids
    assert all(f"<code>{route.method} {route.path}</code>" in page for route in ROUTES)
