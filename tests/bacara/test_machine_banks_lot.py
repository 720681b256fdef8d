"""The bank by lot: who takes part, what the winner says, and who is next (R-53, A-26, A-42)."""

from typing import Any

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.commands import AcceptBank, BidBank, DeclineBank, EnterLot
from dealer.rules.frame import commands as cmd
from dealer.rules.frame import lot
from dealer.rules.frame.events import LotDrawn, SeedRevealed, ShoeSealed
from dealer.rules.frame.refusal import Refusal
from shoe.shoe import Shoe
from shoe.verify import verify_record
from tests.bacara.banks import peopled, seeking
from tests.table.rig import HOST, Rig, pid, seeds, types

SEATS = {1: 500, 2: 500, 11: 500, 12: 500}


def entered(*seats: int, **chosen: Any) -> Rig:
    """A table whose lot these seats have entered, in this order."""
    rig = peopled(SEATS, **{"bank_modes": ["lot"], **chosen})
    for seat in seats:
        rig.play(seat, EnterLot())
    return rig


def winner(rig: Rig) -> int:
    """Whom the last lot fell to."""
    found: LotDrawn = rig.of(LotDrawn)[-1]
    return found.winner


def test_whoever_sits_and_can_bank_takes_part() -> None:
    """Once each, with the chips for the smallest bank, and not standing (R-53, A-42)."""
    rig = peopled({1: 500, 2: 19, 11: 500, 1001: 500}, bank_modes=["lot"], min_bank=20)
    assert [[o.type for o in rig.options(n)].count("enter_lot") for n in (1, 2, 11, 1001)] == [1, 0, 1, 0]
    assert rig.refused(1001, EnterLot()) == "not_candidate"
    assert rig.refusal(EnterLot(), pid(2), "player") == Refusal("insufficient_chips", {"stack": 19})
    clock = rig.clock()
    rig.play(1, EnterLot())
    assert rig.clock() == clock
    assert rig.refused(1, EnterLot()) == "decision_over"
    assert "enter_lot" not in [o.type for o in rig.options(1)]
    assert seeking(rig) == {"step": "lot", "mode": "lot", "queue": [{"amount": 0, "seat": 1}]}


def test_the_highest_card_is_offered_the_bank() -> None:
    """One card each in seat order, whoever entered first; drawn and open in one append (R-53, A-26)."""
    rig = entered(12, 1, 11)
    happened = rig.expire()
    assert types(happened) == ["lot.drawn", "seed.revealed"]
    (found,), (revealed,) = rig.of(LotDrawn), rig.of(SeedRevealed)
    assert (found.candidates, found.purpose) == ((1, 11, 12), "bank")
    best = max(found.cards, key=lambda o: lot.strength(o.card))
    assert found.winner == found.candidates[best.pos]
    shoe = Shoe(found.transcript, bytes.fromhex(revealed.seed))
    assert verify_record(shoe.record(range(3))) == []
    assert rig.secrets[found.shuffle] is None
    assert rig.clock().seats == (found.winner,)
    assert (rig.clock().until or 0) - rig.now == 20_000
    assert (seeking(rig)["step"], seeking(rig)["candidate"]) == ("offered", found.winner)


def test_the_winner_names_the_amount() -> None:
    """He alone, within the limits of a bank; then he banks (R-53, R-55, R-56)."""
    rig = entered(1, 2, 11, min_bank=20, max_bank=400)
    rig.expire()
    seat = winner(rig)
    other = next(n for n in (1, 2, 11) if n != seat)
    assert [rig.refused(other, c) for c in (AcceptBank(amount=50), DeclineBank())] == ["not_candidate"] * 2
    assert rig.refused(seat, AcceptBank(amount=19)) == "bank_below_minimum"
    assert rig.refused(seat, AcceptBank(amount=401)) == "bank_above_maximum"
    offered = [(o.type, o.min, o.max, o.decision) for o in rig.options(seat) if o.decision]
    decision = rig.clock().decision
    assert offered == [("accept_bank", 20, 400, decision), ("decline_bank", None, None, decision)]
    assert rig.refused(other, EnterLot()) == "wrong_phase"
    rig.play(seat, AcceptBank(amount=400, decision=decision))
    assert rig.of(ev.BankConstituted) == [
        ev.BankConstituted(amount=400, banker=seat, mode="lot", source="player")
    ]
    (sealed,) = rig.of(ShoeSealed)
    assert sealed.shuffle == 2


