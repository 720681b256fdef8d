"""A match at a table from the first seat taken to the last chip paid (butifarra 4, 5, 6, 11, 12)."""

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from dealer.rules.butifarra import events as ev
from dealer.rules.butifarra.commands import NameTrump
from dealer.rules.butifarra.state import play_of
from dealer.rules.frame import commands as cmd
from dealer.rules.frame import lot
from dealer.rules.frame.event import CROUPIER
from dealer.rules.frame.events import CardDealt, LotDrawn, RoundStarted, SeedRevealed, ShoeSealed
from dealer.rules.tricks.commands import Concede, Play
from dealer.rules.tricks.events import CardPlayed, MatchStarted, MatchWon, PairsMade, TrickWon
from dealer.table.snapshot import flaw
from ops.replay.replay import replay
from shoe.cards import Deck
from tests.butifarra.examples import load
from tests.butifarra.positions import GAME, Position
from tests.butifarra.rig import Butifarra, started
from tests.table import cut
from tests.table.rig import HOST, OTHER_HOST, pid, types


def test_the_deal() -> None:
    """4.4, U-05: packets of four from the seat after the dealer, thrice; then the dealer is on turn."""
    rig = started(first_dealer=3)
    dealt = rig.of(CardDealt)
    assert [d.to for d in dealt] == [seat for _ in range(3) for seat in "4123" for _ in range(4)]
    assert [d.pos for d in dealt] == list(range(48))
    view = rig.view()
    assert (view["phase"], view["bid_step"], view["turn"], view["leader"]) == ("bidding", "open", 3, 0)
    assert [o.type for o in rig.choices(3)] == ["name_trump"] * 5 + ["delegate"]
    assert [seat for seat in (1, 2, 4) if rig.choices(seat)] == []


def test_pairs_and_first_dealer_by_lot() -> None:
    """4.2: highest, third, second, lowest sit in seats 1 to 4; another provable lot finds the dealer."""
    rig = Butifarra(pairing="lot", luck=2, play_for="chips", match_buy_in=10)
    for seat in range(1, 5):
        rig.sit(seat, 100 + seat)
    pairs, dealer = rig.of(LotDrawn)
    (made,), (match,) = rig.of(PairsMade), rig.of(MatchStarted)
    strength = {seat: lot.strength(c.card) for seat, c in zip(pairs.candidates, pairs.cards, strict=True)}
    ranked = sorted(strength, key=lambda seat: strength[seat], reverse=True)
    assert list(made.seats) == [ranked[0], ranked[2], ranked[1], ranked[3]]
    assert {new: s.pid for new, s in rig.table.seats.items()} == {
        n: pid(old) for n, old in enumerate(made.seats, 1)
    }
    assert (pairs.purpose, dealer.purpose, dealer.winner) == ("pairing", "first_dealer", match.dealer)
    assert {d.shuffle for d in rig.of(SeedRevealed)} >= {pairs.shuffle, dealer.shuffle}


def test_a_hand_of_the_seed() -> None:
    """5.1, 5.4, section 12, U-04: bids, contract, tricks in order of play, points, the next dealer (4.5)."""
    rig = started(luck=3)
    rig.say("delegate", "name_trump:C", "pass", "contest:butifarra", "pass")
    assert rig.view()["contract"] == {"trump": "butifarra", "multiplier": 4, "leader": 2, "side": 2}
    events = rig.say("insist")
    assert types(events) == ["trump.insisted", "contract.fixed"]
    assert [event.actor for event in events] == [pid(1), CROUPIER]
    view = rig.view()
    assert (view["phase"], view["trump"], view["leader"], view["turn"]) == ("tricks", "C", 3, 3)
    assert view["contract"] == {"trump": "C", "multiplier": 8, "leader": 3, "side": 1}
    assert [b["word"] for b in view["bids"]] == [
        *("delegate", "name_trump", "pass", "contest", "pass", "insist"),
    ]
    rig.hand_played()
    (scored,) = rig.of(ev.RoundScored)
    assert sum(scored.raw) == 52
    assert scored.points == tuple(8 * max(0, raw - 26) for raw in scored.raw)
    view = rig.view()
    assert (view["dealer"], view["scores"], sum(view["tricks"])) == (2, list(scored.points), 12)
    assert len(rig.of(TrickWon)) == 12
    order = [played.seat for played in rig.of(CardPlayed)]
    assert all(one % 4 + 1 == then for n, (one, then) in enumerate(pairwise(order), 1) if n % 4)
    told = rig.game.history([e for e in rig.events if e.round == 1])
    assert told["pairs"] == [[1, 3], [2, 4]]
    assert [bid["word"] for bid in told["bids"]] == [b["word"] for b in view["bids"]]
    assert told["contract"] == {"trump": "C", "multiplier": 8, "leader": 3}
    assert [len(trick["cards"]) for trick in told["tricks"]] == [4] * 12
    assert (told["raw"], told["points"]) == (list(scored.raw), list(scored.points))


