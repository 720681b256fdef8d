"""A settled round put right by two people: chips move, nothing is edited (issue 5; fairness S-24 to S-26)."""

import msgspec
import pytest

from dealer.rules.bacara.state import play_of
from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame.event import Event
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.settled import RECENT
from dealer.rules.matches.state import players
from dealer.table.hosting import options
from dealer.table.snapshot import flaw
from ops.replay.coups import coups
from ops.replay.replay import replay
from tests.bacara import steps
from tests.baciga.rig import Baciga
from tests.table.rig import COUP, HOST, OTHER_HOST, Rig, opened, pid, stake, types


def proposal(number: int, *moves: tuple[int, str, str], reason: str = "rule_error") -> cmd.ProposeCorrection:
    """The command as it comes through a door: moves as (amount, from, to)."""
    listed = [{"amount": n, "from": origin, "to": to} for n, origin, to in moves]
    document = {"type": "propose_correction", "kind": "result", "moves": listed, "reason": reason}
    return msgspec.convert({**document, "round": number}, cmd.ProposeCorrection)


def approve(rig: Rig) -> list[Event]:
    """Another host approves just what is proposed."""
    named = rig.view()["proposal"]["proposal"]
    return rig.send(cmd.ApproveCorrection(kind="result", proposal=named), OTHER_HOST, "host")


def put_right(rig: Rig, number: int, *moves: tuple[int, str, str]) -> list[Event]:
    """Two people do it."""
    rig.host(proposal(number, *moves))
    return approve(rig)


def refused(rig: Rig, command: cmd.Command, host: str = HOST) -> str:
    """The code with which a host is refused."""
    return rig.refusal(command, host, "host").code


def settled(cards: str = COUP, **chosen: object) -> Rig:
    """Seats 1 and 11 have staked 10 each and won, seat 2 has not staked; the house has banked."""
    rig = opened({1: 100, 2: 100, 11: 100}, cards, **chosen)
    rig.coup((1, "right", 10), (11, "left", 10))
    return rig


def test_what_was_paid_wrongly_goes_back() -> None:
    """Proposed by one, approved by another, as new events; the old ones stay (S-24 to S-26)."""
    rig = settled()
    before, log = dict(rig.table.chips), list(rig.stored)
    (proposed,) = rig.host(proposal(1, (20, "stack:1", "bank"), (3, "bank", "stack:11")))
    assert rig.table.chips == before
    shown = {"by": HOST, "kind": "result", "proposal": proposed.seq, "reason": "rule_error", "round": 1}
    moves = [{"amount": 20, "from": "stack:1", "to": "bank"}, {"amount": 3, "from": "bank", "to": "stack:11"}]
    assert rig.view()["proposal"] == shown | {"moves": moves}
    (option,) = [o for o in options(rig.game, rig.table, OTHER_HOST) if o.type == "approve_correction"]
    assert option.fields == {"kind": "result", "proposal": proposed.seq}

    approved, moved = approve(rig)
    assert approved.data == ev.CorrectionApproved(
        approvals=(HOST, OTHER_HOST),
        by=OTHER_HOST,
        changes=(
            ev.Change(9_997, 9_980, "house", "bank"),
            ev.Change(90, 110, pid(1), "stack:1"),
            ev.Change(113, 110, pid(11), "stack:11"),
        ),
        corrects=1,
        kind="result",
        proposal=proposed.seq,
        reason="rule_error",
    )
    assert (moved.data.cause, len(moved.data.moves)) == ("correction", 2)
    assert rig.stored[: len(log)] == log
    assert {e.round for e in (proposed, approved, moved)} == {0}
    assert flaw(rig.game, rig.table) == ""


def test_the_history_of_a_round_shows_both() -> None:
    """What was settled is told as ever, and beside it what was put right; the log still holds (S-26)."""
    rig = settled()
    (before,) = coups(rig.game, rig.table, rig.events)
    assert before.corrections == ()
    put_right(rig, 1, (20, "stack:1", "bank"))
    rig.coup((11, "left", 5))
    put_right(rig, 1, (1, "bank", "stack:1"))
    after, following = coups(rig.game, rig.table, rig.events)
    assert msgspec.structs.replace(after, corrections=()) == before
    assert [each.approvals for each in after.corrections] == [(HOST, OTHER_HOST)] * 2
    assert [[c.after - c.before for c in each.changes] for each in after.corrections] == [[20, -20], [-1, 1]]
    assert [rig.events[each.seq].type for each in after.corrections] == ["correction.approved"] * 2
    assert following.corrections == ()
    read = replay(rig.stored)
    assert (read.table, read.waiting) == (rig.table, 0)


