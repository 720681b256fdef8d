"""A match at a table from the first seat taken to the last chip paid (baciga 4, 9, 10, 13)."""

import pytest

from dealer.rules.baciga import cards
from dealer.rules.baciga.events import BriscasCounted, MeldDeclared, SevenShown, StockDrawn
from dealer.rules.baciga.state import play_of
from dealer.rules.frame import commands as cmd
from dealer.rules.frame import lot
from dealer.rules.frame.event import CROUPIER
from dealer.rules.frame.events import CardDealt, LotDrawn, SeedRevealed, ShoeSealed
from dealer.rules.tricks.commands import Concede, Play
from dealer.rules.tricks.events import MatchStarted, MatchWon, PairsMade, TrickWon
from dealer.table import hosting
from tests.baciga.rig import Baciga, started
from tests.table.rig import HOST, OTHER_HOST, pid, types


@pytest.mark.parametrize(
    ("profile", "players", "packets"),
    [
        ("seed", 2, (3, 3, 3)),
        ("seed", 3, (3, 3, 3)),
        ("standard", 4, (3, 2, 3)),
        ("seed-china", 2, (3, 3, 3, 3)),
    ],
)
def test_the_deal(profile: str, players: int, packets: tuple[int, ...]) -> None:
    """4.2, 4.3, 12.1, A-04: packets from the seat after the dealer, the trump card turned up, who leads."""
    rig = started(profile, players=players)
    table, play = rig.table, play_of(rig.table)
    dealt = [d.to for d in rig.of(CardDealt)]
    order = [*range(2, players + 1), 1]
    assert dealt == [str(seat) for packet in packets for seat in order for _ in range(packet)]
    (trump,) = table.hands["trump"]
    size = table.deck.size if table.deck else 0
    assert trump == (len(dealt) if profile == "standard" else size - 1)
    assert cards.face(table.faces[trump])[1] == play.trump
    assert (play.turn, play.leader, table.phase) == (2, 2, "stock")
    assert rig.view()["stock"] == size - len(dealt)


def test_first_dealer_by_lot() -> None:
    """4.4: the seat with the highest card deals the first hand, and the lot is provable."""
    rig = Baciga(players=3, luck=5)
    rig.fill()
    (drawn,) = rig.of(LotDrawn)
    (match,) = rig.of(MatchStarted)
    assert (drawn.purpose, drawn.candidates, drawn.winner) == ("first_dealer", (1, 2, 3), match.dealer)


def test_pairs_by_lot() -> None:
    """Section 10, A-25: highest, third, second, lowest sit in seats 1 to 4: the best two are a pair."""
    rig = Baciga(players=4, pairing="lot", first_dealer=1, luck=2, play_for="chips", match_buy_in=10)
    for seat in range(1, 5):
        rig.sit(seat, 100 + seat)
    (drawn,), (made,) = rig.of(LotDrawn), rig.of(PairsMade)
    strength = {
        seat: lot.strength(card.card) for seat, card in zip(drawn.candidates, drawn.cards, strict=True)
    }
    ranked = sorted(strength, key=lambda seat: strength[seat], reverse=True)
    assert list(made.seats) == [ranked[0], ranked[2], ranked[1], ranked[3]]
    for new, old in enumerate(made.seats, 1):
        assert rig.table.seats[new].pid == pid(old)
        assert rig.table.stack(new) == 90 + old
    assert len(rig.of(PairsMade)) == len(rig.of(MatchStarted)) == 1


