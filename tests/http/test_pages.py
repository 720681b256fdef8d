"""Lists, page by page: everything once, in order, and an end (design 8)."""

import asyncio
from typing import Any

import pytest

from dealer.http import shoeindex
from dealer.rules.frame.chance import Chance
from tests.http.client import Client
from tests.http.house import House


async def _walk(client: Client, path: str, cursor: str, name: str) -> list[list[Any]]:
    """All pages of a list, two lines each."""
    pages, place = [], ""
    while True:
        page = await client.seen(f"{path}?limit=2{place}")
        pages.append(page[name])
        if "next" not in page:
            return pages
        place = f"&{cursor}={page['next']}"


async def test_tables(house: House) -> None:
    """Design 8: tables by id, each with what it plays and how many sit there."""
    tables = sorted([(await house.table()).rpartition("/")[2] for _ in range(5)])
    await house.seated(f"/v1/tables/{tables[0]}", 3)
    pages = await _walk(house.auditor, "/v1/tables", "after", "tables")
    assert [[line["table"] for line in page] for page in pages] == [tables[:2], tables[2:4], tables[4:]]
    assert [(line["game"], line["seats"]) for line in pages[0]] == [("bacara", 1), ("bacara", 0)]


async def test_accounts(house: House) -> None:
    """Design 8: accounts of people by id, with balance and the integrator's name; the house is none."""
    made = [await house.host.made("/v1/accounts", {"external_ref": f"guest:{n}"}) for n in range(3)]
    made.append(await house.host.made("/v1/accounts", {}))
    await house.host.made("/v1/transfers", {"from": "house", "to": made[0]["account"], "amount": 7})
    pages = await _walk(house.auditor, "/v1/accounts", "after", "accounts")
    assert [len(page) for page in pages] == [2, 2]
    lines = {line["account"]: line for page in pages for line in page}
    assert list(lines) == sorted(line["account"] for line in made)
    assert lines[made[0]["account"]] == {
        "account": made[0]["account"],
        "balance": 7,
        "external_ref": "guest:0",
    }
    assert "external_ref" not in lines[made[3]["account"]]


async def test_the_book(house: House) -> None:
    """Design 7: every page of the accounts shows where all chips are, and they sum to nought."""
    table = await house.table()
    player = await house.seated(table, 1, chips=300)
    await house.player(50)
    await house.until(table, "betting")
    await player.made(f"{table}/commands", {"type": "stake", "on": "right", "amount": 10})
    pages = [await house.auditor.seen("/v1/accounts?limit=1")]
    pages.append(await house.host.seen(f"/v1/accounts?limit=1&after={pages[0]['next']}"))
    name = table.removeprefix("/v1/tables/")
    for page in pages:
        book = page["book"]
        assert book == {"accounts": 50, "house": -10_350, "tables": {f"t/{name}": 10_300}, "transit": 0}
        assert book["accounts"] + book["house"] + book["transit"] + sum(book["tables"].values()) == 0
    assert sum(page["accounts"][0]["balance"] for page in pages) == 50


async def test_a_table_without_chips_is_not_in_the_book(house: House) -> None:
    """Design 7: a table from which all chips have gone home is not listed; what is held is in transit."""
    table = await house.table()
    player = await house.seated(table, 1, chips=300)
    name = table.removeprefix("/v1/tables/")
    await house.host.made(f"{table}/commands", {"type": "close_table", "now": True})
    async with asyncio.timeout(10):
        while (book := (await house.host.seen("/v1/accounts"))["book"])["tables"]:
            assert set(book["tables"]) == {f"t/{name}"}
            await asyncio.sleep(0.01)
    assert book == {"accounts": 300, "house": -300, "tables": {}, "transit": 0}
    assert (await player.seen(table))["chips"] == {}


async def test_empty_lists(house: House) -> None:
    """Design 8: a house in which nothing happened has empty lists, not errors."""
    assert await house.auditor.seen("/v1/tables") == {"tables": []}
    nothing = {"accounts": 0, "house": 0, "tables": {}, "transit": 0}
    assert await house.auditor.seen("/v1/accounts") == {"accounts": [], "book": nothing}
    assert await house.auditor.seen("/v1/transfers") == {"next": -1, "transfers": []}
    table = await house.table()
    assert await house.auditor.seen(f"{table}/rounds") == {"rounds": []}
    assert await house.auditor.seen(f"{table}/shoes") == {"shoes": []}


async def test_rounds_and_shoes(house: House) -> None:
    """Design 8: rounds and shoes come latest first, and the pages meet without a gap."""
    table = await house.table(stop_card=152)
    player = await house.seated(table, 1)
    for _ in range(5):
        await house.deal(table, {1: player})
        await house.finish(table, {1: player})
        await house.call(table)
    pages = await _walk(house.auditor, f"{table}/rounds", "before", "rounds")
    assert [[line["round"] for line in page] for page in pages] == [[6, 5], [4, 3], [2, 1]]
    pages = await _walk(house.auditor, f"{table}/shoes", "before", "shoes")
    assert [[line["shuffle"] for line in page] for page in pages] == [[6, 5], [4, 3], [2, 1]]
    assert [line["revealed"] for page in pages for line in page] == [False, True, True, True, True, True]


async def test_transfers(house: House) -> None:
    """Design 7: what moved stands in the book's order, with the id its maker was given."""
    account, _ = await house.player(0)
    made = [
        await house.host.made("/v1/transfers", {"from": "house", "to": account, "amount": n})
        for n in (1, 2, 3)
    ]
    first = await house.auditor.seen("/v1/transfers?limit=3")
    rest = await house.auditor.seen(f"/v1/transfers?after={first['next']}&limit=3")
    lines = first["transfers"] + rest["transfers"]
    assert [line["transfer"] for line in lines] == [each["transfer"] for each in made]
    assert [line["amount"] for line in lines] == [1, 2, 3]
    assert (await house.auditor.seen(f"/v1/transfers?after={rest['next']}"))["transfers"] == []


async def test_shoes_of_many_tables(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Design 5: where the shoes lie is a projection; a table forgotten for another is read again."""
    monkeypatch.setattr(shoeindex, "_TABLES", 1)
    tables = [await house.table() for _ in range(2)]
    for table in tables:
        await house.seated(table, 1)
        await house.until(table, "betting")
    for table in (*tables, *tables):
        (line,) = (await house.auditor.seen(f"{table}/shoes"))["shoes"]
        assert line["shoe_root"] == (await house.auditor.seen(table))["shoe"]["root"]


async def test_shoe_sealed_elsewhere_a_moment_ago(house: House) -> None:
    """Design 5: a node that cannot open a shoe yet says so with 503, and with no card of it."""
    table = await house.table()
    await house.seated(table, 1)
    await house.until(table, "betting")
    desk = await house.node.table(table.rpartition("/")[2])
    desk.chance = Chance({})
    status, problem = await house.auditor.get(f"{table}/shoes/1")
    assert (status, problem["code"]) == (503, "unavailable")
