"""Sitting down, standing by, getting up (R-12, R-13, design 3)."""

from msgspec.structs import replace

from dealer.rules.bacara.commands import Draw, Stand
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.events import PersonJoined, PersonLeft, SeatLeft, SeatTaken
from dealer.rules.frame.game import Act
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Seat
from dealer.table.aggregate import handle
from dealer.table.seats import MAX_STANDING
from tests.table.rig import HOST, Rig, opened, pid, stake, types


def test_the_seats_are_numbered_as_on_the_wire() -> None:
    """Right paño from 1, left from 11, as many as the option says; every other number is no seat (R-12)."""
    rig = Rig(seats_per_pano=2)
    for seat in (1, 2, 11, 12):
        (taken,) = rig.play(seat, cmd.Sit(seat=seat))
        assert taken.data == SeatTaken(pid=pid(seat), seat=seat, source="player")
    for nowhere in (3, 8, 10, 13, 101, 1001):
        assert rig.refusal(cmd.Sit(seat=nowhere), "pid_other", "player").code == "no_such_seat"
    assert rig.refusal(cmd.Sit(), "pid_other", "player").code == "no_such_seat"


def test_a_seat_is_one_persons_and_a_person_has_one() -> None:
    """A taken seat is refused to others, a second place to its holder, seated or standing."""
    rig = Rig()
    rig.sit(1)
    rig.sit(1001)
    assert rig.refusal(cmd.Sit(seat=1), "pid_other", "player").code == "seat_taken"
    for seat in (1, 1001):
        assert rig.refused(seat, cmd.Sit(seat=2)) == "already_seated"
        assert rig.refused(seat, cmd.Join()) == "already_seated"


def test_standing_players_are_numbered_in_order_of_arrival() -> None:
    """They get the lowest free number from 1001 on, and no seat (R-13)."""
    rig = Rig()
    for seat in (1001, 1002, 1003):
        (joined,) = rig.play(seat, cmd.Join())
        assert joined.data == PersonJoined(pid=pid(seat), seat=seat, source="player")
    (left,) = rig.play(1002, cmd.Leave())
    assert left.data == PersonLeft(seat=1002, source="player")
    (joined,) = rig.send(cmd.Join(), "pid_late", "player")
    assert joined.data.seat == 1002


def test_standing_room_is_limited() -> None:
    """The last number of the standing is the last; one more is refused, not an error."""
    rig = Rig()
    crowd = {1000 + n: Seat(f"pid_{n}", "", 0) for n in range(1, MAX_STANDING + 1)}
    act = Act(cmd.Join(), "pid_one_more", "player", "pid_one_more", 0, rig.now)
    full = handle(rig.game, replace(rig.table, seats=crowd), rig.chance, act)
    assert full == Refusal("seat_taken", {"seat": 2000})
    room = {n: seat for n, seat in crowd.items() if n != 1777}
    found = handle(rig.game, replace(rig.table, seats=room), rig.chance, act)
    assert not isinstance(found, Refusal)
    assert found.events[0].data.seat == 1777


def test_who_has_a_stake_in_play_stays() -> None:
    """Getting up is refused from the first chip on the cloth to the end of the coup, and then it is not."""
    rig = opened({1: 100, 2: 100, 11: 100}, "27KAK65")
    rig.play(1, stake("right", 10))
    rig.play(11, stake("left", 10))
    assert rig.refused(1, cmd.Leave()) == "wrong_phase"
    assert types(rig.play(2, cmd.Leave())) == ["chips.moved", "seat.left"]
    rig.close_stakes()
    rig.play(1, Draw())
    assert rig.refused(1, cmd.Leave()) == "wrong_phase"
    rig.play(11, Stand())
    moved, left = rig.play(1, cmd.Leave())
    assert left.data == SeatLeft(seat=1, source="player")
    assert sum(move.amount for move in moved.data.moves) == 110
    assert 1 not in rig.table.seats
    rig.send(cmd.Sit(seat=1), "pid_next", "player")


def test_whose_stake_is_not_covered_may_go_at_once() -> None:
    """What the bank does not answer for returns at «no va más», and its owner is free (R-30)."""
    rig = opened({1: 100, 2: 100}, "26KA", house_bank=50)
    rig.play(1, stake("right", 50))
    rig.play(2, stake("right", 30))
    rig.close_stakes()
    assert rig.table.playing
    assert rig.total(2) == 100
    rig.play(2, cmd.Leave())
    rig.expire_until("between_rounds")


def test_a_bot_of_the_house_sits_like_anybody() -> None:
    """Its seat says whose it is and how it plays; an unknown policy or a taken seat is refused."""
    rig = Rig()
    (taken,) = rig.host(cmd.SeatBot(seat=2, policy="steady"), "pid_bot")
    assert taken.data == SeatTaken(pid="pid_bot", seat=2, source="host", bot="steady", by=HOST, house=True)
    assert rig.table.seats[2].bot == "steady"
    unknown = rig.refusal(cmd.SeatBot(seat=3, policy="wild"), HOST, "host", "pid_bot_2")
    assert (unknown.code, unknown.params) == ("option_not_allowed", {"option": "policy"})
    taken_seat = rig.refusal(cmd.SeatBot(seat=2, policy="steady"), HOST, "host", "pid_bot_2")
    assert taken_seat.code == "seat_taken"
