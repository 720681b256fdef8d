"""Pausing, going on, and closing for good (design 7; fairness 1.7, decision 11)."""

import pytest

from dealer.cage.ledger import HOUSE, Cage, Hold, OpenAccount, Post, Return, Transfer, split_return
from dealer.cage.ledger import handle as keep
from dealer.rules.bacara.commands import Call, Deal, Draw, NextRound
from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame.event import Event
from dealer.table.authority import Role
from tests.table.cut import asked, commit, reveal
from tests.table.rig import (
    BY_HAND,
    COUP,
    HOST,
    LOG,
    OTHER_HOST,
    STEP_MS,
    Rig,
    by_hand,
    opened,
    pid,
    seeds,
    stake,
    types,
    unstake,
)

PUSH = "JA86A84"
"""Right 6, left 2 and a four to make 6, bank 6: a push on both."""


def left(rig: Rig) -> int:
    """How long the decision now open still has."""
    until = rig.clock().until
    assert until is not None
    return until - rig.table.at


def posted(rig: Rig) -> list[Event]:
    """The cage posts whatever waits, in the order in which it is due."""
    events: list[Event] = []
    while waiting := [d.decision for d in rig.due() if d.decision.startswith("transit:")]:
        events = rig.send(cmd.CashedOut(waiting[0]))
    return events


def home(rig: Rig) -> dict[str, int]:
    """Chips on their way to the cage, by owner."""
    found: dict[str, int] = {}
    for place, amount in rig.table.chips.items():
        if place.startswith("transit:"):
            owner = place.split(":")[1]
            found[owner] = found.get(owner, 0) + amount
    return found


def codes(rig: Rig, sender: str, *moves: cmd.Command) -> set[str]:
    """How these moves of a host, or else a player, are refused."""
    role: Role = "host" if sender == HOST else "player"
    return {rig.refusal(move, sender, role).code for move in moves}


@pytest.mark.parametrize("phase", BY_HAND)
def test_a_pause_takes_no_time_from_anybody(phase: str) -> None:
    """In every phase nothing is due while the clocks stand; then the decision has what it had (design 7)."""
    rig = by_hand(phase)
    rig.now += 700
    asked_before = rig.clock()
    (paused,) = rig.host(cmd.Pause())
    assert paused.data == ev.TablePaused(by=HOST, reason="host", source="host")
    had = (asked_before.until or 0) - paused.at
    rig.now += 1_000_000
    assert rig.due() == []
    assert rig.view()["status"] == "paused"
    resumed, moved = rig.host(cmd.Resume())
    assert resumed.data == ev.TableResumed(by=HOST, source="host")
    assert moved.data == ev.DeadlineMoved(decision=asked_before.decision, until=resumed.at + had)
    assert left(rig) == had
    rig.now += had - 2 * STEP_MS
    assert rig.refusal(cmd.Expire(decision=asked_before.decision)).code == "wrong_phase"
    rig.expire()
    assert rig.table.phase != phase


def test_a_second_pause_counts_like_the_first() -> None:
    """However often the clocks stop, a decision runs for its own time and no longer."""
    rig = by_hand("speak_right")
    had = left(rig)
    for _ in range(3):
        before = rig.table.at
        rig.host(cmd.Pause())
        had -= rig.table.at - before
        rig.now += 60_000
        rig.host(cmd.Resume())
        assert left(rig) == had


def test_a_decision_that_comes_during_a_pause_has_all_its_time() -> None:
    """Voided while paused, the table waits between coups as long as ever once it goes on (design 7)."""
    rig = by_hand("speak_right", between_rounds_ms=6_000)
    rig.host(cmd.Pause())
    rig.now += 30_000
    rig.host(cmd.ProposeCorrection(kind="void_round"))
    rig.send(cmd.ApproveCorrection(), OTHER_HOST, "host")
    assert (rig.table.status, rig.table.phase) == ("paused", "between_rounds")
    rig.now += 30_000
    rig.host(cmd.Resume())
    assert left(rig) == 6_000


def test_a_clock_that_goes_back_takes_no_time() -> None:
    """A resume that arrives with an older time than the pause is written at that one, and moves nothing."""
    rig = by_hand("speak_right")
    rig.host(cmd.Pause())
    until = rig.table.since + 15_000
    rig.now -= 5_000
    assert types(rig.host(cmd.Resume())) == ["table.resumed"]
    assert rig.clock().until == until


