"""Everything is done once, however often it is asked for (fairness S-5)."""

import asyncio
import signal

from multidict import CIMultiDict

from tests.http.house import House
from tests.journal.server import Server

NEW_TABLE = {"game": "bacara", "profile": "seed", "mode": "dos-panos", "options": {}}


async def test_double_click(house: House) -> None:
    """S-5: one command twenty times at once is one stake, and all twenty hear the same."""
    table = await house.table()
    player = await house.seated(table, 1)
    await house.until(table, "betting")
    stake = {"type": "stake", "on": "right", "amount": 10}
    answers = await asyncio.gather(*(player.post(f"{table}/commands", stake, "click") for _ in range(20)))
    assert all(answer == answers[0] for answer in answers)
    assert answers[0][0] == 200
    assert (await player.seen(table))["stakes"] == [{"on": "right", "seat": 1, "amount": 10}]


async def test_bought_in_once(house: House) -> None:
    """S-5, design 7: chips leave the account once, though cage and table are two logs."""
    table = await house.table()
    account, player = await house.player(100)
    await player.made(f"{table}/commands", {"type": "sit", "seat": 1})
    buying = {"type": "buy_in", "amount": 30}
    answers = await asyncio.gather(*(player.post(f"{table}/commands", buying, "chips") for _ in range(20)))
    assert {status for status, _ in answers} == {200}
    assert (await player.seen(f"/v1/accounts/{account}"))["balance"] == 70
    assert (await player.seen(table))["chips"]["stack:1"] == 30


async def test_created_once(house: House) -> None:
    """Design 4: tables, accounts and transfers sent again are those that were made first."""
    account, _ = await house.player(0)
    for path, body, listed in (
        ("/v1/tables", NEW_TABLE, "tables"),
        ("/v1/accounts", {"external_ref": "guest-7"}, "accounts"),
        ("/v1/transfers", {"from": "house", "to": account, "amount": 5}, "transfers"),
    ):
        before = len((await house.host.seen(path))[listed])
        answers = await asyncio.gather(*(house.host.post(path, body, f"make:{listed}") for _ in range(5)))
        again = await house.host.post(path, body, f"make:{listed}")
        assert answers == [again] * 5
        assert again[0] == 201
        assert len((await house.host.seen(path))[listed]) == before + 1


async def test_two_hosts_two_tables(house: House) -> None:
    """Design 4: a key means something only together with whose it is."""
    other = await house.keyed("host")
    made = [await each.post("/v1/tables", NEW_TABLE, "same") for each in (house.host, other)]
    assert made[0][1]["table"] != made[1][1]["table"]


async def test_same_key_other_body(house: House) -> None:
    """S-5: a key that belongs to another request is refused, by tables, accounts and transfers alike."""
    table = await house.table()
    account, player = await house.player()
    await player.post(f"{table}/commands", {"type": "sit", "seat": 1}, "k")
    assert await player.refused(f"{table}/commands", {"type": "sit", "seat": 2}, "k") == "key_reused"
    await player.post(f"{table}/commands", {"type": "buy_in", "amount": 1}, "b")
    assert await player.refused(f"{table}/commands", {"type": "buy_in", "amount": 2}, "b") == "key_reused"
    assert (await player.seen(f"/v1/accounts/{account}"))["balance"] == 999
    for path, one, other in (
        ("/v1/tables", NEW_TABLE, {**NEW_TABLE, "options": {"packs": 4}}),
        ("/v1/accounts", {}, {"external_ref": "x"}),
        (
            "/v1/transfers",
            {"from": "house", "to": account, "amount": 1},
            {"from": "house", "to": account, "amount": 2},
        ),
    ):
        await house.host.post(path, one, f"k:{path[4:]}")
        assert await house.host.refused(path, other, f"k:{path[4:]}") == "key_reused"


async def test_a_refusal_is_remembered(house: House) -> None:
    """Design 5: a known key answers the same for ever, though by now it would be taken."""
    table = await house.table()
    _, player = await house.player()
    stake = {"type": "stake", "on": "right", "amount": 1}
    await player.made(f"{table}/commands", {"type": "sit", "seat": 1})
    refused = await player.post(f"{table}/commands", stake, "early")
    await player.made(f"{table}/commands", {"type": "buy_in", "amount": 10})
    await house.until(table, "betting")
    assert await player.post(f"{table}/commands", stake, "early") == refused
    assert refused[0] == 409
    await player.made(f"{table}/commands", stake)


async def test_the_same_meaning_is_the_same_request(house: House) -> None:
    """S-5: neither blanks, nor the order of keys, nor escapes make another request."""
    table = await house.table()
    _, player = await house.player()
    answers = [
        await player.post(f"{table}/commands", raw, "k")
        for raw in (
            b'{"type":"sit","seat":4}',
            b' { "seat" : 4,\n "type":"sit" } ',
            b'{"type":"s\\u0069t","seat":4}',
        )
    ]
    assert answers == answers[:1] * 3
    assert answers[0][0] == 200


async def test_hung_up(house: House, server: Server) -> None:
    """Design 5: a command's task outlives its request; asked again under its key, it was done."""
    table = await house.table()
    _, player = await house.player()
    before = (await player.seen(table))["seq"]
    sitting = {"type": "sit", "seat": 5}
    server.signal(signal.SIGSTOP)
    try:
        impatient = asyncio.create_task(player.post(f"{table}/commands", sitting, "gone"))
        await house.busy(table)
        impatient.cancel()
        await asyncio.wait([impatient])
    finally:
        server.signal(signal.SIGCONT)
    async with asyncio.timeout(10):
        while (await player.seen(table))["you"]["seat"] != 5:
            await asyncio.sleep(0.01)
    status, answer = await player.post(f"{table}/commands", sitting, "gone")
    assert (status, answer["first"]) == (200, before + 1)


async def test_the_key_comes_back(house: House) -> None:
    """S-5: every answer repeats the idempotency key; without exactly one good one nothing is done."""
    headers = {"Idempotency-Key": "Abc.1:_-"}
    assert (await house.host.send("POST", "/v1/accounts", b"{}", headers))[0] == 201
    assert house.host.headers["Idempotency-Key"] == "Abc.1:_-"
    table = await house.table()
    for path, refused in (("/v1/accounts", b"{"), (f"{table}/commands", b'{"type":"leave","seat":1}')):
        assert (await house.host.send("POST", path, refused, {"Idempotency-Key": "again"}))[0] >= 400
        assert house.host.headers["Idempotency-Key"] == "again"
    status, problem = await house.host.send("POST", "/v1/accounts", b"{}")
    assert "Idempotency-Key" not in house.host.headers
    assert (status, problem["code"]) == (400, "idempotency_key_missing")
    for bad in (("",), ("a b",), ("x" * 129,), ("a", "b"), ("a", "a")):
        several = CIMultiDict([("Idempotency-Key", key) for key in bad])
        status, problem = await house.host.send("POST", "/v1/accounts", b"{}", several)
        assert (status, problem["code"], problem["params"]) == (400, "malformed", {"path": "Idempotency-Key"})
        assert "Idempotency-Key" not in house.host.headers
    assert len((await house.host.seen("/v1/accounts"))["accounts"]) == 1
