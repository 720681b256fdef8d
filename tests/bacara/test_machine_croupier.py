"""The human croupier: any automation may be off, with the same deadline behind it (design 3, R-22)."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from dealer.rules.bacara.commands import (
    AnnounceBank,
    Call,
    Deal,
    Draw,
    LayDown,
    NextRound,
    Settle,
    Show,
    Stand,
)
from dealer.rules.bacara.events import (
    HandDrew,
    HandLaidDown,
    HandStood,
    PanoSettled,
    StakesClosed,
    StakesOpened,
)
from dealer.rules.bacara.game import BACARA
from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as frame
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Event
from dealer.rules.frame.game import Act
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.table.aggregate import handle
from tests.table.cut import asked, commit, reveal
from tests.table.rig import (
    BY_HAND,
    COUP,
    HOST,
    LOG,
    STEP_MS,
    Rig,
    by_hand,
    by_hand_step,
    opened,
    pid,
    seeds,
    stake,
    types,
)

EVERY = ("call", "announce_bank", "deal", "lay_down", "show", "settle", "next_round")
RIGHT_ABATES = "3JA52365"
"""Right 8, left 7, bank 6: the right's is a natural."""
BANK_ABATES = "K84T25"
"""Right 0, left 0, bank 9: the bank's is a natural."""
CHORES: dict[str, cmd.Command] = {
    "place_bets": Call(call="place_bets"),
    "last_call": Call(call="last_call"),
    "no_more_bets": Call(call="no_more_bets"),
    "announce_bank": AnnounceBank(),
    "deal": Deal(),
    "show": Show(),
    "settle": Settle(),
    "next_round": NextRound(),
}
FITS = {
    "preparing": {"place_bets", "announce_bank", "next_round"},
    "betting": {"last_call"},
    "last_call": {"no_more_bets"},
    "dealing": {"deal"},
    "speak_right": set(),
    "speak_left": set(),
    "showdown": {"show"},
    "settling": {"settle"},
    "between_rounds": {"place_bets", "next_round"},
}
"""What a host may do by hand in each phase."""


def without(*automations: str) -> list[str]:
    """All but these."""
    return [each for each in EVERY if each not in automations]


def told(events: Sequence[Event]) -> list[tuple[str, dict[str, Any]]]:
    """What happened, whoever gave the word for it."""
    return [
        (e.type, {k: v for k, v in msgspec.structs.asdict(e.data).items() if k not in {"source", "by"}})
        for e in events
    ]


def speaking(laid: str, *off: str) -> Rig:
    """A table without some automations, its cards dealt."""
    rig = opened({1: 100, 2: 100, 11: 100}, laid, automations=without(*off))
    rig.play(1, stake("right", 10))
    rig.play(11, stake("left", 10))
    rig.close_stakes()
    return rig


@pytest.mark.parametrize(
    "chosen", [["call", "shuffle"], ["lay down"], "call", "", True, 0, {"call": True}, ["peek"]]
)
def test_only_the_games_automations_can_be_chosen(chosen: Any) -> None:
    """Another name, or no list, opens no table: `option_not_allowed` (A-02)."""
    opening = cmd.OpenTable("bacara", "seed", "dos-panos", {"automations": chosen}, seeds(1, 32))
    answer = handle(BACARA, Table(log=LOG), Chance({}), Act(opening, HOST, "host", HOST, 0, 1))
    assert answer == Refusal("option_not_allowed", {"option": "automations"})


@pytest.mark.parametrize(
    ("chosen", "recorded"),
    [([], ()), (["settle", "call"], ("call", "settle")), (["deal", "deal"], ("deal",)), ([*EVERY], EVERY)],
)
def test_the_automations_of_a_table_are_written_down(chosen: list[str], recorded: tuple[str, ...]) -> None:
    """The first event names those that are on, once each and in the profile's order (design 3)."""
    rig = Rig(automations=chosen)
    (first,) = rig.of(frame.TableOpened)
    assert first.automations == recorded
    assert "automations" not in first.options
    assert rig.table.automations == set(recorded)


