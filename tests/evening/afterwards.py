"""What an evening leaves behind: its log, its shoes and coups, what was answered, and the chips."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from ops.cli.verify import examine
from tests.evening.evening import CHIPS, SEATS, Evening
from tests.evening.follower import Event
from tests.ops.processes import croupier
from tests.verify.programs import alone, answer

PAGE = 200
GOOD = {"good": True, "live": False, "problems": []}


async def pages(evening: Evening) -> list[bytes]:
    """The log as an auditor pages through it, one answer a line."""
    found: list[bytes] = []
    after = -1
    while True:
        page = await evening.hosts[0].read(f"{evening.table}/events?limit={PAGE}&after={after}")
        following = json.loads(page)["next"]
        if following == after:
            return found
        found.append(page)
        after = following


async def check_shoes(evening: Evening, folder: Path) -> list[Any]:
    """Each shuffle is verified, also by the program that stands alone; a shoe that was played by one command.

    Returns:
        Their records.
    """
    records = []
    listed = (await evening.hosts[1].see(f"{evening.table}/shoes"))["shoes"]
    for shoe in reversed(listed):
        assert shoe["revealed"]
        file = folder / f"shoe-{shoe['shuffle']}.json"
        file.write_bytes(await evening.hosts[1].read(f"{evening.table}/shoes/{shoe['shuffle']}"))
        assert examine(file.read_bytes()) == (False, [])
        assert answer(alone(file, "--json")) == GOOD
        records.append(json.loads(file.read_bytes()))
        if records[-1]["status"] == "closed":
            told = croupier("verify", file)
            assert (told.returncode, told.stdout) == (0, "all is as promised\n")
    return records


async def check_coups(evening: Evening, folder: Path) -> list[Any]:
    """Another command reads every coup back, from pages or from what was heard, as the API tells it."""
    paged, heard = folder / "pages.jsonl", folder / "heard.jsonl"
    paged.write_bytes(b"".join(page + b"\n" for page in await pages(evening)))
    heard.write_bytes(b"".join(stored + b"\n" for stored in evening.heard.stored))
    told = croupier("replay", paged, "--json")
    assert (told.returncode, told.stderr) == (0, "")
    coups = [json.loads(line) for line in told.stdout.splitlines()]
    assert [coup["round"] for coup in coups] == list(range(1, len(coups) + 1))
    for coup in coups:
        shown = await evening.hosts[0].see(f"{evening.table}/rounds/{coup['round']}")
        assert shown == coup
    words = croupier("replay", heard, "--lang", "en")
    assert words.stdout.count("── Coup ") == len(coups)
    assert words.stdout.endswith("all is as promised\n")
    return coups


async def check_answers(evening: Evening) -> None:
    """Whatever was accepted was done once; asked again, it is answered the same. All else was refused."""
    mine: Counter[int] = Counter((0, 1))  # the opening, which a host did with another answer
    for caller in evening.callers:
        for said in caller.said:
            if said.status == 409:
                continue  # between people who act at the same time
            assert said.status in {200, 201}, said
            assert await caller.repeat(said) == said
            if said.path == evening.commands:
                mine.update(range(said.answer["first"], said.answer["last"] + 1))
    assert set(mine.values()) == {1}
    log = evening.heard.events
    others = {"croupier", *(data["pid"] for data in of_type(log, "seat.taken") if "bot" in data)}
    assert {event["seq"] for event in log if event["actor"] not in others} <= mine.keys()
    assert (await evening.hosts[0].see(evening.table))["seq"] == log[-1]["seq"]


async def check_chips(evening: Evening, coups: list[Any]) -> None:
    """All chips are at home, and everybody has won what his coups brought him, and lost, as banker too."""
    page = await evening.hosts[0].see("/v1/accounts")
    assert page["book"] | {"accounts": 0, "house": 0} == {
        "accounts": 0,
        "house": 0,
        "tables": {},
        "transit": 0,
    }
    assert page["book"]["accounts"] + page["book"]["house"] == 0
    balances = {account["external_ref"]: account["balance"] for account in page["accounts"]}
    won: Counter[int] = Counter()
    for coup in coups:
        told = coup["told"]
        for each in told["net"]:
            won[each["seat"]] += each["net"]
        if "after" in told["bank"]:
            won[banker_at(evening.heard.events, coup["first"])] += (
                told["bank"]["after"] - told["bank"]["before"]
            )
    assert balances == {name: CHIPS + won[seat] for name, seat in SEATS.items()}


def banker_at(log: list[Event], seq: int) -> int:
    """Who banked at an event."""
    banks = [event for event in log[:seq] if event["type"] == "bank.constituted"]
    banker: int = banks[-1]["data"]["banker"]
    return banker


def of_type(log: list[Event], *types: str) -> list[Any]:
    """The data of all events of these types."""
    return [event["data"] for event in log if event["type"] in types]
