"""A butifarra match to 101 over REST by four clients, one of whom leaves for good; read back from the log."""

import asyncio
from typing import Any

import msgspec

from dealer.rules.matches.state import match_of
from ops.replay.replay import replay
from tests.http.client import Client
from tests.http.house import House
from tests.http.listener import log_of
from tests.http.matches import move, opened, seated

GONE, BUY_IN, STACK = 3, 10, 15
"""The seat of somebody who leaves for good; what each stakes on the match, and brings: too little for two."""
WORDS = ("insist", "name_trump", "play")


async def test_a_match_of_four_clients(house: House) -> None:
    """butifarra:12.2, butifarra:13, design 3: out of turn, two at once, a card not held; a bot goes on."""
    options: dict[str, Any] = {"bid_ms": 0, "between_rounds_ms": 1, "bot_think_ms": 0}
    table = await opened(house, "butifarra", play_for="chips", match_buy_in=BUY_IN, **options)
    commands = f"{table}/commands"
    people = await seated(house, table, 4, chips=STACK)
    assert await people[2].refused(commands, {"type": "name_trump", "trump": "O"}) == "not_your_turn"
    await people[1].made(commands, {"type": "name_trump", "trump": "O"})
    contest = {"type": "contest", "trump": "butifarra"}
    both = await asyncio.gather(*(people[seat].post(commands, contest) for seat in (2, 4)))
    assert [answer["code"] for _, answer in both] == ["accepted", "not_your_turn"]
    await people[GONE].made(commands, {"type": "insist"})
    await move(table, people[1], "play")
    await _has_not(house, table, people)

    seat_bot = {"type": "seat_bot", "seat": GONE, "policy": "steady"}
    assert await house.host.refused(commands, seat_bot) == "seat_taken"
    await people[GONE].made(commands, {"type": "concede"})
    desk = await house.node.table(table.rpartition("/")[2])
    held = desk.state.hands[str(GONE)]
    offered = (await house.host.seen(f"{table}/options"))["options"]
    assert seat_bot in [{"type": option["type"], **option.get("fields", {})} for option in offered]
    await house.host.made(commands, seat_bot)
    assert desk.state.hands[str(GONE)] == held
    assert (await people[GONE].seen(table))["you"]["hand"] == []
    async with asyncio.timeout(60):
        while (view := await house.host.seen(table))["phase"] != "match_over":
            if view["turn"] in {0, GONE}:
                await asyncio.sleep(0.005)
            elif view["bid_step"].startswith("contest"):
                _, answer = await people[view["turn"]].post(commands, contest)
                if answer["code"] != "accepted":
                    assert answer["code"] == "bid_same_offer", "the bot has named it already"
                    await move(table, people[view["turn"]], "pass")
            else:
                await move(table, people[view["turn"]], *WORDS)

    log = await log_of(house, table)
    told = [msgspec.json.decode(stored) for _, stored in log]
    bots = [e for e in told if e["type"] == "card.played" and e["data"]["source"] == "bot"]
    assert sorted(e["data"]["pos"] for e in bots if e["round"] == 1) == sorted(held)
    assert {e["data"]["seat"] for e in bots} == {GONE}
    stacks = {seat: desk.state.stack(seat) for seat in people}
    won = {seat: 2 * BUY_IN if seat % 2 == view["winner"] % 2 else 0 for seat in people}
    assert stacks == {seat: won[seat] + (0 if seat == GONE else STACK - BUY_IN) for seat in people}
    read = replay([stored for _, stored in log])
    assert (read.waiting, read.shut) == (0, False)
    match = match_of(read.table)
    assert (list(match.scores), match.winner) == (view["scores"], view["winner"])
    assert max(view["scores"]) >= 101


async def _has_not(house: House, table: str, people: dict[int, Client]) -> None:
    """Seat 2 sends a card that another holds, and one that nobody holds any more: the very same answer."""
    first = (await house.host.seen(table))["hands"]["trick"][0]
    other = (await people[4].seen(table))["you"]["hand"][0]["code"]
    answers = [await people[2].post(f"{table}/commands", {"type": "play", "card": c}) for c in (first, other)]
    assert answers[0][1]["code"] == "card_not_owned"
    assert answers[0] == answers[1]
