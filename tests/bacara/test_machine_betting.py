"""Stakes at a table: the calls, the limits, what is refused, and in which order (R-22 ... R-26)."""

import pytest

from dealer.rules.bacara.events import StakePlaced, StakesCovered, StakeWithdrawn
from dealer.rules.bacara.state import play_of
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.chips import LISTED_AN_EVENT
from dealer.rules.frame.events import CardDealt, ChipsMoved, Move, RoundEnded
from dealer.rules.frame.game import Option
from tests.table.rig import Rig, opened, stake, types, unstake

COUP = "27KAK65"
"""Right 3 and a five to make 8, left 7, bank 6: both paños win."""
PUSH = "JA86A84"
"""Right 6, left 2 and a four to make 6, bank 6: a push on both."""


def test_a_stake_leaves_the_stack_when_it_is_placed() -> None:
    """Chips move from the stack to the cloth; a second placement adds to the first (R-25, R-26)."""
    rig = opened({1: 100})
    placed, moved = rig.play(1, stake("right", 30))
    assert placed.data == StakePlaced(amount=30, on="right", seat=1, source="player", total=30)
    assert moved.data == ChipsMoved("stake", (Move(30, "stack:1", "stake:right:1"),))
    added, _ = rig.play(1, stake("right", 12))
    assert (added.data.amount, added.data.total) == (12, 42)
    assert rig.table.stack(1) == 58


def test_anybody_stakes_on_either_pano_or_both() -> None:
    """Seated at one paño or standing, each may bet on both, one stake on each (R-26, R-13, A-08)."""
    rig = opened({1: 100, 11: 100, 1001: 100})
    for seat in (1, 11, 1001):
        for on in ("right", "left"):
            rig.play(seat, stake(on, 10))
    assert [(s["on"], s["seat"], s["amount"]) for s in rig.view()["stakes"]] == [
        (on, seat, 10) for seat in (1, 11, 1001) for on in ("right", "left")
    ]


@pytest.mark.parametrize("phase", ["betting", "last_call"])
def test_stakes_change_until_no_more_bets(phase: str) -> None:
    """Before and after «¿Está hecho?» a stake may be placed, raised, lowered and withdrawn (R-22, A-07)."""
    rig = opened({1: 100, 2: 100})
    rig.play(2, stake("left", 1))
    rig.expire_until(phase)
    rig.play(1, stake("right", 20))
    lowered, moved = rig.play(1, unstake("right", 15))
    assert lowered.data == StakeWithdrawn(amount=15, on="right", seat=1, source="player", total=5)
    assert moved.data == ChipsMoved("unstake", (Move(15, "stake:right:1", "stack:1"),))
    rig.play(1, unstake("right", 5))
    assert rig.table.stack(1) == 100
    assert list(play_of(rig.table).stakes) == ["left:2"]


def test_after_no_more_bets_every_change_is_late() -> None:
    """«No va más»: placing, raising, lowering are `late_stake`, whatever else is wrong with them (R-23)."""
    rig = opened({1: 100, 11: 100}, COUP, min_stake=10)
    rig.play(1, stake("right", 20))
    rig.play(11, stake("left", 20))
    rig.close_stakes()
    for change in (stake("right", 20), stake("right", 1), stake("left", 900), unstake("left", 5)):
        for seat in (1, 11):
            assert rig.refused(seat, change) == "late_stake"
    rig.expire_until("between_rounds")
    assert rig.refused(1, stake("right", 20)) == "wrong_phase"


def test_without_a_bank_there_is_nothing_to_bet_against() -> None:
    """Stakes before the bank stands are out of phase, and the refusal names the phase (R-22)."""
    rig = Rig()
    rig.sit(1)
    refused = rig.refusal(stake("right", 5), "pid_1", "player")
    assert (refused.code, refused.params) == ("wrong_phase", {"phase": "no_bank"})


@pytest.mark.parametrize(
    ("on", "amount", "code"),
    [
        ("right", 9, "stake_below_minimum"),
        ("right", 51, "stake_above_maximum"),
        ("right", 10**15, "stake_above_maximum"),
        ("right", 41, "insufficient_chips"),
        ("left", 31, "stake_above_maximum"),
        ("left", 30, ""),
        ("left", 1, ""),
    ],
)
def test_limits_hold_for_one_person_and_pano(on: str, amount: int, code: str) -> None:
    """`min_stake` and `max_stake` bound what lies there afterwards, then the stack is asked (R-25)."""
    rig = opened({1: 60}, min_stake=10, max_stake=50)
    rig.play(1, stake("left", 20))
    if code:
        assert rig.refused(1, stake(on, amount)) == code
    else:
        rig.play(1, stake(on, amount))
    assert rig.table.stack(1) == (40 if code else 40 - amount)


def test_a_stake_is_lowered_to_the_minimum_or_taken_whole() -> None:
    """What stays must reach the minimum; more than lies there cannot be taken (R-23, R-25)."""
    rig = opened({1: 60}, min_stake=10)
    assert rig.refused(1, unstake("right", 1)) == "stake_not_found"
    rig.play(1, stake("right", 25))
    assert rig.refused(1, unstake("right", 26)) == "stake_not_found"
    assert rig.refused(1, unstake("left", 1)) == "stake_not_found"
    assert rig.refused(1, unstake("right", 16)) == "stake_below_minimum"
    rig.play(1, unstake("right", 15))
    assert rig.refused(1, unstake("right", 1)) == "stake_below_minimum"
    rig.play(1, unstake("right", 10))
    assert rig.table.stack(1) == 60