def test_a_hand_of_the_competition() -> None:
    """Section 6: the ladder on a suit, and the seat right of the dealer leads; 72 points, 36 the half."""
    rig = started("competicio-obligada", contro_steps_suit=4)
    rig.say("name_trump:E", "contro", "pass", "recontro", "sant_vicenc", "barraca")
    assert rig.view()["contract"] == {"trump": "E", "multiplier": 16, "leader": 2, "side": 1}
    rig.hand_played()
    (scored,) = rig.of(ev.RoundScored)
    assert sum(scored.raw) == 72
    assert scored.points == tuple(16 * max(0, raw - 36) for raw in scored.raw)
    assert [said.level for said in rig.of(ev.ControSaid)] == [1, 2, 3, 4]
    told = rig.game.history([e for e in rig.events if e.round == 1])
    assert [bid["word"] for bid in told["bids"]][1:] == [
        *("contro", "pass", "recontro", "sant_vicenc", "barraca"),
    ]


@pytest.mark.parametrize("profile", ["seed", "competicio-lliure", "competicio-obligada"])
def test_a_whole_match(profile: str) -> None:
    """Section 11, section 12: hands until somebody has the target, each with a seed of its own."""
    rig = started(profile, luck=9, target=51)
    rig.to_the_end()
    (won,) = rig.of(MatchWon)
    assert (won.reason, won.side) == ("target", 1 + (won.scores[1] > won.scores[0]))
    assert won.scores[won.side - 1] >= 51
    assert len(rig.of(RoundStarted)) == rig.view()["hands_played"] == len(rig.of(ev.RoundScored))
    assert len(rig.of(ShoeSealed)) == rig.table.round
    assert all(sum(points > 0 for points in scored.points) <= 1 for scored in rig.of(ev.RoundScored))
    assert play_of(rig.table).dealer == (rig.table.round - 1) % 4 + 1


def test_what_is_shown_of_a_hand() -> None:
    """Section 12: the open trick and the last one; the others to whoever reads the log, or is a bot."""
    rig = started()
    rig.say("name_trump:O", "pass", "pass")
    for _ in range(9):
        rig.best()
    view, played = rig.view(), [d.card for d in rig.of(CardPlayed)]
    code = rig.table.deck.code if rig.table.deck else str
    assert view["hands"]["trick"] == [code(played[8])]
    assert view["last_trick"]["cards"] == [code(card) for card in played[4:8]]
    tricks = rig.game.recalled(rig.table)["played"]
    assert [card for trick in tricks for card in trick["cards"]] == [code(card) for card in played[:8]]
    assert [trick["seat"] for trick in tricks] == [d.seat for d in rig.of(TrickWon)]
    assert not {code(card) for card in played[:4]} & set(str(view["hands"]).split("'"))


def test_a_blind_partner() -> None:
    """Section 6: with `partner_blind` the dealer's partner sees his cards after the dealer's word."""
    rig = started("competicio-lliure", partner_blind=True)
    assert [len(rig.hand(seat)) for seat in (1, 2, 3, 4)] == [12, 12, 0, 12]
    rig.say("delegate")
    assert [len(rig.hand(seat)) for seat in (1, 2, 3, 4)] == [12, 12, 12, 12]


def test_time_runs_out() -> None:
    """12.1: delegate, the longest suit, pass, the least card; all marked, and who was silent is absent."""
    rig = started()
    sources = []
    for kind in ("trump.delegated", "trump.named", "bid.passed", "bid.passed", "card.exposed"):
        seat, events = rig.turn, rig.expire()
        assert events[0].type == kind
        acted = next(e.data for e in events if hasattr(e.data, "source"))
        sources.append((acted.seat, acted.source))
        assert seat in rig.table.absent
    assert sources == [(seat, "timeout") for seat in (1, 3, 4, 2, 3)]