def test_partners_as_seated() -> None:
    """Section 10: where pairs are chosen nobody is seated anew, and seats 1 and 3 are one side."""
    rig = started(players=4)
    assert not rig.of(PairsMade)
    rig.play(2, Concede())
    rig.play(4, Concede())
    (won,) = rig.of(MatchWon)
    assert (won.side, won.reason) == (1, "conceded")


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize(
    ("profile", "players"), [("seed", 2), ("seed", 4), ("standard", 3), ("seed-china", 2)]
)
def test_a_whole_match(profile: str, players: int) -> None:
    """Section 15: so many tricks and briscas a hand, the deal passes on, and somebody wins."""
    rig = started(profile, players=players, luck=9)
    rig.to_the_end()
    per_hand = {"seed": 32, "standard": 32, "seed-china": 96}[profile]
    tricks = [
        sum(e.round == n for e in rig.events if e.type == "trick.won") for n in range(1, rig.table.round + 1)
    ]
    assert tricks[:-1] == [per_hand] * (len(tricks) - 1)
    packs = cards.packs(rig.table.options)
    assert all(sum(d.points) == 80 * packs for d in rig.of(BriscasCounted))
    (won,) = rig.of(MatchWon)
    assert won.scores[won.side - 1] >= rig.view()["target"]
    assert rig.of(MeldDeclared)
    assert len(rig.of(ShoeSealed)) - rig.table.round in {0, 1}
    play = play_of(rig.table)
    assert play.dealer == (rig.table.round - 1) % players + 1


def test_time_runs_out() -> None:
    """13.1, A-23: the lowest card is played and marked; the seat is absent until it moves again."""
    rig = started(players=2)
    held = [card["card"] for card in rig.hand(2)]
    events = rig.expire()
    (played,) = [e.data for e in events if e.type == "card.played"]
    assert (played.source, played.seat) == ("timeout", 2)
    assert played.card == cards.lowest(held, play_of(rig.table).trump)
    assert rig.view()["seats"][1]["absent"]
    rig.play(2, cmd.SetCutWilling(willing=True))
    assert not rig.view()["seats"][1]["absent"]


def test_nobody_there_nothing_is_dealt() -> None:
    """Design 3, Rest: with everybody absent the next hand waits, and begins when somebody is back."""
    rig = started(players=2)
    rig.expire_until("between_rounds")
    before = len(rig.events)
    assert rig.due() == []
    rig.now += 3_600_000
    rig.play(1, cmd.SetCutWilling(willing=False))
    assert rig.table.phase == "stock"
    assert len(rig.events) > before


@pytest.mark.parametrize(("players", "paid"), [(2, {1: 200}), (3, {1: 300}), (4, {1: 200, 3: 200})])
def test_a_match_for_chips(players: int, paid: dict[int, int]) -> None:
    """A buy-in each lies in the pot during the match; the winner, or both of a pair alike, take it."""
    rig = started(players=players, chips=100, play_for="chips", match_buy_in=100)
    assert all(rig.table.stack(seat) == 0 for seat in range(1, players + 1))
    assert rig.table.chips["pot:1"] == 100
    losers = [seat for seat in range(1, players + 1) if seat not in paid]
    for seat in losers:
        rig.play(seat, Concede())
    assert {seat: rig.table.stack(seat) for seat in paid} == paid
    assert not [place for place in rig.table.chips if place.startswith("pot:")]


def test_a_match_waits_for_chips() -> None:
    """Nobody begins to play for chips before every seat can pay; for points nobody needs any."""
    rig = Baciga(players=2, first_dealer=1, play_for="chips", match_buy_in=100)
    rig.sit(1, 100)
    rig.sit(2, 99)
    assert rig.table.phase == "preparing"
    rig.buy_in(2, 1)
    assert rig.table.phase == "stock"


def test_a_deck_is_for_one_hand() -> None:
    """Section 4: a deck that lies ready when the match is given up is not dealt in the next one."""
    rig = started(luck=9)
    while rig.table.phase != "between_rounds":
        rig.forwards()
    assert rig.table.shoe is not None
    ready = rig.table.shoe.shuffle
    rig.play(1, Concede())
    assert rig.table.shoe is None
    rig.expire()
    assert rig.table.playing
    assert rig.table.shoe is not None
    assert rig.table.shoe.shuffle > ready
    assert [d.shuffle for d in rig.of(SeedRevealed)][-1] == ready


