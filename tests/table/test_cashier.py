"""Chips between the cage and the table: each hold ends once (design 7)."""

import pytest

from dealer.rules.frame import commands as cmd
from dealer.rules.frame.commands import MAX_CHIPS
from dealer.rules.frame.events import ChipsBoughtIn, ChipsCashedOut, ChipsMoved, ChipsRejected, Move
from dealer.table.cashier import HOLD_LIFE_MS
from dealer.table.evolve import CLAIM_MEMORY_MS
from tests.table.rig import STEP_MS, Rig, opened, pid, stake, types


def test_a_hold_becomes_chips_once() -> None:
    """The same hold again is `decision_over` with what became of it, and no chip moves."""
    rig = Rig()
    rig.sit(1, 0)
    hold = cmd.Receive(70, "stack:1", pid(1), rig.hold())
    moved, bought = rig.send(hold)
    assert moved.data == ChipsMoved("buy_in", (Move(70, "cage", "stack:1"),))
    assert bought.data == ChipsBoughtIn(amount=70, place="stack:1", x=hold.x)
    for again in (hold, cmd.Resolve(hold.x)):
        refused = rig.refusal(again)
        assert (refused.code, refused.params) == ("decision_over", {"taken": True})
    assert rig.table.chips == {"cage": -70, "stack:1": 70}


def test_a_hold_of_somebody_who_is_gone_is_rejected_once() -> None:
    """Chips for an empty seat, or one that is another's by now, are rejected; later they stay rejected."""
    rig = Rig()
    rig.sit(1, 0)
    holds = [cmd.Receive(5, "stack:1", pid(2), rig.hold()), cmd.Receive(5, "stack:2", pid(2), rig.hold())]
    for hold in holds:
        (rejected,) = rig.send(hold)
        assert rejected.data == ChipsRejected("not_seated", hold.x)
    rig.sit(2, 0)
    for hold in holds:
        assert rig.refusal(hold).params == {"taken": False}
        assert rig.refusal(cmd.Resolve(hold.x)).params == {"taken": False}
    assert not rig.table.chips


@pytest.mark.parametrize("age", [HOLD_LIFE_MS, HOLD_LIFE_MS + 1])
def test_a_hold_lives_five_seconds(age: int) -> None:
    """A hold that comes later than 5 s after it was made is rejected, at 5 s it is still good."""
    rig = Rig()
    rig.sit(1, 0)
    hold = cmd.Receive(5, "stack:1", pid(1), f"x_{rig.now}_1")
    rig.now += age - STEP_MS  # the command comes a step later
    assert types(rig.send(hold))[-1] == ("chips.bought_in" if age == HOLD_LIFE_MS else "chips.rejected")
    assert rig.table.stack(1) == (5 if age == HOLD_LIFE_MS else 0)


def test_a_hold_that_never_came_is_resolved_and_never_comes() -> None:
    """`resolve` rejects it in the log; whatever arrives under its name afterwards is `decision_over`."""
    rig = Rig()
    rig.sit(1, 0)
    x = rig.hold()
    (rejected,) = rig.send(cmd.Resolve(x))
    assert rejected.data == ChipsRejected("hold_expired", x)
    assert rig.refusal(cmd.Resolve(x)).code == "decision_over"
    assert rig.refusal(cmd.Receive(5, "stack:1", pid(1), x)).code == "decision_over"


def test_a_table_does_not_remember_holds_for_ever() -> None:
    """A minute after it came a hold is forgotten with the next; till then its fate is known (design 7)."""
    rig = Rig()
    rig.sit(1, 0)
    rig.buy_in(1, 5)
    rig.now += CLAIM_MEMORY_MS - 2 * STEP_MS
    rig.buy_in(1, 5)
    assert len(rig.table.claims) == 2
    rig.now += STEP_MS
    rig.buy_in(1, 5)
    assert len(rig.table.claims) == 2


def test_more_chips_than_a_number_can_hold_are_rejected() -> None:
    """A table never holds more than 2^53 - 1 chips, so no win can go beyond what is counted exactly."""
    rig = Rig(house_bank=1_000)
    rig.sit(1, MAX_CHIPS - 1_500)
    rig.sit(2, 0)
    rig.fund()
    for amount, taken in ((501, False), (500, True), (1, False)):
        rig.buy_in(2, amount)
        assert (rig.table.stack(2) == 500) is (taken or amount == 1)
    assert [r.reason for r in rig.of(ChipsRejected)] == ["amount_out_of_range"] * 2
    assert -rig.table.chips["cage"] == MAX_CHIPS


def test_the_house_brings_exactly_the_bank_it_owes() -> None:
    """Another amount, or a second bank, is rejected and changes nothing but the log (R-50, R-55)."""
    rig = Rig(house_bank=400)
    rig.sit(1)
    (wrong,) = rig.send(cmd.Receive(399, "bank", "house", rig.hold()))
    assert wrong.type == "chips.rejected"
    rig.fund()
    assert rig.table.chips["bank"] == 400
    (second,) = rig.send(cmd.Receive(400, "bank", "house", rig.hold()))
    assert second.type == "chips.rejected"
    assert rig.table.chips["bank"] == 400


def test_a_stack_goes_back_through_transit() -> None:
    """Cashed-out chips wait under a name of their own until the cage has posted them, once."""
    rig = opened({1: 100})
    rig.play(1, stake("right", 30))
    rig.play(1, cmd.CashOut())
    assert rig.refused(1, cmd.CashOut()) == "insufficient_chips"
    (chore,) = [d for d in rig.due() if d.decision.startswith("transit:")]
    assert (chore.kind, chore.until) == ("chore", rig.table.at)
    assert chore.decision.startswith(f"transit:{pid(1)}:")
    assert rig.table.chips[chore.decision] == 70
    moved, done = rig.send(cmd.CashedOut(chore.decision))
    assert moved.data == ChipsMoved("cashed_out", (Move(70, chore.decision, "cage"),))
    assert done.data == ChipsCashedOut(70, chore.decision)
    assert rig.refusal(cmd.CashedOut(chore.decision)).code == "decision_over"
    assert rig.total(1) == 30
    assert rig.table.seats[1].pid == pid(1)


@pytest.mark.parametrize("place", ["bank", "stack:1", "cage", "transit:pid_1:1"])
def test_only_what_waits_in_transit_leaves(place: str) -> None:
    """The cage takes chips that were on their way to it, and from no other place."""
    rig = opened({1: 100})
    assert rig.refusal(cmd.CashedOut(place)).code == "decision_over"


def test_two_ways_out_at_once_do_not_meet() -> None:
    """Whoever cashes out twice has two transits, each posted for itself."""
    rig = opened({1: 100})
    rig.play(1, cmd.CashOut())
    rig.buy_in(1, 40)
    rig.play(1, cmd.Leave())
    waiting = {d.decision: rig.table.chips[d.decision] for d in rig.due() if d.decision.startswith("transit")}
    assert sorted(waiting.values()) == [40, 100]
    for x in waiting:
        rig.send(cmd.CashedOut(x))
    assert rig.table.chips == {"bank": 10_000, "cage": -10_000}
