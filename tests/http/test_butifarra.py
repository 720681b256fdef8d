"""Butifarra through the doors: four people play a match over REST, and each sees his own cards (S-20)."""

import asyncio
from typing import Any

import pytest

from shoe.corte import Opening
from shoe.verify import verify_opening, verify_record
from tests.http.client import Client
from tests.http.house import House
from tests.http.matches import STILL, move, opened, seated, shoe_of

WORDS = ("pass", "name_trump")


async def _opened(house: House, profile: str = "seed", **options: Any) -> str:
    return await opened(house, "butifarra", profile, bid_ms=0, **options)


async def _say(table: str, player: Client, word: str, **fields: str) -> None:
    """A word as a program would send it that knows it by heart."""
    await player.made(f"{table}/commands", {"type": word, **fields})


async def test_a_hand_of_four(house: House) -> None:
    """butifarra:5.2: bid, play twelve tricks, score; the round is told with its pairs, the shoe verifies."""
    table = await _opened(house, play_for="chips", match_buy_in=10)
    players = await seated(house, table, 4, chips=50)
    await _say(table, players[1], "delegate")
    await _say(table, players[3], "name_trump", trump="O")
    await _say(table, players[4], "contest", trump="butifarra")
    await _say(table, players[1], "insist")
    view = await house.host.seen(table)
    assert view["contract"] == {"trump": "O", "multiplier": 8, "leader": 3, "side": 1}
    while (view := await house.host.seen(table))["phase"] == "tricks":
        await move(table, players[view["turn"]], "play")
    assert sum(view["raw"]) == 52
    assert view["scores"] == [8 * max(0, points - 26) for points in view["raw"]]
    told = (await house.auditor.seen(f"{table}/rounds/1"))["told"]
    assert (told["pairs"], told["raw"], told["points"]) == ([[1, 3], [2, 4]], view["raw"], view["scores"])
    assert [bid["word"] for bid in told["bids"]] == ["delegate", "name_trump", "contest", "insist"]
    assert len(told["tricks"]) == 12
    assert verify_record(await house.auditor.seen(f"{table}/shoes/1")) == []
    if view["phase"] == "between_rounds":
        for seat in (2, 4):
            await _say(table, players[seat], "concede")
    view = await house.host.seen(table)
    assert view["phase"] == "match_over"
    stacks = {seat["seat"]: seat["stack"] for seat in view["seats"]}
    assert stacks == {seat: 60 if seat % 2 == view["winner"] % 2 else 40 for seat in stacks}


async def test_nobody_hears_of_a_hidden_card(house: House) -> None:
    """S-20, butifarra:12.1: each hears of his own cards and of what lay open; a blind partner of none."""
    table = await _opened(house, "competicio-lliure", partner_blind=True)
    players = await seated(house, table, 4)
    _, spectator = await house.player()
    everybody = [house.host, house.auditor, house.stranger, spectator, *players.values()]
    paths = ("", "/options", "/events?limit=500", "/rounds", "/rounds/1", "/shoes", "/shoes/1")

    async def ask() -> None:
        for client in everybody:
            for path in paths:
                await client.get(table + path)
            for card in ("9O", "1C"):
                await client.post(f"{table}/commands", {"type": "play", "card": card})

    await ask()
    shoe = await shoe_of(house, table)
    nonces = {pos: shoe.nonce(pos).encode() for pos in range(shoe.deck.size)}
    assert not [pos for pos, nonce in nonces.items() if nonce in b"".join(players[3].heard)]
    await _say(table, players[1], "name_trump", trump="O")
    for _ in range(8):
        view = await house.host.seen(table)
        await move(table, players[view["turn"]], "pass", "play")
    await ask()
    page = await house.auditor.seen(f"{table}/events?limit=500")
    turned = {e["data"]["pos"] for e in page["events"] if e["type"] == "card.exposed"}
    dealt: dict[str, set[int]] = {str(seat): set() for seat in players}
    for event in page["events"]:
        if event["type"] == "card.dealt":
            dealt[event["data"]["to"]].add(event["data"]["pos"])
    for client in everybody:
        heard = b"".join(client.heard)
        seat = next((seat for seat, each in players.items() if each is client), 0)
        known = {pos for pos, nonce in nonces.items() if nonce in heard}
        assert known <= turned | dealt.get(str(seat), set())
    for seat, player in players.items():
        own = (await player.seen(table))["you"]["hand"]
        assert {card["pos"] for card in own} == dealt[str(seat)] - turned
        for card in own:
            path = tuple(card["path"])
            proof = Opening(card=card["card"], nonce=card["nonce"], path=path, pos=card["pos"])
            assert verify_opening(proof, shoe.deck.size, shoe.root)