def test_a_refused_bank_is_drawn_again_among_the_rest() -> None:
    """Declined by word, by silence or by a host: the next lot is without him, until nobody is left (R-53)."""
    rig = entered(1, 2, 11)
    rig.expire()
    first = winner(rig)
    rig.play(first, DeclineBank())
    second = winner(rig)
    assert rig.of(LotDrawn)[-1].candidates == tuple(n for n in (1, 2, 11) if n != first)
    rig.expire()
    assert rig.table.absent == {second}
    third = winner(rig)
    assert {first, second, third} == {1, 2, 11}
    rig.host(cmd.Expire(decision=rig.clock().decision))
    assert [(d.seat, d.source, d.by) for d in rig.of(ev.BankDeclined)] == [
        (first, "player", ""),
        (second, "timeout", ""),
        (third, "host", HOST),
    ]
    assert [d.shuffle for d in rig.of(LotDrawn)] == [1, 2, 3]
    assert rig.table.play.seeking.rests
    assert rig.due() == []


def test_a_lot_nobody_entered_is_none() -> None:
    """The next mode is tried (R-54)."""
    rig = peopled(SEATS, bank_modes=["lot", "auction"])
    rig.expire()
    assert rig.of(LotDrawn) == []
    assert rig.view()["bank_step"] == "auction"
    rig.play(1, BidBank(amount=5))


def test_who_has_left_or_cannot_pay_is_not_drawn() -> None:
    """Entries count while their people sit with the chips for a bank (R-53)."""
    rig = entered(1, 2, 11, 12)
    rig.play(2, cmd.Leave())
    rig.play(12, cmd.CashOut())
    rig.expire()
    assert rig.of(LotDrawn)[-1].candidates == (1, 11)


def test_a_winner_who_leaves_has_declined() -> None:
    """Nobody waits for him: the draw is repeated at once (R-53)."""
    rig = entered(1, 11)
    rig.expire()
    first = winner(rig)
    rig.play(first, cmd.Leave())
    assert rig.of(LotDrawn)[-1].candidates == tuple({1, 11} - {first})
    last = winner(rig)
    rig.play(last, cmd.CashOut())
    assert rig.refused(last, AcceptBank(amount=1)) == "insufficient_chips"
    assert [o.type for o in rig.options(last) if o.decision] == ["decline_bank"]
    rig.play(last, cmd.Leave())
    assert rig.table.play.seeking.rests


def test_a_loser_who_leaves_changes_nothing_for_the_winner() -> None:
    """The offer stands, and a repeated draw is without him."""
    rig = entered(1, 2, 11)
    rig.expire()
    first = winner(rig)
    gone, stays = (n for n in (1, 2, 11) if n != first)
    clock = rig.clock()
    rig.play(gone, cmd.Leave())
    assert rig.clock() == clock
    rig.play(first, DeclineBank())
    assert rig.of(LotDrawn)[-1].candidates == (stays,)


def test_a_lot_without_a_seed_is_passed_over() -> None:
    """Where none is committed when it should be drawn, nobody is drawn, and the table goes on (design 3)."""
    rig = entered(1, 2, batch=1)
    rig.expire()
    rig.play(winner(rig), DeclineBank())
    assert rig.table.play.seeking.rests
    assert rig.refused(1, EnterLot()) == "wrong_phase"
    (chore,) = [d for d in rig.due() if d.decision.startswith("seeds:")]
    rig.send(cmd.CommitSeeds(chore.decision, seeds(2, 32)))
    rig.play(1, EnterLot())


def test_lots_of_other_purposes_do_not_touch_the_bank() -> None:
    """The tie of sealed bids will be a lot too; only its own purpose moves the search on (BQ-23)."""
    rig = peopled({1: 500, 14: 400}, bank_modes=["auction"])
    before = rig.table.play
    for data in lot.draw(rig.table, rig.chance, (14, 1), "bids"):
        assert not isinstance(data, LotDrawn) or data.candidates == (1, 14)
        evolver = rig.game.evolvers.get(type(data))
        if evolver is not None:
            event = rig.events[-1]
            rig.table = evolver(rig.table, type(event)("croupier", rig.now, data, "", 0, 0, data.TYPE, 1))
    assert rig.table.play == before
