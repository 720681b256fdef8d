"""A player who banks: what he may not do, how he speaks, and how his bank ends (R-15, R-41, R-57, R-58)."""

from collections.abc import Sequence
from typing import Any

import pytest

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.commands import Call, Consent, Draw, EndBank, NextRound, OfferBank, Stand
from dealer.rules.bacara.state import play_of
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.events import RoundEnded, ShoeSealed
from dealer.rules.frame.game import Option
from dealer.rules.frame.refusal import Refusal
from tests.bacara.banks import banked
from tests.table.cut import commit, reveal
from tests.table.rig import HOST, Rig, by_hand_step, pid, stake, types, unstake

PUNTER_WINS = "7KK6"
"""One paño: seven against six."""
BANK_WINS = "6KK7"
"""One paño: six against seven."""
PUSH = "7KK7"
"""One paño: seven each."""
BANK_DRAWS = "7KK35"
"""One paño: seven against three and a five."""
COUPS = BANK_DRAWS + "7TT35" + "7JJ35" + "7QQ35" + BANK_DRAWS
"""Five of them."""
SEATED = {1: 500, 2: 500, 11: 500}


def house_of_one(laid: Sequence[str] = (), **chosen: Any) -> Rig:
    """Seat 1 banks with 100 against seats 2 and 11."""
    return banked(SEATED, 1, 100, laid, **chosen)


def silent_coup(rig: Rig) -> None:
    """A coup in which seat 2 stakes 10 and plays its hand, and the banker lets his time run out."""
    rig.expire_until("betting")
    rig.play(2, stake("right", 10))
    rig.close_stakes()
    rig.obey()
    rig.expire()


def test_the_banker_may_not_stake() -> None:
    """Nothing on either paño, and nothing is offered to him; the others play on (R-15, R-26)."""
    rig = house_of_one()
    for on in ("right", "left"):
        assert rig.refused(1, stake(on, 5)) == "banker_may_not_stake"
    assert not [o for o in rig.options(1) if o.type == "stake"]
    assert [o for o in rig.options(2) if o.type == "stake"]
    assert rig.refused(1, unstake("right", 5)) == "stake_not_found"


def test_what_a_push_left_of_his_goes_back_when_he_becomes_the_banker() -> None:
    """A stake of the banker's on the cloth would be one against himself (R-15, R-45)."""
    rig = banked(SEATED, 1, 100, PUSH)
    rig.coup((2, "right", 40))
    rig.play(1, EndBank())
    rig.play(2, OfferBank(amount=60))
    for seat in rig.clock().seats:
        rig.play(seat, Consent(yes=True))
    withdrawn = rig.of(ev.StakeWithdrawn)
    assert [(d.amount, d.seat, d.source, d.total) for d in withdrawn] == [(40, 2, "automation", 0)]
    assert rig.view()["stakes"] == []
    assert (rig.view()["banker"], rig.table.stack(2)) == (2, 440)


def test_the_banker_holds_no_pano() -> None:
    """His seat is kept for him, but nobody looks for a mano there: it is the next one's (R-15, R-16)."""
    rig = house_of_one(PUNTER_WINS)
    rig.play(11, stake("right", 20))
    rig.close_stakes()
    assert play_of(rig.table).holders == {"right": 0}
    assert play_of(rig.table).pointers["right"] == 2
    assert rig.hand(1)[0]["hand"] == "bank"
    assert rig.refused(1, Draw()) == "illegal_action"


def test_his_seat_is_his_while_he_banks() -> None:
    """Nobody sits down there, no bot either, and he does not get up: his chips are at risk (R-15, R-57)."""
    rig = house_of_one()
    assert rig.refused(1, cmd.Leave()) == "wrong_phase"
    assert "leave" not in [o.type for o in rig.options(1)]
    kept = Refusal("seat_reserved", {"seat": 1})
    assert rig.refusal(cmd.Sit(seat=1), "pid_new", "player") == kept
    assert rig.refusal(cmd.SeatBot(seat=1, policy="steady"), HOST, "host", "pid_bot") == kept
    assert rig.refused(1, cmd.Sit(seat=1)) == "already_seated"
    assert rig.refusal(cmd.Sit(seat=2), "pid_new", "player").code == "seat_taken"
    assert Option("sit", fields={"seat": 1}) not in rig.options(0)
    rig.play(1, cmd.CashOut())
    assert (rig.table.stack(1), rig.view()["bank"]) == (0, 100)


