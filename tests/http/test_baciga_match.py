"""A báciga match over REST by four clients of their own; what each of them saw is read back from the log."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import partial

import pytest
from aiohttp import ClientSession

from dealer.rules.baciga.state import play_of, stock_left
from dealer.rules.matches.state import TRICK
from ops.replay.replay import replay
from tests.croupier.spy import until
from tests.http.client import Client
from tests.http.house import House
from tests.http.listener import Listener, log_of
from tests.http.matches import move, told_of

SILENT, GONE = 3, 2
"""The seat whose clock runs out on its first turn, and the one whose connections break."""


@pytest.fixture
async def table(house: House) -> str:
    """Four in pairs, with little time to play."""
    options = {"players": 4, "target": 100, "first_dealer": 1, "play_ms": 1_000, "between_rounds_ms": 0}
    made = await house.host.made("/v1/tables", {"game": "baciga", "profile": "seed", "options": options})
    return f"/v1/tables/{made['table']}"


@pytest.fixture
async def people(house: House, table: str) -> AsyncIterator[dict[int, Client]]:
    """Four people who share no connection."""
    async with AsyncExitStack() as stack:
        found = {}
        for seat in range(1, 5):
            _, known = await house.player(0)
            session = await stack.enter_async_context(ClientSession(house.session._base_url))
            found[seat] = Client(session, house.contract, known._token)
        for seat, player in found.items():
            await player.made(f"{table}/commands", {"type": "sit", "seat": seat})
        yield found


async def _move(table: str, player: Client) -> int:
    """The points a player gets for the first of what he may do; his time may be up meanwhile."""
    page = await player.seen(f"{table}/options")
    kinds = ("declare", "play")
    wanted = [o for kind in kinds for o in page["options"] if o["type"] == kind]
    if not wanted:
        return 0
    named = {"decision": wanted[0]["decision"]} if "decision" in wanted[0] else {}
    body = {"type": wanted[0]["type"], **wanted[0].get("fields", {}), **named}
    status, answer = await player.post(f"{table}/commands", body)
    assert status == 200 or answer["code"] in {"decision_over", "not_your_turn", "match_over"}, answer
    return wanted[0].get("points", 0) if status == 200 else 0


async def test_a_match_of_four_clients(house: House, table: str, people: dict[int, Client]) -> None:
    """baciga:13.1, design 5: one is silent and played for, one drops and resumes; the log tells it all."""
    session, token = people[GONE]._session, people[GONE]._token
    legal: list[str] = []
    declared = nth = 0
    async with Listener(session, token, f"{table}/events") as before:
        while (view := await house.host.seen(table))["phase"] != "match_over":
            if view["turn"] == SILENT and not legal:
                nth = sum(view["tricks"])
                page = await people[SILENT].seen(f"{table}/options")
                legal = [option["fields"]["card"] for option in page["options"] if option["type"] == "play"]
                await until(partial(_played, before, SILENT, nth))
                assert (await house.host.seen(table))["seats"][SILENT - 1]["absent"] is True
                if legal:  # or he has looked too late, and looks again at his next turn
                    before.close()
            elif view["phase"] == "between_rounds":
                await move(table, people[1], "next_round")
            else:
                declared += await _move(table, people[view["turn"]])
    log = await log_of(house, table)
    async with Listener(session, token, f"{table}/events", last=before.events[-1][0]) as after:
        await after.at(log[-1][0])
    assert before.events + after.events == log[before.events[0][0] :]
    assert before.events
    assert after.events

    told = await told_of(house, table, view)
    plays = [card for trick in told[0]["tricks"] for card in trick["cards"]]
    silent = [card for card in plays if card["seat"] == SILENT][nth]
    assert silent["source"] == "timeout"
    assert silent["card"] in legal
    melds = sum(meld["points"] for hand in told for meld in hand["melds"])
    assert melds >= declared
    assert melds + sum(sum(hand["briscas"]) for hand in told) == sum(view["scores"])
    read = replay([stored for _, stored in log])
    assert (read.waiting, read.shut) == (0, False)
    assert list(play_of(read.table).totals) == view["scores"] == told[-1]["won"]["scores"]
    assert play_of(read.table).winner == view["winner"]


def _played(listener: Listener, seat: int, before: int) -> bool:
    """Whether a seat has played more cards than before."""
    heard = [frame.told for frame in listener.frames if frame.name == "event"]
    cards = [event for event in heard if event["type"] == "card.played" and event["data"]["seat"] == seat]
    return len(cards) > before


@pytest.mark.parametrize("house", ["sandbox"], indirect=True)
async def test_a_declaration_meets_the_last_card(house: House) -> None:
    """baciga:8.2: sent with the card that ends the stock it counts or is refused; both are answered."""
    fours = ["AS1", "AH1", "AD1", "AC1"]
    laid = ["9S", "7C", "8C", "AS", "AH", "AD", "7D", "8D", "9D", "AC", "AS", "7H"]
    options = {"play_ms": 0, "between_rounds_ms": 0, "first_dealer": 1}
    body = {"game": "baciga", "profile": "seed", "options": options, "stacked": laid}
    name = (await house.host.made("/v1/tables", body))["table"]
    commands = f"/v1/tables/{name}/commands"
    players = {}
    for seat in (1, 2):
        _, players[seat] = await house.player(0)
        await players[seat].made(commands, {"type": "sit", "seat": seat})
    desk = await house.node.table(name)
    cards = ["9S1", "AS2"]
    while stock_left(desk.state) > 2 or not desk.state.hands.get(TRICK):
        seat = play_of(desk.state).turn
        legal = desk.game.options(desk.state, desk.chance, seat)
        kept = [o.fields["card"] for o in legal if o.type == "play" and o.fields["card"] not in fours]
        await players[seat].made(commands, {"type": "play", "card": cards.pop(0) if cards else kept[0]})
    seat = play_of(desk.state).turn
    card = next(
        o.fields["card"] for o in desk.game.options(desk.state, desk.chance, seat) if o.type == "play"
    )
    (_, declared), (played, _) = await asyncio.gather(
        players[1].post(commands, {"type": "declare", "meld": "four_aces", "cards": fours}),
        players[seat].post(commands, {"type": "play", "card": card}),
    )
    assert (played, desk.state.phase) == (200, "last_tricks")
    counted = {"accepted": 100, "meld_stock_exhausted": 0}
    assert play_of(desk.state).totals == (counted[declared["code"]], 0)
