"""A whole life over HTTP: accounts, chips, a table, coups, the log, the history, the proofs."""

import asyncio
from typing import Any

import pytest

from dealer.journal import Journal
from shoe.corte import Opening
from shoe.verify import NOT_RANDOM, verify_opening, verify_record
from tests.http.house import PATIENT, House


def proved(card: dict[str, Any], shoe: dict[str, Any]) -> bool:
    """Whether a card is opened under the root its table shows."""
    opening = Opening(card=card["card"], nonce=card["nonce"], path=tuple(card["path"]), pos=card["pos"])
    return verify_opening(opening, shoe["size"], shoe["root"])


async def test_coup(house: House) -> None:
    """Design 8: from the account to the settled coup, everything is done and seen through the doors."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    view = await house.speaking(table, players)
    # What a push of an earlier coup has left lies there still.
    assert [(stake["on"], stake["seat"]) for stake in view["stakes"]] == [("right", 1), ("left", 11)]
    staked = [stake["amount"] for stake in view["stakes"]]
    assert min(staked) >= 10
    done = await house.finish(table, players)
    assert done["phase"] == "between_rounds"
    told = await house.auditor.seen(f"{table}/rounds/{done['round']}")
    assert set(told["told"]["results"]) == {"right", "left"}
    assert sorted(stake["amount"] for stake in told["told"]["stakes"]) == sorted(staked)
    assert told["profile"] == "seed"
    assert told["started_at"] <= told["ended_at"]
    assert sum(done["chips"].values()) == 2 * 1_000 + 10_000


async def test_chips_go_home(house: House) -> None:
    """Design 7: who leaves has on the account what stood at the seat; the book adds up to zero."""
    table = await house.table()
    account, player = await house.player(500)
    await player.made(f"{table}/commands", {"type": "sit", "seat": 3})
    await player.made(f"{table}/commands", {"type": "buy_in", "amount": 200})
    assert (await player.seen(f"/v1/accounts/{account}"))["balance"] == 300
    await player.made(f"{table}/commands", {"type": "leave"})
    async with asyncio.timeout(10):
        while (await player.seen(f"/v1/accounts/{account}"))["balance"] != 500:
            await asyncio.sleep(0.01)
    moved = (await house.auditor.seen("/v1/transfers"))["transfers"]
    assert [line["state"] for line in moved if account in {line["from"], line["to"]}] == [
        "posted",
        "held",
        "posted",
    ]


async def test_host_seats_somebody(house: House) -> None:
    """Design 8: a host's `sit` names the account; the seat is that person's, who sees it with his own key."""
    table = await house.table()
    account, player = await house.player()
    await house.host.made(f"{table}/commands", {"type": "sit", "seat": 2, "account": account})
    await house.host.made(f"{table}/commands", {"type": "buy_in", "seat": 2, "amount": 5})
    you = (await player.seen(table))["you"]
    assert you["seat"] == 2
    assert you["pid"].startswith("pid_")
    assert (await player.seen(f"/v1/accounts/{account}"))["balance"] == 995


async def test_standing_player(house: House) -> None:
    """R-13: `join` gives a number from 1001 on, to a player himself and to whom a host names."""
    table = await house.table()
    account, player = await house.player()
    _, other = await house.player()
    await house.host.made(f"{table}/commands", {"type": "join", "account": account})
    await other.made(f"{table}/commands", {"type": "join"})
    assert [(await each.seen(table))["you"]["seat"] for each in (player, other)] == [1001, 1002]


async def test_own_hand_is_proved(house: House) -> None:
    """Fairness 1.6: the holder sees his cards with nonce and path, good under the root sealed before."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    view = await house.speaking(table, players)
    for seat, hand in ((1, "right"), (11, "left")):
        you = (await players[seat].seen(table))["you"]
        assert [card["hand"] for card in you["hand"]][:2] == [hand, hand]
        assert all(proved(card, view["shoe"]) for card in you["hand"])
        forged = {**you["hand"][0], "card": (you["hand"][0]["card"] + 1) % view["shoe"]["size"]}
        assert not proved(forged, view["shoe"])


async def test_events_are_the_stored_bytes(house: House, journal: Journal) -> None:
    """Design 5: the page holds each event byte for byte as it is stored, a leaf of the log."""
    table = await house.table()
    await house.seated(table, 1)
    stored = await journal.read(f"t/{table.rpartition('/')[2]}")
    await house.auditor.seen(f"{table}/events?after=0&limit=3")
    assert b'"events":[' + b",".join(stored[1:4]) + b'],"next":3}' in house.auditor.heard[-1]


