"""What holds at every moment of a hand, whoever plays it (butifarra 13)."""

import random
from itertools import chain
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from dealer.rules.butifarra import cards, scoring
from dealer.rules.butifarra.events import ContractFixed, RoundScored
from dealer.rules.butifarra.state import play_of
from dealer.rules.frame.commands import Expire
from dealer.rules.frame.events import CardExposed
from dealer.rules.frame.game import Act
from dealer.rules.tricks.events import CardPlayed, TrickWon
from dealer.table.snapshot import flaw, form
from shoe.shoe import Shoe
from tests.butifarra.rig import Butifarra, started
from tests.table.rig import seeds

TABLES: list[dict[str, Any]] = [
    {},
    {"undertrump": "free", "card_values": "seed40_as", "partner_blind": True},
    {"profile": "competicio-lliure", "contro_steps_suit": 4},
    {"profile": "competicio-obligada", "partner_blind": True},
    {"profile": "competicio-obligada", "card_values": "seed40", "contro_steps_butifarra": 1},
]


def _whole(rig: Butifarra) -> None:
    """No card is lost or doubled, the state can be, and the seat on turn alone may do something."""
    table, play = rig.table, play_of(rig.table)
    assert flaw(rig.game, table) == ""
    lying = list(chain.from_iterable(table.hands.values()))
    taken = [card for trick in play.taken for card in trick.cards]
    assert len(set(lying)) + len(set(taken)) == len(lying) + len(taken) == 48
    if table.phase == "tricks":
        own = {card["code"] for card in rig.hand(rig.turn)}
        may = {option.fields["card"] for option in rig.choices(rig.turn)}
        assert may
        assert may <= own
    _silent(rig)


def _silent(rig: Butifarra) -> None:
    """The act of a time-out is legal, and the same for the same position; it is only looked at."""
    act = Act(Expire(decision=rig.clock().decision), "croupier", "timeout", "", 0, rig.now)
    one, other = (rig.game.expire(rig.table, rig.chance, act) for _ in range(2))
    assert one == other
    assert isinstance(one, list)
    acted = next(data for data in one if hasattr(data, "source"))
    words = rig.game.commands_of(acted, rig.table)
    said = [replace(words[0], seat=UNSET, decision=option.decision) for option in rig.choices(rig.turn)]
    assert any(rig.command(option) == each for option, each in zip(rig.choices(rig.turn), said, strict=True))


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(TABLES), st.integers(0, 1_000))
def test_a_hand_of_random_moves(chosen: dict[str, Any], luck: int) -> None:
    """Section 13: 48 cards, 12 tricks, 52 or 72 points, one pair scores at most, the multiplier, who leads.

    A legal set is never empty and lies in the hand; the act of a time-out is legal, and always the same.
    """
    rig = started(**{**chosen, "luck": luck})
    draw = random.Random(luck)  # noqa: S311 - a script of moves
    while rig.table.playing:
        rig.some(draw)
        if rig.table.playing:
            _whole(rig)
    (scored,), (contract,) = rig.of(RoundScored), rig.of(ContractFixed)
    assert sum(scored.raw) == 2 * scoring.half(rig.table.options)
    assert len(rig.of(TrickWon)) == cards.TRICKS
    assert min(scored.points) == 0
    first = rig.of(CardPlayed)[0].seat
    assert first == contract.leader
    play = play_of(rig.table)
    if rig.table.options["bidding"] == "overcall":
        assert contract.multiplier in {1, 2, 4, 8}
        offers = {offer.trump: offer.seat for offer in play.bidding.offers}
        assert (contract.leader, contract.leader % 2) == (
            offers[contract.trump],
            play.contract.side % 2 if play.contract else 0,
        )
    else:
        assert contract.multiplier in {1, 2, 4, 8, 16}
        assert contract.leader == 2


@settings(deadline=None, max_examples=15)
@given(st.sampled_from(TABLES), st.integers(0, 1_000), st.integers(0, 50))
def test_what_is_kept_is_public(chosen: dict[str, Any], luck: int, moves: int) -> None:
    """S-20 b: a snapshot gives the same state again; no seed, nonce or unseen face is in it or in a view."""
    rig = started(**{**chosen, "luck": luck})
    draw = random.Random(luck)  # noqa: S311 - a script of moves
    for _ in range(moves):
        if rig.table.playing:
            rig.some(draw)
    table = rig.table
    packed = form(rig.game).pack(table)
    assert form(rig.game).unpack(packed) == table
    turned = {d.pos: d.card for d in rig.of(CardExposed)}
    assert table.faces.items() <= turned.items()
    if table.shoe is None or not table.playing:
        return
    shoe = Shoe(table.shoe.transcript, seeds(table.shoe.shuffle, 1, luck)[0])
    secret = [bytes.fromhex(shoe.nonce(pos)) for pos in range(table.shoe.size)]
    assert not [one for one in secret if one in packed or one.hex().encode() in packed]
    shown = rig.view()
    private = [codes for name, codes in shown["hands"].items() if name.isdecimal()]
    assert set(chain.from_iterable(private)) == {""}
    blind = chosen.get("partner_blind") and shown["bid_step"] == "open"
    for seat in range(1, 5):
        own = {card["pos"] for card in rig.hand(seat)}
        assert own == (set() if blind and seat == 3 else set(table.hands.get(str(seat), ())))
