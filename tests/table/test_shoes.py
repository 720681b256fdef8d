"""Seeds and shoes at a table: committed, used in order, revealed at the end (fairness 1.4, 1.8, design 6)."""

from itertools import pairwise

import pytest

from dealer.rules.frame import commands as cmd
from dealer.rules.frame.event import CROUPIER
from dealer.rules.frame.events import (
    CardDealt,
    CardExposed,
    SeedRevealed,
    SeedsCommitted,
    ShoeClosed,
    ShoeReady,
    ShoeSealed,
    StopCardReached,
    TableOpened,
)
from dealer.table.shoes import BATCH, LOW
from shoe.corte import commitment
from shoe.shoe import Shoe
from shoe.verify import NOT_RANDOM, verify_record
from tests.table.rig import LOG, Rig, opened, seeds, stake, types

ONE_COUP = 155
"""A stop card so high that each shoe gives one coup."""
PANOS = ((1, "right", 1), (11, "left", 1))


def shoes_of_one_coup(batch: int = 32) -> Rig:
    """A table that opens a new shoe after every coup, with two people at it."""
    rig = Rig(batch=batch, stop_card=ONE_COUP)
    for seat in (1, 11):
        rig.sit(seat)
    rig.fund()
    return rig


def coup(rig: Rig) -> None:
    """A coup with chips on both paños, those left from a push among them."""
    rig.expire_until("betting")
    lying = {place for place in rig.table.chips if place.startswith("stake:")}
    rig.coup(*(each for each in PANOS if f"stake:{each[1]}:{each[0]}" not in lying))


def test_a_table_binds_itself_to_its_seeds_before_anybody_sits() -> None:
    """The second event commits to a batch from shuffle 1 on; the seeds are for the vault alone."""
    rig = Rig()
    (committed,) = rig.of(SeedsCommitted)
    assert committed == SeedsCommitted(
        tuple(commitment(LOG, n, s) for n, s in enumerate(seeds(1, BATCH), 1)), 1
    )
    assert rig.secrets == dict(enumerate(seeds(1, BATCH), 1))


def test_a_shoe_is_sealed_before_stakes_are_allowed() -> None:
    """Sealed, ready, and only then the first call; the deck is whole, nobody cut (R-01, R-04, R-05).

    The house banks, and its crupier shuffles (A-04).
    """
    rig = opened({1: 100}, packs=4)
    assert types(rig.events)[-6:] == [
        "chips.bought_in",
        "bank.constituted",
        "shoe.sealed",
        "shoe.ready",
        "round.started",
        "stakes.opened",
    ]
    (sealed,) = rig.of(ShoeSealed)
    assert (sealed.transcript.deck.kind, sealed.transcript.deck.packs) == ("fr52", 4)
    assert (sealed.transcript.cutter, sealed.contributors, sealed.transcript.cut) == (0, 0, 0)
    assert sealed.transcript_hash == sealed.transcript.hash()
    assert not rig.of(CardDealt)
    assert {e.actor for e in rig.events if e.type.startswith("shoe.")} == {CROUPIER}


def test_seeds_are_used_in_number_order_and_revealed_at_the_end() -> None:
    """Each shoe takes the next seed; it is published in the append of `shoe.closed`, and forgotten."""
    rig = shoes_of_one_coup()
    for number in (1, 2, 3):
        coup(rig)
        assert [s.shuffle for s in rig.of(ShoeSealed)] == list(range(1, number + 2))
        closed = next(i for i, e in enumerate(rig.events) if e.data == ShoeClosed(number))
        before, revealed, sealed = (rig.events[closed + step] for step in (-1, 1, 2))
        assert before.data == StopCardReached(156 - ONE_COUP, number)
        assert revealed.data == SeedRevealed(seed=seeds(number, 1)[0].hex(), shuffle=number)
        assert sealed.data == rig.of(ShoeSealed)[number]
        assert {e.at for e in (before, rig.events[closed], revealed, sealed)} == {before.at}
        assert rig.secrets[number] is None
    assert [s.shuffle for s in rig.of(ShoeReady)] == [1, 2, 3, 4]
    assert all(rig.secrets[n] for n in range(4, 33))


def test_no_seed_is_in_the_log_before_its_shoe_is_over() -> None:
    """Of all 32 seeds the log holds those of closed shoes alone, each in its `seed.revealed`."""
    rig = shoes_of_one_coup()
    coup(rig)
    coup(rig)
    for number, seed in enumerate(seeds(1, BATCH), 1):
        found = [e.type for e, s in zip(rig.events, rig.stored, strict=True) if seed.hex().encode() in s]
        assert found == (["seed.revealed"] if number <= 2 else [])


