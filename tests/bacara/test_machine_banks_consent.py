"""Mode `volunteer`: who is asked for consent, whose turn it is, and what leaving means (R-51, A-24, A-42)."""

from msgspec.structs import replace

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.bots import POLICIES
from dealer.rules.bacara.commands import Consent, OfferBank
from dealer.rules.frame import commands as cmd
from tests.bacara.banks import peopled, seeking
from tests.table.rig import HOST

FOUR = {1: 500, 2: 500, 11: 500, 12: 500}


def test_consent_is_asked_of_all_others_who_sit() -> None:
    """Who sits is asked and shown, who stands is not; each answers once, for this candidate (R-51, A-42)."""
    rig = peopled({**FOUR, 1001: 500}, bank_modes=["volunteer"])
    rig.play(2, OfferBank(amount=50))
    clock = rig.clock()
    assert clock.seats == (1, 11, 12)
    assert (clock.until or 0) - rig.table.since == 30_000
    assert seeking(rig) == {
        "step": "consent",
        "mode": "volunteer",
        "candidate": 2,
        "amount": 50,
        "awaited": [1, 11, 12],
    }
    rig.play(11, Consent(yes=True, decision=clock.decision))
    assert (seeking(rig)["awaited"], seeking(rig)["consented"]) == ([1, 12], [11])
    assert rig.clock() == replace(clock, seats=(1, 12))
    assert rig.refused(11, Consent(yes=False)) == "decision_over"
    assert [rig.refused(n, Consent(yes=True)) for n in (2, 1001)] == ["not_your_turn"] * 2
    for seat in (1, 12):
        (no, yes) = sorted(
            (o for o in rig.options(seat) if o.type == "consent"), key=lambda o: bool(o.fields["yes"])
        )
        assert (no.decision, yes.fields) == (clock.decision, {"yes": True})
    assert not [o for n in (2, 11, 1001) for o in rig.options(n) if o.type == "consent"]


def test_all_who_were_silent_have_refused_and_are_absent() -> None:
    """No answer in time is a no, of each of them; offers are taken anew (section 12, A-24)."""
    rig = peopled(FOUR, bank_modes=["volunteer"])
    rig.play(1, OfferBank(amount=50))
    rig.play(11, Consent(yes=True))
    rig.expire()
    assert [(d.seat, d.candidate, d.source) for d in rig.of(ev.BankRefused)] == [
        (2, 1, "timeout"),
        (12, 1, "timeout"),
    ]
    assert rig.table.absent == {2, 12}
    assert seeking(rig) == {"step": "offers", "mode": "volunteer"}
    rig.play(2, OfferBank(amount=10))
    assert rig.table.absent == {12}
    assert 12 in rig.clock().seats


def test_a_host_may_end_the_wait_for_consent() -> None:
    """What he ends is his, and makes nobody absent."""
    rig = peopled(FOUR, bank_modes=["volunteer"], consent_ms=0)
    rig.play(1, OfferBank(amount=50))
    assert rig.clock().until is None
    rig.host(cmd.Expire(decision=rig.clock().decision))
    assert {(d.source, d.by) for d in rig.of(ev.BankRefused)} == {("host", HOST)}
    assert rig.table.absent == frozenset()


def test_candidates_are_voted_on_in_the_order_of_their_offers() -> None:
    """Whoever offers first is asked about first; the next one after a no, with a vote of his own (R-51)."""
    rig = peopled(FOUR, bank_modes=["volunteer"])
    rig.play(12, OfferBank(amount=50))
    first = rig.clock()
    rig.play(1, OfferBank(amount=60))
    rig.play(11, OfferBank(amount=70))
    assert rig.clock() == first
    assert seeking(rig)["queue"] == [{"amount": 60, "seat": 1}, {"amount": 70, "seat": 11}]
    assert [rig.refused(n, OfferBank(amount=80)) for n in (12, 1)] == ["decision_over"] * 2
    assert [[o.type for o in rig.options(n)].count("offer_bank") for n in (12, 1, 2)] == [0, 0, 1]
    rig.play(2, Consent(yes=True))
    rig.play(11, Consent(yes=False))
    assert (seeking(rig)["candidate"], seeking(rig)["awaited"]) == (1, [2, 11, 12])
    late = Consent(yes=True, decision=first.decision)
    assert rig.refused(2, late) == "decision_over"
    for seat in (2, 11, 12):
        rig.play(seat, Consent(yes=True))
    assert rig.of(ev.BankConstituted) == [ev.BankConstituted(amount=60, banker=1, mode="volunteer")]