def test_the_banker_alone_sees_and_plays_the_banks_hand() -> None:
    """He keeps the tableau in his own time; no host tries it for him (R-34, R-41, design 8)."""
    rig = house_of_one(BANK_DRAWS)
    rig.play(2, stake("right", 10))
    rig.close_stakes()
    assert [card["hand"] for card in rig.hand(1)] == ["bank", "bank"]
    rig.obey()
    assert (rig.table.phase, rig.clock().seats) == ("speak_bank", (1,))
    assert (rig.clock().until or 0) - rig.table.since == 20_000
    assert rig.words(1) == ["draw"]
    assert rig.refused(1, Stand()) == "illegal_action"
    assert rig.refusal(Draw(seat=1), HOST, "host").code == "forbidden"
    assert rig.refused(2, Draw()) == "not_your_turn"
    rig.play(1, Draw(decision=rig.clock().decision))
    (drew,) = rig.of(ev.HandDrew)
    assert (drew.hand, drew.seat, drew.source) == ("bank", 1, "player")
    assert rig.view()["results"] == {"right": "bank"}


def test_his_natural_is_laid_down_for_him() -> None:
    """A natural of the bank never waits for a word, whoever banks (R-35, A-43)."""
    rig = house_of_one("7KK9", automations=["call", "announce_bank", "deal", "show", "settle", "next_round"])
    rig.coup((2, "right", 10))
    (laid,) = rig.of(ev.HandLaidDown)
    assert (laid.hand, laid.seat, laid.source) == ("bank", 1, "automation")


def test_the_bank_lives_from_coup_to_coup() -> None:
    """Winnings stay in it and losses come from it, while his stack is left alone (R-28, R-48, A-29)."""
    rig = house_of_one(BANK_WINS + PUNTER_WINS)
    rig.coup((2, "right", 30))
    assert (rig.view()["bank"], rig.table.stack(1)) == (130, 400)
    rig.coup((2, "right", 80))
    assert (rig.view()["bank"], rig.table.stack(1)) == (50, 400)


def test_he_stops_only_between_coups() -> None:
    """With a stake on the cloth «Fin» comes too late until it is settled (R-57, A-22)."""
    rig = house_of_one(BANK_WINS)
    rig.play(2, stake("right", 10))
    while rig.table.phase != "between_rounds":
        assert rig.refused(1, EndBank()) == "wrong_phase"
        assert "end_bank" not in [o.type for o in rig.options(1)]
        rig.obey() if rig.table.phase.startswith("speak") else rig.expire()
    assert rig.refused(2, EndBank()) == "not_banker"
    assert "end_bank" in [o.type for o in rig.options(1)]
    rig.play(1, EndBank())
    assert rig.of(ev.BankEnded) == [ev.BankEnded(amount=110, banker=1, reason="will", source="player")]
    assert (rig.table.stack(1), rig.view()["bank"], rig.table.phase) == (510, 0, "no_bank")
    assert rig.refused(1, EndBank()) == "wrong_phase"


def test_nobody_ends_the_houses_bank_by_a_word() -> None:
    """The house is no player (R-57)."""
    rig = Rig(BANK_WINS)
    rig.sit(1)
    rig.fund()
    rig.coup((1, "right", 10))
    assert rig.refused(1, EndBank()) == "not_banker"


