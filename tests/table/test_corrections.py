"""What takes two people: to void a round or a shoe, to lift an incident (fairness 1.7, 1.8, S-24 to S-26)."""

import pytest

from dealer.rules.bacara.commands import Draw
from dealer.rules.bacara.state import play_of
from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame.event import Event
from dealer.table.closing import PROPOSAL_LIFE_MS
from shoe.shoe import Shoe
from shoe.verify import verify_record
from tests.table.cut import asked, commit, reveal
from tests.table.rig import (
    BY_HAND,
    COUP,
    HOST,
    OTHER_HOST,
    STEP_MS,
    Rig,
    by_hand,
    opened,
    pid,
    seeds,
    stake,
    types,
)

ROUND = [phase for phase in BY_HAND if phase not in {"preparing", "between_rounds"}]
"""The phases of a coup in which a table can rest."""
BOTH = (HOST, OTHER_HOST)
PUSH = "JA86A84"
"""Right 6, left 2 and a four to make 6, bank 6: a push on both."""


def propose(rig: Rig, kind: cmd.Correction = "void_round") -> list[Event]:
    """One host proposes."""
    return rig.host(cmd.ProposeCorrection(kind=kind))


def approve(rig: Rig, *, kind: cmd.Correction | None = None) -> list[Event]:
    """Another host approves, of whatever kind it is or of this one alone."""
    command = cmd.ApproveCorrection(kind=kind) if kind else cmd.ApproveCorrection()
    return rig.send(command, OTHER_HOST, "host")


def refused(rig: Rig, command: cmd.Command, host: str = OTHER_HOST) -> str:
    """The code with which a host is refused."""
    return rig.refusal(command, host, "host").code


def void(rig: Rig, kind: cmd.Correction = "void_round") -> list[Event]:
    """Two people strike something out."""
    propose(rig, kind)
    return approve(rig)


@pytest.mark.parametrize("phase", ROUND)
def test_a_voided_round_never_happened(phase: str) -> None:
    """All stakes return, all neto 0, cards stay out, nothing hidden shows, manos stay (R-82, R-87, BQ-30)."""
    rig = by_hand(phase)
    before, log = rig.table, list(rig.stored)
    (proposed,) = propose(rig)
    assert proposed.data == ev.CorrectionProposed(by=HOST, kind="void_round")
    assert (rig.table.phase, rig.table.chips) == (before.phase, before.chips)
    approved, *events = approve(rig, kind="void_round")
    assert approved.data == ev.CorrectionApproved(by=OTHER_HOST, kind="void_round")
    assert types(events) == ["chips.moved", "round.voided"]
    assert events[-1].data == ev.RoundVoided(approvals=BOTH, reason="host")
    assert {e.round for e in (approved, *events)} == {1}
    assert rig.table.chips == {"stack:1": 100, "stack:11": 100, "bank": 10_000, "cage": -10_200}
    assert (rig.table.phase, rig.table.playing) == ("between_rounds", False)
    assert rig.table.shoe == before.shoe
    assert play_of(rig.table).pointers == play_of(before).pointers
    seen = rig.view()
    assert (seen["hands"], seen["stakes"], seen["results"], seen["said"]) == ({}, [], {}, {})
    assert [rig.hand(seat) for seat in (1, 11)] == [[], []]
    assert rig.stored[: len(log)] == log


def test_cards_that_came_out_are_out_of_play() -> None:
    """Three cards are out when the round is struck out; the next begins with the next card (R-10, R-82)."""
    rig = opened({1: 100, 11: 80}, "27KAK65" + "KT4653")
    rig.play(1, stake("right", 100))
    rig.play(11, stake("left", 80))
    rig.close_stakes()
    rig.play(1, Draw())
    out = len(rig.of(ev.CardDealt))
    assert out == 7
    void(rig)
    assert {seat: rig.total(seat) for seat in (1, 11)} == {1: 100, 11: 80}
    assert play_of(rig.table).pointers == {"right": 1, "left": 11}
    rig.coup((1, "right", 10), (11, "left", 10))
    again = [d.pos for d in rig.of(ev.CardDealt)][out:]
    assert again[0] == out
    assert rig.view()["results"] == {"right": "bank", "left": "bank"}
    assert rig.view()["holders"] == {"right": 1, "left": 11}
    assert len({d.card for d in rig.of(ev.CardExposed)}) == len(rig.of(ev.CardExposed))


def test_stakes_of_an_earlier_push_return_as_well() -> None:
    """What lay on the cloth when the round began goes back to the stacks like the rest (R-45, R-82)."""
    rig = opened({1: 100, 11: 100}, PUSH)
    rig.coup((1, "right", 10), (11, "left", 20))
    rig.expire_until("betting")
    rig.play(1, stake("left", 5))
    void(rig)
    assert [rig.table.stack(seat) for seat in (1, 11)] == [100, 100]


