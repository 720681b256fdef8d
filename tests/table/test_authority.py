"""Who may send what (design 8)."""

import pytest

from dealer.rules.bacara.commands import Draw, NextRound, Stand
from dealer.rules.bacara.events import HandDrew, HandStood, StakePlaced
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.events import ChipsBoughtIn, SeatTaken
from tests.table.rig import HOST, Rig, opened, pid, stake, types, unstake

NOBODY_ABATES = "27KAK65"
"""Right 3 and then a five, left 7, bank 6."""


def at_the_right_mano() -> Rig:
    """A coup in which seat 1 is to speak with a three, and seat 11 after it with a seven."""
    rig = opened({1: 100, 2: 100, 11: 100}, NOBODY_ABATES)
    for seat, on in ((1, "right"), (2, "right"), (11, "left")):
        rig.play(seat, stake(on, 10))
    rig.close_stakes()
    assert (rig.table.phase, rig.clock().seats) == ("speak_right", (1,))
    return rig


@pytest.mark.parametrize("command", [stake("right", 5), unstake("right", 5), cmd.Leave(), cmd.CashOut()])
def test_a_player_acts_for_nobody_else(command: cmd.Command) -> None:
    """A foreign seat is forbidden, whoever sits there or nobody; naming the own seat is harmless."""
    rig = opened({1: 100, 2: 100})
    for foreign in (2, 3):
        named = type(command)(
            **{f: getattr(command, f) for f in command.__struct_fields__} | {"seat": foreign}
        )
        assert rig.refused(1, named) == "forbidden"
    assert types(rig.play(1, cmd.CashOut(seat=1))) == ["chips.moved"]


@pytest.mark.parametrize("role", ["player", "bot"])
def test_what_is_a_hosts_is_nobody_elses(role: str) -> None:
    """Bots, the next coup and somebody's time are in a host's hand alone."""
    rig = opened({1: 100})
    for command in (
        cmd.SeatBot(seat=2, policy="steady"),
        NextRound(),
        cmd.Expire(decision=rig.table.decision()),
    ):
        sent = rig.refusal(command, pid(1), "player" if role == "player" else "bot")
        assert sent.code == "forbidden"


def test_who_has_no_place_has_no_say() -> None:
    """Without a seat, and for an empty seat, there is nothing to play with: `not_seated`."""
    rig = opened({1: 100})
    assert rig.refusal(stake("right", 5), "pid_stranger", "player").code == "not_seated"
    assert rig.refusal(stake("right", 5), HOST, "host").code == "not_seated"
    elsewhere = cmd.Leave(seat=3)
    assert rig.refusal(elsewhere, HOST, "host").code == "not_seated"


def test_a_host_acts_for_a_seat_and_is_named() -> None:
    """What a host does for a seat says so: `source` is `host`, `by` is he, and he is the actor."""
    rig = opened({1: 100})
    command = stake("left", 5)
    (placed, moved) = rig.host(type(command)(on=command.on, amount=command.amount, seat=1))
    assert placed.actor == moved.actor == HOST
    assert placed.data == StakePlaced(amount=5, by=HOST, on="left", seat=1, source="host", total=5)
    assert rig.table.stack(1) == 95


def test_a_host_seats_a_person_he_names() -> None:
    """A host seats others: the seat is the other's, the act is his."""
    rig = opened({1: 100})
    (taken,) = rig.host(cmd.Sit(seat=3), "pid_guest")
    assert taken.data == SeatTaken(pid="pid_guest", seat=3, source="host", by=HOST)
    assert rig.refusal(cmd.Sit(seat=4), "pid_guest", "player").code == "already_seated"


def test_a_host_never_says_a_word_for_a_hand() -> None:
    """Trying moves would tell the cards: `draw` and `stand` are forbidden to a host, legal or not."""
    rig = at_the_right_mano()
    for word in (Draw, Stand):
        for seat in (1, 2, 11):
            assert rig.refusal(word(seat=seat), HOST, "host").code == "forbidden"


def test_a_host_ends_the_time_of_a_silent_seat() -> None:
    """Before its time is up a host may have the tableau play a silent hand; the event names him (R-37)."""
    rig = at_the_right_mano()
    drew, *_ = rig.host(cmd.Expire(decision=rig.table.decision()))
    assert drew.data == HandDrew(hand="right", seat=1, source="host", by=HOST)
    stood, *_ = rig.host(cmd.Expire(decision=rig.table.decision()))
    assert stood.data == HandStood(hand="left", seat=11, source="host", by=HOST)
    assert not rig.table.absent


def test_only_the_last_sequence_number_satisfies_a_precondition() -> None:
    """A host's `if_seq` holds or the act is refused with where the log is; nobody else has preconditions."""
    rig = opened({1: 100})
    seq = rig.table.seq
    for stale in (seq - 1, seq + 1):
        refused = rig.refusal(cmd.SeatBot(seat=2, policy="steady", if_seq=stale), HOST, "host")
        assert (refused.code, refused.params) == ("version_conflict", {"seq": seq})
    rig.host(cmd.SeatBot(seat=2, policy="steady", if_seq=seq), "pid_bot")
    own = cmd.CashOut(if_seq=rig.table.seq)
    assert rig.refused(1, own) == "forbidden"


def test_the_croupier_is_the_actor_of_what_follows_unasked() -> None:
    """The sender is the actor of his own events; what follows them unasked is the croupier's."""
    rig = Rig()
    rig.sit(1, 0)
    bought, fact = rig.send(cmd.Receive(50, "stack:1", pid(1), rig.hold()), pid(1), "player")
    assert bought.actor == fact.actor == pid(1)
    assert isinstance(fact.data, ChipsBoughtIn)
    rig.fund()
    rig.play(1, stake("right", 5))
    rig.expire()
    closed, *rest = rig.host(cmd.Expire(decision=rig.table.decision()))
    assert (closed.type, closed.actor) == ("stakes.closed", HOST)
    assert {event.actor for event in rest} == {"croupier"}


def test_a_mano_speaks_for_his_own_hand_in_turn() -> None:
    """Without cards one is `not_holder`, out of turn `not_your_turn`, the rest is the rule (R-18, R-43)."""
    rig = at_the_right_mano()
    assert rig.refused(2, Draw()) == "not_holder"
    assert rig.refused(11, Stand()) == "not_your_turn"
    assert rig.refused(1, Stand()) == "illegal_action"
    rig.play(1, Draw())
    assert rig.refused(1, Draw()) == "not_your_turn"
    assert rig.refused(11, Draw()) == "illegal_action"
    rig.play(11, Stand())
    assert rig.refused(11, Stand()) == "wrong_phase"
