"""How a player comes to the bank: the modes in their order, offers, bids, and rest (R-50 to R-56, R-61)."""

import pytest

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.commands import AcceptBank, BidBank, Consent, DeclineBank, EnterLot, OfferBank
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.refusal import Refusal
from tests.bacara.banks import banked, peopled, seeking, word
from tests.table.rig import HOST, Rig, pid, types

ALL = ["volunteer", "auction", "lot"]
FOUR = {1: 500, 2: 500, 11: 500, 12: 500}


def sought(rig: Rig) -> list[str]:
    """The modes that have been begun, in order; an empty one is the rest."""
    return [d.mode for d in rig.of(ev.BankSought)]


def test_modes_are_tried_in_their_order_and_then_the_table_rests() -> None:
    """Each mode has its time once; after one fruitless pass nothing is due any more (R-54, design 3)."""
    rig = peopled({1: 500, 11: 500}, bank_modes=["lot", "volunteer", "auction"])
    waits = []
    for _ in ALL:
        waits.append((rig.view()["bank_step"], (rig.clock().until or 0) - rig.clock().since))
        rig.expire()
    assert waits == [("lot", 20_000), ("offers", 20_000), ("auction", 24_000)]
    assert sought(rig) == ["lot", "volunteer", "auction", ""]
    assert seeking(rig) == {"step": "offers"}
    assert rig.due() == []


def test_nobody_is_asked_before_there_are_enough_players() -> None:
    """A banker who sits and somebody to play against him, both with chips; until then no word (R-61)."""
    rig = peopled({1: 500}, bank_modes=["volunteer"])
    assert (sought(rig), rig.due(), seeking(rig)) == ([], [], {"step": ""})
    assert rig.refused(1, OfferBank(amount=100)) == "wrong_phase"
    assert [o.type for o in rig.options(1)] == ["buy_in", "set_cut_willing", "cash_out", "leave"]
    rig.sit(1001, 0)
    assert sought(rig) == []
    rig.buy_in(1001, 1)
    assert sought(rig) == ["volunteer"]


def test_a_bot_is_a_punter_and_never_the_reason_to_look_for_a_banker() -> None:
    """Bots alone are left in peace; with one person a bot is somebody to play against (R-61, design 3)."""
    rig = Rig(bank_modes=["volunteer"])
    for seat in (1, 11):
        rig.host(cmd.SeatBot(seat=seat, policy="steady"), f"pid_bot_{seat}")
        rig.buy_in(seat, 100)
    assert sought(rig) == []
    rig.sit(2)
    assert sought(rig) == ["volunteer"]


def test_a_mode_that_has_lost_its_players_is_passed_over() -> None:
    """Who stands does not bank, so with standing people alone nobody is left to ask (R-61, A-42)."""
    rig = peopled({1: 500, 1001: 100, 1002: 100}, bank_modes=ALL)
    rig.play(1, cmd.CashOut())
    rig.expire()
    assert sought(rig) == ["volunteer", ""]


def test_the_house_is_the_last_resort_where_it_comes_last() -> None:
    """When nobody has offered or bid, the house banks as soon as one punter can play (R-50, R-54)."""
    rig = peopled({2: 5}, bank_modes=["volunteer", "auction", "house"])
    assert (sought(rig), rig.due()) == ([], [])
    rig.sit(1)
    rig.expire()
    for seat in (1, 2):
        rig.play(seat, cmd.CashOut())
    rig.expire()
    assert sought(rig) == ["volunteer", "auction", "house"]
    assert [d for d in rig.due() if d.decision.startswith("house:")] == []
    rig.buy_in(2, 5)
    rig.fund()
    assert rig.view()["bank_mode"] == "house"


def test_with_the_house_first_nobody_else_is_asked() -> None:
    """A table that chooses nothing has the house's bank at once; no word about it is taken (R-50)."""
    rig = peopled({1: 500, 11: 500})
    assert rig.table.options["bank_modes"][0] == "house"
    words = [OfferBank(amount=1), BidBank(amount=1), EnterLot()]
    assert [rig.refused(1, w) for w in words] == ["wrong_phase"] * 3
    rig.fund()
    assert sought(rig) == []


