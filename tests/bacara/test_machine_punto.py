"""A table of punto y banca (rules/baccarat.md, section 12 bis), beyond its worked examples."""

from typing import Any

import pytest

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.punto.coup import next_hand
from dealer.rules.bacara.punto.payments import gain
from dealer.rules.frame.commands import Receive
from dealer.rules.frame.events import CardDealt, CardExposed, ShoeSealed
from dealer.rules.registry import GAMES
from dealer.table import hosting
from tests.bacara.banks import word
from tests.table.rig import HOST, Rig, stake, types, unstake

OPTIONS = {
    "tie_pays": 8,
    "pair_bets": True,
    "six_pays_half": False,
    "commission_bp": 500,
    "commission_unit": 1,
}


def table(laid: str = "", chips: int = 1_000, **chosen: Any) -> Rig:
    """The house banks; J1, J2 and P1 are there."""
    rig = Rig(laid, profile="punto-y-banca", mode="", **chosen)
    for seat in (1, 2, 1001):
        rig.sit(seat, chips)
    rig.fund()
    return rig


def test_the_house_banks_and_nobody_else_may() -> None:
    """Always the house, from 8 packs or 6; no other word about a bank is taken (R-93, R-94, R-107)."""
    rig = table()
    assert (rig.view()["banker"], rig.view()["bank"], rig.view()["bank_mode"]) == (0, 10_000, "house")
    assert rig.of(ShoeSealed)[0].transcript.deck.packs == 8
    assert table(packs=6).of(ShoeSealed)[0].transcript.deck.packs == 6
    assert rig.refused(1, word("offer_bank", amount=100)) == "wrong_phase"
    assert rig.refused(1, word("accept_bank", amount=100)) == "wrong_phase"
    assert rig.refused(1, word("banco")) == "banco_not_available"
    assert {each.type for each in rig.options(1)} == {
        "stake",
        "buy_in",
        "set_cut_willing",
        "cash_out",
        "leave",
    }


def test_everybody_may_stake_on_everything_that_is_offered() -> None:
    """Seated or standing, on several bets and on both hands; a second placement adds (R-95, A-08)."""
    rig = table()
    for on in ("punto", "bank", "tie"):
        rig.play(1, stake(on, 10))
        rig.play(1001, stake(on, 5))
    rig.play(1, stake("punto", 7))
    assert {(each["seat"], each["on"]): each["amount"] for each in rig.view()["stakes"]}[1, "punto"] == 17
    for on in ("punto_pair", "bank_pair", "right", "single", "a_cheval"):
        assert rig.refused(2, stake(on, 5)) == "bet_not_offered"
    rig.play(1, unstake("punto", 17))
    assert sorted(rig.game.seat_numbers(rig.table)) == list(range(1, 15))


def test_a_coup_has_the_phases_of_the_sheet_and_no_others() -> None:
    """Nobody is asked for a word; each card is turned up as it comes, third ones too (R-97, R-98)."""
    rig = table("KT2543")
    rig.play(1, stake("punto", 10))
    rig.expire()
    start = len(rig.events)
    rig.expire()
    cards = [event.data for event in rig.events[start:] if type(event.data) in {CardDealt, CardExposed}]
    assert [type(each) for each in cards] == [CardDealt, CardExposed] * 6
    assert [each.to for each in cards[::2]] == ["punto", "bank"] * 3
    assert [each.pos for each in cards] == [n for n in range(6) for _ in range(2)]
    told = types(rig.events[start:])
    assert not {"hand.drew", "hand.stood", "hand.laid_down", "banco.opened"} & set(told)
    assert rig.table.phase == "between_rounds"


def test_by_hand_the_croupier_deals_shows_and_settles() -> None:
    """Without automations each chore waits for a host, as at any table (R-97)."""
    rig = table("KT2543", automations=[])
    rig.host(word("call", call="place_bets"))
    rig.play(1, stake("punto", 10))
    for command in ("last_call", "no_more_bets"):
        rig.host(word("call", call=command))
    phases = []
    for chore in ("deal", "show", "settle"):
        phases.append(rig.table.phase)
        rig.host(word(chore))
    assert phases == ["dealing", "showdown", "settling"]


@pytest.mark.parametrize(
    ("punto", "bank"), [([8, 0], [0, 0]), ([9, 0], [2, 1]), ([0, 0], [4, 4]), ([5, 0], [9, 0])]
)
def test_a_natural_of_either_hand_ends_the_coup(punto: list[int], bank: list[int]) -> None:
    """An 8 or 9 in two cards: no third card for anybody (R-99)."""
    assert next_hand({"punto": punto, "bank": bank}) == ""


def test_a_coup_without_stakes_is_not_dealt() -> None:
    """It goes from `closed` straight on (R-24, R-97)."""
    rig = table(betting_ms=0)
    rig.host(word("call", call="last_call"))
    rig.expire()
    assert (rig.table.phase, rig.of(CardDealt)) == ("between_rounds", [])


