"""Who cuts a shoe of bacará, and where: BQ-38 of the rule sheet, played at a table (R-05, A-05)."""

import tomllib
from typing import Any

import pytest

from dealer.rules.bacara.events import BankConstituted
from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame.event import Event
from tests.bacara.examples import DATA
from tests.shoe import reference
from tests.table.cut import check_seal, commit, opening, reveal
from tests.table.rig import LOG, Rig, seeds, types

BQ_38: dict[str, Any] = tomllib.loads((DATA / "cut.toml").read_text("utf-8"))
CUTS: list[dict[str, Any]] = BQ_38["cuts"]
FIRST = {"D": 0, "I": 10, "P": 1_000}


def seat(label: str) -> int:
    """The number of a label of the sheet (glossary 2)."""
    return FIRST[label[0]] + int(label[1:])


def banked(willing: list[str]) -> Rig:
    """The table of the block: people, those who want to cut, and the bank of one of them."""
    rig = Rig(packs=BQ_38["packs"])
    for label in BQ_38["seated"]:
        rig.sit(seat(label))
    for label in willing:
        rig.play(seat(label), cmd.SetCutWilling(willing=True))
    data = BankConstituted(amount=100, banker=seat(BQ_38["banker"]), mode="volunteer")
    rig._record(Event("croupier", rig.now, data, LOG, 0, rig.table.seq + 1, data.TYPE, data.V))
    rig.table = rig._replayed
    rig.buy_in(seat("P1"), 1)  # a command, after which the croupier goes on
    return rig


@pytest.mark.parametrize("block", CUTS, ids=[block["title"] for block in CUTS])
def test_the_first_willing_seat_cuts(block: dict[str, Any]) -> None:
    """Asked, named and turned as in BQ-38; who cuts not at all leaves the order as shuffled (R-05, A-05)."""
    rig = banked(block["willing"])
    opened = rig.of(ev.CorteOpened)
    assert [list(d.seats) for d in opened] == [list(map(seat, block["asked"]))] * bool(block["asked"])
    assert [d.cutter for d in opened] == [seat(block["cutter"]) if block["cutter"] else 0] * len(opened)
    places = {seat(label): k for label, k in block["places"].items()}
    for number, k in places.items():
        commit(rig, number, k)
    if opened and not rig.of(ev.CorteClosed):
        rig.expire()
    for number, k in places.items():
        reveal(rig, number, k)
    (sealed,) = rig.of(ev.ShoeSealed)
    transcript = sealed.transcript
    assert {c.seat: c.cut for c in transcript.contributions} == places
    assert transcript.cut == block["top"]
    order = check_seal(rig, seeds(1, 1)[0])
    key_stream = reference.stream(
        seeds(1, 1)[0], b"corte/1 shuffle", bytes.fromhex(sealed.transcript_hash), 4096
    )
    uncut, _ = reference.shuffle(key_stream, 156)
    assert order == uncut[block["top"] :] + uncut[: block["top"]]


@pytest.mark.parametrize("k", BQ_38["accepted"])
def test_a_place_within_the_shoe_is_a_cut(k: int) -> None:
    """From the first card to the last but one, as BQ-38 has it (R-05)."""
    rig = banked(["I1"])
    commit(rig, 11, k)
    assert types(reveal(rig, 11, k))[:2] == ["corte.revealed", "shoe.sealed"]
    assert rig.of(ev.ShoeSealed)[0].transcript.cut == k


@pytest.mark.parametrize("k", BQ_38["refused"])
def test_a_place_beside_the_shoe_is_none(k: int) -> None:
    """No card, and all of them, cannot be cut: refused though that was committed (BQ-38, R-05)."""
    rig = banked(["I1"])
    commit(rig, 11, k)
    assert rig.refused(11, opening(11, k)) == BQ_38["code"]
    assert types(rig.expire())[0] == "corte.aborted"


def test_the_cut_of_a_later_shoe_is_asked_between_coups() -> None:
    """At the stop card the shoe ends and the cut of the next opens in the same append (R-05, R-08)."""
    rig = Rig(stop_card=155)
    for number in (1, 11):
        rig.sit(number)
    rig.fund()
    rig.play(1, cmd.SetCutWilling(willing=True))
    rig.coup((1, "right", 1), (11, "left", 1))
    assert types(rig.events)[-4:] == ["stop_card.reached", "shoe.closed", "seed.revealed", "corte.opened"]
    assert rig.table.phase == "between_rounds"
    assert rig.clock().decision == "cut:2"
    commit(rig, 1)
    rig.now += 60_000
    assert types(reveal(rig, 1)) == [
        "corte.revealed",
        "shoe.sealed",
        "shoe.ready",
        "round.started",
        "stakes.opened",
    ]