def test_who_was_refused_does_not_offer_again_in_the_same_attempt() -> None:
    """Otherwise one person could keep the table from its next mode; at rest he may try again (R-51, R-54)."""
    rig = peopled({1: 500, 11: 500}, bank_modes=["volunteer"])
    rig.play(1, OfferBank(amount=50))
    rig.play(11, Consent(yes=False))
    assert rig.refused(1, OfferBank(amount=90)) == "not_candidate"
    assert "offer_bank" not in [o.type for o in rig.options(1)]
    rig.expire()
    assert rig.table.play.seeking.rests
    rig.play(1, OfferBank(amount=90))
    rig.play(11, Consent(yes=True))
    assert rig.view()["bank"] == 90


def test_nobody_waits_for_the_consent_of_somebody_who_has_left() -> None:
    """With the last one who had not answered gone, all who sit have agreed (R-51)."""
    rig = peopled(FOUR, bank_modes=["volunteer"])
    rig.play(1, OfferBank(amount=50))
    for seat in (2, 11):
        rig.play(seat, Consent(yes=True))
    rig.play(2, cmd.Leave())
    assert seeking(rig)["awaited"] == [12]
    rig.play(12, cmd.Leave())
    assert rig.view()["banker"] == 1


def test_whoever_sits_down_during_the_vote_is_not_asked() -> None:
    """The candidate was there when he came (R-51, A-24)."""
    rig = peopled({1: 500, 11: 500}, bank_modes=["volunteer"])
    rig.play(1, OfferBank(amount=50))
    rig.sit(2)
    assert rig.refused(2, Consent(yes=False)) == "not_your_turn"
    rig.play(11, Consent(yes=True))
    assert rig.view()["banker"] == 1


def test_without_others_who_sit_nobody_is_asked() -> None:
    """Standing people play, but do not vote: the offer is the bank (R-51, A-42)."""
    rig = peopled({1: 500, 1001: 500}, bank_modes=["volunteer"])
    rig.play(1, OfferBank(amount=50))
    assert rig.view()["banker"] == 1


def test_a_candidate_who_leaves_is_none() -> None:
    """The next one is voted on, or offers are taken anew; a waiting one's offer goes with him (R-51)."""
    rig = peopled(FOUR, bank_modes=["volunteer"])
    for seat in (1, 2, 11):
        rig.play(seat, OfferBank(amount=50))
    rig.play(2, cmd.Leave())
    rig.play(1, cmd.Leave())
    assert (seeking(rig)["candidate"], seeking(rig)["awaited"]) == (11, [12])
    rig.play(11, cmd.Leave())
    assert seeking(rig) == {"step": "offers", "mode": "volunteer"}
    assert rig.of(ev.BankRefused) == []


def test_a_candidate_without_the_chips_he_offered_is_none() -> None:
    """Whoever cashes out has taken his offer back, voted on or waiting (R-51, R-55)."""
    rig = peopled(FOUR, bank_modes=["volunteer"])
    for seat in (1, 2, 11):
        rig.play(seat, OfferBank(amount=50))
    rig.play(2, cmd.CashOut())
    rig.play(1, cmd.CashOut())
    assert [(d.seat, d.source) for d in rig.of(ev.BankDeclined)] == [(1, "automation"), (2, "automation")]
    assert seeking(rig)["candidate"] == 11


def test_the_steady_bot_consents_and_never_wants_the_bank() -> None:
    """A bot of the house has its turn when it is asked, and says yes (design 3, Bots)."""
    rig = peopled({1: 500}, bank_modes=["volunteer"])
    rig.host(cmd.SeatBot(seat=11, policy="steady"), "pid_bot")
    rig.buy_in(11, 100)
    assert POLICIES["steady"](rig.view(), [], rig.options(11)) is None
    rig.play(1, OfferBank(amount=50))
    (turn,) = [d for d in rig.due() if d.kind == "bot"]
    assert (turn.decision, turn.seats) == (f"bot:11:{rig.table.opened}", (11,))
    command = POLICIES["steady"](rig.view(), [], rig.options(11))
    assert isinstance(command, Consent)
    rig.send(command, "pid_bot", "bot")
    assert rig.of(ev.BankConsented)[0].source == "bot"
    assert rig.view()["banker"] == 1
