"""Every profile of bacará through the doors: opened, banked, played, told."""

from typing import Any

import pytest

from dealer.rules.registry import GAMES
from shoe.verify import verify_live, verify_record
from tests.http.house import PATIENT, House

MODES = [(profile.id, mode) for profile in GAMES["bacara"].profiles.values() for mode in profile.modes]
QUIET = {**PATIENT, "bank_offer_ms": 0, "auction_call_ms": 0}


async def _open(house: House, profile: str, mode: str, **options: Any) -> str:
    body: dict[str, Any] = {"game": "bacara", "profile": profile, "options": {**QUIET, **options}}
    made = await house.host.made("/v1/tables", {**body, "mode": mode} if mode else body)
    return f"/v1/tables/{made['table']}"


@pytest.mark.parametrize(("profile", "mode"), MODES)
async def test_every_profile_can_be_opened(house: House, profile: str, mode: str) -> None:
    """A profile without modes needs none named; the table says what is played at it (section 13)."""
    view = await house.host.seen(await _open(house, profile, mode))
    assert (view["profile"], view["mode"], view["phase"]) == (profile, mode, "no_bank")


async def test_a_coup_of_punto_y_banca(house: House) -> None:
    """Nobody is asked for a word: after «no va más» the coup is over, told by bet (R-95, R-97)."""
    table = await _open(house, "punto-y-banca", "")
    player = await house.seated(table, 3)
    await house.until(table, "betting")
    for on in ("punto", "bank", "tie"):
        await player.made(f"{table}/commands", {"type": "stake", "on": on, "amount": 20})
    await house.call(table)
    view = await house.call(table)
    assert view["phase"] == "between_rounds"
    offered = (await house.host.seen(f"{table}/options"))["options"]
    assert [o["min"] for o in offered if o["type"] == "replenish_bank"] == [1]
    more = {"type": "replenish_bank", "amount": 250}
    assert await player.refused(f"{table}/commands", more) == "wrong_phase"
    await house.host.made(f"{table}/commands", more)
    assert (await house.host.seen(table))["bank"] == view["bank"] + 250
    assert set(view["results"]) == {"punto"}
    told = (await house.host.seen(f"{table}/rounds/{view['round']}"))["told"]
    assert set(told["results"]) == {"punto", "bank", "tie"}
    assert sum(each["net"] for each in told["net"]) + told.get("commission", 0) == (
        told["bank"]["before"] - told["bank"]["after"]
    )


async def test_the_first_card_laid_aside_is_proved(house: House) -> None:
    """It lies open before the first coup, so its opening is in the record, and no other one is (R-105)."""
    table = await _open(house, "punto-y-banca", "", burn="first_card")
    player = await house.seated(table, 3)
    await house.until(table, "betting")
    (turned, *others) = (
        event["data"]
        for event in (await house.auditor.seen(f"{table}/events"))["events"]
        if event["type"] == "card.burned"
    )
    record = await house.auditor.seen(f"{table}/shoes/1")
    assert [(each["pos"], each["card"]) for each in record["exposed"]] == [(0, turned["card"])]
    assert (verify_live(record), [*others[0]]) == ([], ["pos", "shuffle"])
    assert (await player.get(f"{table}/shoes/1/proofs?pos=1"))[0] == 404
    await house.host.made(f"{table}/commands", {"type": "close_table", "now": True})
    assert verify_record(await house.auditor.seen(f"{table}/shoes/1")) == []


async def test_banco_over_the_doors(house: House) -> None:
    """The bank is offered, taken, and played for by one alone; `options` has his words (R-63, R-69)."""
    table = await _open(house, "seed", "tournant", banco_ms=0)
    banker, caller = await house.seated(table, 1), await house.seated(table, 2)
    view = await house.until(table, "no_bank")
    assert view["seeking"]["candidate"] == 1
    await banker.made(f"{table}/commands", {"type": "accept_bank", "amount": 100})
    view = await house.until(table, "banco")
    offered = (await caller.seen(f"{table}/options"))["options"]
    assert {"banco", "pass_banco"} <= {each["type"] for each in offered}
    await caller.made(f"{table}/commands", {"type": "banco"})
    view = await house.host.seen(table)
    assert view["banco"]["seat"] == 2
    assert view["phase"] != "banco"
