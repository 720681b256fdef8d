"""A match through the doors: a table, people at it, and moves as the options tell them."""

from typing import Any

from shoe.shoe import Shoe
from tests.http.client import Client
from tests.http.house import House

STILL = {"play_ms": 0, "between_rounds_ms": 0, "first_dealer": 1}
"""Nobody's time runs, and seat 1 deals."""


async def opened(house: House, game: str, profile: str = "seed", **options: Any) -> str:
    """The address of a fresh table."""
    body = {"game": game, "profile": profile, "options": {**STILL, **options}}
    return f"/v1/tables/{(await house.host.made('/v1/tables', body))['table']}"


async def seated(house: House, table: str, players: int, chips: int = 0) -> dict[int, Client]:
    """People in all seats, each with these chips before him."""
    found = {}
    for seat in range(1, players + 1):
        _, found[seat] = await house.player(chips)
        await found[seat].made(f"{table}/commands", {"type": "sit", "seat": seat})
        if chips:
            await found[seat].made(f"{table}/commands", {"type": "buy_in", "amount": chips})
    return found


async def move(table: str, player: Client, *kinds: str) -> dict[str, Any]:
    """A player sends the first of his options of these kinds back as it stands; which it was."""
    page = await player.seen(f"{table}/options")
    option: dict[str, Any] = next(o for kind in kinds for o in page["options"] if o["type"] == kind)
    decision = {"decision": option["decision"]} if "decision" in option else {}
    await player.made(f"{table}/commands", {"type": option["type"], **option.get("fields", {}), **decision})
    return option


async def moved_on(
    table: str, players: dict[int, Client], view: dict[str, Any], *kinds: str
) -> dict[str, Any]:
    """Whoever has the turn moves; between two hands somebody asks for the next. Which option it was."""
    if view["phase"] == "between_rounds":
        return await move(table, players[1], "next_round")
    return await move(table, players[view["turn"]], *kinds)


async def told_of(house: House, table: str, view: dict[str, Any]) -> list[dict[str, Any]]:
    """What the histories of all hands of a match tell, the first hand first."""
    rounds = range(1, view["round"] + 1)
    return [(await house.auditor.seen(f"{table}/rounds/{number}"))["told"] for number in rounds]


async def shoe_of(house: House, table: str) -> Shoe:
    """The shoe on the table, as only the house knows it."""
    desk = await house.node.table(table.rpartition("/")[2])
    assert desk.state.shoe is not None
    return desk.chance.current(desk.state.shoe)
