"""A sealed shoe: order, nonces, root and proofs of one shuffle, each derived when first asked for.

Whoever holds a `Shoe` can see every card in it. It is never stored and never leaves the process: what is
kept is the sealed seed and the public transcript.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import msgspec

from shoe import merkle
from shoe.cards import Deck
from shoe.corte import (
    CARD_LABEL,
    CORTE,
    STACKED,
    Contribution,
    Kdf,
    Opening,
    Transcript,
    commitment,
    leaf,
    order,
)


class Shoe:
    """The cards of one shuffle in dealing order.

    Args:
        transcript: the public part.
        seed: the secret 32 bytes that the transcript's commitment names.
        faces: for profile `stacked/1` alone, the cards that were laid on top.

    Raises:
        ValueError: the seed does not open the commitment, or the faces do not go with profile and deck.
    """

    def __init__(self, transcript: Transcript, seed: bytes, faces: Sequence[str] | None = None) -> None:
        if commitment(transcript.table, transcript.shuffle, seed) != transcript.commitment:
            raise ValueError("the seed does not open the commitment")
        if (faces is None) != (transcript.profile == CORTE):
            raise ValueError("faces belong to a stacked shoe, and to no other")
        self.transcript = transcript
        self._seed = seed
        self._faces = None if faces is None else tuple(faces)

    @property
    def deck(self) -> Deck:
        """The cards that were shuffled."""
        return self.transcript.deck

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Card ids by position.

        Raises:
            ValueError: a stacked shoe asks for a card that the deck does not have, or no longer.
        """
        shuffled = order(self._seed, self.transcript)
        return shuffled if self._faces is None else _stack(self.deck, self._faces, shuffled)

    def card(self, pos: int) -> int:
        """Physical card id at a position, 0 for the first card out.

        Raises:
            IndexError: the shoe has no such position.
        """
        if pos < 0:
            raise IndexError("the shoe has no such position")
        return self.order[pos]

    def nonce(self, pos: int) -> str:
        """What opens the commitment of one position, in hex.

        Raises:
            IndexError: the shoe has no such position.
        """
        if not 0 <= pos < self.deck.size:
            raise IndexError("the shoe has no such position")
        return self._nonces.block(pos + 1).hex()

    @cached_property
    def root(self) -> str:
        """Hash over the commitments of all positions, in hex: the seal of the shoe."""
        return merkle.root(self._leaves()).hex()

    def path(self, pos: int) -> list[str]:
        """Inclusion path of one position, in hex, from the bottom up.

        Raises:
            IndexError: the shoe has no such position.
        """
        return [node.hex() for node in merkle.path_in(self._tree, pos)]

    def opening(self, pos: int, with_path: bool = False) -> Opening:
        """The proof of one card; without the path it costs a single HMAC.

        Raises:
            IndexError: the shoe has no such position.
        """
        path = tuple(self.path(pos)) if with_path else ()
        return Opening(card=self.card(pos), nonce=self.nonce(pos), path=path, pos=pos)

    def record(self, exposed: Iterable[int] = ()) -> dict[str, Any]:
        """The shoe's record for auditors; it holds the seed, so it is for a shoe that is over.

        Args:
            exposed: the positions to prove, usually those that were turned.

        Raises:
            IndexError: the shoe has no such position.
        """
        record: dict[str, Any] = {
            "exposed": [self.opening(pos, with_path=True) for pos in exposed],
            "seed": self._seed.hex(),
            "shoe_root": self.root,
            "transcript": self.transcript,
            "transcript_hash": self.transcript.hash(),
        }
        if self._faces is not None:
            record["faces"] = self._faces
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(record))
        return plain

    @cached_property
    def _nonces(self) -> Kdf:
        return Kdf(self._seed, CARD_LABEL, self.transcript.hash(), 32 * self.deck.size)

    @cached_property
    def _tree(self) -> list[list[bytes]]:
        return merkle.levels(self._leaves())

    def _leaves(self) -> list[bytes]:
        nonces = self._nonces.blocks()
        return [
            leaf(pos, card, nonce) for pos, (card, nonce) in enumerate(zip(self.order, nonces, strict=True))
        ]


def make_transcript(
    log: str,
    shuffle: int,
    deck: Deck,
    seed: bytes,
    cutter: int = 0,
    contributions: Sequence[Contribution] = (),
) -> Transcript:
    """The transcript of a `corte/1` shuffle, with the commitment that belongs to the seed.

    Raises:
        ValueError: seed, origin, cuts or seats are not as `Transcript` and `commitment` want them.
    """
    return promised_transcript(log, shuffle, deck, commitment(log, shuffle, seed), cutter, contributions)


def promised_transcript(
    log: str,
    shuffle: int,
    deck: Deck,
    promise: str,
    cutter: int = 0,
    contributions: Sequence[Contribution] = (),
) -> Transcript:
    """The same from the commitment alone (hex), which everybody has.

    Raises:
        ValueError: origin, cuts or seats are not as `Transcript` wants them.
    """
    return Transcript(
        beacon="",
        commitment=promise,
        contributions=tuple(contributions),
        cutter=cutter,
        deck=deck,
        profile=CORTE,
        shuffle=shuffle,
        table=log,
    )


def stacked(transcript: Transcript, seed: bytes, faces: Sequence[str]) -> Shoe:
    """A shoe whose first cards were laid by hand, for tests and training (design 6).

    The seed gives the nonces and the order of the cards below; the transcript becomes one of `stacked/1`,
    so that no verifier takes the shoe for a random one.

    Args:
        transcript: of either profile.
        seed: the seed it commits to.
        faces: in dealing order, faces (`9H`) or bare ranks (`9`, any suit).

    Raises:
        ValueError: the deck does not hold those cards, or the seed does not open the commitment.
    """
    shoe = Shoe(msgspec.structs.replace(transcript, profile=STACKED), seed, faces)
    shoe.order  # noqa: B018 - derived now, so that impossible cards are refused here and not in mid-game
    return shoe


def _stack(deck: Deck, faces: Sequence[str], shuffled: Sequence[int]) -> tuple[int, ...]:
    """The asked-for cards, the lowest unused id for each, and then the rest as it was shuffled.

    Faces choose before bare ranks do, so that a rank never takes the very card a face asks for.
    """
    bare = set(deck.ranks)
    head: dict[int, int] = {}  # place in the list -> card
    used: set[int] = set()
    for place in sorted(range(len(faces)), key=lambda place: faces[place] in bare):
        card = next((card for card in _candidates(deck, faces[place]) if card not in used), None)
        if card is None:
            raise ValueError(f"the deck holds no further {faces[place]}")
        head[place] = card
        used.add(card)
    return (
        *(head[place] for place in range(len(faces))),
        *(card for card in shuffled if card not in used),
    )


def _candidates(deck: Deck, text: str) -> Iterable[int]:
    """Ids that a face or a bare rank stands for, ascending."""
    if text in deck.ranks:
        return range(deck.ranks.index(text), deck.size, len(deck.ranks))
    return range(deck.parse_face(text), deck.size, deck.pack_size)
