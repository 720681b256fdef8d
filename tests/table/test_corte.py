"""The cut of a shoe: asked, committed, closed, revealed, sealed (fairness 1.4, design 6)."""

import pytest
from msgspec.structs import replace

from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame.refusal import Refusal
from shoe.cards import Deck
from tests.table.cut import asked, bound, check_seal, code, commit, opening, reveal, seated, secret
from tests.table.rig import HOST, Rig, pid, seeds, stake, types


def test_nobody_waits_for_a_cut_that_nobody_wants() -> None:
    """People who sit have not asked to cut, so a bank is followed by the seal at once (decision 2)."""
    rig = asked((), (1, 11, 1001))
    assert types(rig.events)[-4:] == ["shoe.sealed", "shoe.ready", "round.started", "stakes.opened"]
    assert not [s for s in rig.view()["seats"] if s["willing"]]
    assert rig.view()["cut"] == {}


def test_a_cut_opens_for_those_who_are_willing() -> None:
    """The event names shuffle, deck, cutter, seats and times; the phase stays (step 2, glossary 3)."""
    rig = asked((1, 11, 1001), (2,))
    opened = rig.events[-1]
    assert opened.data == ev.CorteOpened(
        commit_by=opened.at + 20_000,
        cutter=1,
        deck=Deck("fr52", 3),
        reveal_within_ms=10_000,
        seats=(1, 11, 1001),
        shuffle=1,
    )
    assert rig.table.phase == "preparing"
    assert (rig.clock().decision, rig.clock().seats) == ("cut:1", (1, 11, 1001))
    assert rig.clock().until == opened.at + 20_000
    assert rig.refused(2, stake("right", 1)) == "shoe_not_ready"


def test_contributions_and_cut_make_the_order() -> None:
    """Transcript, order and root are an outsider's; the cutter's k turns the shoe (steps 6 to 10)."""
    rig = asked((1, 11, 1001))
    for number, cut in ((1001, 5), (1, 37), (11, 90)):
        closed = commit(rig, number, cut)
    assert types(closed) == ["corte.committed", "corte.closed"]
    for number, cut in ((11, 90), (1, 37), (1001, 5)):
        last = reveal(rig, number, cut)
    assert types(last) == [
        "corte.revealed",
        "shoe.sealed",
        "shoe.ready",
        "round.started",
        "stakes.opened",
    ]
    order = check_seal(rig, seeds(1, 1)[0])
    (sealed,) = rig.of(ev.ShoeSealed)
    transcript = sealed.transcript
    assert [(c.seat, c.cut, c.reveal) for c in transcript.contributions] == [
        (1, 37, secret(1)),
        (11, 90, secret(11)),
        (1001, 5, secret(1001)),
    ]
    assert (transcript.cutter, transcript.cut, sealed.contributors) == (1, 37, 3)
    assert list(rig.chance.shoe(transcript).order) == order
    assert (rig.table.cut, rig.table.shuffles, rig.table.phase) == (None, 1, "betting")


def test_the_close_lists_all_commitments() -> None:
    """From the close on everybody knows what is to be opened, ascending by seat (step 4)."""
    rig = asked((1, 11))
    commit(rig, 11)
    *_, closed = commit(rig, 1)
    commits = {d.seat: d.commit for d in rig.of(ev.CorteCommitted)}
    assert closed.data == ev.CorteClosed(
        (ev.SeatCommit(commits[1], 1), ev.SeatCommit(commits[11], 11)), 1, "automation"
    )
    assert (closed.actor, rig.clock().decision) == ("croupier", "cut_reveal:1")
    assert rig.clock().until == closed.at + 10_000


def test_a_cut_that_all_let_pass_is_no_cut() -> None:
    """Declined by everybody, the shoe is sealed in the same append; the named cutter stays (design 4)."""
    rig = asked((1, 11))
    assert types(rig.play(11, cmd.CutDecline())) == ["corte.declined"]
    last = rig.play(1, cmd.CutDecline())
    assert types(last)[:4] == ["corte.declined", "corte.closed", "shoe.sealed", "shoe.ready"]
    (sealed,) = rig.of(ev.ShoeSealed)
    assert (sealed.transcript.cutter, sealed.contributors, sealed.transcript.cut) == (1, 0, 0)
    check_seal(rig, seeds(1, 1)[0])


def test_who_does_not_answer_in_time_is_left_out() -> None:
    """Time closes the window; the silent are absent and are not asked for the next shoe (R-05, design 3)."""
    rig = asked((1, 11), stop_card=155)
    commit(rig, 11)
    assert rig.expire()[0].data.source == "timeout"
    assert rig.table.absent == {1}
    reveal(rig, 11)
    (sealed,) = rig.of(ev.ShoeSealed)
    assert (sealed.transcript.cutter, sealed.contributors, sealed.transcript.cut) == (1, 1, 0)
    check_seal(rig, seeds(1, 1)[0])
    rig.coup((11, "left", 10))
    assert rig.of(ev.CorteOpened)[-1].seats == (11,)
    assert rig.table.shuffles == 2


