"""Contributors a table insists on, and those who only watch (fairness 1.7, decisions 2 and 3)."""

import msgspec
import pytest

from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame.event import encode
from dealer.rules.frame.game import Option
from dealer.rules.frame.state import MOST_WITHOUT_SEAT, SPECTATORS
from tests.table.cut import (
    asked,
    bound,
    check_seal,
    code,
    commit,
    opening,
    reveal,
    seated,
    watching,
)
from tests.table.rig import HOST, Rig, pid, seeds, stake, types


def insisting(willing: tuple[int, ...], others: tuple[int, ...] = (), least: int = 2) -> Rig:
    """A table that seals no shoe without so many contributors."""
    return asked(willing, others, corte="required", min_contributors=least)


def test_a_table_that_insists_waits_for_somebody_willing() -> None:
    """Without anybody willing no shoe is sealed and no clock runs; the first willing one opens the cut."""
    rig = insisting((), (1, 11), least=1)
    assert (rig.table.shoe, rig.due()) == (None, [])
    assert rig.view()["cut"] == {"step": "waiting", "min_contributors": 1}
    assert rig.refused(1, stake("right", 1)) == "shoe_not_ready"
    assert types(rig.play(11, cmd.SetCutWilling(willing=True))) == ["seat.willing", "corte.opened"]
    commit(rig, 11)
    assert types(reveal(rig, 11))[1] == "shoe.sealed"


def test_time_does_not_close_a_cut_with_too_few() -> None:
    """The clock stands until enough have committed; then the time that has gone by counts (decision 2)."""
    rig = insisting((1, 2, 11))
    (opened,) = rig.of(ev.CorteOpened)
    commit(rig, 1)
    assert rig.clock().until is None
    rig.now += 3_600_000
    assert rig.refusal(cmd.Expire(decision="cut:1"), HOST, "host").code == "wrong_phase"
    assert rig.refusal(cmd.Expire(decision="cut:1")).code == "wrong_phase"
    commit(rig, 11)
    assert (rig.clock().until, rig.clock().seats) == (opened.commit_by, (2,))
    assert types(rig.expire()) == ["corte.closed"]


def test_answers_do_not_close_it_either() -> None:
    """Who declined may think better of it, and others may step in: the shoe waits for them (1.7)."""
    rig = insisting((1, 11), (2,))
    commit(rig, 1)
    assert types(rig.play(11, cmd.CutDecline())) == ["corte.declined"]
    assert (rig.clock().until, rig.clock().seats) == (None, ())
    rig.play(2, cmd.SetCutWilling(willing=True))
    assert types(commit(rig, 2)) == ["corte.committed", "corte.closed"]
    reveal(rig, 1)
    reveal(rig, 2)
    assert rig.of(ev.ShoeSealed)[0].contributors == 2
    other = insisting((1, 11))
    commit(other, 1)
    other.play(11, cmd.CutDecline())
    assert types(commit(other, 11)) == ["corte.committed", "corte.closed"]


def test_for_the_missing_others_may_step_in() -> None:
    """If an abort leaves too few, everybody but the missing may take part (1.7, decision 2)."""
    rig = insisting((1, 11), (2,))
    commit(rig, 1)
    commit(rig, 11)
    reveal(rig, 11)
    aborted, opened = rig.expire()
    assert (aborted.data.missing, opened.data.seats) == ((1,), (11,))
    commit(rig, 11)
    assert code(rig, bound(rig, 1, 10), 1) == "cut_closed"
    rig.play(2, cmd.SetCutWilling(willing=True))
    commit(rig, 2)
    reveal(rig, 11)
    reveal(rig, 2)
    (sealed,) = rig.of(ev.ShoeSealed)
    assert (sealed.shuffle, sealed.contributors, sealed.transcript.cutter) == (2, 2, 11)


def test_the_missing_of_every_attempt_stay_out() -> None:
    """Others step in, but nobody who has withheld a reveal of this shoe (1.7)."""
    rig = insisting((1, 11), (2, 12))
    commit(rig, 1)
    commit(rig, 11)
    reveal(rig, 11)
    rig.expire()
    for newcomer in (2, 12):
        rig.play(newcomer, cmd.SetCutWilling(willing=True))
        commit(rig, newcomer)
    rig.play(11, cmd.CutDecline())
    reveal(rig, 12)
    assert rig.expire()[0].data.missing == (2,)
    rig.host(cmd.ProposeCorrection(kind="resume"))
    rig.send(cmd.ApproveCorrection(), "pid_second_host", "host")
    assert rig.clock().seats == (11, 12)
    assert [rig.refused(n, bound(rig, n, 10)) for n in (1, 2)] == ["cut_closed", "cut_closed"]


def test_a_number_nobody_can_reach_opens_no_table() -> None:
    """More contributors than seats and numbers there are is `options_conflict` (decision 2)."""
    for seats, least in ((1, 66), (8, 80)):
        Rig(corte="required", min_contributors=least, seats_per_pano=seats)
    Rig(corte="optional", min_contributors=80, seats_per_pano=1)
    with pytest.raises(AssertionError, match=r"options_conflict.*min_contributors.*seats_per_pano"):
        Rig(corte="required", min_contributors=67, seats_per_pano=1)