@pytest.mark.parametrize("phase", BY_HAND)
def test_each_call_and_chore_has_its_moment(phase: str) -> None:
    """Any other is `wrong_phase` and changes nothing; the order of the calls stands (R-22)."""
    for name, chore in CHORES.items():
        rig = by_hand(phase)
        answer = rig.attempt(chore, HOST, "host")
        assert isinstance(answer, list) is (name in FITS[phase]), name
        if isinstance(answer, Refusal):
            assert answer == Refusal("wrong_phase", {"phase": phase})
            assert rig.table.phase == phase


@pytest.mark.parametrize("phase", BY_HAND)
def test_players_are_no_croupiers(phase: str) -> None:
    """No player, whatever he holds, gives a call, deals, shows, settles or opens a coup (A-40)."""
    rig = by_hand(phase)
    for chore in CHORES.values():
        assert rig.refused(1, chore) == "forbidden"
    assert rig.refused(1, cmd.Expire(decision=rig.table.decision())) == "forbidden"


@pytest.mark.parametrize("phase", [phase for phase in BY_HAND if not phase.startswith("speak")])
def test_the_deadline_behind_a_chore_does_the_same(phase: str) -> None:
    """Done by hand, by time or by a host's `expire`, the result is one; only the source is not (design 3)."""
    done, late, ended = by_hand(phase), by_hand(phase), by_hand(phase)
    by_host = by_hand_step(done)
    by_time = late.expire()
    by_expiry = ended.host(cmd.Expire(decision=ended.table.decision()))
    assert told(by_host) == told(by_time) == told(by_expiry)
    assert {e.actor for e in by_time} == {"croupier"}
    assert by_host[0].actor == by_expiry[0].actor == HOST
    for events, source, by in (
        (by_host, "host", HOST),
        (by_time, "automation", ""),
        (by_expiry, "host", HOST),
    ):
        called = [e.data for e in events if e.type.startswith("stakes.") and e.type != "stakes.covered"]
        assert {(d.source, d.by) for d in called} <= {(source, by)}
        assert bool(called) is (phase in {"preparing", "betting", "last_call", "between_rounds"})


@pytest.mark.parametrize(
    ("off", "chores"),
    [
        ("call", {"preparing": "place_bets", "between_rounds": "place_bets"}),
        ("announce_bank", {"preparing": "announce_bank"}),
        ("deal", {"dealing": "deal"}),
        ("lay_down", {}),
        ("show", {"showdown": "show"}),
        ("settle", {"settling": "settle"}),
        ("next_round", {"between_rounds": "next_round"}),
    ],
)
def test_one_switch_off_leaves_its_chore_to_the_host(off: str, chores: dict[str, str]) -> None:
    """The table rests where he is wanted and nowhere else; the other steps come by themselves (design 3)."""
    rig = Rig(COUP * 2, automations=without(off))
    for seat in (1, 11):
        rig.sit(seat, 100)
    rig.fund()
    rested = set()
    while rig.table.round < 2:
        phase = rig.table.phase
        rested.add(phase)
        assert phase == "betting" or rig.clock().until is not None
        if phase in chores:
            rig.host(CHORES[chores[phase]])
        elif phase == "betting":
            rig.play(1, stake("right", 10))
            rig.play(11, stake("left", 10))
            rig.close_stakes()
        elif phase.startswith("speak"):
            rig.obey()
        else:
            rig.expire()
    assert rested == {"betting", "speak_right", "speak_left", "between_rounds", *chores}
    assert rig.total(1) == rig.total(11) == 110


