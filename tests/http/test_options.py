"""`GET …/options` over HTTP: what it lists is sent back as it stands, by players and hosts (design 3, 8)."""

from typing import Any

from tests.http.client import Client
from tests.http.house import House


def sent_back(option: dict[str, Any], bound: str) -> dict[str, Any]:
    """The body of a command: the option, and the amount at one end of its bounds."""
    body = {"type": option["type"], **option.get("fields", {})}
    if "decision" in option:
        body["decision"] = option["decision"]
    if bound in option:
        body["amount"] = option[bound]
    return body


async def offered(who: Client, table: str, query: str = "") -> list[dict[str, Any]]:
    """All that somebody is offered."""
    page: Any = await who.seen(f"{table}/options{query}")
    return list(page["options"])


async def all_taken(who: Client, table: str, query: str, kinds: set[str]) -> None:
    """One option after the other is sent back, at both ends, until none of these kinds is left to try."""
    done: set[tuple[Any, ...]] = set()
    while True:
        left = [
            (option, bound)
            for option in await offered(who, table, query)
            for bound in ("min", "max")
            if option["type"] in kinds and (option["type"], str(option.get("fields")), bound) not in done
        ]
        if not left:
            break
        option, bound = left[0]
        done.add((option["type"], str(option.get("fields")), bound))
        await who.made(f"{table}/commands", sent_back(option, bound))
    assert {kind for kind, *_ in done} == kinds


async def test_what_a_player_is_offered_is_taken(house: House) -> None:
    """A seat, standing room, chips up to the last on the account, stakes at both ends of their bounds."""
    table = await house.table(seats_per_pano=1)
    players = [(await house.player(100))[1] for _ in range(2)]
    await all_taken(players[0], table, "", {"sit", "buy_in"})
    await house.until(table, "betting")
    (buy_in,) = [o for o in await offered(players[1], table) if o["type"] == "sit"]
    await players[1].made(f"{table}/commands", sent_back(buy_in, "min"))
    (buy_in,) = [o for o in await offered(players[1], table) if o["type"] == "buy_in"]
    assert (buy_in["min"], buy_in["max"]) == (1, 100)
    assert "buy_in" not in [o["type"] for o in await offered(players[0], table)]
    await all_taken(players[0], table, "", {"stake", "unstake", "set_cut_willing"})


async def test_what_a_host_is_offered_for_a_seat_is_taken(house: House) -> None:
    """He names the seat that the option names; a bot's chips are the house's (design 8)."""
    table = await house.table()
    await house.seated(table, 11, 50)
    (bot,) = [o for o in await offered(house.host, table) if o.get("fields", {}).get("seat") == 1]
    assert bot == {"type": "seat_bot", "fields": {"seat": 1, "policy": "steady"}}
    await house.host.made(f"{table}/commands", sent_back(bot, "min"))
    (buy_in,) = [o for o in await offered(house.host, table, "?seat=1") if o["type"] == "buy_in"]
    assert buy_in["max"] > 10**15
    await house.until(table, "betting")
    await all_taken(house.host, table, "?seat=11", {"stake", "unstake"})
    assert "set_cut_willing" not in [o["type"] for o in await offered(house.host, table, "?seat=11")]


async def test_what_a_host_is_offered_without_a_seat_is_taken(house: House) -> None:
    """Calls and chores, the end of a decision, a pause, and the end of the table (design 3, 7)."""
    table = await house.table(automations=[])
    player = await house.seated(table, 1)
    await house.until(table, "preparing")
    taken = []
    for kind in ("call", "expire", "pause", "resume", "propose_correction", "reject_correction"):
        option = next(o for o in await offered(house.host, table) if o["type"] == kind)
        await house.host.made(f"{table}/commands", sent_back(option, "min"))
        taken.append(option["type"])
        if kind == "call":
            await player.made(f"{table}/commands", {"type": "stake", "on": "right", "amount": 5})
    (close, _) = [o for o in await offered(house.host, table) if o["type"] == "close_table"]
    await house.host.made(f"{table}/commands", sent_back(close, "min"))
    assert (await house.host.seen(table))["status"] == "closing"
