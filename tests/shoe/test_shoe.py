"""The sealed shoe (fairness 1.6) and the stacked one (design 6)."""

import itertools
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe.cards import Deck
from shoe.corte import CARD_LABEL, Transcript, kbkdf, order
from shoe.shoe import Shoe, make_transcript, stacked
from shoe.verify import NOT_RANDOM, verify_opening, verify_record
from tests.shoe import reference

LOG = "mesa.example/t/tbl_01"
SEED = bytes(range(32))
seeds = st.binary(min_size=32, max_size=32)
decks = st.sampled_from(
    [Deck("fr52", 1), Deck("fr52", 6), Deck("fr32", 2), Deck("es48", 1), Deck("es40", 1), Deck("es40", 13)]
)
records = pytest.mark.parametrize("vector", reference.VECTORS, ids=reference.NAMES)


def _shoe(vector: dict[str, Any]) -> Shoe:
    return Shoe(msgspec.convert(vector["transcript"], Transcript), bytes.fromhex(vector["seed"]))


@records
def test_the_record_is_that_of_the_vectors(vector: dict[str, Any]) -> None:
    """Fairness 1.12: root, transcript, openings and paths come out of seed and transcript alone."""
    record = _shoe(vector).record([opening["pos"] for opening in vector["exposed"]])
    assert record == {name: vector[name] for name in record}
    assert set(record) == {"transcript", "transcript_hash", "seed", "shoe_root", "exposed"}


@records
def test_every_position_opens(vector: dict[str, Any]) -> None:
    """Fairness 1.6: each card of the shoe is proved under its root, and each nonce is its 32 stream bytes."""
    shoe = _shoe(vector)
    size = vector["cards"]
    nonces = kbkdf(bytes.fromhex(vector["seed"]), CARD_LABEL, vector["transcript_hash"], 32 * size)
    for pos in range(size):
        opening = shoe.opening(pos, with_path=True)
        assert opening.nonce == nonces[32 * pos : 32 * pos + 32].hex()
        assert verify_opening(opening, size, vector["shoe_root"])
    assert sorted(shoe.card(pos) for pos in range(size)) == list(range(size))


def test_a_path_is_left_out_unless_asked_for() -> None:
    """Design 6: roots and paths only at the seal and on request; an optional field is never null."""
    shoe = _shoe(reference.VECTORS[0])
    short = msgspec.to_builtins(shoe.opening(0))
    assert set(short) == {"card", "nonce", "pos"}
    assert msgspec.to_builtins(shoe.opening(0, with_path=True)) == {**short, "path": tuple(shoe.path(0))}


@pytest.mark.parametrize("pos", [-1, 312, 65536])
@pytest.mark.parametrize("method", ["card", "nonce", "path", "opening"])
def test_a_shoe_ends_where_it_ends(method: str, pos: int) -> None:
    """R-92: a position outside the shoe is an error and never wraps round to another card."""
    with pytest.raises(IndexError):
        getattr(_shoe(reference.VECTORS[0]), method)(pos)


def test_a_seed_that_was_not_committed_makes_no_shoe() -> None:
    """Fairness 1.1: the order comes from the committed seed or not at all."""
    transcript = make_transcript(LOG, 1, Deck("fr52", 1), SEED)
    with pytest.raises(ValueError, match="does not open the commitment"):
        Shoe(transcript, bytes(32))


def test_a_shoe_does_not_print_its_secrets() -> None:
    """S-15: no seed, card or nonce in a representation, whatever has been derived."""
    shoe = stacked(make_transcript(LOG, 1, Deck("es48", 1), SEED), SEED, ["12B"])
    secrets = [SEED.hex(), repr(SEED), shoe.nonce(0), shoe.root, "12B", str(shoe.order)]
    assert not [secret for secret in secrets if secret in repr(shoe)]


@given(seeds, decks, st.integers(1, 1000))
def test_a_shuffle_without_contributions_verifies(seed: bytes, deck: Deck, shuffle: int) -> None:
    """Fairness 1.7: nobody contributes, and the shuffle goes ahead on the seed alone."""
    transcript = make_transcript(LOG, shuffle, deck, seed, cutter=4)
    assert transcript.cut == 0
    assert verify_record(Shoe(transcript, seed).record([0, deck.size - 1])) == []


