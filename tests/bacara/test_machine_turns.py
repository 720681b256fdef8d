"""Examples told in prose of banks that go round, banco, garage, associates and deposits, step by step."""

from typing import Any

import pytest

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.bots import POLICIES
from dealer.rules.bacara.state import play_of
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.events import CardBurned, LotDrawn
from tests.bacara.banks import word
from tests.bacara.steps import EXAMPLES, table, until, walk
from tests.table.rig import Rig, stake


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{e['id']} {e['title']}" for e in EXAMPLES])
def test_a_bank_goes_round_as_the_sheet_says(example: dict[str, Any]) -> None:
    """BT-04 to BT-12, BT-22 to BT-30, BQ-26, and the rules they are examples of.

    R-09, R-27, R-29, R-31, R-47, R-57, R-58, R-59, R-60, R-61, R-62, R-63, R-64, R-65, R-66, R-67, R-68,
    R-69, R-70, R-71, R-72, R-73, R-74, A-30, A-31, A-33, A-34, A-35, A-36, A-37, A-38, A-39.
    """
    rig = table(example)
    for step in example["steps"]:
        walk(rig, step)


def test_several_callers_in_two_panos_draw_lots_as_in_bq_37() -> None:
    """Whoever spoke first: a provable lot decides; the winner holds both hands, no pointer moves (R-75)."""
    stacks = {1: 1_000, 2: 1_000, 11: 1_000, 13: 500}
    winners = set()
    for luck in range(6):
        rig = Rig(luck=luck, profile="reglamento-1979", mode="")
        for seat, chips in {**stacks, 5: 1_000}.items():
            rig.sit(seat, chips)
        rig.play(5, word("offer_bank", amount=600))
        rig.play(2, word("banco", on="right"))
        rig.play(11, word("banco", on="a_cheval"))
        assert rig.refused(13, word("banco", on="left")) == "banco_insufficient_chips"
        rig.play(1, word("pass_banco"))
        (drawn,) = rig.of(LotDrawn)
        assert (drawn.purpose, drawn.candidates) == ("banco", (2, 11))
        (covered,) = rig.of(ev.StakesCovered)
        on = {"right": 600} if drawn.winner == 2 else {"left": 300, "right": 300}
        assert {each.on: each.covered for each in covered.stakes} == on
        assert covered.holders == dict.fromkeys(on, drawn.winner)
        assert (play_of(rig.table).pointers, rig.of(ev.HolderMoved)) == ({}, [])
        winners.add(drawn.winner)
    assert winners == {2, 11}


@pytest.mark.parametrize("also", [0, 1])
def test_a_call_counts_while_the_caller_has_the_chips(also: int) -> None:
    """Who has cashed out since has said nothing: a whole banco of his stands in nobody's way (R-69, R-72)."""
    rig = Rig(profile="chemin-de-fer", mode="")
    for seat in (1, 2, 3, 4, 5):
        rig.sit(seat, 100)
    rig.play(1, word("accept_bank", amount=50))
    rig.play(2, word("banco"))
    rig.play(2, cmd.CashOut())
    rig.play(3, word("con_la_mesa" if also else "pass_banco"))
    rig.play(4, word("pass_banco"))
    rig.play(5, word("pass_banco"))
    assert [each.seat for each in rig.of(ev.BancoAwarded)] == [3] * also
    assert rig.table.phase == "betting"


def test_a_poor_banker_s_loss_is_his_associates_too() -> None:
    """Of two chips he has one: an associate bears the other, and the bank ends (R-60, R-64)."""
    rig = Rig(["7", "7", "K", "K", "9", "2", "K", "3"], profile="chemin-de-fer", mode="")
    for seat in (1, 2, 3, 4):
        rig.sit(seat, 100)
    rig.play(1, word("accept_bank", amount=1))
    until(rig, "betting")
    rig.play(2, stake("single", 1))
    until(rig, "between_rounds")
    for seat in (3, 4):
        rig.play(seat, word("ask_share", amount=33))
        rig.play(1, word("answer_share", associate=seat, yes=True))
    until(rig, "betting")
    rig.play(2, stake("single", 1))
    until(rig, "no_bank")
    assert [rig.table.stack(seat) for seat in (1, 2, 3, 4)] == [99, 102, 99, 100]


