"""Commitments that stay shut: the attempt is given up in public, at most twice a shoe (fairness 1.7)."""

from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Aborts
from dealer.table.closing import INCIDENTS
from shoe.corte import commitment
from tests.table.cut import asked, bound, check_seal, commit, opening, reveal
from tests.table.rig import HOST, LOG, Rig, pid, seeds, types

SEATS = (1, 2, 11)


def one_silent() -> Rig:
    """Three have committed, and seat 1, the cutter, has not revealed when the time is up."""
    rig = asked(SEATS, (3,), stop_card=155)
    for number in SEATS:
        commit(rig, number)
    for number in (2, 11):
        reveal(rig, number)
    return rig


def lifted(rig: Rig) -> list[str]:
    """Two people let the table go on; what follows."""
    rig.host(cmd.ProposeCorrection(kind="resume"))
    return types(rig.send(cmd.ApproveCorrection(), "pid_second_host", "host"))


def test_a_missing_reveal_opens_the_seed() -> None:
    """Who is missing is named, the seed is public and its sealed copy goes with the same append."""
    rig = one_silent()
    aborted, opened = rig.expire()
    assert aborted.data == ev.CorteAborted((1,), seeds(1, 1)[0].hex(), 1)
    assert commitment(LOG, 1, bytes.fromhex(aborted.data.seed)) == rig.of(ev.SeedsCommitted)[0].commitments[0]
    assert rig.secrets[1] is None
    assert 1 not in rig.table.commitments
    assert (opened.type, aborted.at) == ("corte.opened", opened.at)
    assert not rig.table.absent


def test_the_next_attempt_is_for_those_who_are_left() -> None:
    """It takes the next number, the next cutter, and nobody new; the missing stay out (1.7)."""
    rig = one_silent()
    opened = rig.expire()[-1].data
    assert (opened.shuffle, opened.cutter, opened.seats) == (2, 11, (2, 11))
    rig.play(3, cmd.SetCutWilling(willing=True))
    for out in (1, 3):
        assert rig.refused(out, bound(rig, out, 10)) == "cut_closed"
        assert "cut_commit" not in {o.type for o in rig.options(out)}
    commit(rig, 2, 7)
    commit(rig, 11, 150)
    reveal(rig, 2, 7)
    reveal(rig, 11, 150)
    (sealed,) = rig.of(ev.ShoeSealed)
    assert (sealed.shuffle, sealed.transcript.cutter, sealed.contributors) == (2, 11, 2)
    check_seal(rig, seeds(2, 1)[0])


def test_the_missing_may_cut_the_next_shoe() -> None:
    """They lose the right for the shoe alone; they play, and are asked again (1.7)."""
    rig = one_silent()
    rig.expire()
    commit(rig, 2)
    commit(rig, 11)
    reveal(rig, 2)
    reveal(rig, 11)
    rig.coup((1, "right", 5))
    assert (rig.of(ev.CorteOpened)[-1].shuffle, rig.of(ev.CorteOpened)[-1].seats) == (3, SEATS)
    assert rig.table.aborts == Aborts()


def test_a_second_abort_stops_the_table() -> None:
    """After two the table pauses with an incident that one person alone does not lift (1.7)."""
    rig = one_silent()
    rig.expire()
    commit(rig, 2)
    commit(rig, 11)
    reveal(rig, 11)
    aborted, paused = rig.expire()
    assert aborted.data == ev.CorteAborted((2,), seeds(2, 1)[0].hex(), 2)
    assert paused.data == ev.TablePaused(reason="cut_aborted", source="automation")
    assert paused.data.reason in INCIDENTS
    assert (rig.secrets[2], rig.table.cut, rig.view()["cut"]) == (None, None, {})
    assert rig.refused(11, cmd.SetCutWilling(willing=False)) == "table_paused"
    assert rig.refusal(cmd.Resume(), HOST, "host") == Refusal("second_person_needed")
    assert lifted(rig) == ["correction.approved", "table.resumed", "corte.opened"]
    assert (rig.of(ev.CorteOpened)[-1].shuffle, rig.of(ev.CorteOpened)[-1].seats) == (3, (11,))


