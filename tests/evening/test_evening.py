"""The evening that shows croupier's frame."""

from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from tests.evening.afterwards import check_answers, check_chips, check_coups, check_shoes, of_type
from tests.evening.evening import SEATS, Evening
from tests.ops.processes import Service

pytestmark = pytest.mark.usefixtures("uncounted")


async def test_an_evening(service: Service, tmp_path: Path) -> None:
    """Design 1, 5 to 8: a whole shoe over the API, with all that may happen, verified and read back.

    Volunteer, auction and lot; a cut that is aborted, and one with three contributors; a void by two; a guest
    who drops out in mid-coup; the service killed twice in mid-coup, once with its Valkey.
    """
    async with ClientSession() as session, Evening(service, session) as evening:
        await evening.begun()
        await evening.first_bank()
        await evening.killed("ben", "draw", "stand")
        await evening.voided()
        await evening.dropped()
        await evening.auctioned()
        await evening.killed("ben", "stake", power_cut=True)
        await evening.drawn()
        await evening.finished()

        _check_story(evening)
        _check_deaths(evening)
        records = await check_shoes(evening, tmp_path)
        coups = await check_coups(evening, tmp_path)
        await check_answers(evening)
        await check_chips(evening, coups)
    # In whatever order: how soon a new shoe is wanted depends on how many coups the scenes have taken.
    assert sorted((record["status"], len(record["transcript"]["contributions"])) for record in records) == [
        ("aborted", 2),
        ("closed", 2),
        ("closed", _late(evening.heard.events)),
        ("lot", 0),
    ]
    assert [coup["round"] for coup in coups if coup.get("voided")] == [
        event["round"] for event in evening.heard.events if event["type"] == "round.voided"
    ]


def _check_story(evening: Evening) -> None:
    """What happened is what was meant to happen, in this order."""
    log = evening.heard.events
    dan = SEATS["dan"]
    assert [data["mode"] for data in of_type(log, "bank.constituted")] == ["volunteer", "auction", "lot"]
    assert [data["reason"] for data in of_type(log, "bank.ended")] == ["will", "will"]
    consents = {data["seat"] for data in of_type(log, "bank.consented")}
    assert consents == {2, 3, 4, 11, 12}, "everybody who sits, bots too, but the candidate"
    assert len(of_type(log, "bank.bid")) > 1
    (lot,) = of_type(log, "lot.drawn")
    assert lot["candidates"] == [SEATS["ana"], SEATS["ben"]]
    (aborted,) = of_type(log, "corte.aborted")
    assert aborted["missing"] == [dan]
    assert [len(data["commits"]) for data in of_type(log, "corte.closed")] == [3, 2, _late(log)]
    (voided,) = of_type(log, "round.voided")
    assert len(set(voided["approvals"])) == 2
    (left,) = of_type(log, "seat.left")
    assert (left["seat"], left["source"]) == (dan, "host")
    assert [data["shuffle"] for data in of_type(log, "stop_card.reached")] == [2]
    assert len(of_type(log, "table.closed")) == 1


def _late(log: list[dict[str, Any]]) -> int:
    """How many cut the second shoe: Ana, Ben and Carla, and Dan if he still sits when it is wanted.

    How many coups it takes until a scene can be played hangs on the cards: a natural has no hand that speaks.
    """
    *_, cut = (event["seq"] for event in log if event["type"] == "corte.closed")
    (left,) = (event["seq"] for event in log if event["type"] == "seat.left")
    return 4 if cut < left else 3


def _check_deaths(evening: Evening) -> None:
    """Nothing that was on disk is lost, and the coup goes on where it was; nobody heard anything twice."""
    log = evening.heard
    assert len(evening.deaths) == 2
    for stored in evening.deaths:
        assert log.stored[: len(stored)] == stored
        before, after = log.events[len(stored) - 1], log.events[len(stored)]
        assert before["round"] == after["round"] > 0
    assert log.connections == 3
    assert sum(caller.again for caller in evening.callers) >= 2
