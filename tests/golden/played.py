"""The tables whose logs are kept: short ones that together have every type of event in them."""

from collections.abc import Callable, Mapping

from dealer.cage.ledger import Hold, Post, Return, Void
from dealer.rules.bacara.commands import (
    AcceptBank,
    BidBank,
    Consent,
    DeclineBank,
    EndBank,
    EnterLot,
    LayDown,
    OfferBank,
)
from dealer.rules.bacara.state import SPEAKING
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.events import LotDrawn, StopCardReached
from dealer.rules.tricks.commands import Concede
from tests.bacara import steps
from tests.bacara.banks import peopled
from tests.baciga.rig import Baciga, started
from tests.butifarra.rig import Butifarra
from tests.butifarra.rig import started as in_bidding
from tests.cage.book import OTHER, TABLE, Book
from tests.table import cut
from tests.table.rig import OTHER_HOST, Rig, by_hand, opened, stake, unstake


def evening() -> Rig:
    """A house's bank until its shoe is over: a bot, somebody standing, naturals, silence, going home."""
    rig = Rig(luck=3, house_bank=4_000, stop_card=135, between_rounds_ms=1_000)
    for seat in (1, 11, 1001):
        rig.sit(seat, 600)
    rig.host(cmd.SeatBot(seat=12, policy="steady"), "pid_12")
    rig.buy_in(12, 200)
    rig.send(cmd.Resolve("x_1_1"))
    rig.fund()
    while not rig.of(StopCardReached):
        rig.expire_until("betting")
        rig.play(1, stake("right", 30))
        rig.play(11, stake("left", 60))
        rig.play(1001, stake("right", 20))
        rig.play(1001, unstake("right", 5))
        rig.close_stakes()
        if rig.table.round % 2:
            rig.expire_until("between_rounds", "no_bank", "preparing")
        while rig.table.phase in SPEAKING:
            rig.obey()
    for seat in (11, 1001):
        rig.play(seat, cmd.CashOut())
        rig.play(seat, cmd.Leave())
    _close(rig)
    return rig


def naturals() -> Rig:
    """Cards laid by hand: a host's every call, and a natural that is laid down by whoever holds it."""
    rig = by_hand("speak_right", "9787525", house_bank=100_000)
    while rig.table.phase in SPEAKING:
        (seat,) = rig.clock().seats
        word = rig.words(seat)[0]
        rig.play(seat, LayDown()) if word == "lay_down" else rig.obey()
    return rig


def cuts() -> Rig:
    """A cut that somebody lets pass and somebody aborts, and the next one, which brings a shoe."""
    rig = cut.asked((1, 2, 11), (3,))
    rig.play(3, cmd.SetCutWilling(willing=True))
    rig.play(11, cmd.CutDecline())
    for number in (1, 2):
        cut.commit(rig, number)
    cut.reveal(rig, 2)
    rig.expire()
    cut.commit(rig, 2)
    rig.expire()
    cut.reveal(rig, 2)
    assert rig.table.shoe is not None
    return rig


def banks() -> Rig:
    """Players bank: offered and refused, bid for, drawn by lot, declined; and a coup the bank half covers."""
    rig = peopled({1: 500, 2: 500, 11: 500, 12: 500}, bank_modes=["volunteer", "auction", "lot"])
    rig.play(1, OfferBank(amount=100))
    rig.play(2, Consent(yes=True))
    rig.play(11, Consent(yes=False))
    rig.play(2, OfferBank(amount=200))
    for seat in (1, 11, 12):
        rig.play(seat, Consent(yes=True))
    _give_up(rig, 2)
    rig.expire()
    rig.play(11, BidBank(amount=50))
    rig.play(12, BidBank(amount=60))
    rig.expire()
    _give_up(rig, 12)
    rig.expire()
    rig.expire()
    for seat in (1, 2, 12):
        rig.play(seat, EnterLot())
    rig.expire()
    rig.play(rig.of(LotDrawn)[-1].winner, DeclineBank())
    rig.play(rig.of(LotDrawn)[-1].winner, AcceptBank(amount=70))
    punter = next(seat for seat in rig.table.seats if seat != rig.view()["banker"])
    rig.coup((punter, "right" if punter < 11 else "left", 100))
    return rig


def _give_up(rig: Rig, banker: int) -> None:
    """A banker stops before anybody has staked, and the search begins again."""
    assert rig.view()["banker"] == banker
    rig.play(banker, EndBank())
    assert rig.table.phase == "no_bank"


def corrections() -> Rig:
    """A pause that moves a deadline, a proposal rejected, a round and a shoe voided by two, one put right."""
    rig = opened({1: 100, 11: 100})
    rig.play(1, stake("right", 10))
    rig.host(cmd.Pause())
    rig.now += 5_000
    rig.host(cmd.Resume())
    for answer, kind in (("reject", "void_round"), ("approve", "void_round"), ("approve", "void_shoe")):
        rig.host(cmd.ProposeCorrection(kind="void_shoe" if kind == "void_shoe" else "void_round"))
        second = cmd.RejectCorrection() if answer == "reject" else cmd.ApproveCorrection()
        rig.send(second, OTHER_HOST, "host")
    rig.coup((1, "right", 10))
    back = (cmd.Shift(5, "bank", "stack:1"),)
    rig.host(cmd.ProposeCorrection(kind="result", moves=back, reason="agreement", round=rig.table.round))
    rig.send(cmd.ApproveCorrection(proposal=rig.table.seq), OTHER_HOST, "host")
    _close(rig)
    return rig