def test_a_closed_cut_takes_no_commitment() -> None:
    """After the close, and without a cut at all, it is `cut_closed`, for whoever comes (glossary 6)."""
    rig = asked((1, 11))
    late = bound(rig, 11, 10)
    assert code(rig, opening(1), 1) == "wrong_phase"
    commit(rig, 1)
    rig.expire()
    for answer in (late, cmd.CutDecline()):
        assert rig.refused(11, answer) == "cut_closed"
    reveal(rig, 1)
    for command in (late, cmd.CutDecline(), opening(1)):
        assert rig.refused(11, command) == "cut_closed"


def test_who_has_not_asked_to_cut_does_not() -> None:
    """`cut_not_willing` for a seat that has not said so; it may say so while the cut is open."""
    rig = asked((1,), (2,))
    for command in (bound(rig, 2, 10), cmd.CutDecline()):
        assert rig.refused(2, command) == "cut_not_willing"
    assert code(rig, bound(rig, 3, 10), 3) == "not_seated"
    rig.play(2, cmd.SetCutWilling(willing=True))
    assert rig.refused(2, cmd.CutDecline()) == "cut_not_willing"
    assert rig.clock().seats == (1,)
    assert types(commit(rig, 2)) == ["corte.committed"]


def test_a_contributor_commits_once() -> None:
    """A second commitment, a decline after one, and the same number for another person are refused."""
    rig = asked((1, 11))
    commit(rig, 1)
    for command in (bound(rig, 1, 20), cmd.CutDecline()):
        assert rig.refused(1, command) == "cut_already_committed"
    rig.play(1, cmd.Leave())
    rig.send(cmd.Sit(seat=1), "pid_next", "player")
    rig.send(cmd.SetCutWilling(willing=True), "pid_next", "player")
    assert rig.refusal(bound(rig, 1, 20), "pid_next", "player").code == "cut_already_committed"


@pytest.mark.parametrize(
    ("brought", "wanted"),
    [
        (opening(1, 0), Refusal("cut_out_of_range", {"max": 155, "min": 1})),
        (opening(1, 156), Refusal("cut_out_of_range", {"max": 155, "min": 1})),
        (opening(1, 11), Refusal("cut_reveal_mismatch")),
        (cmd.CutReveal(cut=10, reveal=secret(2), seat=1), Refusal("cut_reveal_mismatch")),
        (cmd.CutReveal(cut=10, reveal=secret(1), seat=11), Refusal("cut_reveal_mismatch")),
        (cmd.CutReveal(cut=10, reveal=secret(1), seat=7), Refusal("cut_reveal_mismatch")),
    ],
)
def test_only_what_was_committed_opens(brought: cmd.CutReveal, wanted: Refusal) -> None:
    """Another cut, other bytes, another seat or nobody's do not open a commitment (step 5)."""
    rig = asked((1, 11))
    commit(rig, 1)
    commit(rig, 11)
    assert rig.refusal(brought, pid(1), "player") == wanted
    assert types(rig.play(1, opening(1))) == ["corte.revealed"]
    assert rig.refusal(opening(1), pid(1), "player") == Refusal("decision_over", {"decision": "cut_reveal:1"})


@pytest.mark.parametrize(
    ("sender", "role", "by"),
    [(pid(2), "player", ""), ("pid_stranger", "player", ""), (HOST, "host", HOST)],
)
def test_a_reveal_may_be_brought_by_anybody(sender: str, role: str, by: str) -> None:
    """It proves itself: a neighbour, a stranger or a host may deliver it, and is its actor (1.7)."""
    rig = asked((1, 11), (2,))
    commit(rig, 1)
    commit(rig, 11)
    (revealed,) = rig.send(opening(11), sender, "host" if role == "host" else "player")
    assert revealed.actor == sender
    assert revealed.data == ev.CorteRevealed(
        by=by, cut=10, reveal=secret(11), seat=11, shuffle=1, source=role
    )


def test_nobody_commits_for_another() -> None:
    """A foreign seat is forbidden, to a host too: the cut protects people from the house (1.10, no. 4)."""
    rig = asked((1, 11))
    foreign = cmd.CutCommit(commit=bound(rig, 11, 10).commit, seat=11)
    assert code(rig, foreign, 1) == "forbidden"
    assert rig.refusal(foreign, "pid_stranger", "player").code == "forbidden"
    for word in (foreign, cmd.CutDecline(seat=11), cmd.SetCutWilling(seat=11, willing=False)):
        assert rig.refusal(word, HOST, "host").code == "forbidden"
    assert rig.table.seats[11].willing


