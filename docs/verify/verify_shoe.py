#!/usr/bin/env python3
"""Checks the record of a shoe, with nothing but this file and the standard library of Python 3.11 or later.

It is what `GET /v1/tables/{id}/shoes/{n}` answers; a seed not yet open is not checked (docs/fairness.md).
"""

import argparse
import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# The form of a record: a dict stands for an object, a list for any number of its one entry, a text for the
# pattern of a text, a range for an integer. Nothing is computed from what has another form.
PACK = {"fr52": 52, "fr32": 32, "es48": 48, "es40": 40}
HASH, COUNT, U16 = "[0-9a-f]{64}", range(1, 2**53), range(2**16)
DECK = {"kind": "|".join(PACK), "packs": COUNT}
CONTRIBUTION = {"commit": HASH, "cut": COUNT, "reveal": HASH, "seat": COUNT}
SHUFFLE = {"profile": "corte/1|stacked/1", "shuffle": COUNT, "table": "[!-~]{1,255}", "beacon": ""}
CUT = {"commitment": HASH, "contributions": [CONTRIBUTION], "cutter": range(2**53), "deck": DECK}
OPENING = {"card": U16, "nonce": HASH, "path": [HASH], "pos": U16}
RECORD = {"exposed": [OPENING], "shoe_root": HASH, "transcript": SHUFFLE | CUT, "transcript_hash": HASH}
LIVE, OVER = {"status": "|sealed"}, {"seed": HASH, "status": "|aborted|closed|lot|voided"}  # none in old ones


def misfits(value: Any, form: Any, place: str = "record") -> Iterator[str]:
    """The places in a value that are not of the form."""
    if isinstance(form, dict) and isinstance(value, dict):
        if place.startswith("record.transcript") and value.keys() - form.keys():
            yield f"{place} (a field too many)"  # elsewhere it does no harm, but here it would be hashed
        for name, inner in form.items():
            yield from misfits(value.get(name, "" if name == "status" else None), inner, f"{place}.{name}")
    elif isinstance(form, list) and isinstance(value, list):
        for number, each in enumerate(value):
            yield from misfits(each, form[0], f"{place}[{number}]")
    elif isinstance(form, str) and isinstance(value, str):
        yield from [] if re.fullmatch(form, value) else [place]
    elif not (isinstance(form, range) and type(value) is int and value in form):
        yield place


def sha256(*parts: bytes) -> bytes:
    """The hash of all parts joined."""
    return hashlib.sha256(b"".join(parts)).digest()


def tree_head(leaves: list[bytes]) -> bytes:
    """RFC 6962: the root over leaf hashes."""
    left = 1 << (len(leaves) - 1).bit_length() >> 1  # the largest power of two below; of a lone leaf 0
    return sha256(b"\x01", tree_head(leaves[:left]), tree_head(leaves[left:])) if left else leaves[0]


def climb(leaf: bytes, pos: int, size: int, path: list[str]) -> bytes:
    """RFC 6962: the root to which a path leads; that of no tree if the path has not the right length."""
    left = 1 << (size - 1).bit_length() >> 1
    if not left or not path:
        return b"" if left or path else leaf
    if pos < left:
        return sha256(b"\x01", climb(leaf, pos, left, path[:-1]), bytes.fromhex(path[-1]))
    return sha256(b"\x01", bytes.fromhex(path[-1]), climb(leaf, pos - left, size - left, path[:-1]))


def leaf_of(pos: int, card: int, nonce: str) -> bytes:
    """What binds a card to its position, each of the two written in 16 bits."""
    return sha256(b"\x00corte/1 card\n", bytes.fromhex(nonce), (pos << 16 | card).to_bytes(4, "big"))


def kbkdf(seed: bytes, label: bytes, context: bytes, blocks: int) -> bytes:
    """NIST SP 800-108 in counter mode with HMAC-SHA256."""
    fixed = label + b"\x00" + context + (256 * blocks).to_bytes(4, "big")
    return b"".join(hmac.digest(seed, n.to_bytes(4, "big") + fixed, "sha256") for n in range(1, blocks + 1))