async def test_events_from_page_to_page(house: House) -> None:
    """Design 8: `next` leads from page to page through the whole log, each event once, and then stays."""
    table = await house.table()
    await house.seated(table, 1)
    await house.until(table, "betting")
    after, seen = -1, []
    while True:
        page = await house.auditor.seen(f"{table}/events?after={after}&limit=4")
        seen += [event["seq"] for event in page["events"]]
        if page["next"] == after:
            break
        after = page["next"]
    assert seen == list(range((await house.auditor.seen(table))["seq"] + 1))


async def test_shoe_on_the_table(house: House) -> None:
    """Fairness 1.6: a shoe in play shows its seal and what was exposed, with paths, and never its seed."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    await house.deal(table, players)
    done = await house.finish(table, players)
    record = await house.auditor.seen(f"{table}/shoes/1")
    assert "seed" not in record
    assert record["shoe_root"] == done["shoe"]["root"]
    assert len(record["exposed"]) == done["shoe"]["dealt"]
    assert all(proved(card, done["shoe"]) for card in record["exposed"])
    assert (await house.auditor.seen(f"{table}/shoes"))["shoes"][0]["revealed"] is False


async def test_shoe_that_is_over(house: House) -> None:
    """Fairness 1.12: once the seed is out, the record as it comes through the door verifies."""
    table = await house.table(stop_card=151)
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    await house.deal(table, players)
    await house.finish(table, players)
    record = await house.auditor.seen(f"{table}/shoes/1")
    assert verify_record(record) == []
    assert verify_record({**record, "seed": "00" * 32})
    assert (await house.auditor.seen(f"{table}/shoes"))["shoes"][-1]["revealed"] is True


async def test_proofs_of_exposed_cards_only(house: House) -> None:
    """Design 8: asked for a card that lies face down, or for none of the shoe, the answer is the same."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    view = await house.speaking(table, players)
    hidden, beyond = [await house.auditor.get(f"{table}/shoes/1/proofs?pos={pos}") for pos in (100, 999)]
    assert hidden == beyond
    assert hidden[0] == 404
    done = await house.finish(table, players)
    page = await house.auditor.seen(f"{table}/shoes/1/proofs?pos=3,0")
    assert [card["pos"] for card in page["proofs"]] == [3, 0]
    assert all(proved(card, view["shoe"]) for card in page["proofs"])
    mixed = await house.auditor.get(f"{table}/shoes/1/proofs?pos=0,{done['shoe']['dealt']}")
    assert mixed == hidden


async def test_a_later_look_is_the_same(house: House) -> None:
    """Design 3: a node that never saw the table tells rounds and shoes as the first one did."""
    table = await house.table(stop_card=150)
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    await house.deal(table, players)
    await house.finish(table, players)
    paths = [table, f"{table}/rounds", f"{table}/rounds/1", f"{table}/shoes", f"{table}/shoes/1"]
    before = [await house.auditor.seen(path) for path in paths]
    house.forget()
    assert [await house.auditor.seen(path) for path in paths] == before


async def test_laid_cards_only_in_a_sandbox(house: House) -> None:
    """Design 6: where nobody started a sandbox, no table takes cards laid by hand, and is told what to do."""
    body = {"game": "bacara", "profile": "seed", "mode": "dos-panos", "stacked": ["9H"]}
    status, problem = await house.host.post("/v1/tables", body)
    assert (status, problem["code"], problem["params"]) == (422, "sandbox_only", {})
    assert "--sandbox" in problem["detail"]


@pytest.mark.parametrize("house", ["sandbox"], indirect=True)
async def test_laid_cards_say_so(house: House) -> None:
    """Design 6: a table with laid cards deals them, says so in its view, and its record is not random."""
    body = {
        "game": "bacara",
        "profile": "seed",
        "mode": "dos-panos",
        "options": {**PATIENT, "stop_card": 150},
        "stacked": ["5C", "9S", "K", "5D", "K", "Q"],
    }
    made = await house.host.made("/v1/tables", body)
    table = f"/v1/tables/{made['table']}"
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    await house.deal(table, players)
    done = await house.finish(table, players)
    assert done["stacked"] is True
    assert [line["stacked"] for line in (await house.auditor.seen("/v1/tables"))["tables"]] == [True]
    assert done["hands"]["left"][0].startswith("9S")
    record = await house.auditor.seen(f"{table}/shoes/1")
    assert verify_record(record) == [NOT_RANDOM]
    assert record["faces"] == body["stacked"]
    house.forget()
    assert await house.auditor.seen(f"{table}/shoes/1") == record
    impossible = {**body, "stacked": ["9H"] * 4}
    assert await house.host.refused("/v1/tables", impossible) == "no_such_card"
