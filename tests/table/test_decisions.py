"""Clocks as data: each decision ends once, silence is answered, and an idle table rests (design 3, 5)."""

from collections import Counter

import pytest

from dealer.rules.bacara.commands import Draw, NextRound, Stand
from dealer.rules.bacara.events import HandDrew, HandStood, StakesClosed, StakesLastCalled
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import DeadlineMoved, RoundEnded
from dealer.table.aggregate import due
from dealer.table.evolve import evolve
from tests.table.rig import HOST, LOG, Rig, opened, pid, stake, types, unstake

COUP = "27KAK65"
"""Right 3 and a five to make 8, left 7, bank 6: both paños win."""
PUSH = "JA86A84"
"""Right 6, left 2 and a four to make 6, bank 6: a push on both."""


def speaking(**chosen: int) -> Rig:
    """A coup in which seat 1 is to speak with a three, and seat 11 after it with a seven."""
    rig = opened({1: 100, 11: 100}, COUP, **chosen)
    rig.play(1, stake("right", 10))
    rig.play(11, stake("left", 10))
    rig.close_stakes()
    return rig


def test_a_table_with_nobody_to_play_rests() -> None:
    """Opened, peopled without chips, or with a bank and no stake: no time runs and nothing is written."""
    rig = Rig()
    assert rig.due() == []
    rig.sit(1, 0)
    assert rig.due() == []
    rig.buy_in(1, 10)
    assert [(d.decision, d.kind) for d in rig.due()] == [(f"house:{rig.table.opened}", "chore")]
    rig.fund()
    clock = rig.clock()
    assert (clock.until, clock.decision) == (None, f"betting:{rig.table.opened}")
    assert rig.refusal(cmd.Expire(decision=clock.decision)).code == "wrong_phase"


def test_the_betting_time_runs_from_the_first_stake() -> None:
    """It starts with the first chip on the cloth, and stops when the last is taken back (design 8)."""
    rig = opened({1: 100, 2: 100})
    rig.now += 500_000
    rig.play(1, stake("right", 5))
    first = rig.table.at
    rig.play(2, stake("left", 5))
    assert rig.clock().until == first + 20_000
    rig.play(1, unstake("right", 5))
    assert rig.clock().until == first + 20_000
    rig.play(2, unstake("left", 5))
    assert rig.clock().until is None


def test_waiting_times_are_the_tables() -> None:
    """Each phase waits as long as its option says, from the moment it was entered (section 8 of design)."""
    rig = opened({1: 100, 11: 100}, COUP, betting_ms=1_000, last_call_ms=200, speak_ms=3_000)
    waited = {}
    rig.play(1, stake("right", 10))
    rig.play(11, stake("left", 10))
    start = rig.table.at - 10  # seat 1 staked one step earlier
    while rig.table.phase != "between_rounds":
        until = rig.clock().until
        assert until is not None
        waited[rig.table.phase] = until - (start if rig.table.phase == "betting" else rig.table.since)
        rig.expire()
    assert waited == {"betting": 1_000, "last_call": 200, "speak_right": 3_000, "speak_left": 3_000}


def test_zero_waits_for_ever() -> None:
    """Without a time nobody is hurried: the croupier may not end it, a host may."""
    rig = speaking(speak_ms=0)
    assert rig.clock().until is None
    end = cmd.Expire(decision=rig.table.decision())
    rig.now += 10**9
    assert rig.refusal(end).code == "wrong_phase"
    assert types(rig.host(end))[0] == "hand.drew"


def test_no_decision_ends_before_its_time() -> None:
    """A clock that runs fast is refused; at the very millisecond it is time."""
    rig = speaking()
    until = rig.clock().until
    assert until is not None
    end = cmd.Expire(decision=rig.table.decision())
    rig.now = until - 11
    assert rig.refusal(end).code == "wrong_phase"
    rig.now = until - 10
    assert rig.send(end)[0].at == until


def test_each_decision_ends_once() -> None:
    """Whoever ends it second, by time or by word, is too late: `decision_over`, and nothing happens."""
    rig = speaking()
    asked = rig.table.decision()
    rig.expire()
    for late in (Draw(decision=asked), Stand(decision=asked)):
        assert rig.refused(1, late) == "decision_over"
    assert rig.refusal(cmd.Expire(decision=asked)).code == "decision_over"
    assert rig.refusal(cmd.Expire(decision=asked), HOST, "host").code == "decision_over"
    assert len(rig.of(HandDrew)) == 1


def test_an_answer_in_time_names_its_decision() -> None:
    """The decision that is asked may be named in the answer; then its time can no longer end it."""
    rig = speaking()
    asked = rig.table.decision()
    rig.play(1, Draw(decision=asked))
    assert rig.refusal(cmd.Expire(decision=asked)).code == "decision_over"


def test_no_decision_comes_again() -> None:
    """Through many coups every id is new, so a late answer can never hit another question."""
    rig = opened({1: 500, 11: 500})
    asked: Counter[str] = Counter()
    for _ in range(60):
        asked[rig.clock().decision] += 1
        if rig.table.phase == "betting" and rig.clock().until is None:
            rig.play(1, stake("right", 5))
            rig.play(11, stake("left", 5))
        rig.expire()
    assert len(rig.of(RoundEnded)) > 8
    assert set(asked.values()) == {1}


