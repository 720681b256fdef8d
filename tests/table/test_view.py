"""What a table shows, and to whom (design 3, fairness S-20)."""

from dealer.rules.bacara.commands import Draw, Stand
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.game import Option
from shoe.corte import Opening
from shoe.verify import verify_opening
from tests.table.rig import Rig, opened, pid, stake

COUP = "27KAK65"
"""Right 3 and a five to make 8, left 7, bank 6."""


def dealt() -> Rig:
    """A coup in which seat 1 is to speak with a three, and seat 11 after it with a seven."""
    rig = opened({1: 100, 2: 100, 11: 100}, COUP)
    for seat, on in ((1, "right"), (2, "right"), (11, "left")):
        rig.play(seat, stake(on, 10))
    rig.close_stakes()
    return rig


def test_hidden_cards_are_places_without_a_face() -> None:
    """Six cards lie face down for everybody; a third card and a shown hand have faces (R-38)."""
    rig = dealt()
    assert rig.view()["hands"] == {"bank": ["", ""], "left": ["", ""], "right": ["", ""]}
    assert (rig.view()["points"], rig.view()["results"]) == ({}, {})
    rig.play(1, Draw())
    assert rig.view()["hands"]["right"] == ["", "", "5C1"]
    assert rig.view()["points"] == {}
    rig.play(11, Stand())
    assert rig.view()["points"] == {"bank": 6, "left": 7, "right": 8}
    assert rig.view()["results"] == {"left": "pano", "right": "pano"}


def test_a_mano_sees_his_own_hand_with_its_proofs() -> None:
    """Each card comes with a path to the sealed root; nobody else at the table sees it (R-18, R-34)."""
    rig = dealt()
    (root, size) = rig.view()["shoe"]["root"], rig.view()["shoe"]["size"]
    for seat, codes, positions in ((1, ["2C1", "AC1"], [0, 3]), (11, ["7C1", "KD1"], [1, 4])):
        cards = rig.hand(seat)
        assert [card["code"] for card in cards] == codes
        assert [card["pos"] for card in cards] == positions
        for card in cards:
            opening = Opening(
                card=card["card"], nonce=card["nonce"], path=tuple(card["path"]), pos=card["pos"]
            )
            assert verify_opening(opening, size, root)
    assert rig.hand(2) == rig.hand(0) == rig.hand(1001) == []


def test_the_next_shoe_is_hidden_though_the_last_coup_still_lies_there() -> None:
    """After the end of a shoe nobody sees a card of the new one in the places of the old (S-20)."""
    rig = opened({1: 100, 11: 100}, COUP, stop_card=155)
    rig.coup((1, "right", 10), (11, "left", 10))
    assert (rig.table.phase, rig.table.shuffles) == ("between_rounds", 2)
    assert rig.view()["hands"]["right"] == ["2C1", "AC1", "5C1"]
    assert rig.view()["results"] == {"left": "pano", "right": "pano"}
    assert rig.hand(1) == rig.hand(11) == []


def test_cards_of_a_coup_keep_their_faces_when_no_shoe_follows() -> None:
    """Where the bank ends with the shoe, the last coup is still shown as cards (R-08, R-58)."""
    rig = opened({1: 100, 11: 100}, COUP, stop_card=155, house_bank=20)
    rig.coup((1, "right", 10), (11, "left", 10))
    assert (rig.table.phase, rig.table.shoe) == ("no_bank", None)
    assert rig.view()["hands"] == {
        "bank": ["KC1", "6C1"],
        "left": ["7C1", "KD1"],
        "right": ["2C1", "AC1", "5C1"],
    }


def test_people_without_a_place_are_offered_one() -> None:
    """The free seats, and standing room; a taken seat is not offered (R-12, R-13)."""
    rig = Rig(seats_per_pano=2)
    rig.sit(11)
    offered = rig.options(0)
    assert offered == [
        *(Option("sit", fields={"seat": n}) for n in (1, 2, 12)),
        Option("join"),
    ]


def test_a_seat_is_offered_what_it_can_do_with_its_chips() -> None:
    """Without chips only to bring some or go; with a stake neither to go nor to take what lies."""
    rig = Rig()
    rig.sit(1, 0)
    assert [o.type for o in rig.options(1)] == ["buy_in", "set_cut_willing", "leave"]
    rig.sit(2, 50)
    rig.fund()
    rig.play(2, stake("right", 50))
    assert [o.type for o in rig.options(2)] == ["unstake", "buy_in", "set_cut_willing"]
    rig.play(1, cmd.Leave())
    assert [s["pid"] for s in rig.view()["seats"]] == [pid(2)]


def test_the_view_shows_no_boundary_and_every_other_place() -> None:
    """Chips are shown where they stand; what the cage gave is the sum, not a place (design 7)."""
    rig = dealt()
    shown = rig.view()["chips"]
    assert "cage" not in shown
    assert sum(shown.values()) == -rig.table.chips["cage"] == 10_300
    assert shown["stake:right:2"] == 10
