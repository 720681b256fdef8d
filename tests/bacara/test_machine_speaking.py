"""From the deal to the showdown at a table: who is asked, what is shown, and when (R-16 ... R-43)."""

from dealer.rules.bacara.commands import Draw, Stand
from dealer.rules.bacara.events import (
    HandDrew,
    HandLaidDown,
    HandShown,
    HandStood,
    HolderMoved,
    PanoSettled,
)
from dealer.rules.bacara.state import play_of
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.events import CardDealt, CardExposed
from tests.table.rig import Rig, opened, stake, types

NOBODY_ABATES = "27KAK65"
"""Right 3 and a five to make 8, left 7, bank 6."""
BANK_WINS = "KT4653"
"""Right 6, left 5, bank 7."""


def closed(laid: str, stakes: tuple[tuple[int, str], ...] = ((1, "right"), (11, "left"))) -> Rig:
    """A coup just after «no va más» with ten chips on each of these bets."""
    rig = opened(dict.fromkeys(sorted({seat for seat, _ in stakes}), 100), laid)
    for seat, on in stakes:
        rig.play(seat, stake(on, 10))
    rig.close_stakes()
    return rig


def test_cards_are_dealt_in_turn_face_down() -> None:
    """Right, left, bank, and once more; then the right mano is asked, and no card is turned (R-33, R-36)."""
    rig = closed(NOBODY_ABATES)
    assert [d.to for d in rig.of(CardDealt)] == ["right", "left", "bank"] * 2
    assert not rig.of(CardExposed)
    assert (rig.table.phase, rig.clock().seats) == ("speak_right", (1,))


def test_a_third_card_comes_at_once_and_face_up() -> None:
    """Asked for, it is served and turned at once; right, left, bank (R-38, R-42, A-28)."""
    rig = closed("2KAA22543")
    assert types(rig.play(1, Draw())) == ["hand.drew", "card.dealt", "card.exposed"]
    assert (rig.table.phase, rig.clock().seats) == ("speak_left", (11,))
    happened = rig.play(11, Draw())
    assert types(happened)[:6] == ["hand.drew", "card.dealt", "card.exposed"] * 2
    assert happened[3].data == HandDrew(hand="bank", seat=0, source="automation")
    assert [d.to for d in rig.of(CardDealt)][6:] == ["right", "left", "bank"]
    assert [d.pos for d in rig.of(CardExposed)][:3] == [6, 7, 8]


def test_only_what_the_tableau_allows_is_offered_and_taken() -> None:
    """One word is legal; the other is refused, moves nothing, and the turn goes on (R-37, R-41, R-43).

    «Carta» brings a card and «Me planto» brings none (A-11).
    """
    rig = closed(NOBODY_ABATES)
    assert rig.words(1) == ["draw"]
    assert rig.words(11) == []
    before = rig.table
    assert rig.refused(1, Stand()) == "illegal_action"
    assert rig.table == before
    assert types(rig.obey())[:2] == ["hand.drew", "card.dealt"]
    assert rig.words(11) == ["stand"]
    assert rig.refused(11, Draw()) == "illegal_action"
    stood = rig.obey()
    assert stood[0].type == "hand.stood"
    assert "left" not in {e.data.to for e in stood if e.type == "card.dealt"}
    assert rig.table.phase == "between_rounds"


def test_a_natural_of_the_bank_ends_the_coup_unasked() -> None:
    """It is laid down in the append of the deal; nobody gets a card, whatever he holds (R-35, A-12)."""
    rig = closed("K24Q25")
    assert rig.of(HandLaidDown) == [HandLaidDown(hand="bank", points=9, seat=0, source="automation")]
    assert len(rig.of(CardDealt)) == 6
    assert not rig.of(HandDrew) + rig.of(HandStood)
    assert [d.pos for d in rig.of(CardExposed)] == [2, 5, 0, 3, 1, 4]
    assert rig.table.phase == "between_rounds"


def test_a_natural_of_the_bank_hides_one_of_a_pano() -> None:
    """With the bank's natural no paño lays down; equals push, nine beats eight (R-35, R-44, A-14, A-18)."""
    rig = closed("K938T5")
    assert [d.hand for d in rig.of(HandLaidDown)] == ["bank"]
    assert {p.pano: p.result for p in rig.of(PanoSettled)} == {"right": "push", "left": "pano"}


def test_a_natural_on_turn_is_laid_down_for_its_mano() -> None:
    """The right's eight is laid down unasked and lies open; the left goes on (R-36, R-39, A-15, A-43)."""
    rig = closed("3JA52365")
    assert rig.of(HandLaidDown) == [HandLaidDown(hand="right", points=8, seat=1, source="automation")]
    assert (rig.table.phase, rig.clock().seats) == ("speak_left", (11,))
    assert rig.view()["hands"]["right"] == ["3C1", "5C1"]
    assert rig.refused(1, Draw()) == "not_your_turn"
    rig.obey()
    assert {p.pano: (p.points, p.result) for p in rig.of(PanoSettled)} == {
        "right": (8, "pano"),
        "left": (8, "bank"),
    }
    assert rig.of(HandDrew)[-1] == HandDrew(hand="bank", seat=0, source="automation")


def test_a_card_drawn_before_the_other_abates_stands() -> None:
    """The right draws, then the left's natural is laid down; the bank plays for the right alone (R-39)."""
    rig = closed("29KAK456")
    assert rig.table.phase == "speak_right"
    assert not rig.of(HandLaidDown)
    happened = types(rig.play(1, Draw()))
    assert happened[:4] == ["hand.drew", "card.dealt", "card.exposed", "hand.laid_down"]
    assert [d.to for d in rig.of(CardDealt)][6:] == ["right", "bank"]