@pytest.mark.parametrize(
    ("first", "mode"),
    [
        (OfferBank(amount=100), "volunteer"),
        (BidBank(amount=100), "auction"),
        (EnterLot(), "lot"),
    ],
)
def test_at_rest_the_first_word_of_a_mode_begins_it_again(first: cmd.Command, mode: str) -> None:
    """Offers, bids and entries are offered to all who sit and taken from the first of them (R-51 to R-53)."""
    rig = peopled({1: 500, 11: 500, 1001: 500}, bank_modes=ALL)
    for _ in ALL:
        rig.expire()
    offered = [o.type for o in rig.options(11) if "bank" in o.type or "lot" in o.type]
    assert offered == ["offer_bank", "bid_bank", "enter_lot"]
    assert rig.refused(1001, first) == "not_candidate"
    rig.play(11, first)
    assert sought(rig)[-2:] == ["", mode]
    assert rig.clock().until is not None


def test_at_rest_only_configured_modes_begin_and_only_with_players() -> None:
    """What the table does not have, or has nobody for, is `wrong_phase` (R-54, R-61)."""
    rig = peopled({1: 500, 11: 500}, bank_modes=["auction"])
    rig.expire()
    assert rig.refused(1, OfferBank(amount=1)) == "wrong_phase"
    assert rig.refused(1, EnterLot()) == "wrong_phase"
    rig.play(11, cmd.CashOut())
    assert rig.refused(1, BidBank(amount=1)) == "wrong_phase"
    assert not [o for o in rig.options(1) if o.type == "bid_bank"]


def test_in_a_mode_only_its_own_words_are_taken() -> None:
    """While one mode is on, the words of the others wait for their turn (R-54)."""
    rig = peopled({1: 500, 11: 500}, bank_modes=ALL)
    words: dict[str, cmd.Command] = {
        "offers": OfferBank(amount=501),
        "auction": BidBank(amount=501),
        "lot": EnterLot(seat=11),
    }
    for step in words:
        for other, command in words.items():
            code = rig.refused(1, command)
            own = "forbidden" if other == "lot" else "insufficient_chips"
            assert code == (own if other in {step, "lot"} else "wrong_phase"), (step, other)
        for answer in (AcceptBank(amount=5), DeclineBank(), Consent(yes=True)):
            assert rig.refused(1, answer) == "wrong_phase"
        rig.expire()


@pytest.mark.parametrize(
    ("say", "amount", "code", "params"),
    [
        ("offer_bank", 19, "bank_below_minimum", {"min": 20}),
        ("offer_bank", 201, "bank_above_maximum", {"max": 200}),
        ("offer_bank", 101, "insufficient_chips", {"stack": 100}),
        ("bid_bank", 19, "bank_below_minimum", {"min": 20}),
        ("bid_bank", 201, "bank_above_maximum", {"max": 200}),
        ("bid_bank", 101, "insufficient_chips", {"stack": 100}),
    ],
)
def test_an_amount_has_to_fit(say: str, amount: int, code: str, params: dict[str, int]) -> None:
    """At least `min_bank`, at most `max_bank`, and no more than one has (R-51, R-52, R-55, R-56)."""
    mode = {"offer_bank": "volunteer", "bid_bank": "auction"}[say]
    rig = peopled({1: 100, 11: 500}, bank_modes=[mode], min_bank=20, max_bank=200)
    assert rig.refusal(word(say, amount=amount), pid(1), "player") == Refusal(code, params)
    bounds = [(o.min, o.max) for seat in (1, 11) for o in rig.options(seat) if o.type == say]
    assert bounds == [(20, 100), (20, 200)]


