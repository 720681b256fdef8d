"""Who may what: every door, every role, own things and those of others (fairness S-1).

`roles.json` says what each gets. `player` has seat 1 and the account that is asked for; `foreigner` plays at
the same table and has neither.
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from multidict import CIMultiDict

from dealer.http.routes import ROUTES
from tests.http.house import House

ROWS: list[dict[str, Any]] = msgspec.json.decode((Path(__file__).parent / "roles.json").read_bytes())
BODIES: dict[str, Any] = {
    "/v1/tables/{table}/commands": {"type": "stake", "seat": 1, "on": "right", "amount": 1},
    "/v1/tables": {"game": "bacara", "profile": "seed", "mode": "dos-panos"},
    "/v1/accounts": {},
    "/v1/transfers": {"from": "house", "to": "{account}", "amount": 1},
}
QUERIES = {
    "/v1/tables/{table}/options": "?seat=1",
    "/v1/tables/{table}/shoes/{shuffle}/proofs": "?pos=0",
}


def test_every_door_has_a_row(house: House) -> None:
    """S-1: a door without a row fails here, whoever added it and wherever."""
    served = {
        f"{route.method} {route.resource.canonical}"
        for route in house.app.router.routes()
        if route.resource is not None and route.method != "*"
    }
    assert served == {row["route"] for row in ROWS}
    assert served == {f"{route.method} {route.path}" for route in ROUTES}


@pytest.mark.parametrize("row", ROWS, ids=[row["route"] for row in ROWS])
async def test_row(house: House, row: dict[str, Any]) -> None:
    """S-1: each role gets what its row says; who may not is told `unauthorized` or `forbidden`."""
    table = await house.table()
    account, player = await house.player()
    for move in ({"type": "sit", "seat": 1}, {"type": "buy_in", "amount": 100}):
        await player.made(f"{table}/commands", move)
    foreigner = await house.seated(table, 2)
    await house.until(table, "betting")
    who = {
        "host": house.host,
        "auditor": house.auditor,
        "player": player,
        "foreigner": foreigner,
        "stranger": house.stranger,
    }
    method, template = row["route"].split()
    places = {"table": table.rpartition("/")[2], "account": account, "round": 1, "shuffle": 1}
    path = template.format(**places) + QUERIES.get(template, "")
    body = {
        name: account if value == "{account}" else value for name, value in BODIES.get(template, {}).items()
    }
    for role, client in who.items():
        status, answer = await (client.post(path, body) if method == "POST" else client.get(path))
        assert status == row[role], (role, answer)
        if status in {401, 403}:
            assert answer["code"] == {401: "unauthorized", 403: "forbidden"}[status]


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer crp_" + "A" * 43, "Basic {token}", "{token}"]
)
async def test_no_valid_key(house: House, header: str) -> None:
    """S-2: without exactly `Bearer` and a token in force there is nothing under /v1."""
    headers = {"Authorization": header.format(token=house.tokens[0])}
    status, problem = await house.stranger.send("GET", "/v1/tables", headers=headers)
    assert (status, problem["code"]) == (401, "unauthorized")
    assert house.stranger.headers["WWW-Authenticate"] == "Bearer"


async def test_two_tokens(house: House) -> None:
    """S-2: who shows two keys shows none: a proxy on the way may have taken the other one."""
    shown = CIMultiDict([("Authorization", f"Bearer {token}") for token in house.tokens[:2]])
    for headers in (shown, CIMultiDict([("Authorization", f"Bearer {house.tokens[0]}")] * 2)):
        status, problem = await house.stranger.send("GET", "/v1/tables", headers=headers)
        assert (status, problem["code"]) == (401, "unauthorized")


async def test_token_that_is_no_text(house: House) -> None:
    """S-7: bytes that are no UTF-8 in the header are nobody's token, not an error inside."""
    headers = {"Authorization": b"Bearer \xff\xfe".decode("utf-8", "surrogateescape")}
    status, problem = await house.stranger.send("GET", "/v1/tables", headers=headers)
    assert (status, problem["code"]) == (401, "unauthorized")


async def test_host_acts_for_a_seat(house: House) -> None:
    """Design 8: what a host does for a seat names the host in the log; a player's own act names nobody."""
    table = await house.table()
    player = await house.seated(table, 1)
    await house.until(table, "betting")
    stake = {"type": "stake", "on": "right", "amount": 1}
    for client, body in ((player, stake), (house.host, {**stake, "seat": 1})):
        await client.made(f"{table}/commands", body)
    log = (await house.auditor.seen(f"{table}/events?limit=500"))["events"]
    own, acted = [event["data"] for event in log if event["type"] == "stake.placed"]
    assert "by" not in own
    assert acted["by"].startswith("pid_")
    assert acted["source"] == "host"


async def test_every_act_of_a_host_is_an_event(house: House) -> None:
    """S-24: whatever a host does is in a log, as exactly the events that the answer names, and by whom."""
    other = await house.keyed("host")
    account, _ = await house.player(0)
    book = len((await house.host.seen("/v1/transfers?limit=500"))["transfers"])
    moved = await house.host.made("/v1/transfers", {"from": "house", "to": account, "amount": 5})
    lines = (await house.host.seen("/v1/transfers?limit=500"))["transfers"][book:]
    assert [line["seq"] for line in lines] == [*range(moved["first"], moved["last"] + 1)]
    table = await house.table()
    await house.until(table, "no_bank", "betting", "preparing", "waiting")
    for host, act in (
        (house.host, {"type": "pause"}),
        (house.host, {"type": "resume"}),
        (other, {"type": "close_table"}),
    ):
        before = (await house.host.seen(table))["seq"]
        done = await host.made(f"{table}/commands", act)
        log = (await house.auditor.seen(f"{table}/events?after={before}&limit=500"))["events"]
        assert done["first"] == before + 1
        mine = [event for event in log if event["seq"] <= done["last"]]
        assert mine[0]["data"]["by"].startswith("pid_"), mine
