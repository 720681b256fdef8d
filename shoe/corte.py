"""The shuffle `corte/1` (fairness 1.4, 1.6): commitments, transcript, key stream, order, leaf of a card.

Hashes, seeds of records, reveals and nonces are 64 lowercase hex digits wherever they are text; `log` is the
full origin of the table's log (`table` in the formulas). Profile `stacked/1` shares all of it but the order.
"""

import hashlib
import re
import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, pairwise
from typing import Annotated, Literal

import msgspec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC

from shoe.canonical import MAX_INTEGER, sha256_hex
from shoe.cards import Deck

CORTE: Literal["corte/1"] = "corte/1"
STACKED: Literal["stacked/1"] = "stacked/1"
SEED_BYTES = 32
STREAM_BYTES = 4096  # 2048 words for at most 519 draws

SHUFFLE_LABEL = "corte/1 shuffle"
CARD_LABEL = "corte/1 card"

Hex32 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", min_length=64, max_length=64)]
Count = Annotated[int, msgspec.Meta(ge=1, le=MAX_INTEGER)]

_LOG = re.compile(r"[!-~]{1,255}")
_HEX32 = re.compile(r"[0-9a-f]{64}")
_BLOCK_WORDS = struct.Struct(">16H")
_LEAF_TAIL = struct.Struct(">HH")