def shuffle(stream: bytes, size: int, cut: int) -> list[int]:
    """Fisher-Yates downwards over 16-bit words, without those that would favour some cards; then the cut."""
    words = (int.from_bytes(stream[at : at + 2], "big") for at in range(0, len(stream), 2))
    order = list(range(size))
    for i in range(size - 1, 0, -1):
        j = next(word for word in words if word < 65536 - 65536 % (i + 1)) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order[cut:] + order[:cut]


def problems(record: dict[str, Any]) -> Iterator[str]:
    """What is wrong with a record that has the form of one, in sentences."""
    shown = record["transcript"]
    size = PACK[shown["deck"]["kind"]] * shown["deck"]["packs"]
    seats, cuts = ([each[what] for each in shown["contributions"]] for what in ("seat", "cut"))
    if size > 520 or seats != sorted(set(seats)) or max(cuts, default=0) >= size:
        yield "the record is malformed: too many cards, seats out of order, or a cut outside the shoe"
        return
    if shown["profile"] == "stacked/1" or "faces" in record:
        yield "not random: the cards were laid by hand (stacked/1)"
    for o in record["exposed"]:
        head = climb(leaf_of(o["pos"], o["card"], o["nonce"]), o["pos"], size, o["path"])
        if o["pos"] >= size or o["card"] >= size or head.hex() != record["shoe_root"]:
            yield f"the card shown at position {o['pos']} is not proved by the shoe root"
    where = f"{shown['table']}\n{shown['shuffle']}\n"
    for c in shown["contributions"]:
        head = f"corte/1 contribution\n{where}{shown['commitment']}\n{c['seat']}\n{c['cut']}\n"
        if sha256(head.encode(), bytes.fromhex(c["reveal"])).hex() != c["commit"]:
            yield f"the reveal of seat {c['seat']} does not open its commitment"
    context = sha256(json.dumps(shown, sort_keys=True, separators=(",", ":")).encode())
    if context.hex() != record["transcript_hash"]:
        yield "the transcript does not have the published hash"
    if "seed" in record:
        yield from contradictions(record, size, where, context)


def contradictions(record: Any, size: int, where: str, context: bytes) -> Iterator[str]:
    """What does not follow from the seed and the transcript."""
    seed, shown = bytes.fromhex(record["seed"]), record["transcript"]
    if sha256(f"corte/1 seed\n{where}".encode(), seed).hex() != shown["commitment"]:
        yield "the seed does not open the commitment"
    cut = next((c["cut"] for c in shown["contributions"] if c["seat"] == shown["cutter"]), 0)
    order = shuffle(kbkdf(seed, b"corte/1 shuffle", context, 128), size, cut)
    nonces = kbkdf(seed, b"corte/1 card", context, size).hex()
    leaves = [leaf_of(pos, card, nonces[64 * pos : 64 * pos + 64]) for pos, card in enumerate(order)]
    if shown["profile"] == "corte/1" and tree_head(leaves).hex() != record["shoe_root"]:
        yield "the seed and the transcript give another shoe root"


def main() -> int:
    """Say what was found; 0 for a good record, 1 for a bad one."""
    parser = argparse.ArgumentParser(description="Check the record of a shoe.")
    parser.add_argument("record", type=Path, help="a file with the record")
    parser.add_argument("--json", action="store_true", help="answer with one JSON object")
    asked = parser.parse_args()
    try:
        record = json.loads(asked.record.read_text("utf-8"))
    except OSError as trouble:
        parser.error(str(trouble))
    except (ValueError, RecursionError):
        record = None
    live = isinstance(record, dict) and "seed" not in record
    bad = misfits(record, RECORD | (LIVE if live else OVER))
    found = [f"the record is malformed: {place}" for place in bad] or [*problems(record)]
    good = "what is open so far is as promised; all else waits for the seed" if live else "all is as promised"
    answer = json.dumps({"good": not found, "live": live, "problems": found})
    sys.stdout.write((answer if asked.json else "\n".join(found or [good])) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