def test_a_betting_clock_that_was_moved_still_stands_without_stakes() -> None:
    """When the last stake is taken back no time runs; the next stake has the whole time (design 8)."""
    rig = opened({1: 100})
    rig.play(1, stake("right", 5))
    rig.host(cmd.Pause())
    rig.now += 90_000
    rig.host(cmd.Resume())
    assert left(rig) == 20_000 - STEP_MS
    rig.play(1, unstake("right", 5))
    assert rig.clock().until is None
    rig.now += 90_000
    rig.play(1, stake("right", 5))
    assert left(rig) == 20_000


def test_bots_keep_still_while_a_table_is_paused() -> None:
    """A bot's turn is due no earlier after the pause than it was before it (design 3, 7)."""
    rig = Rig(COUP)
    for seat in (2, 12):
        rig.host(cmd.SeatBot(seat=seat, policy="steady"), f"pid_bot_{seat}")
        rig.buy_in(seat, 200)
    rig.fund()
    turns = {d.decision: (d.until or 0) - rig.table.at - STEP_MS for d in rig.due() if d.kind == "bot"}
    assert len(turns) == 2
    rig.host(cmd.Pause())
    rig.now += 60_000
    assert rig.due() == []
    rig.host(cmd.Resume())
    assert {d.decision: (d.until or 0) - rig.table.at for d in rig.due() if d.kind == "bot"} == turns


def test_a_paused_table_takes_no_move() -> None:
    """Nothing is decided until somebody resumes: `table_paused` to players and hosts alike (glossary 6)."""
    rig = by_hand("speak_right")
    rig.sit(2)
    asked_before = rig.table.decision()
    rig.host(cmd.Pause())
    words = (Draw(), Draw(decision=asked_before), stake("right", 5), cmd.SetCutWilling(willing=True))
    assert codes(rig, pid(1), *words) == {"table_paused"}
    assert codes(rig, "pid_new", cmd.Sit(seat=3), cmd.Join()) == {"table_paused"}
    acts = (
        cmd.Pause(),
        cmd.SeatBot(seat=3, policy="steady"),
        cmd.Expire(decision=asked_before),
        Deal(),
        Call(call="place_bets"),
        NextRound(),
    )
    assert codes(rig, HOST, *acts) == {"table_paused"}
    assert rig.refusal(cmd.Expire(decision=asked_before)).code == "table_paused"


def test_who_has_nothing_in_play_may_go_while_paused() -> None:
    """Chips go home during a pause; a stake in play stays, and what is offered is just that (design 7)."""
    rig = by_hand("speak_right")
    rig.sit(2)
    rig.host(cmd.Pause())
    assert [[o.type for o in rig.options(seat)] for seat in (0, 1, 2)] == [
        [],
        ["cash_out"],
        ["cash_out", "leave"],
    ]
    assert rig.refused(1, cmd.Leave()) == "wrong_phase"
    rig.play(1, cmd.CashOut())
    rig.play(2, cmd.Leave())
    assert home(rig) == {pid(1): 90, pid(2): 1_000}
    assert [d.kind for d in rig.due()] == ["chore", "chore"]
    posted(rig)
    rig.host(cmd.Resume())
    assert (rig.table.stack(1), set(rig.table.seats)) == (0, {1, 11})


def test_chips_do_not_come_to_a_paused_table() -> None:
    """A hold that arrives meanwhile is rejected once and for all, the house's bank too (design 7)."""
    rig = Rig()
    rig.sit(1)
    bank = cmd.Receive(rig.game.house_bank(rig.table), "bank", "house", rig.hold())
    rig.host(cmd.Pause())
    (rejected,) = rig.buy_in(1, 50)
    assert rejected.data.reason == "table_paused"
    assert types(rig.send(bank)) == ["chips.rejected"]
    assert types(rig.send(cmd.Resolve(rig.hold()))) == ["chips.rejected"]
    rig.host(cmd.Resume())
    assert rig.refusal(bank).params == {"taken": False}
    assert rig.table.stack(1) == 1_000
    rig.fund()


