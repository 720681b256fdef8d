"""A table's last day over HTTP: pause, void by two people, close, and all chips at home (design 7)."""

import asyncio
from typing import Any

from dealer.journal import Journal
from shoe.verify import verify_record
from tests.http.client import Client
from tests.http.house import House


async def codes(client: Client, table: str, *commands: dict[str, Any]) -> set[tuple[int, str]]:
    """How each of these commands is refused."""
    answers = [await client.post(f"{table}/commands", command) for command in commands]
    return {(status, body["code"]) for status, body in answers}


async def closed(house: House, table: str) -> Any:
    """The view of the table as soon as it is closed."""
    async with asyncio.timeout(20):
        while (view := await house.host.seen(table))["status"] != "closed":
            await asyncio.sleep(0.01)
    return view


async def test_the_last_day_of_a_table(house: House, journal: Journal) -> None:
    """Design 6, 7: stopped, voided by two, closed at once; the accounts have all, and the log tells all."""
    second = await house.keyed("host")
    table = await house.table()
    act = f"{table}/commands"
    accounts, players = {}, {}
    for seat in (1, 11):
        accounts[seat], players[seat] = await house.player(500)
        await players[seat].made(act, {"type": "sit", "seat": seat})
        await players[seat].made(act, {"type": "buy_in", "amount": 200})
    view = await house.speaking(table, players)
    chips = {seat["seat"]: seat["stack"] for seat in view["seats"]}
    for lying in view["stakes"]:
        chips[lying["seat"]] += lying["amount"]

    await house.host.made(act, {"type": "pause"})
    (speaker,) = view["due"][0]["seats"]
    assert await codes(players[speaker], table, {"type": "draw"}, {"type": "stand"}) == {
        (409, "table_paused")
    }
    assert await codes(players[1], table, {"type": "resume"}, {"type": "pause"}) == {(403, "forbidden")}
    paused = await players[1].seen(table)
    assert (paused["status"], paused["due"]) == ("paused", [])
    await house.host.made(act, {"type": "resume"})
    assert (await players[1].seen(table))["due"] == view["due"]

    await house.host.made(act, {"type": "propose_correction", "kind": "void_round"})
    approval = {"type": "approve_correction", "kind": "void_round"}
    assert await codes(house.host, table, approval) == {(409, "second_person_needed")}
    assert await codes(players[1], table, approval) == {(403, "forbidden")}
    await second.made(act, approval)
    assert await codes(second, table, approval) == {(409, "no_such_proposal")}
    voided = await house.host.seen(table)
    assert (voided["playing"], voided["stakes"], voided["hands"]) == (False, [], {})
    assert {seat["seat"]: seat["stack"] for seat in voided["seats"]} == chips

    await house.host.made(act, {"type": "next_round"})
    await players[1].made(act, {"type": "stake", "on": "right", "amount": 10})
    await house.host.made(act, {"type": "close_table", "now": True})
    shut = await closed(house, table)
    assert (shut["chips"], shut["due"], shut["shoe"], shut["stakes"]) == ({}, [], {}, [])
    balances = {
        seat: (await house.host.seen(f"/v1/accounts/{name}"))["balance"] for seat, name in accounts.items()
    }
    assert balances == {seat: 300 + stack for seat, stack in chips.items()}
    assert await journal.secrets(f"t/{table.rpartition('/')[2]}") == {}

    everybody: list[dict[str, Any]] = [
        {"type": "sit", "seat": 3},
        {"type": "join"},
        {"type": "buy_in", "amount": 5},
        {"type": "stake", "on": "left", "amount": 5},
        {"type": "leave"},
        {"type": "cash_out"},
    ]
    assert await codes(players[1], table, *everybody) == {(409, "table_closed")}
    hosts = [{"type": "pause"}, {"type": "resume"}, {"type": "close_table"}, {"type": "next_round"}]
    assert await codes(house.host, table, *hosts) == {(409, "table_closed")}
    assert (await players[1].seen(f"{table}/options"))["options"] == []
    async with asyncio.timeout(10):
        while (await house.host.seen(f"/v1/accounts/{accounts[1]}"))["balance"] != balances[1]:
            await asyncio.sleep(0.01)

    house.forget()
    assert (await house.host.seen(table))["status"] == "closed"
    (shoe,) = (await house.auditor.seen(f"{table}/shoes"))["shoes"]
    assert shoe["revealed"] is True
    record = await house.auditor.seen(f"{table}/shoes/{shoe['shuffle']}")
    assert verify_record(record) == []