def test_silence_is_answered_by_the_tableau_and_makes_absent() -> None:
    """The croupier plays for a silent mano, and the log says so; he counts as absent (section 12)."""
    rig = speaking()
    drew, *_ = rig.expire()
    assert drew.data == HandDrew(hand="right", seat=1, source="timeout")
    assert rig.table.absent == {1}
    stood, *_ = rig.expire()
    assert stood.data == HandStood(hand="left", seat=11, source="timeout")
    assert rig.table.absent == {1, 11}
    assert [s["absent"] for s in rig.view()["seats"]] == [True, True]


def test_a_word_brings_an_absent_person_back() -> None:
    """Any command of his that is taken ends the absence; a refused one is not in the log and does not."""
    rig = speaking()
    rig.expire()
    assert rig.refused(1, Draw()) == "not_your_turn"
    assert rig.table.absent == {1}
    rig.play(1, cmd.CashOut())
    assert rig.table.absent == frozenset()


def test_what_is_done_for_an_absent_person_does_not_bring_him_back() -> None:
    """A host's act for the seat leaves it absent; leaving the seat ends it."""
    rig = speaking()
    rig.expire_until("between_rounds")
    rig.host(cmd.CashOut(seat=1))
    assert 1 in rig.table.absent
    rig.host(cmd.Leave(seat=1))
    assert rig.table.absent == {11}
    rig.send(cmd.Sit(seat=1), "pid_new", "player")
    assert rig.table.absent == {11}


def test_nobody_waits_for_an_absent_mano() -> None:
    """His stake left from a push plays on, held by the next who is there, or by the croupier (R-19)."""
    rig = opened({1: 100, 2: 100, 11: 100}, PUSH + COUP + COUP)
    for seat, on in ((1, "right"), (11, "left")):
        rig.play(seat, stake(on, 10))
    rig.close_stakes()
    rig.expire()
    rig.expire()
    assert rig.table.absent == {1, 11}
    rig.expire_until("betting")
    rig.play(2, stake("right", 10))
    rig.close_stakes()
    assert rig.table.play.holders == {"left": 0, "right": 2}
    assert rig.clock().seats == (2,)
    rig.play(2, Draw())
    assert rig.table.phase == "between_rounds"
    assert (rig.total(1), rig.total(2), rig.total(11)) == (110, 110, 110)


def test_calls_come_by_time_or_by_a_host() -> None:
    """Each call says who gave it: the croupier unasked, or a host, who is named (R-22, A-40)."""
    rig = opened({1: 100})
    (called,) = rig.host(cmd.Expire(decision=rig.table.decision()))
    assert called.data == StakesLastCalled(source="host", by=HOST)
    closed, *_ = rig.expire()
    assert closed.data == StakesClosed(source="automation")


def test_the_next_coup_comes_by_itself_or_by_a_host() -> None:
    """Between coups the pause ends by time; a host may end it, and nobody may skip the betting."""
    rig = speaking()
    assert rig.refusal(NextRound(), HOST, "host").code == "wrong_phase"
    rig.expire_until("between_rounds")
    started, opened_again = rig.host(NextRound())
    assert (started.round, started.type) == (2, "round.started")
    assert opened_again.data.by == HOST
    assert rig.refusal(NextRound(), HOST, "host").code == "wrong_phase"


def test_a_pause_that_nobody_could_end_ends_when_somebody_can() -> None:
    """With nobody left who could stake no time runs; the coup that was due begins with the next chips."""
    rig = speaking()
    rig.expire_until("between_rounds")
    for seat in (1, 11):
        rig.play(seat, cmd.CashOut())
    assert not [d for d in rig.due() if d.kind == "timeout"]
    assert rig.refusal(NextRound(), HOST, "host").code == "wrong_phase"
    rig.now += 60_000
    assert types(rig.buy_in(1, 50))[-2:] == ["round.started", "stakes.opened"]


@pytest.mark.parametrize("pause", [0, 6_000])
def test_a_pause_is_not_cut_short_by_chips(pause: int) -> None:
    """Chips that come during the pause wait for its end; without a time it ends by a host alone."""
    rig = speaking(between_rounds_ms=pause)
    rig.expire_until("between_rounds")
    since = rig.table.since
    rig.buy_in(1, 50)
    assert rig.table.phase == "between_rounds"
    assert rig.clock().until == (since + pause if pause else None)
    rig.now += 5_000_000 if not pause else 0
    rig.buy_in(1, 50)
    assert rig.table.phase == "between_rounds"
    rig.host(NextRound())


def test_a_moved_deadline_counts() -> None:
    """`deadline.moved` gives a decision its new end, and leaves the others alone (design 5)."""
    rig = speaking()
    asked = rig.clock()
    assert asked.until is not None
    data = DeadlineMoved(decision=asked.decision, until=asked.until + 7_000)
    event = Event("croupier", rig.table.at, data, LOG, 1, rig.table.seq + 1, data.TYPE, 1)
    moved = evolve(rig.game, rig.table, event)
    assert [(d.decision, d.until) for d in due(rig.game, moved)] == [(asked.decision, asked.until + 7_000)]
    assert rig.clock() == asked


def test_time_never_goes_back_in_a_log() -> None:
    """An act that arrives with an older time is written at the time of the event before it."""
    rig = opened({1: 100})
    at = rig.table.at
    rig.now -= 60_000
    events = rig.play(1, stake("right", 5))
    assert {e.at for e in events} == {at}
    assert rig.clock().until == at + 20_000
    assert pid(1) == events[0].actor