def test_both_abate_and_the_bank_draws_nothing() -> None:
    """The coup is over with six cards, even for a bank with 0 (R-40)."""
    rig = closed("4KT58Q")
    assert [d.hand for d in rig.of(HandLaidDown)] == ["right", "left"]
    assert len(rig.of(CardDealt)) == 6
    assert rig.of(HandShown)[-1] == HandShown("bank", 0)


def test_hands_are_shown_right_first_and_the_bank_last() -> None:
    """Scores are announced and paños settled in that order; every card lies open then (R-49, A-12)."""
    rig = closed(NOBODY_ABATES)
    rig.obey()
    rig.obey()
    assert rig.of(HandShown) == [HandShown("right", 8), HandShown("left", 7), HandShown("bank", 6)]
    assert [p.pano for p in rig.of(PanoSettled)] == ["right", "left"]
    names = types(rig.events)
    assert names.index("pano.settled") < names.index("round.settled") < names.index("round.ended")


def test_an_idle_pano_gets_no_cards() -> None:
    """Without a covered stake a paño has no hand, no result, and its mano stays (R-20, A-10)."""
    rig = opened({1: 100, 11: 100, 12: 100}, "K463", house_bank=10)
    for seat, on in ((1, "right"), (11, "left"), (12, "left")):
        rig.play(seat, stake(on, 10))
    rig.close_stakes()
    assert [d.to for d in rig.of(CardDealt)] == ["right", "bank", "right", "bank"]
    assert rig.view()["holders"] == {"right": 1, "left": 0}
    assert rig.view()["pointers"]["left"] == 11
    assert (rig.total(11), rig.table.stack(11)) == (100, 100)
    rig.expire_until("between_rounds")
    assert rig.view()["results"] == {"right": "bank"}
    assert rig.view()["pointers"] == {"right": 1, "left": 11}


def test_nobody_seated_has_a_stake_and_the_croupier_plays() -> None:
    """A hand backed only from outside belongs to nobody: the tableau plays it, no time runs (R-19)."""
    rig = opened({1: 100, 1001: 100}, "25KKK64")
    for seat, on in ((1001, "right"), (1, "left")):
        rig.play(seat, stake(on, 10))
    rig.close_stakes()
    assert rig.view()["holders"] == {"right": 0, "left": 0}
    assert rig.table.phase == "between_rounds"
    said = [e.data for e in rig.events if e.type in {"hand.drew", "hand.stood"}]
    assert said == [
        HandDrew(hand="right", seat=0, source="automation"),
        HandStood(hand="left", seat=0, source="automation"),
        HandStood(hand="bank", seat=0, source="automation"),
    ]


def test_the_first_mano_sits_nearest_to_the_banker() -> None:
    """At the first coup of a bank it is the lowest occupied seat of each paño with a stake (R-16, R-12)."""
    rig = closed(NOBODY_ABATES, stakes=((3, "right"), (2, "right"), (15, "left"), (12, "left")))
    assert rig.view()["holders"] == {"right": 2, "left": 12}
    assert rig.of(HolderMoved) == [HolderMoved("right", "first", 2), HolderMoved("left", "first", 12)]


def test_a_mano_without_a_stake_is_passed_over_for_good() -> None:
    """The pointer goes on to the next seated player of the paño who has one, and stays (R-19, A-10)."""
    rig = opened({1: 100, 2: 100, 3: 100, 11: 100}, NOBODY_ABATES * 2)
    rig.coup((1, "right", 10), (2, "right", 10), (11, "left", 10))
    rig.coup((2, "right", 10), (3, "right", 10), (11, "left", 10))
    assert rig.of(HolderMoved)[-1] == HolderMoved("right", "skipped", 2)
    assert play_of(rig.table).pointers == {"right": 2, "left": 11}


def test_a_mano_who_never_staked_passes_the_role_on_like_any_other() -> None:
    """The croupier played for him and the bank won: the role goes to the next seat (R-16, R-17)."""
    rig = opened({1: 100, 2: 100, 11: 100}, BANK_WINS + NOBODY_ABATES)
    rig.coup((11, "right", 10), (11, "left", 10))
    assert rig.view()["pointers"] == {"right": 2, "left": 11}
    rig.expire_until("betting")
    for seat, on in ((1, "right"), (2, "right"), (11, "left")):
        rig.play(seat, stake(on, 10))
    rig.close_stakes()
    assert rig.view()["holders"]["right"] == 2


def test_a_fixed_mano_stays() -> None:
    """With `holder_rule` `fixed` the bank's win moves nobody (R-17)."""
    rig = opened({1: 100, 2: 100, 11: 100, 12: 100}, BANK_WINS, holder_rule="fixed")
    rig.coup((1, "right", 10), (2, "right", 10), (11, "left", 10), (12, "left", 10))
    assert rig.view()["results"] == {"left": "bank", "right": "bank"}
    assert rig.view()["pointers"] == {"right": 1, "left": 11}


def test_the_role_finds_the_next_seat_when_its_own_is_empty() -> None:
    """A mano who has left is followed by the next higher occupied seat, round the paño (R-17)."""
    rig = opened({1: 100, 2: 100, 3: 100, 11: 100}, BANK_WINS + NOBODY_ABATES)
    rig.coup((1, "right", 10), (11, "left", 10))
    assert rig.view()["pointers"]["right"] == 2
    rig.play(2, cmd.Leave())
    rig.expire_until("betting")
    for seat, on in ((1, "right"), (3, "right"), (11, "left")):
        rig.play(seat, stake(on, 10))
    rig.close_stakes()
    assert rig.view()["holders"]["right"] == 3