def test_an_auditor_finds_every_card_where_the_seed_puts_it() -> None:
    """From the public log alone commitment, seal, order and each exposed card are proved (15.4, 7)."""
    rig = shoes_of_one_coup()
    coup(rig)
    (sealed, _), (revealed,) = rig.of(ShoeSealed), rig.of(SeedRevealed)
    exposed = [d for d in rig.of(CardExposed) if d.shuffle == 1]
    record = Shoe(sealed.transcript, bytes.fromhex(revealed.seed)).record([d.pos for d in exposed])
    assert record["shoe_root"] == sealed.shoe_root
    assert record["transcript_hash"] == sealed.transcript_hash
    assert verify_record(record) == []
    assert [(o["card"], o["nonce"]) for o in record["exposed"]] == [(d.card, d.nonce) for d in exposed]
    assert sealed.transcript.commitment == rig.of(SeedsCommitted)[0].commitments[0]


def test_cards_laid_by_hand_are_called_so_for_ever() -> None:
    """A stacked table says so in its first event and every view; its shoe is not random (design 6)."""
    faces = tuple("27KAK65")
    rig = Rig(faces, stop_card=ONE_COUP)
    for seat in (1, 11):
        rig.sit(seat)
    rig.fund()
    coup(rig)
    assert rig.of(TableOpened)[0].stacked
    assert rig.view()["stacked"]
    (laid, random), (revealed,) = rig.of(ShoeSealed), rig.of(SeedRevealed)
    assert (laid.transcript.profile, random.transcript.profile) == ("stacked/1", "corte/1")
    assert revealed.faces == faces
    record = Shoe(laid.transcript, bytes.fromhex(revealed.seed), revealed.faces).record(range(len(faces)))
    assert record["shoe_root"] == laid.shoe_root
    assert verify_record(record) == [NOT_RANDOM]
    assert not opened({1: 100}).view()["stacked"]


def test_cards_the_deck_does_not_hold_cannot_be_laid() -> None:
    """Three packs have twelve nines; a thirteenth, or a face that is no card, opens no table."""
    Rig("9" * 12)
    for impossible in ("9" * 13, ("1H",), ("9H9",)):
        with pytest.raises(AssertionError, match="no_such_card"):
            Rig(impossible)


def test_cards_leave_the_shoe_one_after_the_other() -> None:
    """Positions go up by one from 0, and every card dealt is turned up by the end of its coup (R-10)."""
    rig = opened({1: 100, 11: 100})
    for _ in range(6):
        coup(rig)
    dealt = [d.pos for d in rig.of(CardDealt)]
    assert dealt == list(range(len(dealt)))
    assert sorted(d.pos for d in rig.of(CardExposed)) == dealt
    cards = [d.card for d in rig.of(CardExposed)]
    assert len(set(cards)) == len(cards)


def test_new_seeds_are_drawn_when_sixteen_are_left() -> None:
    """The need is a chore with a name of its own; it is met once, and numbers go on without a gap."""
    rig = shoes_of_one_coup()
    while not (chores := [d for d in rig.due() if d.decision.startswith("seeds:")]):
        assert len(rig.table.commitments) > LOW
        coup(rig)
    assert len(rig.table.commitments) == LOW
    assert [(d.decision, d.kind) for d in chores] == [("seeds:33", "chore")]
    assert rig.refusal(cmd.CommitSeeds("seeds:32", seeds(33, BATCH))).code == "decision_over"
    need = cmd.CommitSeeds("seeds:33", seeds(33, BATCH))
    (committed,) = rig.send(need)
    assert (committed.data.first, len(committed.data.commitments)) == (33, BATCH)
    assert rig.refusal(need).code == "decision_over"
    assert not [d for d in rig.due() if d.decision.startswith("seeds:")]
    assert sorted(rig.table.commitments) == list(range(17, 65))
    assert rig.secrets[64] == seeds(64, 1)[0]
    coup(rig)
    for before, after in pairwise(rig.of(ShoeSealed)):
        assert after.shuffle == before.shuffle + 1


def test_without_a_seed_no_shoe_opens_and_the_table_waits() -> None:
    """Stakes are `shoe_not_ready` until the next batch is there; then the coup that was due begins."""
    rig = shoes_of_one_coup(batch=1)
    coup(rig)
    assert rig.table.shoe is None
    assert [(d.decision, d.kind) for d in rig.due()] == [("seeds:2", "chore")]
    assert rig.refused(1, stake("right", 1)) == "shoe_not_ready"
    rig.now += 60_000
    followed = types(rig.send(cmd.CommitSeeds("seeds:2", seeds(2, BATCH))))
    assert followed == ["seeds.committed", "shoe.sealed", "shoe.ready", "round.started", "stakes.opened"]
    coup(rig)
    assert rig.of(CardExposed)[-1].shuffle == 2
