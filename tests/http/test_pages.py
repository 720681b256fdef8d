"""Lists, page by page: everything once, in order, and an end (design 8)."""

from typing import Any

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


async def test_empty_lists(house: House) -> None:
    """Design 8: a house in which nothing happened has empty lists, not errors."""
    assert await house.auditor.seen("/v1/tables") == {"tables": []}
    assert await house.auditor.seen("/v1/accounts") == {"accounts": []}
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
