"""What holds at every moment of a hand, whoever plays it (baciga 15)."""

import random
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.rules.baciga import cards, state
from dealer.rules.baciga.events import BriscasCounted, LastTrickScored, SevenExchanged, SevenShown
from dealer.rules.baciga.state import play_of
from dealer.rules.frame.events import CardExposed
from dealer.rules.matches.state import TRICK, players
from dealer.rules.tricks.events import CardPlayed
from dealer.table.snapshot import flaw, form
from shoe.shoe import Shoe
from tests.baciga.rig import Baciga, started
from tests.table.rig import seeds

pytestmark = pytest.mark.usefixtures("uncounted")

TABLES: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"profile": "standard", "players": 2},
    {"profile": "standard", "players": 3},
    {"profile": "seed-china", "players": 2, "packs": 4, "hand_size": 9},
    {
        "players": 2,
        "declare_when": "trick_winner",
        "seven_bonus": 10,
        "last_trick_bonus": 10,
        "must_beat": True,
    },
    {"players": 2, "reuse": "by_class", "declare_when": "trick_winner", "one_meld_per_trick": True},
]


def _whole(rig: Baciga) -> None:
    """No card is lost or doubled, every hand is as large as it should be, and the state can be."""
    table, play = rig.table, play_of(rig.table)
    assert flaw(rig.game, table) == ""
    if not table.playing:
        return
    number, size = players(table), table.options["hand_size"]
    played = {e.data.pos for e in rig.events if type(e.data) is CardPlayed and e.round == table.round}
    lying = list(chain.from_iterable(table.hands.values()))
    taken = played - set(table.hands.get(TRICK, ()))
    assert len(lying) == len(set(lying))
    assert not taken & set(lying)
    assert len(lying) + len(taken) + state.hidden_left(table) == cards.packs(table.options) * cards.PACK
    if table.phase == "stock" and not table.hands.get(TRICK):
        assert all(len(state.owned(table, seat)) == size for seat in range(1, number + 1))
    assert sum(play.won) * number == len(taken)


def _legal(rig: Baciga) -> None:
    """Somebody may do something, and outside the last tricks a seat may play whatever it owns."""
    table = rig.table
    if table.phase in {"stock", "last_tricks"}:
        may = [option for option in rig.choices(rig.turn) if option.type == "play"]
        assert may
        if table.phase == "stock":
            assert len(may) == len(state.owned(table, rig.turn))


@settings(deadline=None, max_examples=8)
@given(st.sampled_from(TABLES), st.integers(0, 1_000))
def test_a_hand_of_random_moves(chosen: dict[str, Any], luck: int) -> None:
    """Section 15: cards are conserved, hands are full, scores are tens, sevens and last trick are bounded."""
    rig = started(**{**chosen, "luck": luck})
    draw = random.Random(luck)  # noqa: S311 - a script of moves
    while rig.table.playing:
        before = play_of(rig.table).totals
        rig.some(draw)
        _whole(rig)
        _legal(rig)
        after = play_of(rig.table).totals
        assert all(new >= old and (new - old) % 10 == 0 for old, new in zip(before, after, strict=True))
    packs, options = cards.packs(rig.table.options), rig.table.options
    sevens = [*rig.of(SevenShown), *rig.of(SevenExchanged)]
    assert sum(seven.points for seven in sevens) <= 10 * packs * bool(options["seven_bonus"])
    assert len({seven.card for seven in sevens}) == len(sevens)
    assert sum(last.points for last in rig.of(LastTrickScored)) in {0, options["last_trick_bonus"]}
    assert all(sum(counted.points) == 80 * packs for counted in rig.of(BriscasCounted))


@settings(deadline=None, max_examples=6)
@given(st.sampled_from(TABLES), st.integers(0, 1_000), st.integers(20, 120))
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
    if table.shoe is None:
        return
    shoe = Shoe(table.shoe.transcript, seeds(table.shoe.shuffle, 1, luck)[0])
    secret = [bytes.fromhex(shoe.nonce(pos)) for pos in range(table.shoe.size)]
    assert not [one for one in secret if one in packed or one.hex().encode() in packed]
    shown = rig.view()
    private = [codes for name, codes in shown["hands"].items() if name.isdecimal()]
    assert set(chain.from_iterable(private)) <= {""}
    seen = set(chain.from_iterable(shown["hands"].values())) - {""}
    assert seen <= {cards.ANY.code(card) for card in table.faces.values()}
    for seat in range(1, players(table) + 1):
        own = {card["pos"] for card in rig.hand(seat)}
        assert own == (set(state.owned(table, seat)) if table.playing else set())