async def test_a_settled_coup_is_put_right(house: House) -> None:
    """Fairness S-24 to S-26: in the history both stand, and the account gets what is right."""
    second = await house.keyed("host")
    table = await house.table()
    act = f"{table}/commands"
    account, player = await house.player(500)
    for command in ({"type": "sit", "seat": 1}, {"type": "buy_in", "amount": 200}):
        await player.made(act, command)
    await house.deal(table, {1: player})
    await house.finish(table, {1: player})
    before = await player.seen(f"{table}/rounds/1")
    view = await player.seen(table)
    chips = sum(each["stack"] for each in view["seats"]) + sum(each["amount"] for each in view["stakes"])
    move = {"amount": 3, "from": "bank", "to": "stack:1"}
    asked = {"type": "propose_correction", "kind": "result", "moves": [move], "reason": "outage", "round": 1}
    beyond = {**asked, "moves": [{**move, "amount": 2_000}]}
    assert await codes(house.host, table, beyond) == {(409, "correction_too_large")}
    assert await codes(house.host, table, {"type": "propose_correction", "kind": "result"}) == {
        (422, "malformed")
    }
    assert await codes(player, table, asked) == {(403, "forbidden")}
    await house.host.made(act, asked)
    proposed = (await second.seen(table))["proposal"]
    assert (proposed["moves"], proposed["round"]) == ([move], 1)
    (listed,) = (
        option
        for option in (await second.seen(f"{table}/options"))["options"]
        if option["type"] == "approve_correction"
    )
    await second.made(act, {"type": listed["type"], **listed["fields"]})
    assert await codes(second, table, {"type": listed["type"], **listed["fields"]}) == {
        (409, "no_such_proposal")
    }
    for _ in range(2):
        after = await player.seen(f"{table}/rounds/1")
        (correction,) = after.pop("corrections")
        assert after == before
        assert [(c["place"], c["after"] - c["before"]) for c in correction["changes"]] == [
            ("bank", -3),
            ("stack:1", 3),
        ]
        house.forget()
    await player.made(act, {"type": "leave"})
    async with asyncio.timeout(10):
        while (await house.host.seen(f"/v1/accounts/{account}"))["balance"] != 300 + chips + 3:
            await asyncio.sleep(0.01)


async def test_a_table_closes_when_its_round_is_over(house: House) -> None:
    """Design 7: closing waits for the coup; its bets are settled, and what was won goes home too."""
    table = await house.table()
    accounts, players = {}, {}
    for seat in (1, 11):
        accounts[seat], players[seat] = await house.player(200)
        await players[seat].made(f"{table}/commands", {"type": "sit", "seat": seat})
        await players[seat].made(f"{table}/commands", {"type": "buy_in", "amount": 200})
    await house.speaking(table, players)
    await house.host.made(f"{table}/commands", {"type": "close_table"})
    assert (await house.host.seen(table))["status"] == "closing"
    assert await codes(players[1], table, {"type": "buy_in", "amount": 1}) <= {
        (409, "table_closed"),
        (409, "insufficient_chips"),
    }
    await house.finish(table, players)
    await closed(house, table)
    balances = [(await house.host.seen(f"/v1/accounts/{name}"))["balance"] for name in accounts.values()]
    book = (await house.auditor.seen("/v1/transfers?limit=100"))["transfers"]
    bank = [line["amount"] for line in book if line["to"] == "house"]
    assert sum(balances) + sum(bank) == 400 + 10_000