def test_a_host_speaks_for_a_seat_but_plays_for_none() -> None:
    """Design 8: a word tells no card, so a host may say it for a seat; of a card he can only end the turn."""
    rig = started()
    (event,) = rig.host(NameTrump(seat=1, trump="O"))
    assert (event.data.source, event.data.by) == ("host", HOST)
    rig.say("pass", "pass")
    card = rig.hand(1)[0]["code"]
    assert rig.refusal(Play(card=card, seat=1), HOST, "host").code == "forbidden"
    rig.host(cmd.Expire(decision=rig.clock().decision))
    assert rig.of(CardPlayed)[0].source == "host"


@pytest.mark.parametrize("deals", [8, 12])
def test_a_fixed_number_of_hands(deals: int) -> None:
    """Section 11: after the last hand the pair with more points has won, however few they are."""
    rig = started(deals=deals, luck=1)
    rig.to_the_end()
    (won,) = rig.of(MatchWon)
    assert (won.reason, rig.view()["hands_played"]) == ("deals", deals)


def _last_hand(**changed: Any) -> Position:
    """The last trick of BU-59, which makes it 40 : 40, with a buy-in of each player in the pot."""
    position = Position({**next(each for each in load("bu_run") if each["id"] == "BU-59a"), **changed})
    chips = {**{f"pot:{seat}": 50 for seat in range(1, 5)}, "cage": -200}
    position.table = replace(position.table, chips=chips)
    position.do({"line": "9O 2C 12C 3C"})
    return position


def test_a_draw_gives_the_chips_back() -> None:
    """Section 11: with equal totals nobody has won, and what was staked goes back to those who put it in."""
    position = _last_hand()
    told = [event.data for event in position.events if isinstance(event.data, ev.MatchDrawn)]
    assert [drawn.scores for drawn in told] == [(40, 40)]
    assert {n: position.table.stack(n) for n in range(1, 5)} == {1: 50, 2: 50, 3: 50, 4: 50}
    assert (position.table.phase, play_of(position.table).winner) == ("match_over", 0)
    history = GAME.history(position.events)
    assert (history["drawn"], history["won"]) == ([40, 40], {})


def test_nobody_is_noted_more_than_the_cap() -> None:
    """Section 11: with `score_cap` what goes beyond it is not noted."""
    position = _last_hand(scores=[115, 40], score_cap=121)
    scored = [event.data for event in position.events if isinstance(event.data, ev.RoundScored)]
    assert [(each.points, each.raw) for each in scored] == [((6, 0), (32, 20))]
    assert play_of(position.table).scores == (121, 40)
    assert {n: position.table.stack(n) for n in range(1, 5)} == {1: 100, 2: 0, 3: 100, 4: 0}


def test_conceding() -> None:
    """12.2: the first word is an offer that lapses with the hand; with the second the match is lost."""
    rig = started()
    assert types(rig.play(2, Concede())) == ["concession.offered"]
    assert rig.refused(2, Concede()) == "already_conceded"
    while rig.table.phase != "between_rounds":
        rig.forwards()
    rig.expire()
    assert rig.view()["conceded"] == []
    rig.play(4, Concede())
    before = rig.view()["scores"]
    events = rig.play(2, Concede())
    assert types(events)[:3] == ["match.conceded", "match.won", "round.ended"]
    (won,) = rig.of(MatchWon)
    assert (won.side, won.reason, list(won.scores)) == (1, "conceded", before)
    assert rig.refused(1, Concede()) == "match_over"


def test_conceding_between_hands_and_with_a_bot() -> None:
    """12.2: it may be said at any time of a match; a bot agrees with its partner at once."""
    rig = Butifarra(first_dealer=1)
    for seat in (1, 2, 4):
        rig.sit(seat)
    rig.host(cmd.SeatBot(seat=3, policy="steady"), "pid_3")
    while rig.table.phase != "between_rounds":
        rig.forwards()
    assert types(rig.play(2, Concede())) == ["concession.offered"]
    assert types(rig.play(1, Concede()))[:2] == ["match.conceded", "match.won"]
    assert rig.view()["winner"] == 2


def test_a_match_for_chips() -> None:
    """Section 11: a buy-in each lies in the pot; each winner takes his own and a loser's."""
    rig = started(chips=100, play_for="chips", match_buy_in=100)
    assert rig.table.chips["pot:1"] == 100
    for seat in (2, 4):
        rig.play(seat, Concede())
    assert [rig.table.stack(seat) for seat in (1, 2, 3, 4)] == [200, 0, 200, 0]


