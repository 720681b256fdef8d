"""Decks and the names of their cards (fairness 1.3, glossary "Cards").

A card id names a *physical* card: pack x pack size + id within the pack. Events carry ids, people read
faces (`9H`), and where several packs are in play a copy number tells equal faces apart (`9H2`).
"""

from functools import lru_cache

import msgspec

MIN_CARDS = 2
MAX_CARDS = 520  # the 4096-byte stream of the shuffle is sized for this many

_FRENCH_SUITS = tuple("CDHS")
_SPANISH_SUITS = tuple("OCEB")

# kind -> (suits, ranks), both in the order that makes up the id within a pack
_KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "fr52": (_FRENCH_SUITS, tuple("A23456789TJQK")),
    "fr32": (_FRENCH_SUITS, tuple("789TJQKA")),
    "es48": (_SPANISH_SUITS, tuple(str(rank) for rank in range(1, 13))),
    "es40": (_SPANISH_SUITS, (*(str(rank) for rank in range(1, 8)), "10", "11", "12")),
}

_FACES = {
    kind: tuple(rank + suit for suit in suits for rank in ranks) for kind, (suits, ranks) in _KINDS.items()
}


@lru_cache(maxsize=64)
def _ids_by_code(kind: str, packs: int) -> dict[str, int]:
    """Every accepted spelling of a physical card; bare faces only where they name one card."""
    faces = _FACES[kind]
    ids = {
        f"{face}{pack + 1}": pack * len(faces) + card
        for pack in range(packs)
        for card, face in enumerate(faces)
    }
    if packs == 1:
        ids.update((face, card) for card, face in enumerate(faces))
    return ids


class Deck(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One or more packs of a kind, shuffled together.

    Attributes:
        kind: `fr52`, `fr32`, `es48` or `es40`.
        packs: how many packs, from 1; all together 2 to 520 cards.

    Raises:
        ValueError: the kind is unknown, or there are too few or too many cards.
    """

    kind: str
    packs: int

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise ValueError("there is no such kind of deck")
        if not MIN_CARDS <= self.size <= MAX_CARDS:
            raise ValueError(f"a shoe holds {MIN_CARDS} to {MAX_CARDS} cards, of whole packs")

    @property
    def pack_size(self) -> int:
        """Cards in one pack."""
        return len(_FACES[self.kind])

    @property
    def size(self) -> int:
        """Cards in all packs together (N of fairness 1.3)."""
        return self.packs * len(_FACES[self.kind])

    @property
    def suits(self) -> tuple[str, ...]:
        """The suit letters, in the order of the ids."""
        return _KINDS[self.kind][0]

    @property
    def ranks(self) -> tuple[str, ...]:
        """The ranks, in the order of the ids (no game's order of strength)."""
        return _KINDS[self.kind][1]

    def face(self, card: int) -> str:
        """Rank and suit of a card id, such as `9H` or `11B`.

        Raises:
            ValueError: the id is not of this deck.
        """
        faces = _FACES[self.kind]
        if not 0 <= card < self.packs * len(faces):
            raise ValueError("no card of this deck has that number")
        return faces[card % len(faces)]

    def rank(self, card: int) -> str:
        """Rank of a card id: its face without the suit letter.

        Raises:
            ValueError: the id is not of this deck.
        """
        return self.face(card)[:-1]

    def suit(self, card: int) -> str:
        """Suit letter of a card id.

        Raises:
            ValueError: the id is not of this deck.
        """
        return self.face(card)[-1]

    def copy(self, card: int) -> int:
        """Number of the pack the card comes from, from 1.

        Raises:
            ValueError: the id is not of this deck.
        """
        self.face(card)
        return card // self.pack_size + 1

    def code(self, card: int) -> str:
        """Physical code: face and copy, such as `QS1` or `11B1`.

        Raises:
            ValueError: the id is not of this deck.
        """
        return f"{self.face(card)}{self.copy(card)}"

    def parse(self, text: str) -> int:
        """Card id of a physical code; a bare face will do where there is only one pack.

        Raises:
            ValueError: no card of this deck is written so (refusal `no_such_card`).
        """
        card = _ids_by_code(self.kind, self.packs).get(text)
        if card is None:
            raise ValueError("no card of this deck is written like that")
        return card

    def parse_face(self, text: str) -> int:
        """Id within a pack of a bare face.

        Raises:
            ValueError: the kind of deck has no such face (refusal `no_such_card`).
        """
        card = _ids_by_code(self.kind, 1).get(text)
        if card is None or text[-1] not in self.suits:
            raise ValueError("no card of this deck has that face")
        return card