def test_spectators_contribute_where_the_table_lets_them() -> None:
    """Who has no place names a number from 101 on; the log names the person, who never cuts (decision 3)."""
    rig = asked((11,), cut_spectators=True)
    assert rig.options(0)[-1] == Option("cut_commit", "cut:1", {"seat": 101}, 1, 155)
    (committed,) = rig.send(watching(rig, 101), "pid_watcher", "player")
    assert (committed.data.seat, committed.data.pid, committed.actor) == (101, "pid_watcher", "pid_watcher")
    assert rig.options(0)[-1].fields == {"seat": 102}
    commit(rig, 11)
    watcher = rig.options(0, "pid_watcher")
    assert watcher[-1] == Option("cut_reveal", "cut_reveal:1", {"seat": 101}, 1, 155)
    rig.send(cmd.CutReveal(cut=10, reveal=opening(101).reveal), "pid_watcher", "player")
    reveal(rig, 11)
    (sealed,) = rig.of(ev.ShoeSealed)
    assert [c.seat for c in sealed.transcript.contributions] == [11, 101]
    assert sealed.transcript.cutter == 11
    check_seal(rig, seeds(1, 1)[0])


def test_spectators_keep_out_where_it_does_not() -> None:
    """By default a contribution needs a place at the table (decision 3)."""
    rig = asked((1,))
    assert not [o for o in rig.options(0) if o.type == "cut_commit"]
    assert rig.refusal(watching(rig, 101), "pid_watcher", "player").code == "not_seated"


def test_a_spectators_number_is_his_alone() -> None:
    """Taken, none of these, or not named: refused; and nobody commits twice under two numbers."""
    rig = asked((1,), cut_spectators=True)
    rig.send(watching(rig, 101), "pid_watcher", "player")
    assert rig.refusal(watching(rig, 101), "pid_other", "player").code == "seat_taken"
    assert rig.refusal(watching(rig, 102), "pid_watcher", "player").code == "cut_already_committed"
    assert rig.refusal(watching(rig, 165), "pid_other", "player").code == "forbidden"
    assert rig.refusal(watching(rig, 1), "pid_other", "player").code == "forbidden"
    unnamed = cmd.CutCommit(commit=watching(rig, 103).commit)
    assert rig.refusal(unnamed, "pid_other", "player").code == "not_seated"
    assert rig.refusal(watching(rig, 103), HOST, "host").code == "forbidden"
    rig.send(cmd.Sit(seat=3), "pid_watcher", "player")
    rig.send(cmd.SetCutWilling(willing=True), "pid_watcher", "player")
    assert rig.refusal(bound(rig, 3, 10), "pid_watcher", "player").code == "cut_already_committed"


def test_a_spectator_who_does_not_reveal_is_barred() -> None:
    """He is named by number and out by person; one who did reveal may come back (1.7)."""
    rig = asked((1,), cut_spectators=True)
    for number in (101, 102):
        rig.send(watching(rig, number), pid(number), "player")
    commit(rig, 1)
    reveal(rig, 1)
    rig.send(opening(101), pid(101), "player")
    aborted, opened = rig.expire()
    assert (aborted.data.missing, opened.data.seats) == ((102,), (1,))
    assert not [o for o in rig.options(0) if o.type == "cut_commit"]
    assert rig.refusal(watching(rig, 102), pid(102), "player").code == "cut_closed"
    assert rig.refusal(watching(rig, 103), pid(103), "player").code == "cut_closed"
    rig.send(watching(rig, 101), pid(101), "player")


def test_the_largest_seal_fits_into_an_event() -> None:
    """Sixteen seats and sixty-four people without one contribute; one more is turned away (design 4)."""
    seats = (*range(1, 9), *range(11, 19))
    rig = seated((*seats, 1001), seats_per_pano=8, cut_spectators=True)
    rig.fund()
    for number in SPECTATORS:
        rig.send(watching(rig, number), pid(number), "player")
    assert code(rig, bound(rig, 1001, 10), 1001) == "cut_closed"
    assert not [o for o in rig.options(0) if o.type == "cut_commit"]
    for number in seats:
        commit(rig, number)
    rig.expire()
    for number in (*seats, *SPECTATORS):
        rig.play(number, opening(number))
    (sealed,) = [e for e in rig.events if isinstance(e.data, ev.ShoeSealed)]
    assert sealed.data.contributors == len(seats) + MOST_WITHOUT_SEAT
    assert max(len(encode(e)) for e in rig.events) < 32 * 1024


def test_no_more_standing_people_are_waited_for_than_may_contribute() -> None:
    """The first of them are asked; the seats all are (decision 3)."""
    standing = tuple(range(1001, 1001 + MOST_WITHOUT_SEAT + 1))
    rig = asked((1, *standing))
    assert rig.clock().seats == (1, *standing[:-1])


@pytest.mark.parametrize("field", ["commit", "reveal"])
def test_hashes_have_one_spelling(field: str) -> None:
    """Sixty-four lowercase hex digits, nothing else, come through a door (fairness 1.4)."""
    kind, rest = (cmd.CutCommit, {}) if field == "commit" else (cmd.CutReveal, {"cut": 3})
    for wrong in ("AB" * 32, "ab" * 31, "ab" * 33, "ab" * 31 + "a\n", "zz" * 32):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"type": kind.__struct_config__.tag, field: wrong, **rest}, kind)
    msgspec.convert({"type": kind.__struct_config__.tag, field: "ab" * 32, **rest}, kind)
