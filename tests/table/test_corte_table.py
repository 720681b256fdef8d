"""A cut beside everything else a table has: its clocks, its views, lots, pauses, the end (design 3, 5, 7)."""

import pytest

from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame import lot
from dealer.rules.frame.event import Event
from dealer.rules.frame.game import Option
from dealer.table.aggregate import due
from dealer.table.evolve import evolve
from tests.table.cut import asked, check_seal, commit, reveal, secret
from tests.table.rig import LOG, Rig, seeds


def test_times_are_the_tables() -> None:
    """`cut_commit_ms` and `cut_reveal_ms` are the two clocks (glossary 7)."""
    rig = asked((1,), cut_commit_ms=5_000, cut_reveal_ms=60_000)
    assert rig.clock().until == rig.now + 5_000
    commit(rig, 1)
    assert rig.clock().until == rig.now + 60_000


def test_the_view_shows_the_cut_and_no_secret() -> None:
    """Step, people and what a hash needs; neither cut nor bytes before they are revealed."""
    rig = asked((1, 2, 11))
    rig.play(2, cmd.CutDecline())
    commit(rig, 11)
    common = {
        "shuffle": 1,
        "commitment": rig.of(ev.SeedsCommitted)[0].commitments[0],
        "size": 156,
        "cutter": 1,
        "seats": [1, 2, 11],
        "declined": [2],
        "min_contributors": 0,
    }
    assert rig.view()["cut"] == {
        **common,
        "step": "commit",
        "decision": "cut:1",
        "committed": [11],
        "revealed": [],
    }
    assert {"decision": "cut:1", "seats": [1], "until": rig.clock().until} in rig.view()["due"]
    commit(rig, 1)
    assert secret(11) not in str(rig.view()) + str(rig.stored)
    reveal(rig, 11)
    assert rig.view()["cut"] == {
        **common,
        "step": "reveal",
        "decision": "cut_reveal:1",
        "committed": [1, 11],
        "revealed": [11],
    }


def test_the_cut_is_offered_as_commands() -> None:
    """Each step with its decision, the number for the hash and the range of the cut (design 3)."""
    rig = asked((1, 11), (2,))

    def offered(seat: int) -> list[Option]:
        return [o for o in rig.options(seat) if "cut" in o.type and o.type != "cash_out"]

    said = Option("set_cut_willing", fields={"willing": False})
    assert offered(1) == [
        said,
        Option("cut_commit", "cut:1", {"seat": 1}, 1, 155),
        Option("cut_decline", "cut:1"),
    ]
    assert offered(2) == [Option("set_cut_willing", fields={"willing": True})]
    assert offered(0) == []
    commit(rig, 1)
    assert offered(1) == [said]
    commit(rig, 11)
    assert offered(1) == [said, Option("cut_reveal", "cut_reveal:1", {"seat": 1}, 1, 155)]
    assert offered(2) == [Option("set_cut_willing", fields={"willing": True})]


def test_cards_laid_by_hand_are_not_cut() -> None:
    """The first shoe of a stacked table is sealed at once; its later ones are cut (design 6)."""
    rig = asked((1, 11), laid="27KAK65", stop_card=155)
    assert rig.of(ev.ShoeSealed)[0].transcript.profile == "stacked/1"
    rig.coup((1, "right", 1), (11, "left", 1))
    assert [d.shuffle for d in rig.of(ev.CorteOpened)] == [2]
    assert rig.table.phase == "between_rounds"


def test_an_outage_and_a_pause_give_time_back() -> None:
    """The clock of a cut moves like any other (design 5, 7)."""
    rig = asked((1,))
    until = rig.clock().until
    assert until is not None
    rig.host(cmd.Pause())
    assert rig.due() == []
    rig.now += 90_000
    rig.host(cmd.Resume())
    assert rig.clock().until == until + 90_000 + 10
    gap = (rig.now, rig.now + 60_000)
    rig.now = gap[1]
    rig.send(cmd.MoveDeadlines((gap,)))
    assert rig.clock().until == until + 150_000 + 10


def test_a_step_is_not_moved_for_what_came_before_it() -> None:
    """An outage while commitments were taken gives no time to the reveals (design 5)."""
    rig = asked((1,))
    gap = (rig.now, rig.now + 1_000)
    rig.now = gap[1]
    commit(rig, 1)
    assert rig.clock().since == rig.now
    assert rig.refusal(cmd.MoveDeadlines((gap,))).code == "decision_over"


def test_a_lot_stands_beside_an_open_cut() -> None:
    """It takes the next number, and the cut keeps its own (design 3, 1.2)."""
    rig = asked((1,))
    for data in lot.draw(rig.table, rig.chance, (1,), "bank"):
        rig._record(Event("croupier", rig.now, data, LOG, 0, len(rig.stored), data.TYPE, data.V))
    rig.table = rig._replayed
    commit(rig, 1)
    reveal(rig, 1)
    assert [d.shuffle for d in rig.of(ev.LotDrawn)] == [2]
    assert [d.shuffle for d in rig.of(ev.ShoeSealed)] == [1]
    assert (rig.table.shuffles, min(rig.table.commitments)) == (2, 3)


def test_a_number_is_taken_when_a_cut_opens() -> None:
    """A shuffle beside an open cut takes the next number; fresh seeds follow the last committed (1.2)."""
    rig = asked((1,), batch=1)
    assert (rig.table.shuffles, sorted(rig.table.commitments)) == (1, [1])
    assert [d.decision for d in rig.due() if d.kind == "chore"] == ["seeds:2"]
    rig.send(cmd.CommitSeeds("seeds:2", seeds(2, 32)))
    assert sorted(rig.table.commitments) == list(range(1, 34))
    assert rig.secrets[33] == seeds(33, 1)[0]
    commit(rig, 1)
    reveal(rig, 1)
    check_seal(rig, seeds(1, 1)[0])
    assert sorted(rig.table.commitments) == list(range(2, 34))


def test_a_closed_table_has_no_cut() -> None:
    """Closing drops an open cut with the seeds that were never used (decision 11)."""
    rig = asked((1,))
    rig.host(cmd.CloseTable(now=True))
    for chore in [d.decision for d in rig.due()]:
        rig.send(cmd.CashedOut(chore))
    assert (rig.table.status, rig.table.cut) == ("closed", None)
    assert due(rig.game, rig.table) == []
    assert rig.view()["cut"] == {}


def test_a_step_without_a_cut_is_an_error() -> None:
    """A log that closes what was never opened is not a table's (design 3)."""
    rig = Rig()
    data = ev.CorteClosed((), 1, "timeout")
    event = Event("croupier", rig.now, data, LOG, 0, rig.table.seq + 1, data.TYPE, 1)
    with pytest.raises(ValueError, match="not open"):
        evolve(rig.game, rig.table, event)