def test_a_banker_whose_punters_do_not_play_can_get_up() -> None:
    """A coup on which nothing lies is closed for him; one stake, and he has to stay (R-24, R-57, A-22)."""
    rig = house_of_one()
    rig.play(2, stake("right", 10))
    assert rig.refused(1, EndBank()) == "wrong_phase"
    rig.play(2, unstake("right", 10))
    happened = types(rig.play(1, EndBank()))
    assert happened[:4] == ["stakes.last_called", "stakes.closed", "round.ended", "bank.ended"]
    assert len(rig.of(RoundEnded)) == 1
    assert rig.total(1) == 500
    rig.play(1, cmd.Leave())


def test_before_the_first_coup_he_may_think_again() -> None:
    """Nothing has been staked on his bank yet (R-57)."""
    rig = house_of_one(automations=["call", "deal", "show", "settle", "next_round"])
    assert rig.table.phase == "preparing"
    rig.play(1, EndBank())
    assert rig.total(1) == 500
    assert rig.table.phase == "no_bank"


@pytest.mark.parametrize("willing", [(), (2,)])
def test_a_banker_may_go_while_a_required_cut_keeps_his_shoe_waiting(willing: tuple[int, ...]) -> None:
    """Nobody holds him at a bank without a shoe; the cut goes on, and the next bank plays (R-05, R-57)."""
    rig = banked(SEATED, 1, 100, corte="required", min_contributors=2)
    for seat in willing:
        rig.play(seat, cmd.SetCutWilling(willing=True))
    assert (rig.table.phase, rig.table.shoe) == ("preparing", None)
    assert "end_bank" in [o.type for o in rig.options(1)]
    rig.play(1, EndBank())
    assert rig.total(1) == 500
    rig.play(11, OfferBank(amount=50))
    for seat in (1, 2):
        rig.play(seat, Consent(yes=True))
    for seat in (2, 11):
        rig.attempt(cmd.SetCutWilling(willing=True), pid(seat), "player")
    for seat in (2, 11):
        commit(rig, seat)
    for seat in (2, 11):
        reveal(rig, seat)
    assert rig.table.phase == "betting"


def test_a_new_search_begins_when_a_players_bank_is_over() -> None:
    """From the first mode on, with the shoe that is there, and new manos (R-09, R-21, R-54)."""
    rig = banked(SEATED, 1, 100, BANK_WINS, bank_modes=["volunteer", "auction"])
    rig.coup((2, "right", 10))
    assert play_of(rig.table).pointers
    rig.play(1, EndBank())
    assert rig.view()["bank_step"] == "offers"
    rig.play(11, OfferBank(amount=50))
    for seat in rig.clock().seats:
        rig.play(seat, Consent(yes=True))
    assert play_of(rig.table).pointers == {}
    assert len(rig.of(ShoeSealed)) == 1


@pytest.mark.parametrize(("staked", "rest"), [(100, 0), (91, 9)])
def test_an_exhausted_bank_ends_and_its_rest_is_his(staked: int, rest: int) -> None:
    """Below the smallest stake nothing can be covered: what is left goes to his stack (R-58, A-23)."""
    rig = house_of_one(PUNTER_WINS, min_stake=10)
    rig.coup((2, "right", staked))
    assert rig.of(ev.BankEnded) == [ev.BankEnded(amount=rest, banker=1, reason="exhausted")]
    assert (rig.table.stack(1), rig.view()["banker"]) == (400 + rest, 0)
    assert not [place for place in rig.table.chips if place.startswith(("bank", "transit"))]


def test_a_banker_who_stays_away_loses_the_bank_between_coups() -> None:
    """Silent in his turn, he is played for; a minute after his first silence his bank ends (section 12)."""
    rig = house_of_one(COUPS)
    silent_coup(rig)
    assert rig.table.absent == {1}
    since = rig.now
    assert rig.clock().decision.startswith("between_rounds:")
    silent_coup(rig)
    silent_coup(rig)
    assert since + 60_000 <= rig.now
    away = rig.clock()
    assert (away.decision, away.seats) == (f"away:{rig.table.opened}", (1,))
    assert away.until == rig.table.since
    rig.expire()
    assert rig.of(ev.BankEnded) == [
        ev.BankEnded(amount=130, banker=1, reason="absent", source="timeout"),
    ]
    assert rig.table.stack(1) == 530