def test_a_third_abort_stops_it_again() -> None:
    """Whoever was let go on does not get two more attempts for nothing; then nobody is left to cut (1.7)."""
    rig = one_silent()
    rig.expire()
    for silent in (2, 11):
        commit(rig, silent)
        if silent == 2:
            commit(rig, 11)
            reveal(rig, 11)
        assert types(rig.expire()) == ["corte.aborted", "table.paused"]
        followed = lifted(rig)
    assert followed == [
        "correction.approved",
        "table.resumed",
        "shoe.sealed",
        "shoe.ready",
        "round.started",
        "stakes.opened",
    ]
    (sealed,) = rig.of(ev.ShoeSealed)
    assert (sealed.shuffle, sealed.contributors, sealed.transcript.cutter) == (4, 0, 0)
    check_seal(rig, seeds(4, 1)[0])


def test_who_sat_an_attempt_out_may_take_part_in_the_next() -> None:
    """Eligible are those of the first attempt less the missing, whatever they did in the second (1.7)."""
    rig = one_silent()
    rig.play(2, cmd.SetCutWilling(willing=False))
    assert rig.expire()[-1].data.seats == (11,)
    commit(rig, 11)
    rig.expire()
    assert rig.table.aborts.rest == frozenset({pid(2)})
    rig.host(cmd.ProposeCorrection(kind="resume"))
    assert types(rig.send(cmd.ApproveCorrection(), "pid_second_host", "host"))[2] == "shoe.sealed"


def test_another_seat_does_not_bring_the_right_back() -> None:
    """The person is out, not the chair: sitting down elsewhere changes nothing (1.7)."""
    rig = one_silent()
    rig.expire()
    rig.play(1, cmd.Leave())
    rig.play(1, cmd.Sit(seat=4))
    rig.play(1, cmd.SetCutWilling(willing=True))
    assert rig.refusal(bound(rig, 4, 10), pid(1), "player").code == "cut_closed"


def test_a_reveal_on_the_second_connection_saves_the_attempt() -> None:
    """As long as the clock has not been called a late reveal counts, whoever brings it (1.7)."""
    rig = one_silent()
    until = rig.clock().until
    assert until is not None
    rig.now = until + 5_000
    last = rig.play(3, opening(1))
    assert types(last)[:2] == ["corte.revealed", "shoe.sealed"]
    assert not rig.of(ev.CorteAborted)


def test_without_a_further_seed_the_next_attempt_waits() -> None:
    """An aborted seed is used up; the next attempt opens when there is a new one (1.4, step 1)."""
    rig = asked((1, 2), batch=1)
    commit(rig, 1)
    commit(rig, 2)
    reveal(rig, 2)
    assert types(rig.expire()) == ["corte.aborted"]
    assert (rig.table.cut, [d.decision for d in rig.due()]) == (None, ["seeds:2"])
    followed = rig.send(cmd.CommitSeeds("seeds:2", seeds(2, 32)))
    assert types(followed) == ["seeds.committed", "corte.opened"]
    assert (followed[-1].data.shuffle, followed[-1].data.seats) == (2, (2,))


def test_the_missing_are_kept_out_though_they_were_let_in_late() -> None:
    """Who contributed without having been waited for is held to it like the others (1.7)."""
    rig = asked((1,), (2,))
    rig.play(2, cmd.SetCutWilling(willing=True))
    commit(rig, 2)
    commit(rig, 1)
    reveal(rig, 1)
    aborted, opened = rig.expire()
    assert (aborted.data.missing, opened.data.seats) == ((2,), (1,))
    assert rig.table.aborts == Aborts(1, frozenset({pid(2)}), frozenset({pid(1)}))