def test_the_smallest_bank_is_the_smallest_stake() -> None:
    """Without `min_bank` a bank has to cover one stake at least (R-56, R-58)."""
    rig = peopled({1: 100, 11: 500}, bank_modes=["volunteer"], min_stake=25)
    assert rig.refused(1, OfferBank(amount=24)) == "bank_below_minimum"
    rig.play(1, OfferBank(amount=25))


def test_chips_of_the_banker_become_the_bank() -> None:
    """The stack moves to the bank under a cause of its own, and the shoe is made (R-55)."""
    rig = banked(FOUR, 11, 300)
    (moved,) = [e.data for e in rig.events if e.type == "chips.moved" and e.data.cause == "bank"]
    assert [(m.amount, m.origin, m.to) for m in moved.moves] == [(300, "stack:11", "bank")]
    assert rig.of(ev.BankConstituted) == [ev.BankConstituted(amount=300, banker=11, mode="volunteer")]
    after = types(rig.events)[types(rig.events).index("bank.constituted") :]
    assert after == ["bank.constituted", "shoe.sealed", "shoe.ready", "round.started", "stakes.opened"]
    assert rig.table.phase == "betting"


def test_bids_rise_and_the_calls_begin_again_with_each() -> None:
    """A bid is more than the last and a decision of its own; after three unanswered calls it banks (R-52)."""
    rig = peopled({1: 500, 11: 320, 1001: 500}, bank_modes=["auction"], max_bank=400)
    opened = rig.clock()
    rig.now += 23_000
    rig.play(1, BidBank(amount=200))
    assert rig.clock().decision != opened.decision
    assert (rig.clock().until or 0) == rig.now + 24_000
    assert rig.refused(1001, BidBank(amount=300)) == "not_candidate"
    assert rig.refusal(BidBank(amount=200), pid(11), "player") == Refusal("bid_too_low", {"min": 201})
    assert [(o.min, o.max) for o in rig.options(11) if o.type == "bid_bank"] == [(201, 320)]
    rig.play(11, BidBank(amount=320))
    rig.play(1, BidBank(amount=400))
    assert [o for n in (1, 11) for o in rig.options(n) if o.type == "bid_bank"] == []
    assert seeking(rig)["queue"][-1] == {"amount": 400, "seat": 1}
    rig.expire()
    assert rig.of(ev.BankConstituted) == [ev.BankConstituted(amount=400, banker=1, mode="auction")]


def test_the_bid_of_somebody_who_cannot_pay_it_counts_no_more() -> None:
    """The highest bid that is good banks; with none the next mode is tried (R-52, R-55)."""
    rig = peopled({1: 500, 2: 500, 11: 500}, bank_modes=["auction", "lot"])
    for seat, amount in ((1, 100), (2, 200), (11, 300)):
        rig.play(seat, BidBank(amount=amount))
    rig.play(11, cmd.Leave())
    rig.play(2, cmd.CashOut())
    assert [o.min for o in rig.options(1) if o.type == "bid_bank"] == [101]
    rig.expire()
    assert rig.view()["bank"] == 100
    rig = peopled({1: 500, 2: 500, 11: 500}, bank_modes=["auction", "lot"])
    rig.play(1, BidBank(amount=100))
    rig.play(1, cmd.Leave())
    rig.expire()
    assert sought(rig) == ["auction", "lot"]


def test_what_a_host_does_for_a_seat_names_him() -> None:
    """Every word about the bank may be given by a host for a seat, and says so."""
    rig = peopled({1: 500, 11: 500}, bank_modes=["volunteer"])
    rig.host(OfferBank(amount=50, seat=1))
    rig.host(Consent(yes=True, seat=11))
    (offered,), (consented,) = rig.of(ev.BankOffered), rig.of(ev.BankConsented)
    assert {(d.source, d.by) for d in (offered, consented)} == {("host", HOST)}
    rig.host(word("end_bank", seat=1))
    (ended,) = rig.of(ev.BankEnded)
    assert (ended.source, ended.by, ended.reason) == ("host", HOST, "will")