def test_nobody_ends_a_cut_before_its_time() -> None:
    """The clock is a promise to the people: not even a host closes or aborts earlier (1.7)."""
    rig = asked((1, 11))
    for step in ("cut:1", "cut_reveal:1"):
        assert rig.clock().decision == step
        assert rig.refusal(cmd.Expire(decision=step), HOST, "host").code == "wrong_phase"
        assert rig.refusal(cmd.Expire(decision=step)).code == "wrong_phase"
        if step == "cut:1":
            commit(rig, 1)
            commit(rig, 11)
    assert not rig.of(ev.CorteAborted)


def test_bots_never_cut() -> None:
    """A bot of the house is not asked, and nobody makes it willing (design 3)."""
    rig = seated((1,))
    rig.host(cmd.SeatBot(seat=2, policy="steady"), pid(2))
    assert rig.refusal(cmd.SetCutWilling(willing=True), pid(2), "bot").code == "cut_not_willing"
    assert "set_cut_willing" not in {o.type for o in rig.options(2)}
    rig.fund()
    assert rig.of(ev.CorteOpened)[0].seats == (1,)


def test_where_there_is_no_cut_nobody_is_asked_whether_he_wants_one() -> None:
    """With `corte` off no seat can be willing and every shoe is sealed at once (decision 2)."""
    rig = asked((), (1,), corte="off")
    refused = rig.refusal(cmd.SetCutWilling(willing=True), pid(1), "player")
    assert refused == Refusal("option_not_allowed", {"option": "corte"})
    assert "set_cut_willing" not in {o.type for o in rig.options(1)}
    assert (rig.table.phase, rig.table.shuffles) == ("betting", 1)


def test_willingness_can_be_taken_back() -> None:
    """Who takes it back while he is waited for is not waited for any more; so is who leaves (decision 2)."""
    rig = asked((1, 2, 11))
    (said,) = rig.play(1, cmd.SetCutWilling(willing=False))
    assert said.data == ev.SeatWilling(seat=1, source="player", willing=False)
    assert rig.clock().seats == (2, 11)
    rig.play(2, cmd.Leave())
    assert types(commit(rig, 11)) == ["corte.committed", "corte.closed"]


def test_who_has_left_can_still_reveal() -> None:
    """A commitment outlives the seat: whoever got up opens it as his own (1.7)."""
    rig = asked((1, 11))
    commit(rig, 1)
    commit(rig, 11)
    rig.play(1, cmd.Leave())
    reveal(rig, 1)
    reveal(rig, 11)
    assert rig.of(ev.ShoeSealed)[0].contributors == 2


def test_the_banker_is_passed_over() -> None:
    """Right and left in turn; whoever banks does not cut his own shoe (R-05)."""
    rig = Rig(seats_per_pano=2)
    assert list(rig.game.cut_order(rig.table)) == [1, 11, 2, 12]
    banking = replace(rig.table, play=replace(rig.table.play, banker=11))
    assert list(rig.game.cut_order(banking)) == [1, 2, 12]


def test_a_word_on_the_cuts_has_an_end() -> None:
    """S-7: nobody fills the log by saying a word again, or by taking it back twice before one shuffle."""
    rig = seated((1,), (2,))
    yes, no = cmd.SetCutWilling(willing=True), cmd.SetCutWilling(willing=False)
    assert rig.refused(1, yes) == rig.refused(2, no) == "decision_over"
    rig.play(1, no)
    rig.play(1, yes)
    assert rig.refused(1, no) == rig.refused(1, yes) == "decision_over"
    assert "set_cut_willing" not in [option.type for option in rig.options(1)]
    rig.fund()
    assert (rig.table.cut is not None, rig.table.shuffles) == (True, 1)
    assert "set_cut_willing" in [option.type for option in rig.options(1)]
    assert types(rig.play(1, no))[:2] == ["seat.willing", "corte.closed"]
    rig.play(1, yes)
    assert rig.refused(1, no) == "decision_over"


def test_an_absent_seat_says_that_it_is_there() -> None:
    """Design 3: for whoever was silent in a cut the same word again is a sign of life, once."""
    rig = asked((1, 11))
    rig.expire()
    assert rig.table.absent == {1, 11}
    assert types(rig.play(1, cmd.SetCutWilling(willing=True))) == ["seat.willing"]
    assert rig.table.absent == {11}
    assert rig.refused(1, cmd.SetCutWilling(willing=True)) == "decision_over"