def test_a_host_deals_a_whole_coup() -> None:
    """With every automation off each step is his, and the coup is that of the machine (design 3)."""
    manual = by_hand("between_rounds")
    machine = opened({1: 100, 11: 100}, COUP)
    machine.coup((1, "right", 10), (11, "left", 10))
    coup = {"stakes.", "stake.", "hand.", "card.", "pano.", "round.", "chips.", "holder."}
    both = [
        [(kind, data) for kind, data in told(rig.events) if kind.partition(".")[0] + "." in coup]
        for rig in (manual, machine)
    ]
    for log in both:
        for kind, data in log:
            if kind == "card.exposed":
                del data["nonce"]
            if kind == "chips.bought_in":
                del data["x"]
    assert both[0] == both[1]
    assert manual.table.chips == machine.table.chips
    given = [(e.type, e.data.source) for e in manual.events if e.type in {"stakes.opened", "stakes.closed"}]
    assert given == [("stakes.opened", "host"), ("stakes.closed", "host")]
    assert manual.of(StakesOpened)[0].by == HOST


def test_stakes_and_words_keep_their_order_at_a_slow_table() -> None:
    """After «no va más» nothing is staked, and before the deal nobody speaks (R-10, R-23)."""
    rig = by_hand("dealing")
    assert rig.refused(1, stake("right", 5)) == "late_stake"
    for word in (Draw(), Stand(), LayDown()):
        assert rig.refused(1, word) == "wrong_phase"
    assert not rig.of(frame.CardDealt)
    assert rig.view()["hands"] == {}
    assert types(rig.host(Deal())) == ["card.dealt"] * 6
    rig.obey()
    rig.obey()
    assert rig.table.phase == "showdown"
    assert [d.pos for d in rig.of(frame.CardExposed)] == [6]
    rig.host(Show())
    assert not rig.of(PanoSettled)
    assert rig.table.chips["stake:right:1"] == 10


def test_the_banks_natural_waits_for_nobody() -> None:
    """It is laid down in the append of the deal whatever is off: a pause would tell (design 3, R-35)."""
    rig = by_hand("dealing", BANK_ABATES)
    events = rig.host(Deal())
    assert types(events)[:7] == ["card.dealt"] * 6 + ["hand.laid_down"]
    assert events[6].data == HandLaidDown(hand="bank", points=9, seat=0, source="automation")
    assert rig.table.phase == "showdown"


def test_without_the_switch_a_holder_lays_his_natural_down() -> None:
    """`lay_down` is the one legal answer then; the others are `illegal_action` (R-36, A-43)."""
    rig = speaking(RIGHT_ABATES, "lay_down")
    assert (rig.table.phase, rig.clock().seats, rig.words(1)) == ("speak_right", (1,), ["lay_down"])
    assert not rig.of(frame.CardExposed)
    for word in (Draw(), Stand()):
        assert rig.refused(1, word) == "illegal_action"
    assert rig.refused(11, LayDown()) == "not_your_turn"
    assert rig.refused(2, LayDown()) == "not_holder"
    assert rig.refusal(LayDown(), HOST, "host").code == "forbidden"
    events = rig.play(1, LayDown(decision=rig.table.decision()))
    assert events[0].data == HandLaidDown(hand="right", points=8, seat=1, source="player")
    assert types(events)[1:3] == ["card.exposed", "card.exposed"]
    assert rig.table.phase == "speak_left"
    assert rig.refused(11, LayDown()) == "illegal_action"


def test_a_forgotten_natural_is_laid_down_in_time() -> None:
    """Time-out gives the answer, and whoever was silent is absent; a host may end the wait (R-36, A-43)."""
    rig = speaking(RIGHT_ABATES, "lay_down")
    laid, *_ = rig.expire()
    assert laid.data == HandLaidDown(hand="right", points=8, seat=1, source="timeout")
    assert rig.table.absent == {1}
    rig = speaking(RIGHT_ABATES, "lay_down")
    laid, *_ = rig.host(cmd.Expire(decision=rig.table.decision()))
    assert (laid.data.source, laid.actor) == ("host", HOST)


