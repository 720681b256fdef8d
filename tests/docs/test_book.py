"""docs/api.md, "The book": what an auditor computes from the transfers is what the accounts show."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.ops.processes import Service, until
from tests.project.tree import TREE
from tests.valkey.conftest import kill_servers_in

TABLE = {"game": "bacara", "profile": "seed", "mode": "dos-panos"}


def documented() -> Callable[[list[dict[str, Any]]], Counter[str]]:
    """The function that the document shows."""
    (code,) = re.findall(r"```python\n(.*?)```", (TREE / "docs" / "api.md").read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102 - our own document
    function: Callable[[list[dict[str, Any]]], Counter[str]] = names["balances"]
    return function


def evening(service: Service, host: str) -> None:
    """Chips issued, given, taken to a table and in part home again; and some that a table turned away."""
    ana, ben = (service.made("/v1/accounts", host, {})["account"] for _ in range(2))
    service.made("/v1/transfers", host, {"from": "house", "to": ana, "amount": 500})
    service.made("/v1/transfers", host, {"from": ana, "to": ben, "amount": 100})
    service.made("/v1/transfers", host, {"from": ben, "to": "house", "amount": 30})
    table = f"/v1/tables/{service.made('/v1/tables', host, TABLE)['table']}"
    for act in (
        {"type": "sit", "seat": 1, "account": ana},
        {"type": "sit", "seat": 2, "account": ben},
        {"type": "buy_in", "seat": 1, "amount": 200},
        {"type": "buy_in", "seat": 2, "amount": 50},
        {"type": "cash_out", "seat": 2},
        {"type": "pause"},
    ):
        service.made(f"{table}/commands", host, act)
    late = {"type": "buy_in", "seat": 1, "amount": 7}
    assert service.ask(f"{table}/commands", host, late)[1]["code"] == "table_paused"


def read(service: Service, auditor: str) -> tuple[list[dict[str, Any]], dict[str, Any]] | None:
    """All lines of the book and the accounts; None if chips moved meanwhile, as the house moves its own."""
    shown = service.seen("/v1/accounts", auditor)
    lines: list[dict[str, Any]] = []
    page: dict[str, Any] = {"next": -1}
    while page.get("transfers") != []:
        page = service.seen(f"/v1/transfers?limit=3&after={page['next']}", auditor)
        lines += page["transfers"]
    return (lines, shown) if service.seen("/v1/accounts", auditor) == shown else None


def test_the_book_is_checked_as_told(tmp_path: Path) -> None:
    """Design 7: the lines alone give every balance that is shown, of guests, house, tables and transit."""
    service = Service(tmp_path)
    host, auditor = service.key(), service.key("auditor")
    try:
        evening(service.start(), host)
        lines, shown = until(lambda: read(service, auditor))
        assert service.stop() == 0
    finally:
        service.kill()
        kill_servers_in(tmp_path)
    assert {line["state"] for line in lines} == {"held", "posted", "voided"}
    people = {line["account"]: line["balance"] for line in shown["accounts"]}
    book = shown["book"]
    assert sum(people.values()) == book["accounts"]
    told = {**people, **book["tables"], "house": book["house"], "transit": book["transit"]}
    assert {name: n for name, n in documented()(lines).items() if n} == {k: n for k, n in told.items() if n}