def test_the_next_match() -> None:
    """Section 13: after a match another begins, nothing to nothing, unless somebody has left."""
    rig = started(players=2, first_dealer=2)
    rig.play(1, Concede())
    rig.play(1, cmd.Leave())
    assert rig.due() == []
    rig.play(1, cmd.Sit(seat=1))
    rig.expire()
    assert (rig.table.phase, play_of(rig.table).match) == ("stock", 2)
    assert rig.refused(1, cmd.Leave()) == "wrong_phase"


def test_a_table_that_closes_gives_the_buy_ins_back() -> None:
    """A match that the house cuts short is nobody's: every buy-in goes home."""
    rig = started(players=3, chips=100, play_for="chips", match_buy_in=40)
    rig.play(2, Concede())
    rig.play(2, cmd.Leave())
    assert rig.refused(9, cmd.Sit(seat=2)) == "seat_reserved"
    offered = [*rig.options(0), *hosting.options(rig.game, rig.table, HOST)]
    assert {option.type for option in offered}.isdisjoint({"sit", "seat_bot"})
    rig.host(cmd.CloseTable(now=True))
    moves = [
        move
        for e in rig.events
        if e.type == "chips.moved" and e.data.cause == "cash_out"
        for move in e.data.moves
    ]
    home = {(move.origin, move.to.split(":")[1]): move.amount for move in moves}
    assert home["pot:1", pid(1)] == home["pot:3", pid(3)] == home["pot:2", pid(3)] == 40


def test_a_void_hand_is_dealt_again() -> None:
    """Fairness 1.8: two people strike a hand out; its points are gone, and the same dealer deals again."""
    rig = started(players=2, luck=9)
    while not rig.of(MeldDeclared):
        rig.forwards()
    assert sum(play_of(rig.table).totals)
    rig.host(cmd.ProposeCorrection(kind="void_round"))
    rig.send(cmd.ApproveCorrection(), OTHER_HOST, "host")
    assert play_of(rig.table).totals == (0, 0)
    rig.expire()
    assert (rig.table.phase, play_of(rig.table).dealer, rig.table.round) == ("stock", 1, 2)
    assert len(rig.of(ShoeSealed)) == 2


def test_a_bot_agrees_at_once() -> None:
    """13.2: of a pair both have to give up; a bot does at once, a person is waited for."""
    rig = Baciga(players=4, first_dealer=1)
    for seat in (1, 2, 4):
        rig.sit(seat)
    rig.host(cmd.SeatBot(seat=3, policy="steady"), "pid_3")
    assert types(rig.play(2, Concede())) == ["concession.offered"]
    assert rig.table.phase == "stock"
    rig.play(1, Concede())
    assert play_of(rig.table).winner == 2


def test_an_offer_lapses_with_the_hand() -> None:
    """13.2: the first word of a pair is for this hand; in the next one it has to be said again."""
    rig = started(players=4, luck=1)
    rig.play(2, Concede())
    while rig.table.phase != "between_rounds":
        rig.forwards()
    rig.expire()
    assert rig.view()["conceded"] == []
    assert types(rig.play(4, Concede())) == ["concession.offered"]
    assert types(rig.play(2, Concede()))[:2] == ["match.conceded", "match.won"]


def test_a_bot_plays_its_turn() -> None:
    """Design 3: a bot on turn is due after its thinking time, once for each thing it does."""
    rig = Baciga(players=2, first_dealer=1)
    rig.sit(1)
    rig.host(cmd.SeatBot(seat=2, policy="steady"), "pid_2")
    (bot,) = [d for d in rig.due() if d.kind == "bot"]
    assert bot.seats == (2,)
    assert bot.until == rig.table.since + 1_200
    rig.best()
    assert not [d for d in rig.due() if d.kind == "bot"]


def test_bots_alone_play_no_match() -> None:
    """Design 3, Rest: a table with nobody to play writes nothing."""
    rig = Baciga(players=2, first_dealer=1)
    for seat in (1, 2):
        rig.host(cmd.SeatBot(seat=seat, policy="steady"), f"pid_{seat}")
    assert rig.table.phase == "preparing"
    assert rig.due() == []


