"""The house's bank: how it comes, what it answers for, how it ends (R-28, R-48, R-50, R-55, R-58)."""

from dealer.rules.bacara.events import BankConstituted, BankEnded, StakesCovered
from dealer.rules.bacara.state import play_of
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.events import ShoeSealed
from tests.table.rig import Rig, opened, stake, types

BOTH_WIN = "27KAK65"
"""Right 3 and a five to make 8, left 7, bank 6; seven cards."""
RIGHT_WINS = "7KK6"
"""Right 7, bank 6, with the left idle; four cards."""
BANK_WINS = "KT4653"
"""Right 6, left 5, bank 7; six cards."""
PUSH_LEFT = "7AKA56"
"""Right 8, a natural, left 6, bank 6; six cards."""


def test_the_house_banks_as_soon_as_somebody_can_play() -> None:
    """The first punter with the minimum calls for it; it is the table's `house_bank` (R-50, R-61, A-21)."""
    rig = Rig(min_stake=10, house_bank=500)
    rig.sit(1, 9)
    assert rig.due() == []
    rig.buy_in(1, 1)
    happened = rig.fund()
    constituted = next(e.data for e in happened if e.type == "bank.constituted")
    assert constituted == BankConstituted(amount=500, banker=0, mode="house")
    assert rig.view()["bank"] == 500
    assert (rig.view()["banker"], rig.view()["bank_mode"]) == (0, "house")


def test_a_bank_is_for_people_who_can_play() -> None:
    """Chips of the house for a table where nobody can play any more go back; a bank alone rests (R-61)."""
    rig = Rig()
    rig.sit(1, 10)
    hold = rig.hold()
    assert [d.kind for d in rig.due()] == ["chore"]
    rig.play(1, cmd.CashOut())
    late = rig.send(cmd.Receive(10_000, "bank", "house", hold))
    assert types(late) == ["chips.rejected"]
    rig.buy_in(1, 10)
    rig.fund()
    rig.play(1, cmd.Leave())
    assert rig.table.phase == "betting"
    assert rig.clock().until is None


def test_winnings_stay_in_the_bank_and_cover_the_next_coup() -> None:
    """A bank that has grown answers for more, one that has shrunk for less (R-28, R-48, A-20)."""
    rig = opened({1: 500, 11: 500}, BANK_WINS + RIGHT_WINS + RIGHT_WINS, house_bank=100)
    rig.coup((1, "right", 60), (11, "left", 40))
    rig.coup((1, "right", 150))
    rig.coup((1, "right", 150))
    assert [(c.bank, [s.covered for s in c.stakes]) for c in rig.of(StakesCovered)] == [
        (100, [60, 40]),
        (200, [150]),
        (50, [50]),
    ]
    assert rig.total(1) == 500 - 60 + 150 + 50


def test_an_exhausted_bank_ends_and_the_house_banks_anew() -> None:
    """At 0 the bank is over; a new one is a new bank: same shoe, manos from the start (R-58, R-21, A-23)."""
    rig = opened({2: 500, 3: 500, 11: 500}, BANK_WINS + BOTH_WIN, house_bank=100)
    rig.coup((2, "right", 50), (3, "right", 20), (11, "left", 30))
    assert play_of(rig.table).pointers == {"right": 3, "left": 11}
    rig.coup((3, "right", 150), (11, "left", 50))
    assert rig.of(BankEnded) == [BankEnded(amount=0, banker=0, reason="exhausted")]
    assert rig.table.phase == "no_bank"
    assert not [place for place in rig.table.chips if place.startswith(("bank", "transit"))]
    assert rig.view()["bank_mode"] == ""
    assert [(d.decision, d.kind) for d in rig.due()] == [(f"house:{rig.table.opened}", "chore")]
    happened = types(rig.fund())
    assert happened[-3:] == ["bank.constituted", "round.started", "stakes.opened"]
    assert len(rig.of(ShoeSealed)) == 1
    assert play_of(rig.table).pointers == {}
    rig.play(2, stake("right", 5))
    rig.play(3, stake("right", 5))
    rig.close_stakes()
    assert play_of(rig.table).holders["right"] == 2


def test_a_rest_below_the_minimum_goes_back_to_the_house() -> None:
    """Under `min_stake` nothing can be covered: the bank ends and its rest leaves through transit (R-58)."""
    rig = opened({1: 500}, RIGHT_WINS, house_bank=100, min_stake=10)
    rig.coup((1, "right", 91))
    assert rig.of(BankEnded) == [BankEnded(amount=9, banker=0, reason="exhausted")]
    (out,) = [place for place in rig.table.chips if place.startswith("transit:house:")]
    assert rig.table.chips[out] == 9
    rig.send(cmd.CashedOut(out))
    rig.fund()
    assert rig.table.chips["bank"] == 100


def test_a_bank_at_the_minimum_goes_on() -> None:
    """With exactly `min_stake` left another coup can be covered (R-58)."""
    rig = opened({1: 500}, RIGHT_WINS, house_bank=100, min_stake=10)
    rig.coup((1, "right", 90))
    assert not rig.of(BankEnded)
    rig.expire_until("betting")


def test_a_stake_left_from_a_push_survives_its_bank() -> None:
    """One paño exhausts the bank, the other pushed: that stake meets the next bank (R-45, R-58)."""
    rig = opened({1: 500, 11: 500}, PUSH_LEFT, house_bank=100)
    rig.coup((1, "right", 90), (11, "left", 10))
    rig.expire_until("betting")
    assert rig.view()["stakes"] == [{"on": "left", "seat": 11, "amount": 10}]
    rig.play(1, stake("right", 90))
    rig.close_stakes()
    assert rig.of(StakesCovered)[-1].bank == 10


def test_whoever_leaves_between_coups_takes_what_a_push_left() -> None:
    """A stake that pushed is its owner's: it goes with him and is not in the next coup (R-45)."""
    rig = opened({1: 500, 11: 500}, PUSH_LEFT)
    rig.coup((1, "right", 90), (11, "left", 10))
    moved, _ = rig.play(11, cmd.Leave())
    assert [(m.amount, m.origin) for m in moved.data.moves] == [(490, "stack:11"), (10, "stake:left:11")]
    assert rig.view()["stakes"] == []
    rig.send(cmd.CashedOut(moved.data.moves[0].to))
    rig.expire_until("betting")
    assert rig.clock().until is None


def test_a_shoe_ends_with_its_bank_only_by_chance() -> None:
    """Stop card and exhaustion in one coup: shoe and bank end, and both come anew (R-07, R-08, R-58)."""
    rig = opened({1: 500, 11: 500}, BOTH_WIN, stop_card=155, house_bank=20)
    for seat, on in ((1, "right"), (11, "left")):
        rig.play(seat, stake(on, 10))
    rig.close_stakes()
    rig.obey()
    ended = types(rig.obey())
    assert ended[ended.index("round.ended") + 1 :] == [
        "stop_card.reached",
        "shoe.closed",
        "seed.revealed",
        "bank.ended",
    ]
    assert types(rig.fund())[-5:] == [
        "bank.constituted",
        "shoe.sealed",
        "shoe.ready",
        "round.started",
        "stakes.opened",
    ]
    assert rig.table.shuffles == 2
