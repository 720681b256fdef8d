"""The tournant evening."""

from pathlib import Path

from aiohttp import ClientSession

from dealer.rules.bacara.game import BACARA
from dealer.table.aggregate import codec
from ops.terminal import Narrator
from tests.evening.afterwards import banker_at, check_answers, check_chips, check_coups, check_shoes, of_type
from tests.evening.evening import SEATS
from tests.evening.tournant import BANK, RING, Tournant
from tests.ops.processes import Service


async def test_a_tournant_evening(service: Service, tmp_path: Path) -> None:
    """R-62 to R-71: six at a table, guests and bots, over a whole shoe, verified and read back.

    Bancos collide in one window; a guest has nothing left to bank with; the service is killed while one calls
    a banco; a banker drops out. All chips are where the coups have brought them (R-00).
    """
    async with ClientSession() as session, Tournant(service, session) as evening:
        await evening.opened()
        await evening.broke()
        await evening.collided()
        await evening.struck()
        await evening.left()
        await evening.over()

        _check_bancos(evening)
        _check_banks(evening)
        (stored,) = evening.deaths
        assert evening.heard.stored[: len(stored)] == stored
        assert evening.heard.connections == 2
        await check_shoes(evening, tmp_path)
        coups = await check_coups(evening, tmp_path)
        await check_answers(evening)
        await check_chips(evening, coups)
    narrator, read = Narrator("en", color=False), codec(BACARA).decode
    told = "\n".join(line for stored in evening.heard.stored for line in narrator.lines(read(stored)))
    for line in ("J2: banco", "J11: banco", f"plays {BANK} alone against the bank", "J1 gets up"):
        assert line in told


def _check_bancos(evening: Tournant) -> None:
    """Whoever sits nearest to the banker's right has it, or who had it before a nula, not the quickest."""
    log = evening.heard.events
    collided = 0
    before: dict[int, int] = {}
    for event in log:
        if event["type"] == "bank.constituted":
            before.clear()
        if event["type"] != "banco.awarded":
            continue
        banker = banker_at(log, event["seq"])
        calls = evening.called_before(event["seq"])
        order = sorted(calls, key=lambda seat: (seat not in before, (seat - banker - 1) % RING))
        assert event["data"]["seat"] == order[0]
        before = {order[0]: event["seq"]}
        collided += len(calls) > 1
    assert collided


def _check_banks(evening: Tournant) -> None:
    """Banks are of who wanted one; Dan, who has nothing, is not asked, and Ana's went on without her."""
    log = evening.heard.events
    assert {data["banker"] for data in of_type(log, "bank.constituted")} <= {1, 2, 11}
    broke = next(event["seq"] for event in log if event["type"] == "chips.cashed_out")
    assert SEATS["dan"] not in {data["seat"] for data in of_type(log[broke:], "bank.offered")}
    gone = next(event for event in log if event["type"] == "seat.left")
    assert (gone["data"]["seat"], gone["data"]["source"]) == (SEATS["ana"], "host")
    hers = [
        e for e in log[: gone["seq"]] if e["type"] == "bank.ended" and e["data"]["banker"] == SEATS["ana"]
    ]
    assert hers[-1]["data"]["reason"] in {"absent", "loss"}