@pytest.mark.parametrize(("dealer", "cutter"), [(3, 2), (1, 0)])
@pytest.mark.parametrize("answers", [True, False])
def test_who_cuts(dealer: int, cutter: int, answers: bool) -> None:
    """4.3: the seat at the dealer's left cuts, if it is willing and answers; otherwise there is no cut."""
    rig = Butifarra(first_dealer=dealer)
    for seat in (1, 2, 3):
        rig.sit(seat, 0)
    rig.play(2, cmd.SetCutWilling(willing=True))
    rig.sit(4, 0)
    assert rig.table.cut is not None
    assert rig.table.cut.cutter == cutter
    if answers:
        cut.commit(rig, 2)
        cut.reveal(rig, 2)
    else:
        rig.expire()
    (sealed,) = rig.of(ShoeSealed)
    assert sealed.transcript.deck == Deck("es48", 1)
    assert [each.seat for each in sealed.transcript.contributions] == ([2] if answers else [])
    assert sealed.transcript.cutter == cutter
    assert rig.table.phase == "bidding"


def test_a_bot_plays_its_turn() -> None:
    """Design 3: a bot on turn is due after its thinking time, in the bidding and in a trick."""
    rig = Butifarra(first_dealer=1)
    rig.sit(1)
    for seat in (2, 3, 4):
        rig.host(cmd.SeatBot(seat=seat, policy="steady"), f"pid_{seat}")
    rig.say("name_trump:O")
    for _ in range(2):
        (bot,) = [d for d in rig.due() if d.kind == "bot"]
        assert (bot.seats, bot.until) == ((rig.turn,), rig.table.since + 1_200)
        rig.best()
        if rig.turn == 1:
            break


def test_a_void_hand_is_dealt_again() -> None:
    """Fairness 1.8: two people strike a hand out; its tricks are gone, and the same dealer deals again."""
    rig = started()
    rig.say("name_trump:O", "pass", "pass")
    for _ in range(5):
        rig.best()
    rig.host(cmd.ProposeCorrection(kind="void_round"))
    rig.send(cmd.ApproveCorrection(), OTHER_HOST, "host")
    assert (sum(play_of(rig.table).raw), play_of(rig.table).taken) == (0, ())
    rig.expire()
    assert (rig.table.phase, play_of(rig.table).dealer, rig.table.round) == ("bidding", 1, 2)
    assert flaw(rig.game, rig.table) == ""


def test_by_hand() -> None:
    """Design 3: without automations a host deals, and has the next hand begin; deadlines stand behind."""
    rig = started_by_hand()
    assert [o.type for o in rig.game.host_options(rig.table)] == ["deal"]
    rig.host(cmd.Deal())
    assert rig.table.phase == "bidding"
    assert rig.game.host_options(rig.table) == []
    rig.hand_played()
    assert [o.type for o in rig.game.host_options(rig.table)] == ["next_round"]
    rig.host(cmd.NextRound())
    assert rig.table.phase == "dealing"
    rig.expire()
    assert rig.table.phase == "bidding"


def started_by_hand() -> Butifarra:
    """A table whose croupier is a person."""
    rig = Butifarra(first_dealer=1, automations=[])
    rig.fill()
    assert rig.table.phase == "dealing"
    return rig


def test_a_bot_goes_on_for_somebody() -> None:
    """Design 3, 12.2: for who is silent or would give up, and for nobody who plays; his buy-in stays."""
    rig = started(chips=25, play_for="chips", match_buy_in=10)
    bots = {seat: cmd.SeatBot(seat=seat, policy="steady") for seat in (1, 2, 4)}
    assert rig.refusal(bots[1], HOST, "host", "pid_bot").code == "seat_taken"
    rig.expire()
    rig.play(2, Concede())
    assert rig.table.absent == {1}
    held = rig.table.hands["1"], rig.table.hands["2"]
    for seat in (1, 2):
        assert types(rig.host(bots[seat], f"pid_bot_{seat}")) == ["chips.moved", "seat.left", "seat.taken"]
    assert (rig.table.hands["1"], rig.table.hands["2"], rig.table.absent) == (*held, frozenset())
    assert [rig.table.chips.get(place) for place in ("stack:1", "pot:1", "stack:2", "pot:2")] == [
        None,
        10,
    ] * 2
    assert [rig.refusal(bots[seat], HOST, "host", "pid_bot").code for seat in (1, 4)] == ["seat_taken"] * 2
    assert rig.view()["conceded"] == []
    assert types(rig.play(4, Concede()))[:2] == ["match.conceded", "match.won"], "the bot agrees with him"
    assert rig.total(4) == rig.total(1) - 5
    assert replay(rig.stored).table == rig.table
