"""What would be a defect of ours is an error, never a state (design 3, 7, rule R-00)."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dealer.rules.bacara.state import play_of
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.chips import check_total, grouped, moved
from dealer.rules.frame.commands import MAX_CHIPS
from dealer.rules.frame.event import Event, encode
from dealer.rules.frame.events import CardDealt, ChipsRejected, Move, RoundEnded
from dealer.rules.frame.game import Act
from dealer.rules.frame.refusal import ChipsBroken, Refusal
from dealer.table.aggregate import Outcome, codec, due, handle
from dealer.table.evolve import evolve
from dealer.table.view import options
from tests.table.rig import LOG, Rig, opened, pid, stake

PLACES = ("stack:1", "stack:2", "bank", "cage")
MOVES = st.builds(Move, st.integers(1, 50), st.sampled_from(PLACES), st.sampled_from(PLACES))


@given(st.lists(MOVES, max_size=12))
def test_chips_move_or_the_move_breaks(moves: list[Move]) -> None:
    """Whatever is moved, the sum stays and only the cage owes; a move that would break that raises (R-00)."""
    chips: dict[str, int] = {}
    for move in moves:
        try:
            after = moved(chips, [move])
        except ChipsBroken:
            nowhere = move.origin == move.to
            assert nowhere or (move.origin != "cage" and chips.get(move.origin, 0) < move.amount)
            continue
        assert sum(after.values()) == 0
        assert check_total(after) == -after.get("cage", 0)
        assert all(n > 0 for place, n in after.items() if place != "cage")
        chips = after


@pytest.mark.parametrize("amount", [0, -1, MAX_CHIPS + 1])
def test_a_move_is_a_positive_number_of_chips(amount: int) -> None:
    """Nothing, less than nothing, and more than can be counted exactly are no moves (R-00)."""
    with pytest.raises(ChipsBroken):
        moved({}, [Move(amount, "cage", "bank")])


def test_chips_that_do_not_add_up_stop_the_table() -> None:
    """A place that came from nowhere, or a wrong sum on paper, is found at the end of a round (R-00)."""
    rig = opened({1: 100})
    with pytest.raises(ChipsBroken):
        check_total({**rig.table.chips, "garage": 1})
    data = RoundEnded(1)
    with pytest.raises(ChipsBroken):
        evolve(rig.game, rig.table, Event("croupier", rig.now, data, LOG, 1, rig.table.seq + 1, data.TYPE, 1))


@given(st.lists(st.integers(0, 3), max_size=450))
def test_moves_of_one_cause_are_grouped(amounts: list[int]) -> None:
    """All moves but empty ones, in order, at most 200 an event; no moves, no event (design 4)."""
    moves = [Move(n, "cage", "bank") for n in amounts]
    events = grouped("buy_in", moves)
    assert [move for event in events for move in event.moves] == [move for move in moves if move.amount]
    assert all(0 < len(event.moves) <= 200 for event in events)


def test_a_card_without_a_shoe_is_an_error() -> None:
    """A log that deals from nothing is not a table's."""
    rig = Rig()
    data = CardDealt(0, 1, "right")
    with pytest.raises(ValueError, match="not there"):
        evolve(rig.game, rig.table, Event("croupier", rig.now, data, LOG, 0, rig.table.seq + 1, data.TYPE, 1))


def test_an_event_of_an_unknown_type_is_not_read() -> None:
    """Better no state than one that overlooks an event (design 3)."""
    rig = Rig()
    unknown = encode(rig.events[0]).replace(b'"type":"table.opened"', b'"type":"table.renamed"')
    with pytest.raises(msgspec.ValidationError, match=r"table\.renamed"):
        codec(rig.game).decode(unknown)


def test_a_closed_table_only_settles_with_the_cage() -> None:
    """Every move is `table_closed`; holds are rejected for that reason, cash-outs still leave (design 7)."""
    rig = opened({1: 100})
    rig.play(1, cmd.CashOut())
    closed = replace(rig.table, status="closed")
    (waiting,) = due(rig.game, closed)
    assert waiting.decision.startswith("transit:")
    assert options(rig.game, closed, rig.chance, 1) == []

    def answer(command: cmd.Command | cmd.Internal) -> Outcome | Refusal:
        return handle(rig.game, closed, rig.chance, Act(command, pid(1), "player", pid(1), 1, rig.now))

    for move in (stake("right", 1), cmd.Leave(), cmd.Expire(decision=rig.table.decision())):
        assert answer(move) == Refusal("table_closed")
    x = rig.hold()
    late = answer(cmd.Receive(5, "stack:1", pid(1), x))
    assert isinstance(late, Outcome)
    assert [event.data for event in late.events] == [ChipsRejected("table_closed", x)]
    assert isinstance(answer(cmd.CashedOut(waiting.decision)), Outcome)


def test_a_banker_does_not_stake() -> None:
    """Whoever banks has every stake against him and makes none (R-15)."""
    rig = opened({1: 100, 2: 100})
    banking = replace(rig.table, play=replace(play_of(rig.table), banker=1))
    act = Act(stake("right", 5), pid(1), "player", pid(1), 1, rig.now)
    assert handle(rig.game, banking, rig.chance, act) == Refusal("banker_may_not_stake")
    assert "stake" not in {o.type for o in options(rig.game, banking, rig.chance, 1)}