def test_the_cage_gets_the_corrected_stack() -> None:
    """What a person takes home after a correction is what he has then (design 7)."""
    rig = settled()
    put_right(rig, 1, (20, "stack:1", "bank"))
    rig.play(1, cmd.Leave())
    left = rig.send(cmd.CashedOut(rig.due()[-1].decision))
    assert next(e.data.amount for e in left if isinstance(e.data, ev.ChipsCashedOut)) == 90


@pytest.mark.parametrize(
    ("number", "move", "code"),
    [
        (2, (1, "stack:1", "bank"), "not_correctable"),
        (1, (1, "stack:2", "bank"), "not_in_round"),
        (1, (1, "bank", "stack:3"), "not_in_round"),
        (1, (1, "cage", "stack:1"), "not_in_round"),
        (1, (1, "garage", "stack:1"), "not_in_round"),
        (1, (1, "bank", "stack:01"), "not_in_round"),
        (1, (21, "bank", "stack:1"), "correction_too_large"),
        (1, (21, "stack:1", "bank"), "correction_too_large"),
        (1, (15, "stack:11", "stack:1"), "chips_gone"),
    ],
)
def test_a_correction_stays_within_its_round(number: int, move: tuple[int, str, str], code: str) -> None:
    """Only who had a part gives or gets, no more than another result would have moved, and what he has."""
    rig = settled()
    rig.play(11, cmd.CashOut())
    rig.buy_in(11, 14)
    assert refused(rig, proposal(number, move)) == code


def test_corrections_of_one_round_add_up() -> None:
    """The bound is that of the round, however often it is corrected: 20 and one more is too much (R-45)."""
    rig = settled()
    put_right(rig, 1, (15, "stack:1", "bank"))
    put_right(rig, 1, (5, "stack:1", "bank"))
    assert refused(rig, proposal(1, (1, "stack:1", "bank"))) == "correction_too_large"
    put_right(rig, 1, (20, "bank", "stack:1"))


def test_moves_are_made_one_after_the_other() -> None:
    """What one move has brought the next may take on; nobody is below nought in between (R-00)."""
    rig = settled()
    rig.play(11, cmd.CashOut())
    assert refused(rig, proposal(1, (5, "stack:11", "bank"), (5, "stack:1", "stack:11"))) == "chips_gone"
    put_right(rig, 1, (5, "stack:1", "stack:11"), (5, "stack:11", "bank"))
    assert rig.table.stack(11) == 0


def test_there_is_no_bank_to_touch_when_it_is_over() -> None:
    """What the house had is at home; only those who are still here can be made even (R-58)."""
    rig = settled(house_bank=20)
    assert rig.table.phase == "no_bank"
    assert refused(rig, proposal(1, (1, "stack:1", "bank"))) == "not_in_round"
    put_right(rig, 1, (1, "stack:1", "stack:11"))


def test_chips_that_are_gone_at_the_approval() -> None:
    """Refused with what there is; as soon as they are back the same proposal is approved (design 7)."""
    rig = settled()
    rig.host(proposal(1, (20, "stack:1", "bank")))
    rig.play(1, cmd.CashOut())
    named = cmd.ApproveCorrection(proposal=rig.view()["proposal"]["proposal"])
    refusal = rig.refusal(named, OTHER_HOST, "host")
    assert (refusal.code, refusal.params) == ("chips_gone", {"chips": 0, "place": "stack:1"})
    rig.buy_in(1, 20)
    approve(rig)
    assert rig.table.stack(1) == 0


def test_nobody_pays_for_who_sat_there_before() -> None:
    """A seat that somebody else has taken since had no part in the round."""
    rig = settled()
    rig.play(1, cmd.Leave())
    rig.host(cmd.SeatBot(seat=1, policy="steady"), "pid_bot")
    rig.buy_in(1, 50)
    assert refused(rig, proposal(1, (1, "stack:1", "bank"))) == "not_in_round"


def test_the_latest_rounds_can_be_corrected() -> None:
    """As many as are remembered, between rounds; one without chips at stake, or void, is none of them."""
    rig = settled()
    rig.expire_until("betting")
    assert refused(rig, proposal(1, (1, "stack:1", "bank"))) == "wrong_phase"
    rig.play(1, stake("right", 10))
    rig.host(cmd.ProposeCorrection(kind="void_round"))
    rig.send(cmd.ApproveCorrection(), OTHER_HOST, "host")
    assert refused(rig, proposal(2, (1, "stack:1", "bank"))) == "not_correctable"
    for _ in range(RECENT - 1):
        rig.coup((1, "right", 1))
    put_right(rig, 1, (1, "stack:1", "bank"))
    rig.coup((1, "right", 1))
    assert refused(rig, proposal(1, (1, "stack:1", "bank"))) == "not_correctable"


