"""The next hand on request (baciga 13): who may ask, and when."""

import pytest

from dealer.rules.baciga.events import BriscasCounted
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.commands import NextRound
from dealer.rules.tricks.commands import Concede
from ops.replay.replay import replay
from tests.baciga.rig import Baciga, started
from tests.table.rig import HOST, pid, types


def _offered(rig: Baciga, seat: int) -> bool:
    return "next_round" in {option.type for option in rig.options(seat)}


def _decisions(rig: Baciga) -> list[str]:
    return [due.decision for due in rig.due()]


@pytest.fixture
def between() -> Baciga:
    """Three play, one of them has conceded; the first hand is over, the others let their time run out."""
    rig = started(players=3, target=100_000)
    assert rig.refused(1, NextRound()) == "wrong_phase"
    assert not _offered(rig, 1)
    rig.play(3, Concede())
    while rig.table.playing:
        rig.expire()
    assert rig.of(BriscasCounted)
    return rig


def test_a_player_asks_for_the_next_hand(between: Baciga) -> None:
    """Section 13: it begins at once, and who asks is there again; a second request comes too late."""
    rig = between
    assert rig.table.absent == {1, 2}
    assert rig.due() == [], "nobody is there, so no hand is due"
    assert rig.refused(1, NextRound(seat=2)) == "forbidden"
    assert (_offered(rig, 1), _offered(rig, 2), _offered(rig, 3)) == (True, True, False)
    begun = rig.play(1, NextRound())
    assert types(begun)[0] == "round.started"
    assert begun[0].actor == pid(1)
    assert rig.table.absent == {2}
    assert rig.refused(2, NextRound()) == "wrong_phase"
    assert replay(rig.stored).table == rig.table


def test_nobody_else_asks(between: Baciga) -> None:
    """13.2, section 13, design 8: not who has conceded or sits nowhere, no bot, nobody after the match."""
    rig = between
    assert rig.refused(3, NextRound()) == "already_conceded"
    assert rig.refusal(NextRound(), "pid_stranger", "player").code == "forbidden"
    assert rig.refusal(NextRound(), pid(1), "bot").code == "forbidden"
    rig.play(1, Concede())
    assert rig.refused(2, NextRound()) == "match_over"
    assert not _offered(rig, 2)


def test_a_host_does_not_ask_in_somebody_s_name(between: Baciga) -> None:
    """Design 8: it is the host's own word, which he is shown once he may give it."""
    rig = between
    rig.play(2, cmd.SetCutWilling(willing=False))
    assert "next_round" in {option.type for option in rig.game.host_options(rig.table)}
    assert types(rig.send(NextRound(), HOST, "host"))[0] == "round.started"


def test_a_host_s_word_is_enough(between: Baciga) -> None:
    """Section 13, docs/baciga.md: a host may have the next hand begin while nobody is there."""
    rig = between
    assert "next_round" in {option.type for option in rig.game.host_options(rig.table)}
    assert types(rig.send(NextRound(), HOST, "host"))[0] == "round.started"
    assert replay(rig.stored).table == rig.table


def test_bots_finish_what_somebody_has_given_up() -> None:
    """13.2: of three the other two play on; two bots do as long as whoever has conceded is at the table."""
    rig = Baciga(players=3, target=100_000, first_dealer=1)
    for seat in (2, 3):
        rig.host(cmd.SeatBot(seat=seat, policy="steady"), f"pid_{seat}")
    rig.sit(1)
    rig.play(1, Concede())
    while rig.table.playing:
        rig.expire()
    assert _decisions(rig) == [rig.table.decision()], "the next hand comes by itself"
    rig.play(1, cmd.Leave())
    assert rig.table.decision() not in _decisions(rig), "nobody is there, so it waits for a host's word"