@pytest.mark.parametrize(("first", "out"), [("7", 8), ("A", 2), ("K", 11), ("T", 11)])
def test_the_first_card_of_a_shoe_says_how_many_are_laid_aside(first: str, out: int) -> None:
    """PB-11: it is turned up, and as many as it counts go with it, before the first coup only (R-105)."""
    rig = Rig([first], profile="punto-y-banca", mode="", burn="first_card")
    rig.sit(1)
    rig.fund()
    burned = rig.of(CardBurned)
    assert [each.pos for each in burned] == list(range(out))
    assert [bool(each.nonce) for each in burned] == [True] + [False] * (out - 1)
    assert rig.table.shoe is not None
    assert rig.table.shoe.pos == out
    for _ in range(2):
        until(rig, "betting")
        rig.play(1, stake("tie", 1))
        rig.expire_until("between_rounds")
    assert rig.of(CardBurned) == burned


def test_a_banker_of_the_tournant_who_stays_away_passes() -> None:
    """Absent for too long: his money comes back and his right is asked (section 12, R-64)."""
    rig = Rig("KK66", profile="seed", mode="tournant", banker_away_ms=1)
    for seat in (1, 2):
        rig.sit(seat, 500)
    rig.play(1, word("accept_bank", amount=100))
    until(rig, "betting")
    rig.play(2, stake("single", 50))
    until(rig, "speak_bank")
    for _ in range(2):
        rig.expire()
    (ended,) = rig.of(ev.BankEnded)
    assert (ended.reason, rig.table.stack(1)) == ("absent", 500)
    assert rig.view()["seeking"]["candidate"] == 2


def test_a_table_that_closes_gives_each_associate_his_part() -> None:
    """All chips of a bank stand at one place; they go home by share (R-60)."""
    rig = table(next(each for each in EXAMPLES if each["id"] == "BT-27"))
    rig.play(1, word("accept_bank", amount=200))
    until(rig, "betting")
    rig.play(4, word("ask_share", amount=100))
    rig.play(1, word("answer_share", associate=4, yes=True))
    rig.host(cmd.CloseTable(now=True))
    home = {place.split(":")[1]: n for place, n in rig.table.chips.items() if place.startswith("transit:")}
    assert home == {f"pid_{seat}": 1_000 for seat in (1, 2, 3, 4)}


def test_a_bot_stands_on_a_free_five() -> None:
    """It does what the crupier does for a silent hand, and never says banco (R-37)."""
    rig = Rig("2K37", profile="chemin-de-fer", mode="")
    for seat in (1, 2, 3, 4):
        rig.sit(seat, 500)
    rig.host(cmd.SeatBot(seat=5, policy="steady"), "pid_bot")
    rig.buy_in(5, 400)
    rig.play(1, word("accept_bank", amount=100))
    rig.expire_until("betting")
    _bot(rig)
    rig.close_stakes()
    _bot(rig)
    first = rig.of(ev.HandStood)[0]
    assert (first.hand, first.source) == ("single", "bot")


def _bot(rig: Rig) -> None:
    """The bot on turn decides."""
    (turn,) = (each for each in rig.due() if each.kind == "bot")
    (seat,) = turn.seats
    command = POLICIES["steady"](rig.view(), rig.hand(seat), rig.options(seat))
    assert command is not None
    rig.send(command, rig.table.seats[seat].pid, "bot")


def test_who_sits_where_a_retired_banker_sat_keeps_his_place() -> None:
    """The exchange is with the banker himself; who has left has nobody's place to take (R-59)."""
    rig = Rig(profile="arrete-2007", mode="limited", follow_on=True)
    for seat in (1, 2, 5):
        rig.sit(seat, 2_000)
    rig.play(5, word("bid_bank", amount=1_000))
    rig.expire()
    rig.play(5, word("end_bank"))
    rig.play(5, cmd.Leave())
    rig.send(cmd.Sit(seat=5), "pid_new", "player")
    rig.play(1, word("accept_bank", amount=1_000))
    assert (rig.view()["banker"], rig.table.seats[5].pid) == (1, "pid_new")