def test_only_what_was_covered_is_still_there_to_return() -> None:
    """What the bank did not answer for was back at once; nobody has more or less than he brought (R-30)."""
    rig = opened({1: 100, 2: 100, 11: 100}, COUP, house_bank=15)
    for seat, on in ((1, "right"), (2, "right"), (11, "left")):
        rig.play(seat, stake(on, 10))
    rig.close_stakes()
    assert [rig.table.stack(seat) for seat in (1, 2, 11)] == [90, 100, 95]
    void(rig)
    assert [rig.table.stack(seat) for seat in (1, 2, 11)] == [100, 100, 100]
    assert rig.table.chips["bank"] == 15


def test_the_next_round_comes_in_its_time() -> None:
    """After a void the pause between coups begins anew; the round keeps its number (design 4)."""
    rig = by_hand("dealing", between_rounds_ms=6_000)
    void(rig)
    assert rig.clock().until == rig.table.at + 6_000
    assert rig.expire()[0].round == 2


def test_two_rounds_may_be_voided() -> None:
    """Each takes its own proposal and approval; an approval that comes again finds nothing (S-25)."""
    rig = by_hand("dealing")
    for number in (1, 2):
        void(rig)
        assert refused(rig, cmd.ApproveCorrection()) == "no_such_proposal"
        assert rig.of(ev.RoundVoided) == [ev.RoundVoided(approvals=BOTH, reason="host")] * number
        rig.expire()
        rig.play(1, stake("right", 10))


def test_nobody_approves_alone() -> None:
    """Who proposed may not approve, a player neither; whoever is second may (S-25)."""
    rig = by_hand("speak_right")
    assert refused(rig, cmd.ApproveCorrection()) == "no_such_proposal"
    for command in (
        cmd.ProposeCorrection(kind="void_round"),
        cmd.ApproveCorrection(),
        cmd.RejectCorrection(),
    ):
        assert rig.refused(1, command) == "forbidden"
    propose(rig)
    assert refused(rig, cmd.ApproveCorrection(), HOST) == "second_person_needed"
    assert rig.table.playing
    approve(rig)


@pytest.mark.parametrize("late", [0, 1])
def test_a_proposal_lives_a_quarter_of_an_hour(late: int) -> None:
    """In its last millisecond it may be approved, after it no more (S-25)."""
    rig = by_hand("speak_right", speak_ms=0)
    propose(rig)
    rig.now += PROPOSAL_LIFE_MS - STEP_MS + late
    if late:
        assert refused(rig, cmd.ApproveCorrection()) == "no_such_proposal"
        void(rig)
    else:
        approve(rig)


@pytest.mark.parametrize("by", BOTH)
def test_a_proposal_may_be_rejected(by: str) -> None:
    """By whoever might approve, or by the proposer himself; then there is nothing to approve (S-25)."""
    rig = by_hand("speak_right")
    assert refused(rig, cmd.RejectCorrection()) == "no_such_proposal"
    propose(rig)
    (rejected,) = rig.send(cmd.RejectCorrection(), by, "host")
    assert rejected.data == ev.CorrectionRejected(by=by, kind="void_round")
    assert refused(rig, cmd.ApproveCorrection()) == "no_such_proposal"
    assert refused(rig, cmd.RejectCorrection()) == "no_such_proposal"
    assert rig.table.playing


def test_a_proposal_is_about_its_own_round() -> None:
    """When the round is over nobody voids it, nor the next one by an old proposal (S-25)."""
    rig = by_hand("settling")
    propose(rig)
    rig.expire()
    assert refused(rig, cmd.ApproveCorrection()) == "no_such_proposal"
    assert refused(rig, cmd.ProposeCorrection(kind="void_round")) == "wrong_phase"
    rig.expire()
    assert rig.table.round == 2
    assert refused(rig, cmd.ApproveCorrection()) == "no_such_proposal"
    assert rig.table.playing


def test_a_changed_proposal_is_not_what_was_approved() -> None:
    """Whoever names what he approves approves nothing else, and the change is in the log (S-25)."""
    rig = by_hand("speak_right")
    propose(rig)
    propose(rig, "void_shoe")
    assert refused(rig, cmd.ApproveCorrection(kind="void_round")) == "no_such_proposal"
    assert [d.kind for d in rig.of(ev.CorrectionProposed)] == ["void_round", "void_shoe"]
    approve(rig, kind="void_shoe")


@pytest.mark.parametrize("phase", [*ROUND, "between_rounds"])
def test_a_voided_shoe_is_opened_and_the_next_has_the_next_number(phase: str) -> None:
    """The round goes with it, its seed is everybody's, and shuffle 2 follows at once (fairness 1.8)."""
    rig = by_hand(phase)
    events = void(rig, "void_shoe")
    assert types(events)[-4:] == ["shoe.voided", "seed.revealed", "shoe.sealed", "shoe.ready"]
    assert rig.of(ev.ShoeVoided) == [ev.ShoeVoided(approvals=BOTH, reason="host", shuffle=1)]
    assert len(rig.of(ev.RoundVoided)) == (phase != "between_rounds")
    assert [s.shuffle for s in rig.of(ev.ShoeSealed)] == [1, 2]
    assert (rig.secrets[1], rig.secrets[2]) == (None, seeds(2, 1)[0])
    assert (rig.table.phase, rig.table.playing) == ("between_rounds", False)
    if phase != "between_rounds":
        assert [rig.table.stack(seat) for seat in (1, 11)] == [100, 100]


