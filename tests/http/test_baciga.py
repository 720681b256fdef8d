"""Báciga through the doors: four people play a match over REST, and each sees his own cards (S-20)."""

import asyncio
from typing import Any

import pytest

from dealer.rules.registry import GAMES
from shoe.corte import Opening
from shoe.verify import verify_opening, verify_record
from tests.http import matches
from tests.http.house import House
from tests.http.matches import move, moved_on, opened, seated, shoe_of, told_of

STILL = {**matches.STILL, "declare_ms": 0}
HIDDEN = {kind.__struct_config__.tag for kind in GAMES["baciga"].commands if kind.HIDDEN}


async def _opened(house: House, profile: str = "seed", **options: Any) -> str:
    """The address of a fresh table."""
    return await opened(house, "baciga", profile, declare_ms=0, **options)


async def test_a_match_of_four(house: House) -> None:
    """13: declare and play until a pair has won; the round is told, the shoe verifies, the pot is paid."""
    table = await _opened(house, players=4, target=100, play_for="chips", match_buy_in=10)
    players = await seated(house, table, 4, chips=50)
    declared = []
    while (view := await house.host.seen(table))["phase"] != "match_over":
        moved = await moved_on(table, players, view, "declare", "play")
        if moved["type"] == "declare":
            declared.append((view["turn"], moved["fields"]["meld"], moved["points"]))
    assert view["winner"] in {1, 2}
    assert view["scores"][view["winner"] - 1] >= 100
    told = await told_of(house, table, view)
    assert [(m["seat"], m["meld"], m["points"]) for hand in told for m in hand["melds"]] == declared
    assert told[-1]["won"]["side"] == view["winner"]
    assert told[-1]["won"]["scores"] == view["scores"]
    assert len(told[0]["tricks"][0]["cards"]) == 4
    stacks = {seat["seat"]: seat["stack"] for seat in view["seats"]}
    assert stacks == {seat: 60 if seat % 2 == view["winner"] % 2 else 40 for seat in stacks}
    assert verify_record(await house.auditor.seen(f"{table}/shoes/1")) == []


async def test_nobody_hears_of_a_hidden_card(house: House) -> None:
    """S-20: after some tricks each hears of his own cards and of what lay open, and of no other."""
    table = await _opened(house, players=3)
    players = await seated(house, table, 3)
    for _ in range(14):
        view = await house.host.seen(table)
        await move(table, players[view["turn"]], "declare", "play")
    shoe = await shoe_of(house, table)
    _, spectator = await house.player()
    everybody = [house.host, house.auditor, house.stranger, spectator, *players.values()]
    for client in everybody:
        for path in ("", "/options", "/events?limit=500", "/rounds", "/rounds/1", "/shoes", "/shoes/1"):
            await client.get(table + path)
        for word in HIDDEN:
            body = {"type": word, "card": "AS1", "meld": "baciga", "cards": ["QS1", "JD1"]}
            await client.post(f"{table}/commands", body)
    desk = await house.node.table(table.rpartition("/")[2])
    page = await house.auditor.seen(f"{table}/events?limit=500")
    turned = {e["data"]["pos"] for e in page["events"] if e["type"] == "card.exposed"}
    dealt: dict[str, set[int]] = {str(seat): set() for seat in players}
    for event in page["events"]:
        if event["type"] == "card.dealt":
            dealt[event["data"]["to"]].add(event["data"]["pos"])
    for client in everybody:
        heard = b"".join(client.heard)
        seat = next((seat for seat, each in players.items() if each is client), 0)
        known = {pos for pos in range(shoe.deck.size) if shoe.nonce(pos).encode() in heard}
        assert known <= turned | dealt.get(str(seat), set())
    hands = desk.state.hands
    for seat, player in players.items():
        you = (await player.seen(table))["you"]
        assert {card["pos"] for card in you["hand"]} == {*hands[str(seat)], *hands.get(f"table:{seat}", ())}
        for card in you["hand"]:
            opened = Opening(
                card=card["card"], nonce=card["nonce"], path=tuple(card["path"]), pos=card["pos"]
            )
            assert verify_opening(opened, shoe.deck.size, shoe.root)