@pytest.mark.parametrize("house", ["sandbox"], indirect=True)
async def test_a_card_not_held_is_refused_alike(house: House) -> None:
    """Glossary 6, S-20: the partner's card, a rival's and one that was played bring the very same answer."""
    laid = [f"{rank}{suit}" for suit in "OCEB" for rank in range(1, 13)]
    body = {"game": "butifarra", "profile": "seed", "options": {**STILL, "bid_ms": 0}, "stacked": laid}
    table = f"/v1/tables/{(await house.host.made('/v1/tables', body))['table']}"
    players = await seated(house, table, 4)
    await _say(table, players[1], "name_trump", trump="E")
    for seat in (2, 4):
        await _say(table, players[seat], "pass")
    await move(table, players[1], "play")
    own = {card["code"] for card in (await players[2].seen(table))["you"]["hand"]}
    others = [f"{face}1" for face in laid if f"{face}1" not in own]
    answers = [await players[2].post(f"{table}/commands", {"type": "play", "card": c}) for c in others]
    assert len(others) == 36
    assert {(status, answer["code"]) for status, answer in answers} == {(409, "card_not_owned")}
    assert len({str(answer) for _, answer in answers}) == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"type": "name_trump", "trump": "O"}, "not_your_turn"),
        ({"type": "name_trump", "trump": "H"}, "malformed"),
        ({"type": "name_trump"}, "malformed"),
        ({"type": "pass", "trump": "O"}, "malformed"),
        ({"type": "contest", "trump": None}, "malformed"),
        ({"type": "play", "card": "9O1"}, "bidding_open"),
        ({"type": "play", "card": "13O"}, "no_such_card"),
        ({"type": "play", "card": "9O2"}, "no_such_card"),
        ({"type": "next_round"}, "wrong_phase"),
        ({"type": "declare", "meld": "baciga", "cards": ["QS1"]}, "unknown_command"),
    ],
)
async def test_what_comes_through_the_door(house: House, body: dict[str, Any], code: str) -> None:
    """butifarra:5.2: a word or card that is none, or one out of its time, is refused with its code."""
    table = await _opened(house)
    players = await seated(house, table, 4)
    assert await players[2].refused(f"{table}/commands", body) == code


async def test_bots_keep_company(house: House) -> None:
    """Design 3: a person and three bots of the house; they bid and play their turns by themselves."""
    table = await _opened(house, bot_think_ms=0)
    for seat in (2, 3, 4):
        await house.host.made(f"{table}/commands", {"type": "seat_bot", "seat": seat, "policy": "steady"})
    _, person = await house.player(0)
    await person.made(f"{table}/commands", {"type": "sit", "seat": 1})
    async with asyncio.timeout(20):
        while sum((view := await person.seen(table))["tricks"]) < 3:
            if view["turn"] == 1:
                await move(table, person, "play", *WORDS)
            else:
                await asyncio.sleep(0.01)


async def test_bad_tables_are_refused(house: House) -> None:
    """An option that needs another, one that is another profile's, and a mode that there is not."""
    refused = [
        await house.host.refused("/v1/tables", {"game": "butifarra", "profile": "seed", **body})
        for body in (
            {"options": {"tie": "two_more"}},
            {"options": {"score_cap": 121, "target": 151}},
            {"options": {"contro_steps_suit": 2}},
            {"options": {"players": 3}},
            {"mode": "dos-panos"},
        )
    ]
    assert refused == [
        *["options_conflict"] * 2,
        "option_unknown",
        *["option_not_allowed"] * 2,
    ]