def test_neighbouring_shuffles_have_nothing_in_common() -> None:
    """Fairness 1.1: table and number are in the transcript, so one seed gives other orders and nonces."""
    transcripts = [make_transcript(log, n, Deck("fr52", 1), SEED) for log in (LOG, LOG + "2") for n in (1, 2)]
    shoes = [Shoe(transcript, SEED) for transcript in transcripts]
    for one, other in itertools.combinations(shoes, 2):
        assert one.order != other.order
        assert not {one.nonce(pos) for pos in range(52)} & {other.nonce(pos) for pos in range(52)}


@given(st.data(), seeds, decks)
def test_a_stacked_shoe_keeps_every_card_once(data: st.DataObject, seed: bytes, deck: Deck) -> None:
    """Design 6: the list comes first, each card stays single, the rest follows in the seed's order."""
    asked = data.draw(st.lists(st.integers(0, deck.size - 1), unique=True, max_size=40))
    bare = data.draw(st.lists(st.booleans(), min_size=len(asked), max_size=len(asked)))
    faces = [
        deck.rank(card) if any_suit else deck.face(card) for card, any_suit in zip(asked, bare, strict=True)
    ]
    shoe = stacked(make_transcript(LOG, 1, deck, seed), seed, faces)
    head, rest = shoe.order[: len(faces)], shoe.order[len(faces) :]
    assert sorted(shoe.order) == list(range(deck.size))
    for face, card in zip(faces, head, strict=True):
        assert face in (deck.face(card), deck.rank(card))
    assert list(rest) == [card for card in order(seed, shoe.transcript) if card not in set(head)]
    assert verify_record(shoe.record([0, deck.size - 1])) == [NOT_RANDOM]


def test_a_stacked_card_is_the_lowest_unused_one() -> None:
    """Design 6: equal faces come from the first pack on, bare ranks from the first suit on."""
    deck = Deck("fr52", 2)
    shoe = stacked(make_transcript(LOG, 1, deck, SEED), SEED, ["9", "9H", "9H", "9", "9C", "KD"])
    assert [deck.code(card) for card in shoe.order[:6]] == ["9D1", "9H1", "9H2", "9S1", "9C1", "KD1"]


def test_a_bare_rank_never_takes_the_card_a_face_asks_for() -> None:
    """Design 6: a list is refused only if the deck really cannot hold it."""
    deck = Deck("es48", 1)
    shoe = stacked(make_transcript(LOG, 1, deck, SEED), SEED, ["11", "11O", "11", "11", "1"])
    assert [deck.face(card) for card in shoe.order[:5]] == ["11C", "11O", "11E", "11B", "1O"]


@pytest.mark.parametrize(
    ("faces", "match"),
    [
        (["9H", "9H"], "no further 9H"),
        (["9"] * 5, "no further 9"),
        (["9H", "9", "9", "9", "9"], "no further 9"),
        (["11B"], "no card of this deck"),
        (["9H1"], "no card of this deck"),
        ([""], "no card of this deck"),
    ],
)
def test_a_list_the_deck_cannot_hold_is_refused_at_once(faces: list[str], match: str) -> None:
    """Design 6: refused when the cards are laid, not in the middle of a game."""
    with pytest.raises(ValueError, match=match):
        stacked(make_transcript(LOG, 1, Deck("fr52", 1), SEED), SEED, faces)


def test_a_stacked_transcript_says_so_and_stays_so() -> None:
    """Design 6: profile `stacked/1`, another hash, and no way to read it as a random shoe or the reverse."""
    honest = make_transcript(LOG, 1, Deck("fr52", 1), SEED)
    shoe = stacked(honest, SEED, ["9H"])
    assert shoe.transcript.profile == "stacked/1"
    assert shoe.transcript.hash() != honest.hash()
    assert stacked(shoe.transcript, SEED, ["9H"]).root == shoe.root
    with pytest.raises(ValueError, match="faces belong to a stacked shoe"):
        Shoe(shoe.transcript, SEED)
    with pytest.raises(ValueError, match="faces belong to a stacked shoe"):
        Shoe(honest, SEED, ["9H"])


def test_a_list_that_changes_later_changes_nothing() -> None:
    """The shoe keeps its own copy of the faces: order and record cannot part."""
    faces = ["9H"]
    shoe = stacked(make_transcript(LOG, 1, Deck("fr52", 1), SEED), SEED, faces)
    faces[0] = "KD"
    assert shoe.record()["faces"] == ["9H"]
