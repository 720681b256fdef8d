"""How the search for a banker is told (R-51 to R-53)."""

import pytest

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.commands import BidBank, Consent, DeclineBank, EnterLot, OfferBank
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import LotDrawn
from dealer.words import LANGUAGES, Words
from ops.terminal.narrator import Narrator
from shoe.cards import Deck
from tests.bacara.banks import peopled
from tests.table.rig import Rig

SEATS = {1: 500, 11: 500, 12: 500}


def told(rig: Rig, lang: str = "en") -> list[str]:
    """What the log says of the bank, without what is told of every table."""
    narrator = Narrator(lang, color=False)
    about = ("bank.", "lot.")
    return [line for e in rig.events for line in narrator.lines(e) if e.type.startswith(about)]


def test_a_vote_is_told() -> None:
    """Who offers, who agrees, who does not, and who was silent (R-51)."""
    rig = peopled(SEATS, bank_modes=["volunteer"])
    rig.play(1, OfferBank(amount=400))
    rig.play(11, Consent(yes=True))
    rig.play(12, Consent(yes=False))
    rig.play(11, OfferBank(amount=300))
    rig.play(1, Consent(yes=True))
    rig.expire()
    rig.play(12, OfferBank(amount=234))
    assert told(rig) == [
        "Who wishes to hold the bank?",
        "D1 offers a bank of 400",
        "I1 agrees to D1",
        "I2 does not agree to D1",
        "I1 offers a bank of 300",
        "D1 agrees to I1",
        "I2 does not agree to I1  (time is up)",
        "I2 offers a bank of 234",
    ]


def test_an_auction_is_told() -> None:
    """What is bid, by whom, and who banks (R-52)."""
    rig = peopled(SEATS, bank_modes=["auction"])
    for seat, amount in ((1, 100), (12, 350)):
        rig.play(seat, BidBank(amount=amount))
    rig.expire()
    assert told(rig, "es") == [
        "La banca sale a subasta",
        "D1 puja 100 por la banca",
        "I2 puja 350 por la banca",
        "I2 pone la banca: 350",
    ]


def test_a_lot_is_told_with_its_cards() -> None:
    """Everybody's card and the winner; then what he does, and that nobody was found (R-53, A-26)."""
    rig = peopled(SEATS, bank_modes=["lot"])
    for seat in (12, 1):
        rig.play(seat, EnterLot())
    rig.expire()
    (drawn,) = rig.of(LotDrawn)
    words = Words("en")
    one, two = (words.symbol(Deck("fr52", 1).face(opened.card)) for opened in drawn.cards)
    label = {1: "D1", 12: "I2"}
    first, second = drawn.winner, ({1, 12} - {drawn.winner}).pop()
    rig.play(first, DeclineBank())
    rig.expire()
    lines = told(rig)
    again = lines.pop(5)
    assert lines == [
        "The bank is drawn by lot: who takes part?",
        "I2 takes part in the lot",
        "D1 takes part in the lot",
        f"Lot: D1 {one} · I2 {two} · it falls to {label[first]}",
        f"{label[first]} does not take the bank",
        f"{label[second]} does not take the bank  (time is up)",
        "Nobody takes the bank",
    ]
    assert again.startswith(f"Lot: {label[second]} ")
    assert again.endswith(f" · it falls to {label[second]}")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_house_is_asked_in_silence(lang: str) -> None:
    """Its bank is told once it stands."""
    data = ev.BankSought(mode="house", source="automation")
    event = Event("croupier", 0, data, "test/t/tbl_1", 0, 0, data.TYPE, data.V)
    assert Narrator(lang, color=False).lines(event) == []
