"""The worked examples of two paños (rules/baccarat.md, section 15.1), played command by command at a table.

Every block that the house's bank can play under profile `seed` is driven through the aggregate with the
block's cards on top of the shoe.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.commands import Draw
from dealer.rules.bacara.history import history
from dealer.rules.bacara.state import SPEAKING, play_of
from dealer.rules.frame.events import CardDealt, CardExposed, RoundEnded, RoundStarted
from dealer.rules.frame.game import Act
from dealer.rules.frame.refusal import Refusal
from dealer.table.aggregate import handle
from shoe.cards import Deck
from tests.bacara.examples import Example, load, load_end_of_shoe
from tests.table.rig import Rig, opened, stake, unstake

SEED = {each.id: each for each in load("bq.txt") + load("prose.txt") if each.profile == "seed"}
DRIVEN = [
    *(f"BQ-{number:02}" for number in range(1, 12)),
    *("BQ-12a", "BQ-13a", "BQ-14", "BQ-15a", "BQ-15b", "BQ-15c", "BQ-20", "BQ-22", "BQ-33", "BQ-32"),
]
TOLD = ["BQ-21/1", "BQ-21/2", "BQ-21/3", "BQ-21/4", "BQ-31"]
"""Driven by a test of their own; so are the cases of BQ-27."""
UNREACHABLE = {"BQ-28": "no door takes a card out of a sealed shoe (R-81)"}

_FACES = Deck("fr52", 3)


@dataclass
class Coup:
    """What a coup left behind.

    Attributes:
        told: its history, as a document.
        net: change of each seat's chips, in stack and on the cloth.
    """

    told: dict[str, Any]
    net: dict[int, int]
    log: list[Any]


def table_for(examples: Sequence[Example]) -> Rig:
    """A table with the people, the bank and the cards of consecutive coups, in its first betting."""
    first = examples[0]
    seats = {bet.seat for example in examples for bet in example.stakes}
    seats |= {refused.seat for example in examples for refused in example.refused if refused.seat}
    cards = [rank for example in examples for rank in example.shoe]
    return opened(dict.fromkeys(sorted(seats), 5_000), cards, house_bank=first.bank, **first.options)


def drive(rig: Rig, example: Example) -> Coup:
    """Play one coup as the block tells it."""
    start = len(rig.events) - 2  # round.started and stakes.opened have been written
    assert isinstance(rig.events[start].data, RoundStarted)
    seats = sorted(rig.table.seats)
    before = {seat: rig.total(seat) for seat in seats}
    for bet in example.stakes:
        lying = play_of(rig.table).stakes.get(f"{bet.on}:{bet.seat}")
        if lying is None:
            rig.play(bet.seat, stake(bet.on, bet.amount))
        else:
            assert lying.amount == bet.amount, "left from a push"
    rig.close_stakes()
    for refused in example.refused:
        if refused.code == "late_stake":
            late = {"stake": stake, "unstake": unstake}[refused.type]
            assert rig.refused(refused.seat, late(refused.on, refused.amount)) == refused.code
    while rig.table.phase in SPEAKING:
        _speak(rig, example)
    assert rig.table.phase in {"between_rounds", "no_bank"}
    coup = [event for event in rig.events[start:] if event.round == rig.table.round]
    return Coup(
        told=history(coup),
        net={seat: rig.total(seat) - before[seat] for seat in seats},
        log=[event.data for event in coup],
    )


def _speak(rig: Rig, example: Example) -> None:
    (seat,) = rig.clock().seats
    hand = rig.table.phase.removeprefix("speak_")
    for refused in example.refused:
        if refused.seat == seat and refused.type == "draw":
            assert rig.refused(seat, Draw()) == refused.code
    if example.decisions.get(hand) == "silent":
        rig.expire()
    else:
        rig.obey()


def check(rig: Rig, example: Example, coup: Coup) -> None:
    """Everything the block says is what happened."""
    told = coup.told
    if example.covered is not None:
        assert [(s["seat"], s["on"], s["covered"]) for s in told["stakes"]] == [
            (bet.seat, bet.on, bet.amount) for bet in example.covered
        ]
    assert told["bank"] == {"before": example.bank, "after": example.final_bank}
    assert told["results"] == example.results
    assert {hand: shown["points"] for hand, shown in told["hands"].items()} == example.points
    two_cards = {h for h, shown in told["hands"].items() if len(shown["cards"]) == 2}
    assert {h for h in two_cards if told["hands"][h]["points"] >= 8} == example.naturals
    assert told["holders"] == {pano: example.holders[pano] for pano in example.results}
    staked = {bet.seat for bet in example.stakes}
    assert {seat: net for seat, net in coup.net.items() if seat in staked} == example.net
    assert not any(net for seat, net in coup.net.items() if seat not in staked)
    covered = {s["seat"] for s in told["stakes"] if s["covered"]}
    assert {n["seat"]: n["net"] for n in told["net"]} == {
        seat: net for seat, net in example.net.items() if seat in covered
    }
    dealt = [data for data in coup.log if isinstance(data, CardDealt)]
    assert len(dealt) == example.cards
    faces = {data.pos: _FACES.rank(data.card) for data in coup.log if isinstance(data, CardExposed)}
    assert [faces[data.pos] for data in dealt] == list(example.shoe)
    (settled,) = (data for data in coup.log if isinstance(data, ev.RoundSettled))
    assert (settled.bank, settled.net) == (example.final_bank, example.net_bank)
    assert isinstance(coup.log[-1], RoundEnded)


def test_every_block_a_house_bank_can_play_is_driven() -> None:
    """All blocks of profile `seed` in the data are played here, but for an incident no door knows."""
    assert set(SEED) == {*DRIVEN, *TOLD, *UNREACHABLE}


@pytest.mark.parametrize("name", DRIVEN)
def test_a_coup_comes_out_as_the_sheet_says(name: str) -> None:
    """Coverage, cards, scores, chips as in the block (R-30, R-32, R-33, R-42, R-44, R-45, A-41)."""
    example = SEED[name]
    rig = table_for([example])
    check(rig, example, drive(rig, example))
    exhausted = example.final_bank == 0
    assert rig.table.phase == ("no_bank" if exhausted else "between_rounds")
    assert rig.table.chips.get("bank", 0) == example.final_bank


def test_the_mano_rotates_as_in_bq_21() -> None:
    """In one bank each mano passes on when the bank beats its paño (R-16, R-17, R-48, A-09)."""
    coups = [SEED[name] for name in TOLD if name.startswith("BQ-21/")]
    rig = table_for(coups)
    for example in coups:
        rig.expire_until("betting")
        check(rig, example, drive(rig, example))
        assert play_of(rig.table).pointers == example.next_holders


def test_the_houses_hand_keeps_the_rule_as_in_bq_31() -> None:
    """With 6 the bank may not draw, whoever asks: refused, the shoe untouched, it stands (R-41, R-43)."""
    example = SEED["BQ-31"]
    rig = table_for([example])
    coup = drive(rig, example)
    check(rig, example, coup)
    (stood,) = (e.seq for e in rig.events if isinstance(e.data, ev.HandStood) and e.data.hand == "bank")
    on_turn = rig.replay(rig.stored[:stood])
    assert on_turn.phase == "speak_bank"
    asked = Act(Draw(), "croupier", "automation", "croupier", 0, rig.now)
    (refused,) = example.refused
    assert handle(rig.game, on_turn, rig.chance, asked) == Refusal(refused.code)


def _naturals(count: int, kept: list[str]) -> list[str]:
    """Coups of six cards, from three packs without the cards in `kept`: the bank has a natural in each."""
    pool = [rank for rank in _FACES.ranks for _ in range(12)]
    for rank in kept:
        pool.remove(rank)
    naturals = []
    for _ in range(count):
        first = "9" if "9" in pool else "8"
        naturals.append((first, next(r for r in "KQJT" if r in pool)))
        for rank in naturals[-1]:
            pool.remove(rank)
    rest = iter(pool)
    return [
        rank
        for bank in naturals
        for rank in (next(rest), next(rest), bank[0], next(rest), next(rest), bank[1])
    ]


@pytest.mark.parametrize(
    "case", [c for c in load_end_of_shoe() if c["mode"] == "dos-panos"], ids=lambda c: str(c["dealt"])
)
def test_the_end_of_the_shoe_is_that_of_bq_27(case: dict[str, Any]) -> None:
    """More than K cards left give one more coup, else a new shoe comes, bank and all (R-07, R-08, R-09)."""
    last, longest = SEED["BQ-32" if case["dealt"] == 145 else "BQ-06"].shoe, SEED["BQ-33"].shoe
    whole = (case["dealt"] - len(last)) // 6
    assert 6 * whole + len(last) == case["dealt"]
    cards = [*_naturals(whole, [*last, *longest]), *last, *longest]
    rig = opened({1: 1_000, 11: 1_000}, cards, packs=case["packs"], stop_card=case["stop_card"])
    while rig.table.shoe is not None and rig.table.shoe.pos < case["dealt"] and rig.table.shuffles == 1:
        _chip_each(rig)
    assert sum(isinstance(e.data, CardDealt) for e in rig.events) == case["dealt"]
    assert rig.table.shuffles == (1 if case["may_begin"] else 2)
    bank = rig.table.chips["bank"]
    rig.expire_until("betting")
    assert (rig.table.chips["bank"], len(rig.of(ev.BankConstituted))) == (bank, 1)
    if "longest" in case:
        _chip_each(rig)
        assert sum(isinstance(e.data, CardDealt) for e in rig.events) == case["dealt_at_most"]
        assert rig.table.shuffles == 2


def _chip_each(rig: Rig) -> None:
    """A coup with a chip on either paño."""
    rig.expire_until("betting")
    lying = play_of(rig.table).stakes
    wanted = ((1, "right", 1), (11, "left", 1))
    rig.coup(*(each for each in wanted if f"{each[1]}:{each[0]}" not in lying))
