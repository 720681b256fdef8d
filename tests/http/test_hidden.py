"""Hidden cards stay hidden in every answer to everybody but their holder (fairness S-20, design 2)."""

from typing import Any

from dealer.rules.registry import GAMES
from shoe.shoe import Shoe
from tests.http.client import Client
from tests.http.house import House

PATHS = (
    "",
    "/options",
    "/events?limit=500",
    "/rounds",
    "/rounds/{round}",
    "/shoes",
    "/shoes/1",
    "/shoes/2",
    "/shoes/1/proofs?pos=0,1,2,3,4,5",
    "/shoes/2/proofs?pos=0,1,2,3,4,5",
)
"""Everything that can be read of a table."""


async def _shoe(house: House, table: str) -> Shoe:
    """The shoe on the table, seen through the back door of the house."""
    desk = await house.node.table(table.rpartition("/")[2])
    assert desk.state.shoe is not None
    return desk.chance.current(desk.state.shoe)


def _nonces_in(heard: list[bytes], shoe: Shoe) -> set[int]:
    """The positions whose nonce stands in any of these answers."""
    every = b"".join(heard)
    return {pos for pos in range(shoe.deck.size) if shoe.nonce(pos).encode() in every}


async def _read_all(client: Client, table: str, view: dict[str, Any]) -> None:
    for path in PATHS:
        await client.get(table + path.format(round=view["round"]))
    for word in ("draw", "stand"):
        for seat in (1, 11):
            body = {"type": word, "seat": seat, "decision": f"no:{seat}"}
            await client.post(f"{table}/commands", body)


async def test_nobody_hears_of_a_hidden_card(house: House) -> None:
    """S-20: while hands are face down, each holder hears of his own cards and all others of none."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    _, spectator = await house.player()
    view = await house.speaking(table, players)
    shoe = await _shoe(house, table)
    desk = await house.node.table(table.rpartition("/")[2])
    hands = desk.state.hands
    turned = set(desk.state.faces) | set(range(min(min(hand) for hand in hands.values())))
    own = {players[1]: set(hands["right"]), players[11]: set(hands["left"])}
    for client in (house.host, house.auditor, spectator, house.stranger, *players.values()):
        await _read_all(client, table, view)
        assert _nonces_in(client.heard, shoe) <= turned | own.get(client, set())
    for client, hand in own.items():
        assert hand <= _nonces_in(client.heard, shoe)


async def test_view_tells_a_player_no_other_hand(house: House) -> None:
    """Design 3: `you` holds the caller's hand alone; a spectator's is empty, a host has no `you` at all."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    _, spectator = await house.player()
    await house.speaking(table, players)
    views = {seat: await player.seen(table) for seat, player in players.items()}
    assert {card["hand"] for card in views[1]["you"]["hand"]} == {"right"}
    assert {card["hand"] for card in views[11]["you"]["hand"]} == {"left"}
    assert (await spectator.seen(table))["you"] == {"hand": [], "pid": "", "seat": 0}
    plain = await house.host.seen(table)
    assert "you" not in plain
    assert all({k: v for k, v in view.items() if k != "you"} == plain for view in views.values())


async def test_host_learns_nothing_by_trying(house: House) -> None:
    """Design 8: moves that depend on a hidden face are neither shown to a host nor tried by one."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    view = await house.speaking(table, players)
    (due,) = view["due"]
    (seat,) = due["seats"]
    hidden = {kind.__struct_config__.tag for kind in GAMES["bacara"].commands if kind.HIDDEN}
    assert hidden == {"draw", "lay_down", "stand"}
    own = await players[seat].seen(f"{table}/options")
    assert hidden & {option["type"] for option in own["options"]}
    for reader in (house.host, house.auditor):
        told = await reader.seen(f"{table}/options?seat={seat}")
        assert {option["type"] for option in told["options"]} == {"cash_out"}
    for word in hidden:
        answers = [await house.host.post(f"{table}/commands", {"type": word, "seat": seat}) for _ in range(2)]
        assert [answer["code"] for _, answer in answers] == ["forbidden"] * 2
    assert (await house.host.seen(table))["seq"] == view["seq"]