@pytest.mark.parametrize(
    ("bet", "how", "cards", "won"),
    [
        ("punto", "pano", {}, 30),
        ("punto", "push", {}, 0),
        ("punto", "bank", {}, -30),
        ("bank", "bank", {}, 30),
        ("bank", "push", {}, 0),
        ("tie", "push", {}, 240),
        ("tie", "pano", {}, -30),
        ("punto_pair", "bank", {"punto": [3, 16, 5]}, 330),
        ("punto_pair", "push", {"punto": [9, 10]}, -30),
        ("bank_pair", "push", {"bank": [12, 25, 38]}, 330),
    ],
)
def test_what_a_bet_wins(bet: str, how: str, cards: dict[str, list[int]], won: int) -> None:
    """The table of payments, before commission; ten, jack, queen and king are four ranks (R-102)."""
    assert gain(bet, 30, how, {"punto": [0, 1], "bank": [0, 1], **cards}, OPTIONS) == won


def test_a_single_chip_that_half_of_is_nothing_comes_back() -> None:
    """With a winning six half of one chip, rounded down, is none; the stake itself returns (R-104)."""
    rig = table("2K26T", commission_bp=0, six_pays_half=True)
    rig.play(1, stake("bank", 1))
    rig.expire_until("between_rounds")
    assert (rig.total(1), rig.table.stack(1)) == (1_000, 1_000)


def test_stakes_a_push_left_are_covered_as_far_as_the_bank_goes() -> None:
    """Its ties were paid from the same bank: what that could not pay now goes back, uncovered (R-96)."""
    rig = table("KK66" + "KK76", house_bank=500)
    rig.play(1, stake("punto", 400))
    rig.play(2, stake("tie", 60))
    rig.expire_until("between_rounds")
    assert rig.view()["bank"] == 20
    rig.expire_until("betting")
    assert rig.refused(2, stake("punto", 1)) == "stake_above_maximum"
    rig.close_stakes()
    covered = rig.of(ev.StakesCovered)[-1].stakes
    assert [(each.on, each.amount, each.covered) for each in covered] == [("punto", 400, 20)]
    assert rig.total(1) == 1_020


@pytest.mark.parametrize(
    ("lying", "on", "most"),
    [
        ({}, "punto", 1_000),
        ({}, "tie", 125),
        ({}, "bank_pair", 90),
        ({"bank": 400}, "punto", 1_000),
        ({"punto": 340}, "punto_pair", 60),
        ({"punto": 341}, "punto_pair", 59),
        ({"bank_pair": 50}, "punto_pair", 40),
        ({"punto_pair": 50}, "tie", 56),
    ],
)
def test_the_bank_can_pay_the_dearest_of_all_ends(lying: dict[str, int], on: str, most: int) -> None:
    """The dearest result of the hands, a tie eightfold, and both pairs elevenfold beside it (R-96)."""
    rig = table(house_bank=1_000, pair_bets=True)
    for bet, amount in lying.items():
        rig.play(2, stake(bet, amount))
    assert rig.refused(1, stake(on, most + 1)) in {"stake_above_maximum", "insufficient_chips"}
    (offered,) = [o for o in rig.options(1) if o.type == "stake" and o.fields["on"] == on]
    assert offered.max == most
    rig.play(1, stake(on, most))


def test_the_house_adds_to_its_bank_between_coups() -> None:
    """By a host's word, then alone; a player's does nothing, and no clock moves (R-96)."""
    rig = table("KT2543" * 2, chips=2_000, house_bank=500)
    more = word("replenish_bank", amount=300)
    assert rig.refusal(more, HOST, "host").code == "wrong_phase"
    rig.play(1, stake("punto", 400))
    rig.expire_until("between_rounds")
    assert rig.refused(1, more) == "wrong_phase"
    before, clock = rig.view()["bank"], rig.clock()
    added = rig.send(Receive(300, "bank", "house", rig.hold()), HOST, "host")
    assert types(added) == ["chips.moved", "chips.bought_in", "bank.replenished"]
    assert added[-1].data == ev.BankReplenished(amount=300, by=HOST, seat=0, source="host")
    assert (rig.view()["bank"], rig.clock()) == (before + 300, clock)
    assert [o for o in hosting.options(rig.game, rig.table, HOST) if o.type == "replenish_bank"]
    rig.expire_until("betting")
    rig.play(2, stake("punto", before + 300))
    late = rig.send(Receive(1, "bank", "house", rig.hold()), HOST, "host")
    assert [event.data.reason for event in late] == ["wrong_phase"]


def test_the_last_coup_of_a_shoe_is_finished_and_the_bank_goes_on() -> None:
    """When no more than the stop card's cards remain there is a new shoe, same bank (R-106)."""
    rig = table(packs=6, stop_card=307)
    rig.play(1, stake("tie", 1))
    rig.expire_until("between_rounds")
    rig.expire_until("betting")
    assert rig.table.shuffles == 2
    assert len(rig.of(ev.BankConstituted)) == 1


@pytest.mark.parametrize(("chosen", "fits"), [((0, True), True), ((500, True), False), ((0, False), False)])
def test_six_pays_half_instead_of_a_commission(chosen: tuple[int, bool], fits: bool) -> None:
    """One without the other is a conflict of options (R-104)."""
    game = GAMES["bacara"]
    rig = table()
    options = {**rig.table.options, "commission_bp": chosen[0], "six_pays_half": chosen[1]}
    refused = game.check_options(options)
    assert (refused is None) is fits
    assert refused is None or refused.code == "options_conflict"