def test_only_a_host_stops_the_clocks_and_only_once() -> None:
    """Players may not; what runs cannot be resumed, what stands cannot be paused."""
    rig = by_hand("betting")
    for command in (cmd.Pause(), cmd.Resume(), cmd.CloseTable()):
        assert rig.refused(1, command) == "forbidden"
    assert rig.refusal(cmd.Resume(), HOST, "host").code == "wrong_phase"
    rig.host(cmd.Pause())
    assert rig.refusal(cmd.Pause(), HOST, "host").code == "table_paused"


def check_closed(rig: Rig) -> None:
    """Nothing is left of a closed table but its log."""
    table = rig.table
    assert (table.status, table.chips, table.commitments, table.shoe, table.cut) == (
        "closed",
        {},
        {},
        None,
        None,
    )
    assert rig.events[-1].data == ev.TableClosed()
    assert set(rig.secrets) == set(range(1, 33))
    assert set(rig.secrets.values()) == {None}
    assert rig.due() == []
    seen = rig.view()
    assert (seen["status"], seen["due"], seen["stakes"], seen["bank"]) == ("closed", [], [], 0)
    assert (seen["phase"], seen["bank_mode"]) == ("no_bank", "")
    assert [rig.options(seat) for seat in (0, *table.seats)] == [[]] * (1 + len(table.seats))


@pytest.mark.parametrize("phase", BY_HAND)
def test_a_table_closes_after_its_round(phase: str) -> None:
    """The round is played to its end by its own clocks; then all chips go home (design 7)."""
    rig = by_hand(phase)
    (closing, *_) = rig.host(cmd.CloseTable())
    assert closing.data == ev.TableClosing(by=HOST, now=False, source="host")
    assert rig.table.playing is (phase not in {"preparing", "between_rounds"})
    while rig.table.playing:
        rig.expire()
    won = 0 if phase == "preparing" else 10
    assert home(rig) == {pid(1): 100 + won, pid(11): 100 + won, HOUSE: 10_000 - 2 * won}
    assert rig.table.status == "closing"
    assert not rig.of(ev.RoundVoided)
    assert types(posted(rig))[-1] == "table.closed"
    assert rig.of(ev.SeedRevealed) == [
        ev.SeedRevealed(faces=tuple(COUP), seed=seeds(1, 1)[0].hex(), shuffle=1)
    ]
    check_closed(rig)


@pytest.mark.parametrize("phase", BY_HAND)
def test_a_table_closes_at_once(phase: str) -> None:
    """`now` strikes the round out: every stake returns, and all that is at the table goes home (design 7)."""
    rig = by_hand(phase)
    playing = rig.table.playing
    events = rig.host(cmd.CloseTable(now=True))
    assert events[0].data == ev.TableClosing(by=HOST, now=True, source="host")
    assert rig.of(ev.RoundVoided) == ([ev.RoundVoided(approvals=(), reason="closed")] if playing else [])
    won = 10 if phase == "between_rounds" else 0
    assert home(rig) == {pid(1): 100 + won, pid(11): 100 + won, HOUSE: 10_000 - 2 * won}
    posted(rig)
    check_closed(rig)


def test_a_round_that_nobody_plays_is_not_waited_for() -> None:
    """An idle table rests in `betting` without a clock; it ends at once, as does an empty one (R-24)."""
    rig = opened({1: 100})
    assert types(rig.host(cmd.CloseTable())) == [
        "table.closing",
        "round.ended",
        "shoe.closed",
        "seed.revealed",
        "chips.moved",
    ]
    posted(rig)
    check_closed(rig)
    empty = Rig()
    assert types(empty.host(cmd.CloseTable())) == ["table.closing", "table.closed"]
    check_closed(empty)


def test_the_last_stake_taken_back_ends_the_last_round() -> None:
    """While the table closes stakes may still be withdrawn; without any the round is over (R-24)."""
    rig = opened({1: 100})
    rig.play(1, stake("right", 10))
    rig.host(cmd.CloseTable())
    assert rig.table.phase == "betting"
    rig.play(1, stake("left", 5))
    rig.play(1, unstake("right", 10))
    assert rig.table.playing
    rig.play(1, unstake("left", 5))
    assert not rig.table.playing
    posted(rig)
    check_closed(rig)