@pytest.mark.parametrize("house", ["sandbox"], indirect=True)
async def test_two_declare_at_once(house: House) -> None:
    """8.2, 9.2: both could win by declaring; one does, the other hears that the match is over."""
    aces = ["AS", "AH", "AD"]
    laid = [*aces, *aces, "AC", "9C", "7D", "AC", "8C", "8D", *["7C", "8S", "9S"] * 2]
    body = {"game": "baciga", "profile": "seed", "options": {**STILL, "target": 100}, "stacked": laid}
    table = f"/v1/tables/{(await house.host.made('/v1/tables', body))['table']}"
    players = await seated(house, table, 2)
    for seat, card in ((2, "9C1"), (1, "8C1"), (2, "7D1"), (1, "8D1")):
        await players[seat].made(f"{table}/commands", {"type": "play", "card": card})
    fours = {
        seat: [o for o in (await player.seen(f"{table}/options"))["options"] if o.get("points") == 100]
        for seat, player in players.items()
    }
    answers = await asyncio.gather(
        *(
            players[seat].post(f"{table}/commands", {"type": "declare", **options[0]["fields"]})
            for seat, options in fours.items()
        )
    )
    assert sorted((status, answer["code"]) for status, answer in answers) == [
        (200, "accepted"),
        (409, "match_over"),
    ]
    view = await house.host.seen(table)
    (declared,) = view["melds"]
    assert (view["winner"], view["scores"][declared["seat"] - 1]) == (declared["seat"], 100)


async def test_a_host_learns_nothing_by_trying(house: House) -> None:
    """Design 8: whether a card may be played or declared is neither shown to a host nor tried by one."""
    table = await _opened(house)
    await seated(house, table, 2)
    before = await house.host.seen(table)
    told = await house.host.seen(f"{table}/options?seat={before['turn']}")
    assert not HIDDEN & {option["type"] for option in told["options"]}
    for card in ("AS1", "AS2", "7H1"):
        answer = await house.host.refused(f"{table}/commands", {"type": "play", "card": card, "seat": 2})
        assert answer == "forbidden"
    assert (await house.host.seen(table))["seq"] == before["seq"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"type": "play", "card": "QS9"}, "no_such_card"),
        ({"type": "play", "card": "qs1"}, "malformed"),
        ({"type": "play"}, "malformed"),
        ({"type": "declare", "meld": "royal", "cards": ["QS1"]}, "malformed"),
        ({"type": "declare", "meld": "baciga", "cards": []}, "malformed"),
        ({"type": "declare", "meld": "baciga", "cards": ["QS1"] * 9}, "malformed"),
        ({"type": "declare", "meld": "baciga", "cards": ["QS1", "JD1"]}, "meld_no_trick_won"),
        ({"type": "draw_stock"}, "wrong_phase"),
        ({"type": "stake", "on": "right", "amount": 5}, "unknown_command"),
    ],
)
async def test_what_comes_through_the_door(house: House, body: dict[str, Any], code: str) -> None:
    """14: a command that is none, a card that is none, or one out of its time is refused with its code."""
    table = await _opened(house)
    players = await seated(house, table, 2)
    assert await players[1].refused(f"{table}/commands", body) == code


async def test_bots_keep_company(house: House) -> None:
    """Design 3: a person and three bots of the house; they play their turns by themselves."""
    table = await _opened(house, players=4, bot_think_ms=0)
    for seat in (2, 3, 4):
        await house.host.made(f"{table}/commands", {"type": "seat_bot", "seat": seat, "policy": "steady"})
    _, person = await house.player(0)
    await person.made(f"{table}/commands", {"type": "sit", "seat": 1})
    async with asyncio.timeout(20):
        while sum((view := await person.seen(table))["tricks"]) < 3:
            if view["turn"] == 1:
                await move(table, person, "play")
            else:
                await asyncio.sleep(0.01)


async def test_bad_tables_are_refused(house: House) -> None:
    """12.10: an option that needs another, one that is none, and a mode that there is not."""
    refused = [
        await house.host.refused("/v1/tables", {"game": "baciga", "profile": "seed", **body})
        for body in (
            {"options": {"seven_bonus": 10}},
            {"options": {"share_table": True}},
            {"options": {"players": 5}},
            {"mode": "dos-panos"},
        )
    ]
    assert refused == ["options_conflict", "option_unknown", "option_not_allowed", "option_not_allowed"]
