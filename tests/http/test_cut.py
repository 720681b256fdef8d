"""A cut over HTTP: two people and one who watches make a shoe with the house (fairness 1.4)."""

import asyncio
from hashlib import sha256
from typing import Any

from ops.metrics import Metrics
from shoe.verify import verify_record
from tests.http.client import Client
from tests.http.house import House


async def step(house: House, table: str, name: str) -> Any:
    """The view of a table as soon as its cut has come so far."""
    async with asyncio.timeout(10):
        while True:
            view = await house.host.seen(table)
            if view["cut"].get("step", "") == name:
                return view["cut"]
            await asyncio.sleep(0.01)


async def willing(house: House, table: str, seat: int) -> Client:
    """Somebody sits down, wants to cut, and brings chips."""
    _, player = await house.player()
    for move in (
        {"type": "sit", "seat": seat},
        {"type": "set_cut_willing", "willing": True},
        {"type": "buy_in", "amount": 1_000},
    ):
        await player.made(f"{table}/commands", move)
    return player


def digest(table: str, cut: Any, seat: int, k: int, secret: bytes) -> str:
    """A commitment made by hand, as section 1.4 writes it."""
    header = (
        f"corte/1 contribution\ncasa/t/{table.rpartition('/')[2]}\n{cut['shuffle']}\n"
        f"{cut['commitment']}\n{seat}\n{k}\n"
    )
    return sha256(header.encode() + secret).hexdigest()


async def test_cut(house: House) -> None:
    """Fairness 1.4, 1.7: committed, closed, one reveal brought by a neighbour, sealed, played, verified.

    A reveal that does not open its commitment is 422, and counted.
    """
    table = await house.table(stop_card=151, cut_spectators=True)
    secrets = {seat: bytes([seat]) * 32 for seat in (1, 11, 101)}
    first = await willing(house, table, 1)
    cut = await step(house, table, "commit")
    assert (cut["cutter"], cut["seats"], cut["size"]) == (1, [1], 156)
    second = await willing(house, table, 11)
    _, watcher = await house.player(0)
    commands = f"{table}/commands"
    late = {"type": "stake", "on": "right", "amount": 1}
    assert await first.refused(commands, late) == "shoe_not_ready"
    for seat, who in ((101, watcher), (11, second), (1, first)):
        legal = (await who.seen(f"{table}/options"))["options"]
        (offered,) = [o for o in legal if o["type"] == "cut_commit"]
        assert (offered["fields"], offered["min"], offered["max"]) == ({"seat": seat}, 1, 155)
        told = digest(table, cut, seat, 20 + seat, secrets[seat])
        said = {"type": "cut_commit", "commit": told, "decision": offered["decision"], **offered["fields"]}
        await who.made(commands, said)
    cut = await step(house, table, "reveal")
    assert (cut["committed"], cut["revealed"]) == ([1, 11, 101], [])

    def opening(seat: int, k: int) -> dict[str, Any]:
        return {"type": "cut_reveal", "seat": seat, "cut": k, "reveal": secrets[seat].hex()}

    metrics = Metrics()
    (await house.node.table(table.rpartition("/")[2]))._hooks = metrics
    assert await first.refused(commands, opening(1, 156)) == "cut_out_of_range"
    status, problem = await first.post(commands, opening(1, 22))
    assert (status, problem["code"]) == (422, "cut_reveal_mismatch")
    counted = b'croupier_commands_total{code="cut_reveal_mismatch",type="cut_reveal"} 1.0'
    assert counted in metrics.text().splitlines()
    assert await first.refused(commands, {**opening(1, 21), "reveal": "AB" * 32}) == "malformed"
    await watcher.made(commands, opening(101, 121))
    for seat, k in ((11, 31), (1, 21)):
        await first.made(commands, opening(seat, k))
    view = await house.until(table, "betting")
    assert view["cut"] == {}
    players = {1: first, 11: second}
    await house.deal(table, players)
    await house.finish(table, players)
    record = await house.auditor.seen(f"{table}/shoes/1")
    assert verify_record(record) == []
    transcript = record["transcript"]
    assert (transcript["cutter"], [c["cut"] for c in transcript["contributions"]]) == (1, [21, 31, 121])
    assert record["shoe_root"] == view["shoe"]["root"]
    forged = {**transcript, "cutter": 11}
    assert verify_record({**record, "transcript": forged})