def test_with_the_switch_on_nobody_has_to_lay_down() -> None:
    """The croupier does it; saying it at another time is refused like any word (R-36)."""
    rig = speaking(RIGHT_ABATES)
    assert rig.of(HandLaidDown) == [HandLaidDown(hand="right", points=8, seat=1, source="automation")]
    assert rig.refused(1, LayDown()) == "not_your_turn"


def test_nobody_waits_for_a_natural_that_no_person_holds() -> None:
    """The croupier lays his own hand down unasked, and a bot's, even where the switch is off (R-19, R-36)."""
    rig = opened({1: 100, 11: 100}, RIGHT_ABATES, automations=without("lay_down"))
    rig.play(11, stake("right", 10))
    rig.play(1, stake("left", 10))
    rig.close_stakes()
    assert rig.of(HandLaidDown) == [HandLaidDown(hand="right", points=8, seat=0, source="automation")]
    rig = Rig("3A52", automations=without("lay_down"))
    rig.host(cmd.SeatBot(seat=1, policy="steady"), "pid_bot")
    rig.buy_in(1, 100)
    rig.fund()
    rig.send(stake("right", 10), "pid_bot", "bot")
    rig.close_stakes()
    assert rig.of(HandLaidDown) == [HandLaidDown(hand="right", points=8, seat=1, source="automation")]


def test_where_holders_lay_down_a_natural_does_not_show() -> None:
    """Up to the holder's word a natural and a hand that draws look alike to everybody else (S-20 a, R-36)."""
    seen = []
    for right in ("3D5D", "AD2D"):
        rig = opened(
            {1: 100, 2: 100, 11: 100},
            [right[:2], "JH", "AS", right[2:], "2H", "3S", "6C", "5C"],
            automations=without("lay_down"),
        )
        rig.play(1, stake("right", 10))
        rig.play(11, stake("left", 10))
        rig.close_stakes()
        rig.now += STEP_MS
        view = rig.view()
        root = view["shoe"].pop("root").encode()
        log = [stored.replace(root, b"") for stored in rig.stored]
        refusals = [rig.refused(seat, word) for seat in (2, 11) for word in (Draw(), Stand(), LayDown())]
        seen.append((view, log, rig.due(), [rig.options(seat) for seat in (0, 2, 11)], refusals))
    assert seen[0] == seen[1]


def test_whoever_opens_by_hand_has_his_time_from_the_ready_shoe() -> None:
    """The cut of the first shoe is none of it: the deadline behind the call begins when that is over."""
    rig = asked((1,), (11,), automations=[])
    rig.now += 15_000
    commit(rig, 1)
    rig.now += 5_000
    reveal(rig, 1)
    assert rig.table.phase == "preparing"
    assert rig.clock().until == rig.table.at + 15_000
    assert rig.refused(1, stake("right", 1)) == "wrong_phase"
    rig.host(AnnounceBank())
    assert rig.table.phase == "betting"


def test_zero_leaves_the_chores_to_the_host_alone() -> None:
    """Where nobody is hurried the croupier never steps in (design 8)."""
    rig = by_hand("dealing", speak_ms=0)
    rig.now += 10**9
    assert rig.clock().until is None
    assert rig.refusal(cmd.Expire(decision=rig.table.decision())).code == "wrong_phase"
    rig.host(Deal())


def test_calls_end_the_time_for_stakes_at_once() -> None:
    """A host need not wait for the clock: his call is the table's, also over an empty cloth (R-22, R-24)."""
    rig = opened({1: 100})
    rig.host(Call(call="last_call"))
    events = rig.host(Call(call="no_more_bets"))
    assert events[0].data == StakesClosed(source="host", by=HOST)
    assert types(events) == ["stakes.closed", "round.ended"]
    assert rig.refused(1, stake("right", 1)) == "wrong_phase"
    assert pid(1) not in {e.actor for e in events}
    assert not rig.of(HandDrew) + rig.of(HandStood)