def test_the_last_round_is_offered_and_played_as_ever() -> None:
    """Bots and people have their legal words till the end, newcomers have none (design 3)."""
    rig = opened({1: 100, 11: 100}, COUP)
    rig.play(1, stake("right", 10))
    rig.host(cmd.SeatBot(seat=12, policy="steady"), "pid_12")
    rig.buy_in(12, 50)
    rig.host(cmd.CloseTable())
    assert rig.options(0) == []
    assert [o.type for o in rig.options(11)] == ["stake", "stake", "cash_out", "leave"]
    (turn,) = [d for d in rig.due() if d.kind == "bot"]
    assert turn.seats == (12,)
    command = rig.game.policies["steady"](rig.view(), rig.hand(12), rig.options(12))
    assert command is not None
    rig.send(command, "pid_12", "bot")
    rig.close_stakes()
    assert rig.words(1) == ["draw"]
    while rig.table.playing:
        rig.expire()
    posted(rig)
    check_closed(rig)


def test_a_stake_left_from_a_push_goes_home() -> None:
    """Between coups a nula lies on the cloth; closing sends it to whom it belongs (R-45)."""
    rig = opened({1: 100, 11: 100}, PUSH)
    rig.coup((1, "right", 10), (11, "left", 20))
    assert (rig.table.chips["stake:right:1"], rig.table.chips["stake:left:11"]) == (10, 20)
    rig.host(cmd.CloseTable())
    assert home(rig) == {pid(1): 100, pid(11): 100, HOUSE: 10_000}
    assert rig.view()["stakes"] == []
    posted(rig)
    check_closed(rig)


def test_the_cage_takes_all_that_goes_home_in_the_order_it_is_due() -> None:
    """All owners of one closing share a number: due by (number, owner), each is posted once (design 7)."""
    rig = Rig()
    book = Cage(log="test/c/main")

    def tell(command: OpenAccount | Transfer | Hold | Post | Return) -> str:
        nonlocal book
        answer = keep(book, command, "croupier", rig.now)
        if not isinstance(answer, tuple):
            return answer.code
        book = answer[1]
        return "accepted"

    people = {pid(seat): 10 * seat for seat in (1, 2, 3, 11, 12)}
    for seat, (owner, chips) in zip((1, 2, 3, 11, 12), people.items(), strict=True):
        rig.sit(seat, chips)
        tell(OpenAccount(owner))
        tell(Transfer(chips, HOUSE, owner, f"tr_{seat}"))
    rig.fund()
    for bought in rig.of(ev.ChipsBoughtIn):
        seat = bought.place.removeprefix("stack:")
        payer = HOUSE if seat == "bank" else f"pid_{seat}"
        assert tell(Hold(bought.amount, payer, LOG, bought.x)) == "accepted"
        assert tell(Post(bought.x)) == "accepted"
    rig.host(cmd.CloseTable())
    due = [d.decision for d in rig.due()]
    assert due == sorted(due, key=split_return)
    assert len({split_return(place)[0] for place in due}) == 1
    for place in due:
        n, owner = split_return(place)
        back = Return(rig.table.chips[place], n, LOG, owner, owner, place)
        assert tell(back) == "accepted"
        assert tell(back) == "decision_over"
        rig.send(cmd.CashedOut(place))
    assert book.balances == {**people, HOUSE: -sum(people.values()), "transit": 0, LOG: 0}
    check_closed(rig)


def test_a_full_table_closes_in_few_events() -> None:
    """Everybody's way home is one cause: 200 moves an event, however many people stand (design 4)."""
    rig = Rig()
    rig.sit(1, 10)
    for number in range(1001, 1251):
        rig.send(cmd.Join(), pid(number), "player")
        rig.buy_in(number, 1)
    rig.fund()
    moved = [e.data for e in rig.host(cmd.CloseTable()) if e.type == "chips.moved"]
    assert [len(each.moves) for each in moved] == [200, 52]
    assert {each.cause for each in moved} == {"cash_out"}
    assert len(home(rig)) == 252


def test_a_closing_table_takes_nobody_new() -> None:
    """No seat, no chips, no pause, no second closing; `now` may still come after the other (design 7)."""
    rig = by_hand("speak_right")
    rig.host(cmd.CloseTable())
    assert codes(rig, "pid_new", cmd.Sit(seat=3), cmd.Join()) == {"table_closed"}
    acts = (cmd.SeatBot(seat=3, policy="steady"), cmd.Pause(), cmd.CloseTable())
    assert codes(rig, HOST, *acts) == {"table_closed"}
    (rejected,) = rig.buy_in(1, 5)
    assert rejected.data.reason == "table_closed"
    need = cmd.CommitSeeds("seeds:33", seeds(33, 32))
    assert rig.refusal(need).code == "table_closed"
    assert rig.refused(1, cmd.Leave()) == "wrong_phase"
    rig.host(cmd.CloseTable(now=True))
    assert rig.refusal(cmd.CloseTable(now=True), HOST, "host").code == "table_closed"
    posted(rig)
    check_closed(rig)