def test_the_options_are_the_limits() -> None:
    """What a seat is offered is exactly what it may stake and take back (R-25, R-26)."""
    rig = opened({1: 60}, min_stake=10, max_stake=50)
    right, left = {"on": "right"}, {"on": "left"}
    moves = [o for o in rig.options(1) if o.type in {"stake", "unstake"}]
    assert moves == [
        Option("stake", fields=right, min=10, max=50),
        Option("stake", fields=left, min=10, max=50),
    ]
    rig.play(1, stake("right", 45))
    moves = [o for o in rig.options(1) if o.type in {"stake", "unstake"}]
    assert moves == [
        Option("stake", fields=right, min=1, max=5),
        Option("unstake", fields={"on": "right"}, min=1, max=35),
        Option("unstake", fields={"on": "right"}, min=45, max=45),
        Option("stake", fields=left, min=10, max=15),
    ]


def test_a_stake_of_a_push_stays_its_owners() -> None:
    """It lies on the cloth, and in the next betting it may stay, change or be withdrawn (R-45)."""
    rig = opened({1: 100, 11: 100}, PUSH + COUP)
    rig.coup((1, "right", 20), (11, "left", 20))
    assert rig.table.chips["stake:right:1"] == rig.table.chips["stake:left:11"] == 20
    rig.expire_until("betting")
    assert rig.clock().until == rig.table.since + 20_000
    rig.play(11, unstake("left", 20))
    rig.play(1, unstake("right", 5))
    rig.play(1, stake("right", 1))
    rig.coup()
    assert rig.view()["results"] == {"right": "bank"}
    assert (rig.total(1), rig.total(11)) == (84, 100)


def test_an_empty_coup_is_over_at_once() -> None:
    """Without a stake «no va más» leads straight to the pause: no card, no coverage, no mano (R-24)."""
    rig = opened({1: 100, 2: 100})
    rig.play(2, stake("right", 20))
    rig.expire()
    rig.play(2, unstake("right", 20))
    assert types(rig.expire()) == ["stakes.closed", "round.ended"]
    assert (rig.table.phase, rig.table.chips["bank"]) == ("between_rounds", 10_000)
    assert not rig.of(CardDealt)
    assert not rig.of(StakesCovered)
    assert play_of(rig.table).pointers == {}
    assert rig.of(RoundEnded)[-1].chips == 10_200
    rig.expire()
    assert rig.clock().until is None


def test_what_is_not_covered_returns_before_the_first_card() -> None:
    """Coverage is written, and the rest is back in the stack, before a card is dealt (R-30, R-32)."""
    rig = opened({1: 100, 2: 100, 11: 100}, COUP, house_bank=50)
    for seat, on, amount in ((1, "right", 30), (2, "right", 30), (11, "left", 15)):
        rig.play(seat, stake(on, amount))
    happened = rig.close_stakes()
    names = types(happened)
    assert names[:7] == [
        "stakes.closed",
        "holder.moved",
        "holder.moved",
        "stakes.covered",
        "chips.moved",
        "card.dealt",
        "card.dealt",
    ]
    assert happened[4].data == ChipsMoved("uncovered", (Move(25, "stake:right:2", "stack:2"),))
    assert [(s["seat"], s["amount"]) for s in rig.view()["stakes"]] == [(1, 30), (2, 5), (11, 15)]


def test_standing_players_are_covered_in_the_order_of_their_first_stake() -> None:
    """Who came first with a stake is answered for first, even if he raised it last (R-30 d)."""
    rig = opened({1: 100, 1001: 100, 1002: 100}, COUP, house_bank=50)
    rig.play(1002, stake("right", 5))
    rig.play(1001, stake("right", 30))
    rig.play(1, stake("right", 10))
    rig.play(1002, stake("right", 25))
    rig.close_stakes()
    (covered,) = rig.of(StakesCovered)
    assert [(c.seat, c.covered) for c in covered.stakes] == [(1, 10), (1002, 30), (1001, 10)]


def test_a_crowd_is_told_in_events_of_two_hundred() -> None:
    """Coverage, results and chips of many stakes go in events of at most 200, none lost (design 4)."""
    crowd = range(1001, 1226)
    rig = opened({1: 100, 11: 100, **dict.fromkeys(crowd, 5)}, COUP)
    rig.coup((1, "right", 5), (11, "left", 5), *((seat, "right", 3) for seat in crowd))
    covered = [e.stakes for e in rig.of(StakesCovered)]
    assert [len(stakes) for stakes in covered] == [200, 27]
    settled = [e.data.stakes for e in rig.events if e.type == "pano.settled"]
    assert [len(stakes) for stakes in settled] == [200, 26, 1]
    assert max(len(e.moves) for e in rig.of(ChipsMoved)) == LISTED_AN_EVENT
    assert {rig.total(seat) for seat in crowd} == {8}
    assert rig.table.chips["bank"] == 10_000 - 3 * 225 - 10
    assert play_of(rig.table).stakes == {}


def test_a_late_answer_is_told_before_anything_else() -> None:
    """The order of refusals: the decision is over, then the phase, and only then the content (glossary 6)."""
    rig = opened({1: 100, 11: 100}, COUP)
    over = rig.table.decision()
    rig.play(1, stake("right", 10))
    rig.play(11, stake("left", 10))
    rig.close_stakes()
    late = stake("right", 900)
    named = type(late)(on="right", amount=900, decision=over)
    assert rig.refused(1, named) == "decision_over"
    assert rig.refused(1, late) == "late_stake"
    assert rig.refused(1, cmd.Leave(decision=over)) == "decision_over"