class Contribution(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """What one seat or spectator added to a shuffle.

    Attributes:
        commit: the hash sent before anybody revealed.
        cut: where the contributor cuts, 1 to N - 1; only the cutter's counts.
        reveal: the contributor's own 32 random bytes.
        seat: seat number, or 101 to 164 for a spectator.
    """

    commit: Hex32
    cut: Count
    reveal: Hex32
    seat: Count


class Transcript(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """Everything public that an order is derived from, together with the secret seed (fairness 1.4, step 6).

    Attributes:
        beacon: reserved, empty in this version.
        commitment: hash of the seed, published before the cut.
        contributions: ascending by seat.
        cutter: the seat named to cut, whether it contributed or not; 0 for none.
        deck: the cards.
        profile: `corte/1`, or `stacked/1` for an order laid by hand.
        shuffle: number of the attempt at this table, from 1.
        table: full origin of the table's log.

    Raises:
        ValueError: seats out of order, a cut outside the deck, or an unusable origin.
    """

    beacon: Literal[""]
    commitment: Hex32
    contributions: tuple[Contribution, ...]
    cutter: Annotated[int, msgspec.Meta(ge=0, le=MAX_INTEGER)]
    deck: Deck
    profile: Literal["corte/1", "stacked/1"]
    shuffle: Count
    table: str

    def __post_init__(self) -> None:
        _check_log(self.table)
        seats = [each.seat for each in self.contributions]
        if any(left >= right for left, right in pairwise(seats)):
            raise ValueError("contributions stand in ascending order of seats, one each")
        if not all(1 <= each.cut < self.deck.size for each in self.contributions):
            raise ValueError("a cut lies between the first and the last card")

    @property
    def cut(self) -> int:
        """Cards the cut brings from the top to the bottom; 0 if the cutter did not contribute."""
        return next((each.cut for each in self.contributions if each.seat == self.cutter), 0)

    def to_bytes(self) -> bytes:
        """Canonical JSON: all fields are declared in alphabetical order and hold ASCII and integers."""
        return msgspec.json.encode(self)

    def hash(self) -> str:
        """SHA-256 of the canonical bytes, in hex."""
        return sha256_hex(self.to_bytes())


class Opening(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """What shows that a card lay at a position of a sealed shoe.

    Attributes:
        card: physical card id.
        nonce: opens the commitment of that position.
        path: inclusion path up to the shoe root; left out where it was not asked for.
        pos: position in the shoe, 0 for the first card out.
    """

    card: Annotated[int, msgspec.Meta(ge=0, lt=2**16)]
    nonce: Hex32
    path: tuple[Hex32, ...] = ()
    pos: Annotated[int, msgspec.Meta(ge=0, lt=2**16)]


class Kdf:
    """KBKDF of SP 800-108r1 in counter mode with HMAC-SHA256, block by block (fairness 1.4, step 7).

    Any block can be had without those before it: one nonce costs one HMAC.

    Raises:
        ValueError: the seed is not 32 bytes or the hash not 64 hex digits.
    """

    def __init__(self, seed: bytes, label: str, transcript_hash: str, length: int) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError("a seed has 32 bytes")
        self._keyed = HMAC(seed, SHA256())
        context = _bytes32(transcript_hash)
        self._fixed = label.encode("ascii") + b"\x00" + context + (8 * length).to_bytes(4, "big")
        self._count = -(-length // 32)

    def block(self, number: int) -> bytes:
        """The 32-byte block of that number; blocks are counted from 1."""
        mac = self._keyed.copy()
        mac.update(number.to_bytes(4, "big") + self._fixed)
        return mac.finalize()

    def blocks(self) -> Iterator[bytes]:
        """All blocks that the length asks for, each computed when it is taken."""
        return map(self.block, range(1, self._count + 1))


def commitment(log: str, shuffle: int, seed: bytes) -> str:
    """The house's commitment C to the seed of one shuffle, in hex (fairness 1.4, step 1).

    Raises:
        ValueError: the seed is not 32 bytes, or the origin could blur the header.
    """
    _check_log(log)
    if len(seed) != SEED_BYTES:
        raise ValueError("a seed has 32 bytes")
    return sha256_hex(f"corte/1 seed\n{log}\n{shuffle}\n".encode("ascii") + seed)


def contribution_commit(log: str, shuffle: int, commitment: str, seat: int, cut: int, reveal: str) -> str:
    """The hash by which a contributor commits to a cut and 32 bytes, in hex (fairness 1.4, step 3).

    Raises:
        ValueError: the reveal is not 64 lowercase hex digits, or the origin could blur the header.
    """
    _check_log(log)
    header = f"corte/1 contribution\n{log}\n{shuffle}\n{commitment}\n{seat}\n{cut}\n"
    return sha256_hex(header.encode("ascii") + _bytes32(reveal))


def kbkdf(seed: bytes, label: str, transcript_hash: str, length: int) -> bytes:
    """The first `length` bytes of the key stream of that label.

    Raises:
        ValueError: the seed is not 32 bytes or the hash not 64 hex digits.
    """
    return b"".join(Kdf(seed, label, transcript_hash, length).blocks())[:length]


def permutation(stream: bytes, size: int) -> tuple[int, ...]:
    """The numbers 0 to size - 1, shuffled by the stream read as 16-bit big-endian words (step 8).

    Raises:
        ValueError: the stream ran out of words.
    """
    return _shuffle((word for (word,) in struct.iter_unpack(">H", stream)), size)


def order(seed: bytes, transcript: Transcript) -> tuple[int, ...]:
    """Card ids in dealing order, the cut applied; position 0 is the first card out (steps 7 to 9).

    Raises:
        ValueError: the seed is not 32 bytes.
    """
    blocks = Kdf(seed, SHUFFLE_LABEL, transcript.hash(), STREAM_BYTES).blocks()
    uncut = _shuffle(chain.from_iterable(map(_BLOCK_WORDS.unpack, blocks)), transcript.deck.size)
    cut = transcript.cut
    return uncut[cut:] + uncut[:cut]


def leaf(pos: int, card: int, nonce: bytes) -> bytes:
    """Leaf hash that commits to one card at one position (fairness 1.6)."""
    return hashlib.sha256(b"\x00corte/1 card\n" + nonce + _LEAF_TAIL.pack(pos, card)).digest()


@lru_cache(maxsize=64)
def _draws(size: int) -> tuple[tuple[int, int], ...]:
    """For each draw, how many cards it is among and the first word that would favour the low ones."""
    return tuple((among, 65536 - 65536 % among) for among in range(size, 1, -1))


def _shuffle(words: Iterable[int], size: int) -> tuple[int, ...]:
    """Fisher-Yates downwards; a word that would bias the draw is passed over."""
    cards = list(range(size))
    stream = iter(words)
    for among, limit in _draws(size):
        for word in stream:
            if word < limit:
                break
        else:
            raise ValueError("the stream ran out of words")
        drawn = word % among
        cards[among - 1], cards[drawn] = cards[drawn], cards[among - 1]
    return tuple(cards)


def _bytes32(text: str) -> bytes:
    # bytes.fromhex alone takes capitals and spaces, which would change the transcript's bytes.
    if not _HEX32.fullmatch(text):
        raise ValueError("64 lowercase hex digits are wanted")
    return bytes.fromhex(text)


def _check_log(log: str) -> None:
    if not _LOG.fullmatch(log):
        raise ValueError("the origin of a log is printable ASCII without spaces")
