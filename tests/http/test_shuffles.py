"""Every shuffle number over HTTP: lots, cuts, attempts that were given up, shoes that were struck out.

And what each round says of its shoe (fairness 1.2, 1.7, 1.8; design 3).
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealer.http import shoeindex
from dealer.journal import Journal
from ops.cli.verify import examine
from ops.replay.coups import coups
from ops.replay.replay import replay
from tests.http.client import Client
from tests.http.house import House
from tests.http.test_closing import closed
from tests.http.test_cut import digest, step, willing
from tests.verify.programs import alone, answer, written

SECRETS = {seat: bytes([seat]) * 32 for seat in (1, 11)}
PLACES = {1: 21, 11: 31}
STORY = ("shoes", "shoes/1", "shoes/2", "shoes/3", "rounds", "rounds/1", "rounds/2")


def opening(seat: int) -> dict[str, Any]:
    """What opens the commitment of a seat."""
    return {"type": "cut_reveal", "seat": seat, "cut": PLACES[seat], "reveal": SECRETS[seat].hex()}


async def bound(house: House, table: str, players: dict[int, Client]) -> None:
    """Everybody commits."""
    cut = await step(house, table, "commit")
    for seat, player in players.items():
        commit = digest(table, cut, seat, PLACES[seat], SECRETS[seat])
        await player.made(f"{table}/commands", {"type": "cut_commit", "commit": commit})
    await step(house, table, "reveal")


async def drawn(house: House, table: str, players: dict[int, Client]) -> int:
    """They draw for the bank, and whom it falls to takes it; his seat."""
    for player in players.values():
        await player.made(f"{table}/commands", {"type": "enter_lot"})
    await house.call(table)
    record = await house.auditor.seen(f"{table}/shoes/1")
    winner: int = record["winner"]
    await players[winner].made(f"{table}/commands", {"type": "accept_bank", "amount": 300})
    return winner


async def played(house: House, table: str, players: dict[int, Client], banker: int) -> None:
    """One coup, and the begin of another in which the shoe is struck out by two people."""
    await house.deal(table, {seat: player for seat, player in players.items() if seat != banker})
    await house.finish(table, players)
    await house.host.made(f"{table}/commands", {"type": "next_round"})
    await house.host.made(f"{table}/commands", {"type": "propose_correction", "kind": "void_shoe"})
    second = await house.keyed("host")
    await second.made(f"{table}/commands", {"type": "approve_correction"})


async def evening(house: House) -> str:
    """A lot, a shoe that is cut by two and struck out, an attempt that is given up as the table closes."""
    table = await house.table(bank_modes=["lot"], min_bank=100)
    players = {seat: await willing(house, table, seat) for seat in (1, 11)}
    banker = await drawn(house, table, players)
    await bound(house, table, players)
    for seat in players:
        await players[1].made(f"{table}/commands", opening(seat))
    await played(house, table, players, banker)
    await bound(house, table, players)
    await players[1].made(f"{table}/commands", opening(1))
    await under_way(house, table)
    await house.host.made(f"{table}/commands", {"type": "close_table"})
    await closed(house, table)
    return table


async def under_way(house: House, table: str) -> None:
    """An open cut is listed, and shows what was committed and opened; it has no order yet to be proved."""
    listed = (await house.auditor.seen(f"{table}/shoes?limit=1"))["shoes"]
    assert [(line["shuffle"], line["status"], line["revealed"]) for line in listed] == [(3, "cut", False)]
    record = await house.auditor.seen(f"{table}/shoes/3")
    assert [each["seat"] for each in record["commits"]] == [1, 11]
    assert [each["seat"] for each in record["transcript"]["contributions"]] == [1]
    assert {"seed", "shoe_root", "transcript_hash", "missing"}.isdisjoint(record)
    assert (await house.auditor.get(f"{table}/shoes/3/proofs?pos=0"))[0] == 404


async def test_no_shuffle_number_is_missing(
    house: House, journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fairness 1.2, 1.7, 1.8: whatever a number was used for is listed, and its record is good."""
    table = await evening(house)
    seen = {path: await house.auditor.seen(f"{table}/{path}") for path in STORY}
    lines = seen["shoes"]["shoes"]
    assert [(line["shuffle"], line["status"]) for line in lines] == [
        (3, "aborted"),
        (2, "voided"),
        (1, "lot"),
    ]
    assert [("shoe_root" in line, "sealed_at" in line) for line in lines] == [
        (False, False),
        (True, True),
        (False, False),
    ]
    for line in lines:
        record = seen[f"shoes/{line['shuffle']}"]
        assert (line["revealed"], record["status"]) == (True, line["status"])
        assert examine(json.dumps(record).encode()) == (False, [])
        assert answer(alone(written(record, tmp_path), "--json"))["problems"] == []

    given_up = seen["shoes/3"]
    (contribution,) = given_up["transcript"]["contributions"]
    assert (given_up["missing"], contribution["reveal"]) == ([11], SECRETS[1].hex())
    assert contribution["commit"] == given_up["commits"][0]["commit"]
    lot = seen["shoes/1"]
    proofs = await house.auditor.seen(f"{table}/shoes/1/proofs?pos=0,1")
    assert (proofs["proofs"], proofs["shoe_root"]) == (lot["exposed"], lot["shoe_root"])
    assert (await house.auditor.get(f"{table}/shoes/3/proofs?pos=0"))[0] == 404

    rounds = seen["rounds"]["rounds"]
    assert [(line["round"], line["shuffle"], line["contributors"], line["beacon"]) for line in rounds] == [
        (2, 2, 2, False),
        (1, 2, 2, False),
    ]
    whole, struck = seen["rounds/1"], seen["rounds/2"]
    assert (whole["contributors"], whole["beacon"], "voided" in whole) == (2, False, False)
    assert (struck["voided"], struck["ended_at"] >= struck["started_at"]) == (True, True)

    replayed = replay(await journal.read(f"t/{table.rpartition('/')[2]}"))
    told = list(coups(replayed.game, replayed.table, replayed.events))
    assert [msgspec.json.decode(msgspec.json.encode(coup)) for coup in told] == [whole, struck]
    house.forget()  # and let many read the log again at once, each some way ahead of the others
    monkeypatch.setattr(shoeindex, "_PAGE", 2)
    paths = [path for path in STORY for _ in range(3)]
    again = await asyncio.gather(*(house.auditor.seen(f"{table}/{path}") for path in paths))
    assert again == [seen[path] for path in paths]
