"""Decks and card notation (fairness 1.3, glossary "Cards")."""

import msgspec
import pytest

from shoe.cards import Deck

PACK_SIZES = {"fr52": 52, "fr32": 32, "es48": 48, "es40": 40}
DECKS = [Deck(kind, packs) for kind, size in PACK_SIZES.items() for packs in range(1, 520 // size + 1)]


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: f"{deck.kind}x{deck.packs}")
def test_every_code_of_every_deck_reads_back(deck: Deck) -> None:
    """Glossary "Cards": each physical card has one code, and the code leads back to it."""
    codes = [deck.code(card) for card in range(deck.size)]
    assert len(set(codes)) == deck.size == deck.packs * PACK_SIZES[deck.kind]
    assert [deck.parse(code) for code in codes] == list(range(deck.size))


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: f"{deck.kind}x{deck.packs}")
def test_every_face_of_every_deck_reads_back(deck: Deck) -> None:
    """Fairness 1.3: id = pack x pack size + id within the pack, for faces, ranks, suits and copies."""
    for card in range(deck.size):
        face, within = deck.face(card), card % deck.pack_size
        assert deck.parse_face(face) == within
        assert face == deck.rank(card) + deck.suit(card)
        assert deck.ranks.index(deck.rank(card)) == within % len(deck.ranks)
        assert deck.suits.index(deck.suit(card)) == within // len(deck.ranks)
        assert deck.copy(card) == card // deck.pack_size + 1
        assert deck.code(card) == f"{face}{deck.copy(card)}"


@pytest.mark.parametrize(
    ("kind", "within", "face"),
    [
        ("fr52", 0, "AC"),
        ("fr52", 34, "9H"),
        ("fr52", 51, "KS"),
        ("fr32", 0, "7C"),
        ("fr32", 11, "TD"),
        ("fr32", 31, "AS"),
        ("es48", 0, "1O"),
        ("es48", 46, "11B"),
        ("es48", 47, "12B"),
        ("es40", 7, "10O"),
        ("es40", 39, "12B"),
    ],
)
def test_ids_stand_for_the_published_faces(kind: str, within: int, face: str) -> None:
    """Fairness 1.3: the orders of suits and ranks are the published ones, the table's examples included."""
    assert Deck(kind, 1).face(within) == face


def test_a_bare_face_names_a_card_only_in_a_single_pack() -> None:
    """Glossary "Cards": the copy number may be left out where it says nothing."""
    assert Deck("es48", 1).parse("11B") == Deck("es48", 1).parse("11B1") == 46
    with pytest.raises(ValueError, match="no card of this deck"):
        Deck("fr52", 6).parse("QS")


def test_the_suit_letter_parts_rank_and_copy() -> None:
    """`11B1` is the eleven of bastos of pack 1, and `1B11` the one of pack 11."""
    deck = Deck("es40", 12)
    assert (deck.rank(deck.parse("11B1")), deck.copy(deck.parse("11B1"))) == ("11", 1)
    assert (deck.rank(deck.parse("1B11")), deck.copy(deck.parse("1B11"))) == ("1", 11)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "9",
        "H",
        "9h1",
        "10H1",
        "9H0",
        "9H7",
        "9H01",
        " 9H1",
        "9H1\n",
        "9O1",
        "9H\u0661",
        "\ud800",
        "9H" * 999,
    ],
)
def test_text_that_names_no_card_is_refused(text: str) -> None:
    """Glossary, refusal `no_such_card`: only the exact code is a card."""
    with pytest.raises(ValueError, match="no card of this deck is written like that"):
        Deck("fr52", 6).parse(text)


@pytest.mark.parametrize("text", ["", "9", "9H1", "10H", "9h", "1O"])
def test_text_that_is_no_face_is_refused(text: str) -> None:
    """Glossary, refusal `no_such_card`: a face has no copy number and belongs to the kind of deck."""
    with pytest.raises(ValueError, match="no card of this deck has that face"):
        Deck("fr52", 1).parse_face(text)


@pytest.mark.parametrize("card", [-1, 104, 2**70])
@pytest.mark.parametrize("method", ["face", "rank", "suit", "copy", "code"])
def test_an_id_outside_the_deck_has_no_name(method: str, card: int) -> None:
    """Fairness 1.3: ids run from 0 to N - 1; a negative one never counts from the end."""
    with pytest.raises(ValueError, match="no card of this deck"):
        getattr(Deck("fr52", 2), method)(card)


@pytest.mark.parametrize(
    ("kind", "packs"),
    [("fr52", 0), ("fr52", -1), ("fr52", 11), ("fr32", 17), ("es40", 14), ("fr54", 1), ("", 1)],
)
def test_a_deck_outside_the_limits_is_refused(kind: str, packs: int) -> None:
    """Fairness 1.3: known kinds only, and 2 to 520 cards."""
    with pytest.raises(ValueError, match=r"deck|shoe"):
        Deck(kind, packs)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"kind": kind, "packs": packs}, Deck)


def test_the_largest_decks_are_taken() -> None:
    """Fairness 1.3: 520 cards are within the limit."""
    assert Deck("fr52", 10).size == Deck("es40", 13).size == 520
