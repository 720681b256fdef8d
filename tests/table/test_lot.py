"""Lots are provable, and stand beside any open shoe or cut (design 3, "Lots"; A-26)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.rules.frame import commands as cmd
from dealer.rules.frame import lot
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import CorteOpened, LotDrawn, SeedRevealed, ShoeSealed
from dealer.table.evolve import evolve
from shoe.cards import Deck
from shoe.corte import commitment
from shoe.shoe import Shoe
from shoe.verify import verify_record
from tests.table.rig import LOG, Rig, opened, seeds

PACK = Deck("fr52", 1)


def drawn(rig: Rig, candidates: tuple[int, ...]) -> tuple[LotDrawn, SeedRevealed]:
    """A lot at this table, taken into its log as a game would do it."""
    before = rig.table
    events = lot.draw(rig.table, rig.chance, candidates, "test")
    for data in events:
        event = Event("croupier", rig.now, data, LOG, 0, rig.table.seq + 1, data.TYPE, data.V)
        rig.table = evolve(rig.game, rig.table, event)
        rig._record(event)
    assert rig.table == rig._replayed
    assert (rig.table.shoe, rig.table.deck, rig.table.cut) == (before.shoe, before.deck, before.cut)
    lot_drawn, revealed = events
    assert isinstance(lot_drawn, LotDrawn)
    assert isinstance(revealed, SeedRevealed)
    return lot_drawn, revealed


@given(
    st.integers(0, 10**6),
    st.lists(st.integers(1, 18) | st.integers(1001, 1040), min_size=1, max_size=52, unique=True),
)
def test_everybody_can_draw_a_lot_again(luck: int, candidates: list[int]) -> None:
    """From its seed, public now and committed before, follow its cards and its winner (fairness 1.8)."""
    rig = Rig(luck=luck)
    committed = rig.table.commitments[1]
    found, revealed = drawn(rig, tuple(candidates))
    seed = bytes.fromhex(revealed.seed)
    assert found.transcript.commitment == committed == commitment(LOG, 1, seed)
    shoe = Shoe(found.transcript, seed)
    positions = range(len(candidates))
    record = shoe.record(positions)
    assert verify_record(record) == []
    assert [(o["pos"], o["card"], o["nonce"]) for o in record["exposed"]] == [
        (o.pos, o.card, o.nonce) for o in found.cards
    ]
    assert found.transcript.deck == PACK
    assert found.candidates == tuple(sorted(candidates))
    best = max(found.cards, key=lambda o: lot.strength(o.card))
    assert found.winner == found.candidates[best.pos]
    assert found.shuffle == revealed.shuffle == rig.table.shuffles == 1
    assert 1 not in rig.table.commitments


def test_the_highest_rank_wins_and_then_the_suit() -> None:
    """Two is low and the ace high; of equal ranks spades beat hearts, diamonds and clubs (A-26)."""
    faces = sorted(
        (PACK.face(card) for card in range(52)), key=lambda face: lot.strength(PACK.parse_face(face))
    )
    assert faces == [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]


def test_a_lot_uses_the_next_number_and_leaves_the_shoe_alone() -> None:
    """Shoe and lots count their shuffles together; the next shoe takes the number after (design 3)."""
    rig = opened({1: 100})
    assert rig.table.shuffles == 1
    assert drawn(rig, (1, 11))[0].shuffle == 2
    assert drawn(rig, (1, 11))[0].shuffle == 3
    assert rig.table.shoe is not None
    assert rig.table.shoe.shuffle == 1
    batch = rig.table.commitments
    assert sorted(batch) == list(range(4, 33))


def test_a_lot_beside_an_open_cut_does_not_take_its_number() -> None:
    """The cut keeps its shuffle; the shoe is sealed under it although lots came after (fairness 1.4)."""
    rig = Rig()
    rig.sit(1)
    rig.play(1, cmd.SetCutWilling(willing=True))
    rig.fund()
    (cut,) = rig.of(CorteOpened)
    assert drawn(rig, (1, 11))[0].shuffle == cut.shuffle + 1
    rig.expire()
    (sealed,) = rig.of(ShoeSealed)
    assert (sealed.shuffle, rig.table.shuffles) == (cut.shuffle, cut.shuffle + 1)


def test_without_a_committed_seed_there_is_no_lot() -> None:
    """A lot on a seed nobody was bound to would prove nothing; it is possible again with new ones."""
    rig = Rig(batch=1)
    assert lot.possible(rig.table)
    drawn(rig, (1, 2))
    assert not lot.possible(rig.table)
    with pytest.raises(KeyError):
        lot.draw(rig.table, rig.chance, (1, 2), "test")
    (chore,) = [d for d in rig.due() if d.decision.startswith("seeds:")]
    rig.send(cmd.CommitSeeds(chore.decision, seeds(2, 32)))
    assert lot.possible(rig.table)
    assert drawn(rig, (1, 2))[0].shuffle == 2


def test_cards_laid_by_hand_are_the_first_shoes() -> None:
    """A stacked table draws no lot before them: it would use up their shuffle (design 6)."""
    rig = Rig("77")
    assert not lot.possible(rig.table)
    rig.sit(1)
    rig.fund()
    assert lot.possible(rig.table)