def test_what_is_approved_is_named() -> None:
    """Not by its kind alone, not once it was changed or a round has begun, nor by its proposer (S-25)."""
    rig = settled()
    (first,) = rig.host(proposal(1, (1, "stack:1", "bank")))
    (second,) = rig.host(proposal(1, (2, "stack:1", "bank")))
    for named in (cmd.ApproveCorrection(kind="result"), cmd.ApproveCorrection(proposal=first.seq)):
        assert refused(rig, named, OTHER_HOST) == "no_such_proposal"
    right = cmd.ApproveCorrection(proposal=second.seq)
    assert refused(rig, right) == "second_person_needed"
    rig.coup((11, "left", 1))
    assert refused(rig, right, OTHER_HOST) == "no_such_proposal"


def test_a_pause_keeps_the_moment() -> None:
    """A table that is paused between rounds waits for both people, and goes on after them (design 7)."""
    rig = settled()
    rig.host(cmd.Pause())
    assert types(put_right(rig, 1, (20, "stack:1", "bank"))) == ["correction.approved", "chips.moved"]
    rig.host(cmd.Resume())
    rig.coup((1, "right", 1))


def test_a_bank_that_has_paid_all_of_it_ends() -> None:
    """What the correction leaves is judged as after a coup: below the least stake the bank ends (R-58)."""
    rig = settled("KT4653", house_bank=20, min_stake=5)
    assert rig.table.chips["bank"] == 40
    assert "bank.ended" not in types(put_right(rig, 1, (20, "bank", "stack:1")))
    assert types(put_right(rig, 1, (16, "bank", "stack:11")))[2:4] == ["bank.ended", "chips.moved"]


def test_the_bank_and_its_associates_share_a_correction() -> None:
    """What leaves the bank is a loss of each by his part, and no gain to set aside any more (R-60, R-74)."""
    example = next(each for each in steps.EXAMPLES if each["id"] == "BT-27")
    rig = steps.table(example)
    for step in example["steps"][:-2]:
        steps.walk(rig, step)
    before = play_of(rig.table).holding
    assert (before.gains, before.shares, rig.table.chips["bank"]) == (95, {4: 131}, 395)
    put_right(rig, 1, (40, "bank", "stack:2"))
    after = play_of(rig.table).holding
    assert (after.gains, after.shares) == (55, {4: 118})
    put_right(rig, 1, (5, "house_box", "bank"))
    assert play_of(rig.table).holding.gains == 60
    assert flaw(rig.game, rig.table) == ""


def test_at_punto_y_banca_a_tie_weighs_what_it_pays() -> None:
    """Nine times the stake lies between losing a tie and winning it; the box gives back too (R-102).

    A refusal names the narrowest bound, a person's rather than the house's.
    """
    rig = opened({1: 100, 2: 100}, "KT2543", profile="punto-y-banca")
    rig.expire_until("betting")
    rig.play(1, stake("tie", 5))
    rig.play(2, stake("bank", 40))
    rig.close_stakes()
    too_large = Refusal("correction_too_large", {"max": 45})
    for amount in (46, 1_000):
        assert rig.refusal(proposal(1, (amount, "bank", "stack:1")), HOST, "host") == too_large
    put_right(rig, 1, (45, "bank", "stack:1"))
    box = rig.table.chips["house_box"]
    put_right(rig, 1, (box, "house_box", "stack:2"))


def test_a_match_for_chips_is_put_right() -> None:
    """Another game, the same frame: all that the other winner would have got may go back (baciga 10)."""
    rig = Baciga(players=2, target=100, play_for="chips", match_buy_in=25, luck=4)
    rig.fill(100)
    while rig.turn:
        rig.plainly()
    assert players(rig.table) == 2
    winner, loser = sorted((1, 2), key=rig.table.stack, reverse=True)
    chips, number = rig.table.stack(loser), rig.table.round
    assert refused(rig, proposal(number, (51, f"stack:{winner}", f"stack:{loser}"))) == "correction_too_large"
    put_right(rig, number, (50, f"stack:{winner}", f"stack:{loser}"))
    assert rig.table.stack(loser) == chips + 50


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "result"},
        {"kind": "void_round", "round": 1},
        {"kind": "result", "moves": [], "reason": "outage", "round": 1},
        {
            "kind": "result",
            "moves": [{"amount": 1, "from": "bank", "to": "bank"}],
            "reason": "outage",
            "round": 1,
        },
        {
            "kind": "result",
            "moves": [{"amount": 1, "from": "bank", "to": "stack:1"}],
            "reason": "",
            "round": 1,
        },
    ],
)
def test_a_proposal_says_all_of_it(fields: dict[str, object]) -> None:
    """Moves, reason and round belong to a `result` and to nothing else; a move leads somewhere (S-24)."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "propose_correction", **fields}, cmd.ProposeCorrection)