def test_who_cuts() -> None:
    """4.6, A-27: the seat before the dealer if it is willing; otherwise nobody, whoever else contributes."""
    for willing, cutter in ((3, 3), (2, 0)):
        rig = Baciga(players=3, first_dealer=1)
        for seat in (1, 2):
            rig.sit(seat)
        if willing == 2:
            rig.play(2, cmd.SetCutWilling(willing=True))
            rig.sit(3)
        else:
            rig.play(3, cmd.Sit(seat=3))
            assert rig.table.cut is None
            rig.play(3, cmd.SetCutWilling(willing=True))
            rig.play(1, Concede())
            rig.play(2, Concede())
            rig.expire()
        assert rig.table.cut is not None
        assert rig.table.cut.cutter == cutter


def test_by_hand() -> None:
    """Design 3: without automations a host deals, or has the next match begin; deadlines stand behind."""
    rig = started(players=2, automations=[])
    assert rig.table.phase == "dealing"
    assert rig.refusal(cmd.NextRound(), HOST, "host").code == "wrong_phase"
    rig.host(cmd.Deal())
    assert rig.table.phase == "stock"
    assert rig.refusal(cmd.Deal(), HOST, "host").code == "wrong_phase"
    rig.play(1, Concede())
    rig.host(cmd.NextRound())
    assert rig.table.phase == "dealing"
    rig.expire()
    assert rig.table.phase == "stock"


def test_no_host_plays_for_a_seat() -> None:
    """Design 8: legality depends on hidden cards, so a host can only end the turn."""
    rig = started(players=2)
    card = rig.hand(2)[0]["code"]
    assert rig.refusal(Play(card=card, seat=2), HOST, "host").code == "forbidden"
    rig.host(cmd.Expire(decision=rig.clock().decision))
    assert rig.of(TrickWon) == []
    assert rig.turn == 1


def test_the_croupier_announces_the_winner() -> None:
    """9.2, A-21: somebody declares and reaches the target; the croupier says so in the same append."""
    rig = started(luck=9, target=100)
    while rig.table.playing:
        events = rig.best()
    actors = {event.type: event.actor for event in events}
    assert actors["meld.declared"].startswith("pid_")
    assert {actors[kind] for kind in ("target.reached", "match.won", "round.ended")} == {CROUPIER}


def test_a_seven_turned_up_in_the_deal() -> None:
    """12.1: it brings the dealer's side 10 before the first lead."""
    laid = [rank + suit for suit in "SD" for rank in "789TJQKA"]
    rig = Baciga("standard", laid=[*laid, "7H"])
    rig.fill()
    (seven,) = rig.of(SevenShown)
    assert (seven.how, seven.seat, cards.ANY.code(seven.card)) == ("turned", 1, "7H1")
    assert rig.view()["scores"] == [10, 0]


def test_no_lot_where_cards_are_laid() -> None:
    """Design 6: whoever lays the cards for a first hand also knows its dealer, seat 1, and who sits where."""
    rig = Baciga(players=4, pairing="lot", laid=["QS", "JD"])
    rig.fill()
    assert not rig.of(LotDrawn)
    assert play_of(rig.table).dealer == 1
    assert rig.view()["stacked"]


def test_a_seat_that_gave_up_draws_at_once() -> None:
    """12.2, 13.2: where the winner of a trick is out of the match, nobody waits for him in `declaring`."""
    rig = started("standard", players=3, luck=2)
    rig.play(2, Concede())
    while rig.table.playing:
        assert rig.turn != 2
        rig.plainly() if rig.table.phase != "declaring" else rig.expire()
    won = [trick.seat for trick in rig.of(TrickWon)]
    assert 2 in won
    assert all(d.source == "automation" for d in rig.of(StockDrawn) if d.seat == 2)


def test_what_a_host_is_offered() -> None:
    """Design 3: to deal, and to go on without waiting, each in its time."""
    rig = started(players=2, automations=[])
    assert [o.type for o in rig.game.host_options(rig.table)] == ["deal"]
    rig.host(cmd.Deal())
    assert rig.game.host_options(rig.table) == []
    rig.play(1, Concede())
    assert [o.type for o in rig.game.host_options(rig.table)] == ["next_round"]
