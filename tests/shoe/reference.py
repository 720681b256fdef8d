"""The shuffle written a second time, from fairness 1.4 and 1.6 and the standard library alone.

It shares no line with the product, is slow and literal, and can make the classic mistake on purpose.
"""

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "vectors" / "corte-1.json").read_text(encoding="utf-8")
)
NAMES = [vector["transcript"]["table"] for vector in VECTORS]


def canonical(value: object) -> bytes:
    """Canonical JSON as an outsider without a library writes it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def stream(seed: bytes, label: bytes, transcript_hash: bytes, length: int) -> bytes:
    """KBKDF in counter mode over HMAC-SHA256."""
    out = b""
    number = 0
    while len(out) < length:
        number += 1
        message = (
            number.to_bytes(4, "big") + label + b"\x00" + transcript_hash + (length * 8).to_bytes(4, "big")
        )
        out += hmac.new(seed, message, hashlib.sha256).digest()
    return out[:length]


def shuffle(key_stream: bytes, size: int, *, forget_rejection: bool = False) -> tuple[list[int], int]:
    """The uncut order and how many words were rejected on the way."""
    cards, at, rejected = list(range(size)), 0, 0
    for i in range(size - 1, 0, -1):
        word = int.from_bytes(key_stream[at : at + 2], "big")
        at += 2
        while not forget_rejection and word >= 65536 - 65536 % (i + 1):
            rejected += 1
            word = int.from_bytes(key_stream[at : at + 2], "big")
            at += 2
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards, rejected


def tree_head(leaves: list[bytes]) -> bytes:
    """RFC 6962, section 2.1, by its recursive definition."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\x01" + tree_head(leaves[:split]) + tree_head(leaves[split:])).digest()


def tree_path(leaves: list[bytes], index: int) -> list[bytes]:
    """RFC 6962, section 2.1.1, by its recursive definition."""
    if len(leaves) == 1:
        return []
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    if index < split:
        return [*tree_path(leaves[:split], index), tree_head(leaves[split:])]
    return [*tree_path(leaves[split:], index - split), tree_head(leaves[:split])]


def order_hash(order: list[int] | tuple[int, ...]) -> str:
    """SHA-256 over the card ids as 16-bit big-endian numbers, the form of the vectors."""
    return hashlib.sha256(b"".join(card.to_bytes(2, "big") for card in order)).hexdigest()