def test_a_banker_who_comes_back_keeps_the_bank() -> None:
    """Any word of his ends his absence, and a later one is counted anew (section 12, design 3)."""
    rig = house_of_one(COUPS)
    silent_coup(rig)
    first = rig.now
    rig.coup((2, "right", 10))
    assert rig.table.absent == frozenset()
    silent_coup(rig)
    assert first + 60_000 < rig.now
    for _ in range(2):
        assert rig.clock().decision.startswith("between_rounds:")
        silent_coup(rig)
    assert rig.clock().decision.startswith("away:")
    rig.play(1, cmd.CashOut())
    assert not [d for d in rig.due() if d.decision.startswith("away:")]


def test_an_absent_banker_without_punters_gets_his_chips_back() -> None:
    """No coup will begin, but the clock of his absence runs; a host may end it earlier (section 12)."""
    rig = house_of_one(BANK_DRAWS)
    silent_coup(rig)
    for seat in (2, 11):
        rig.play(seat, cmd.Leave())
    clock = rig.clock()
    assert clock.decision == f"away:{rig.table.opened}"
    assert clock.until == play_of(rig.table).away + 60_000
    rig.host(cmd.Expire(decision=clock.decision))
    (ended,) = rig.of(ev.BankEnded)
    assert (ended.reason, ended.source, ended.by) == ("absent", "host", HOST)


def test_a_table_may_wait_for_its_banker_for_ever() -> None:
    """With `banker_away_ms` 0 an absent banker keeps the bank (design 8)."""
    rig = house_of_one(BANK_DRAWS, banker_away_ms=0)
    silent_coup(rig)
    for seat in (2, 11):
        rig.play(seat, cmd.Leave())
    assert [d for d in rig.due() if d.kind == "timeout"] == []


def test_an_absent_player_of_another_hand_does_not_end_the_bank() -> None:
    """Whoever was silent for a paño is no absent banker (section 12)."""
    rig = house_of_one(BANK_WINS)
    rig.play(2, stake("right", 10))
    rig.close_stakes()
    rig.expire()
    assert rig.table.absent == {2}
    rig.obey()
    assert rig.clock().decision.startswith("between_rounds:")


def test_a_bot_may_play_against_a_player() -> None:
    """Bots stake against a banker; one that a host has made the banker keeps the tableau (R-26, R-41)."""
    rig = Rig(BANK_DRAWS, bank_modes=["volunteer"])
    rig.sit(2)
    for seat in (1, 11):
        rig.host(cmd.SeatBot(seat=seat, policy="steady"), pid(seat))
        rig.buy_in(seat, 500)
    rig.host(OfferBank(seat=1, amount=100))
    for seat in rig.clock().seats:
        rig.host(Consent(seat=seat, yes=True))
    assert [d.seats for d in rig.due() if d.kind == "bot"] == [(11,)]
    rig.play(2, stake("right", 10))
    rig.close_stakes()
    rig.obey()
    assert [d.seats for d in rig.due() if d.kind == "bot"] == [(1,)]


def test_a_table_that_closes_gives_the_banker_his_bank() -> None:
    """All chips go home, and the bank's home is the banker's account (design 7)."""
    rig = house_of_one()
    rig.host(cmd.CloseTable(now=True))
    mine = [p for p in rig.table.chips if p.startswith(f"transit:{pid(1)}:")]
    assert sum(rig.table.chips[p] for p in mine) == 500


def test_a_human_croupier_serves_a_players_bank_too() -> None:
    """Without automations the host gives every call and chore of a player's bank (A-40)."""
    rig = house_of_one(BANK_WINS, automations=[])
    rig.host(Call(call="place_bets"))
    rig.play(2, stake("right", 10))
    while rig.table.phase != "between_rounds":
        by_hand_step(rig)
    rig.host(NextRound())
    assert (rig.view()["bank"], rig.table.phase) == (110, "betting")
