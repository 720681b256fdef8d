"""Bots of the house at a table: their turns, and what the one policy does (design 3, Bots)."""

from dealer.rules.bacara.bots import POLICIES
from dealer.rules.bacara.events import StakePlaced
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.events import RoundEnded
from dealer.rules.frame.game import Due
from tests.table.rig import Rig, opened, stake

COUP = "27KAK65"
"""Right 3 and a five to make 8, left 7, bank 6."""


def with_bots(*seats: int, chips: int = 200) -> Rig:
    """A table in its first betting, with one person and some bots."""
    rig = Rig(COUP)
    rig.sit(1)
    for seat in seats:
        rig.host(cmd.SeatBot(seat=seat, policy="steady"), f"pid_bot_{seat}")
        rig.buy_in(seat, chips)
    rig.fund()
    return rig


def turns(rig: Rig) -> list[Due]:
    """The bots that have something to do."""
    return [d for d in rig.due() if d.kind == "bot"]


def act(rig: Rig) -> None:
    """The first bot whose turn it is decides on what its seat sees, at its time."""
    turn = turns(rig)[0]
    (seat,) = turn.seats
    assert turn.until is not None
    rig.now = max(rig.now, turn.until)
    command = POLICIES["steady"](rig.view(), rig.hand(seat), rig.options(seat))
    assert command is not None
    rig.send(command, rig.table.seats[seat].pid, "bot")


def test_bots_think_one_after_the_other() -> None:
    """Each has a turn of its own in the betting, apart by the thinking time, until it has staked."""
    rig = with_bots(2, 12)
    opened_at, opened_by = rig.table.since, rig.table.opened
    assert turns(rig) == [
        Due(f"bot:2:{opened_by}", "bot", (2,), opened_at + 1_200),
        Due(f"bot:12:{opened_by}", "bot", (12,), opened_at + 2_400),
    ]
    act(rig)
    assert [d.seats for d in turns(rig)] == [(12,)]
    act(rig)
    assert turns(rig) == []
    assert [(s.on, s.seat, s.source) for s in rig.of(StakePlaced)] == [
        ("right", 2, "bot"),
        ("left", 12, "bot"),
    ]


def test_a_bot_without_the_minimum_has_no_turn() -> None:
    """Nobody waits for a bot that cannot stake."""
    assert turns(with_bots(2, chips=0)) == []


def test_a_bot_that_holds_a_hand_keeps_the_tableau() -> None:
    """On its turn it says the one legal word; a person's clock runs beside a bot's thinking (R-37)."""
    rig = with_bots(12)
    rig.play(1, stake("right", 5))
    act(rig)
    rig.close_stakes()
    assert turns(rig) == []
    rig.obey()
    assert [d.kind for d in rig.due() if d.seats == (12,)] == ["timeout", "bot"]
    act(rig)
    assert rig.of(RoundEnded)


def test_stakes_of_a_bot_are_small_and_within_the_limits() -> None:
    """A tenth of the stack at most, and never outside what is offered (R-25)."""
    for chips in (1, 3, 40, 999):
        rig = with_bots(2, chips=chips)
        act(rig)
        (placed,) = rig.of(StakePlaced)
        assert 1 <= placed.amount <= max(1, chips // 10)


def test_a_bot_without_a_bet_to_make_says_nothing() -> None:
    """With nothing to stake, or with no turn, the policy gives no command."""
    rig = opened({1: 5})
    assert POLICIES["steady"](rig.view(), [], []) is None
    rig.play(1, stake("right", 5))
    assert POLICIES["steady"](rig.view(), [], rig.options(1)) is None