def test_the_cards_of_a_voided_shoe_are_proved_like_any_other() -> None:
    """Outsiders see what it would have given: the record of a voided shoe verifies (fairness 1.8)."""
    rig = opened({1: 100})
    void(rig, "void_shoe")
    (sealed, _), (revealed,) = rig.of(ev.ShoeSealed), rig.of(ev.SeedRevealed)
    record = Shoe(sealed.transcript, bytes.fromhex(revealed.seed)).record(range(12))
    assert record["shoe_root"] == sealed.shoe_root
    assert verify_record(record) == []


def test_a_proposal_is_about_its_own_shoe() -> None:
    """A shoe that ends takes the proposal to void it along; the next one is not meant (S-25)."""
    rig = opened({1: 100, 11: 100}, stop_card=155)
    rig.play(1, stake("right", 10))
    rig.close_stakes()
    propose(rig, "void_shoe")
    while rig.table.playing:
        rig.obey()
    assert [s.shuffle for s in rig.of(ev.ShoeSealed)] == [1, 2]
    assert refused(rig, cmd.ApproveCorrection()) == "no_such_proposal"
    propose(rig, "void_shoe")
    approve(rig)
    assert [s.shuffle for s in rig.of(ev.ShoeVoided)] == [2]


def test_there_has_to_be_something_to_void() -> None:
    """No round, no shoe, no pause: `wrong_phase`, and the log is as it was."""
    rig = Rig()
    length = len(rig.stored)
    for kind in ("void_round", "void_shoe", "resume"):
        assert refused(rig, cmd.ProposeCorrection(kind=kind)) == "wrong_phase"
    assert len(rig.stored) == length


def test_a_round_may_be_voided_while_the_table_is_paused() -> None:
    """What is wrong is put right in peace; the table stays paused until somebody resumes (design 6, 7)."""
    rig = by_hand("showdown")
    propose(rig)
    rig.host(cmd.Pause())
    assert types(approve(rig)) == ["correction.approved", "chips.moved", "round.voided"]
    void(rig, "void_shoe")
    assert (rig.table.status, rig.table.shoe) == ("paused", None)
    assert rig.due() == []
    assert types(rig.host(cmd.Resume())) == ["table.resumed", "shoe.sealed", "shoe.ready"]


def test_the_last_round_of_a_closing_table_may_be_voided() -> None:
    """Two people may still strike it out; then the table closes (design 7)."""
    rig = by_hand("showdown")
    rig.host(cmd.CloseTable())
    assert types(void(rig))[-3:] == ["shoe.closed", "seed.revealed", "chips.moved"]
    assert {place.split(":")[1] for place in rig.table.chips if place != "cage"} == {pid(1), pid(11), "house"}


def test_an_incident_is_lifted_by_two() -> None:
    """After two aborted cuts one host alone does not go on, and nobody approves himself (fairness 1.7)."""
    rig = asked((1, 11))
    for number in (1, 11):
        commit(rig, number)
    reveal(rig, 11)
    rig.expire()
    commit(rig, 11)
    rig.expire()
    assert (rig.table.status, rig.table.pause_reason) == ("paused", "cut_aborted")
    assert refused(rig, cmd.Resume()) == "second_person_needed"
    propose(rig, "resume")
    assert refused(rig, cmd.ApproveCorrection(), HOST) == "second_person_needed"
    assert refused(rig, cmd.Resume(), OTHER_HOST) == "second_person_needed"
    lifted = approve(rig)
    assert types(lifted)[:2] == ["correction.approved", "table.resumed"]
    assert lifted[1].data == ev.TableResumed(by=OTHER_HOST, source="host")
    assert rig.table.status == "open"


def test_two_people_may_end_any_pause() -> None:
    """`resume` may be proposed after a plain pause too, and its clocks are moved as ever (design 7)."""
    rig = by_hand("speak_right")
    ends = rig.clock().until
    assert ends is not None
    rig.host(cmd.Pause())
    stopped = rig.table.at
    propose(rig, "resume")
    assert types(approve(rig)) == ["correction.approved", "table.resumed", "deadline.moved"]
    assert rig.clock().until == ends + rig.table.at - stopped
    assert refused(rig, cmd.ApproveCorrection()) == "no_such_proposal"


def test_a_proposal_does_not_outlive_the_pause_it_was_about() -> None:
    """Lifted by one, a pause takes the other's proposal along: the next pause needs a new one (S-25)."""
    rig = by_hand("speak_right")
    rig.host(cmd.Pause())
    propose(rig, "resume")
    rig.host(cmd.Resume())
    rig.host(cmd.Pause())
    assert refused(rig, cmd.ApproveCorrection()) == "no_such_proposal"
