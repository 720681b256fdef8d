"""The worked examples of every profile but the seed's two paños, played command by command at a table.

Sections 15.1 (the regulations), 15.2, 15.3 and 15.5 of rules/baccarat.md: each block is driven
through the aggregate with its cards on top of the shoe, by the bank its profile knows.
"""

from typing import Any

import pytest

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.commands import AcceptBank, ConLaMesa, DeclineBank, Stand
from dealer.rules.bacara.history import history
from dealer.rules.bacara.state import SPEAKING, play_of
from dealer.rules.frame.events import CardDealt
from tests.bacara.banks import word
from tests.bacara.examples import Example, load
from tests.table.rig import WORDS, Rig, stake, unstake

PUSH = ["K", "K", "6", "6"]
"""A coup with one paño that ends in a push."""
BANKER = 5
"""Who banks where the sheet names nobody: D5, who has no stake in any block."""
FULL = 4
"""People at a ring, so that there are enough for any profile."""

EXAMPLES = [
    *(each for each in load("bq.txt") if each.profile != "seed"),
    *load("bt.txt"),
    *load("pb.txt"),
]


def _laid(example: Example) -> list[str]:
    return [*(PUSH if example.banco and example.stakes else []), *example.shoe]


def _table(example: Example) -> Rig:
    """The people of the block, and its bank."""
    ring = example.banker > 0
    house = example.profile == "punto-y-banca"
    chosen: dict[str, Any] = {"house_bank": example.bank} if house else {}
    if example.mode == "open":  # laid cards are the first shuffle's, so that no lot can be drawn before
        chosen["bank_modes"] = ["auction"]
    rig = Rig(_laid(example), profile=example.profile, mode=example.mode, **chosen, **example.options)
    named = {bet.seat for bet in example.stakes} | {each.seat for each in example.refused if each.seat}
    named |= {example.con_la_mesa, example.banco.seat if example.banco else 0} - {0}
    banker = example.banker or (0 if house else BANKER)
    behind = 5_000 if example.banker_stack is None else example.banker_stack
    filled = set(range(1, FULL + 1)) if ring else set()
    for seat in sorted(named | filled | ({banker} - {0})):
        rig.sit(seat, example.bank + behind if seat == banker else 5_000)
    if house:
        rig.fund()
    elif ring:
        while rig.table.phase == "no_bank":
            asked = rig.view()["seeking"]["candidate"]
            rig.play(asked, AcceptBank(amount=example.bank) if asked == banker else DeclineBank())
    else:
        _bank(rig, banker, example.bank)
    assert (rig.view()["banker"], rig.view()["bank"]) == (banker, example.bank)
    return rig


def _bank(rig: Rig, banker: int, amount: int) -> None:
    """Somebody comes to the bank by the first mode of the profile (R-52 to R-54)."""
    match rig.table.options["bank_modes"][0]:
        case "registered":
            rig.play(banker, word("offer_bank", amount=amount))
        case "auction":
            rig.play(banker, word("bid_bank", amount=amount))
            rig.expire()


def _prelude(rig: Rig, example: Example) -> None:
    """The nula from which the stakes of the block were left standing."""
    rig.expire_until("betting")
    for bet in example.stakes:
        rig.play(bet.seat, stake(bet.on, bet.amount))
    rig.close_stakes()
    while rig.table.phase in SPEAKING:
        (seat,) = rig.clock().seats
        rig.play(seat, Stand())
    rig.expire_until("banco")


def _calls(rig: Rig, example: Example) -> None:
    if example.banco:
        on = {"on": example.banco.on} if rig.table.options["panos"] == 2 else {}
        rig.play(example.banco.seat, word("banco", **on))
    if example.con_la_mesa:
        rig.play(example.con_la_mesa, ConLaMesa())
    if rig.table.phase == "banco":
        rig.expire()


def _speak(rig: Rig, example: Example) -> None:
    (seat,) = rig.clock().seats
    hand = rig.table.phase.removeprefix("speak_")
    said = example.decisions.get(hand)
    rig.play(seat, WORDS[said]) if said else rig.obey()


def drive(rig: Rig, example: Example) -> list[Any]:
    """Play the coup as the block tells it; its events."""
    if example.banco and example.stakes:
        _prelude(rig, example)
    number = rig.table.round
    _calls(rig, example)
    for refused in example.refused:
        if refused.on:
            tried = {"stake": stake, "unstake": unstake}[refused.type](refused.on, refused.amount)
            assert rig.refused(refused.seat, tried) == refused.code
    if not example.banco:
        rig.expire_until("betting")
        for bet in example.stakes:
            rig.play(bet.seat, stake(bet.on, bet.amount))
        rig.close_stakes()
    while rig.table.phase in SPEAKING:
        _speak(rig, example)
    assert rig.table.round == number
    return [event for event in rig.events if event.round == number]


def test_every_block_is_driven() -> None:
    """The data hold all blocks of sections 15.2, 15.3 and 15.5."""
    assert [each.id for each in load("bt.txt")] == [
        *("BT-01", "BT-02a", "BT-02b", "BT-03", "BT-04", "BT-05", "BT-06", "BT-08", "BT-09"),
        *("BT-13", "BT-14", "BT-20", "BT-21", "BT-23"),
    ]
    assert [each.id for each in load("pb.txt")] == [f"PB-{n:02}" for n in range(1, 11)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.id)
def test_a_coup_comes_out_as_the_sheet_says(example: Example) -> None:
    """Coverage, cards, scores, chips and the next banker are the block's.

    R-27, R-29, R-30, R-37, R-41, R-45, R-47, R-64, R-68, R-69, R-72, R-75, R-96, R-98, R-100, R-101, R-102,
    R-103, R-104, A-19.
    """
    rig = _table(example)
    people = sorted(rig.table.seats)
    before = {seat: rig.total(seat) for seat in people}
    coup = drive(rig, example)
    told, log = history(coup), [event.data for event in coup]
    if example.covered is not None:
        assert [(s["seat"], s["on"], s["covered"]) for s in told["stakes"]] == [
            (bet.seat, bet.on, bet.amount) for bet in example.covered
        ]
    assert {hand: shown["points"] for hand, shown in told["hands"].items()} == dict(example.points)
    two = {hand for hand, shown in told["hands"].items() if len(shown["cards"]) == 2}
    assert {hand for hand in two if told["hands"][hand]["points"] >= 8} == example.naturals
    hands = {
        each.pano if each.pano in example.results else "punto": each.result
        for each in log
        if isinstance(each, ev.PanoSettled)
    }
    assert hands == example.results
    (settled,) = (each for each in log if isinstance(each, ev.RoundSettled))
    assert (settled.bank, settled.net) == (example.final_bank, example.net_bank)
    banker = (
        play_of(rig.table).banker or example.banker or (0 if example.profile == "punto-y-banca" else BANKER)
    )
    returned = sum(each.amount for each in rig.of(ev.BankEnded))
    for seat in people:
        change = rig.total(seat) - before[seat]
        if seat == banker:
            assert change == example.net_banker + returned
        else:
            assert change == example.net.get(seat, 0), seat
    if example.final_banker_stack is not None:
        assert rig.table.stack(BANKER) == example.final_banker_stack
    assert rig.table.chips.get("house_box", 0) == example.house
    assert sum(each["net"] for each in told["net"]) + example.house + example.net_bank == 0
    assert sum(isinstance(each, CardDealt) for each in log) == example.cards
    if example.next_banker:
        seen = rig.view()
        assert (seen["banker"] or seen["seeking"]["candidate"]) == example.next_banker