def test_a_paused_round_is_played_out_in_the_time_it_had() -> None:
    """Closing ends the pause; no decision loses by it, and no newcomer gets in (design 7)."""
    rig = by_hand("speak_right")
    had = left(rig) - STEP_MS
    rig.host(cmd.Pause())
    rig.now += 400_000
    assert types(rig.host(cmd.CloseTable())) == ["table.closing", "deadline.moved"]
    assert left(rig) == had
    while rig.table.playing:
        rig.expire()
    posted(rig)
    check_closed(rig)


@pytest.mark.parametrize("phase", ["betting", "settling", "between_rounds"])
def test_a_paused_table_closes_at_once(phase: str) -> None:
    """One person may close what is paused: nobody's chips are kept by it (design 7)."""
    rig = by_hand(phase)
    rig.host(cmd.Pause())
    rig.host(cmd.CloseTable(now=True))
    posted(rig)
    check_closed(rig)


@pytest.mark.parametrize("revealing", [False, True])
def test_an_open_cut_is_given_up_in_public(revealing: bool) -> None:
    """Closing opens the seed of an attempt that people have answered (fairness 1.7)."""
    rig = asked((1, 11))
    commit(rig, 1)
    if revealing:
        commit(rig, 11)
        reveal(rig, 1)
    events = rig.host(cmd.CloseTable())
    assert types(events) == ["table.closing", "corte.aborted", "chips.moved"]
    assert events[1].data == ev.CorteAborted((11,) if revealing else (), seeds(1, 1)[0].hex(), 1)
    posted(rig)
    check_closed(rig)
    assert len(rig.of(ev.CorteAborted)) == 1


def test_a_closed_table_takes_nothing() -> None:
    """Every command is `table_closed`; a late hold is rejected for it, and no seed is drawn (design 7)."""
    rig = opened({1: 100})
    rig.host(cmd.CloseTable())
    waiting = [d.decision for d in rig.due()]
    posted(rig)
    words = (stake("right", 1), cmd.Leave(), cmd.CashOut(), cmd.SetCutWilling(willing=True))
    assert codes(rig, pid(1), *words) == {"table_closed"}
    assert codes(rig, "pid_new", cmd.Sit(seat=3), cmd.Join()) == {"table_closed"}
    acts = (
        cmd.Pause(),
        cmd.Resume(),
        cmd.CloseTable(),
        cmd.CloseTable(now=True),
        cmd.ProposeCorrection(kind="void_shoe"),
        cmd.ApproveCorrection(),
        cmd.RejectCorrection(),
        cmd.Expire(decision=rig.table.decision()),
        NextRound(),
        Deal(),
    )
    assert codes(rig, HOST, *acts) == {"table_closed"}
    assert rig.refusal(cmd.CommitSeeds("seeds:2", seeds(2, 32))).code == "table_closed"
    assert rig.refusal(cmd.MoveDeadlines(((1, 2),))).code == "decision_over"
    assert {rig.refusal(cmd.CashedOut(place)).code for place in waiting} == {"decision_over"}
    check_closed(rig)
    (rejected,) = rig.buy_in(1, 5)
    assert rejected.data.reason == "table_closed"
    assert types(rig.send(cmd.Resolve(rig.hold()))) == ["chips.rejected"]
    assert rig.table.chips == {}


def test_seeds_of_a_later_batch_go_too() -> None:
    """Whatever was committed and never used is deleted when the table closes (fairness, decision 11)."""
    rig = Rig(batch=1)
    rig.sit(1)
    rig.fund()
    rig.send(cmd.CommitSeeds("seeds:2", seeds(2, 32)))
    rig.host(cmd.CloseTable())
    posted(rig)
    assert rig.secrets == dict.fromkeys(range(1, 34))
    assert [d.shuffle for d in rig.of(ev.SeedRevealed)] == [1]