def pairs() -> Rig:
    """Báciga for chips: pairs and dealer by lot, a short match, the next one given up by both partners."""
    rig = Baciga(players=4, pairing="lot", target=100, play_for="chips", match_buy_in=25, luck=4)
    rig.fill(100)
    while rig.turn:
        rig.plainly()
    rig.expire()
    for seat in (2, 4):
        rig.play(seat, Concede())
    _close(rig)
    return rig


def standard() -> Rig:
    """A hand of báciga by the profile `standard`: sevens, combinations, the last trick, briscas."""
    rig = started("standard", luck=9)
    while rig.turn:
        rig.plainly()
    return rig


def words() -> Rig:
    """Butifarra for chips: pairs and dealer by lot, a hand with every word, the next one given up."""
    rig = Butifarra(pairing="lot", play_for="chips", match_buy_in=25, luck=4)
    rig.fill(100)
    rig.say("delegate", "name_trump:O", "pass", "contest:butifarra", "pass", "insist")
    rig.hand_played()
    rig.expire()
    rig.expire()
    for seat in (2, 4):
        rig.play(seat, Concede())
    _close(rig)
    return rig


def ladder() -> Rig:
    """Butifarra by the profile `competicio-lliure`: its whole ladder and a first trick; then given up."""
    rig = in_bidding("competicio-lliure", luck=9, contro_steps_suit=4, partner_blind=True)
    rig.say("name_trump:E", "contro", "pass", "recontro", "sant_vicenc", "barraca")
    for _ in range(4):
        rig.plainly()
    for seat in (1, 3):
        rig.play(seat, Concede())
    return rig


def drawn() -> Rig:
    """Eight hands of `competicio-obligada` for chips, played without thinking, and equal totals at last."""
    rig = in_bidding(
        "competicio-obligada", 25, 69, deals=8, contro_steps_butifarra=0, play_for="chips", match_buy_in=25
    )
    while rig.table.phase != "match_over":
        if rig.turn:
            rig.plainly()
        else:
            rig.expire()
    return rig


def _close(rig: Rig) -> None:
    """The table closes; the cage posts what comes home."""
    rig.host(cmd.CloseTable(now=True))
    while rig.table.status != "closed":
        rig.send(cmd.CashedOut(rig.due()[0].decision))


def punto() -> Rig:
    """Punto y banca: cards laid aside from the shoe, every bet, ties and pairs, commission."""
    rig = Rig(luck=5, profile="punto-y-banca", mode="", burn="first_card", pair_bets=True)
    for seat in (1, 2, 1001):
        rig.sit(seat, 600)
    rig.fund()
    for _ in range(4):
        rig.expire_until("betting")
        for seat, on in ((1, "punto"), (2, "bank"), (1001, "tie"), (1001, "bank_pair")):
            if not any(lying.seat == seat and lying.on == on for lying in rig.table.play.stakes.values()):
                rig.play(seat, stake(on, 30))
        rig.expire_until("between_rounds")
    return rig


def banco() -> Rig:
    """Chemin de fer: banco called, lost, and called again by whoever lost it."""
    return steps.played("BT-22")


def book() -> Book:
    """Accounts, a hold that is posted and one that is not, chips that come back."""
    played = Book()
    played.account("acc_a", 100)
    played.account("acc_b", 50)
    for command in (
        Hold(30, "acc_a", TABLE, "x_1"),
        Hold(20, "acc_b", OTHER, "x_2"),
        Post("x_1"),
        Void("x_2"),
        Return(10, 5, TABLE, "pid_1", "acc_a", "transit:pid_1:5"),
        Hold(40, "acc_a", TABLE, "x_3"),
    ):
        assert played.send(command) == "accepted"
    return played


TABLES: Mapping[str, Callable[[], Rig]] = {
    "bacara-evening": evening,
    "bacara-naturals": naturals,
    "bacara-cuts": cuts,
    "bacara-banks": banks,
    "bacara-corrections": corrections,
    "bacara-punto": punto,
    "bacara-banco": banco,
    "bacara-banco-two-panos": lambda: steps.played("R-75"),
    "bacara-passed": lambda: steps.played("BT-25"),
    "bacara-garage": lambda: steps.played("BT-24"),
    "bacara-associates": lambda: steps.played("BT-27", 1),
    "bacara-deposit": lambda: steps.played("BQ-26"),
    "bacara-accepted": lambda: steps.played("R-31"),
    "bacara-follow-on": lambda: steps.played("R-59"),
    "bacara-standing": lambda: steps.played("BT-28"),
    "baciga-pairs": pairs,
    "baciga-standard": standard,
    "butifarra-words": words,
    "butifarra-ladder": ladder,
    "butifarra-drawn": drawn,
}
"""By the name of the log."""
CAGE = "cage"
"""The name of the log of the book."""
