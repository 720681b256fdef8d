"""Records that a cheating house makes with care: everything fits but for one thing (fairness 1.10).

They are made by the reference of `tests/shoe`, which makes whatever it is told to.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ops.cli.verify import examine
from tests.shoe import reference
from tests.verify.programs import alone, answer, written

Record = dict[str, Any]

SEED, OTHER = b"\x07" * 32, b"\x08" * 32
LOG = "mesa.example/t/tbl_1"
ROOT = "the seed and the transcript give another shoe root"
IMPOSSIBLE = "the record is malformed: too many cards, seats out of order, or a cut outside the shoe"


def digest(*parts: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(b"".join(parts)).hexdigest()


def transcript(
    kind: str = "fr52",
    packs: int = 6,
    cuts: tuple[tuple[int, int], ...] = ((1, 42), (3, 99)),
    log: str = LOG,
    shuffle: int = 1,
) -> Record:
    """What a house publishes that keeps its word; the last contributor is the cutter.

    As it stands the shuffle passes over one word, which would favour some cards.
    """
    where = f"{log}\n{shuffle}\n".encode()
    house = digest(b"corte/1 seed\n", where, SEED)
    contributions = []
    for seat, cut in cuts:
        reveal = bytes([seat]) * 32
        commit = digest(b"corte/1 contribution\n", where, f"{house}\n{seat}\n{cut}\n".encode(), reveal)
        contributions.append({"commit": commit, "cut": cut, "reveal": reveal.hex(), "seat": seat})
    return {
        "beacon": "",
        "commitment": house,
        "contributions": contributions,
        "cutter": cuts[-1][0] if cuts else 0,
        "deck": {"kind": kind, "packs": packs},
        "profile": "corte/1",
        "shuffle": shuffle,
        "table": log,
    }


def sealed(
    shown: Record,
    size: int = 312,
    *,
    deal: Callable[[list[int]], list[int]] | None = None,
    last: int = 0,
    seed: bytes = SEED,
    forget_rejection: bool = False,
) -> Record:
    """The record of a shoe with that transcript, whatever it says; the first and the last card are shown.

    Args:
        shown: the transcript.
        size: cards in the shoe.
        deal: makes the order of the uncut one, instead of the cut that the transcript asks for.
        last: another number for the last position.
        seed: used instead of the one the house committed to.
        forget_rejection: shuffle with a bias.
    """
    context = hashlib.sha256(reference.canonical(shown)).digest()
    stream = reference.stream(seed, b"corte/1 shuffle", context, 4096)
    uncut, _ = reference.shuffle(stream, size, forget_rejection=forget_rejection)
    cut = next((each["cut"] for each in shown["contributions"] if each["seat"] == shown["cutter"]), 0)
    cards = deal(uncut) if deal else uncut[cut:] + uncut[:cut]
    key_stream = reference.stream(seed, b"corte/1 card", context, 32 * size)
    nonces = [key_stream[at : at + 32] for at in range(0, 32 * size, 32)]
    numbers = [*range(size - 1), last or size - 1]
    leaves = [
        hashlib.sha256(
            b"\x00corte/1 card\n" + nonce + number.to_bytes(2, "big") + card.to_bytes(2, "big")
        ).digest()
        for number, card, nonce in zip(numbers, cards, nonces, strict=True)
    ]
    return {
        "exposed": [
            {
                "card": cards[place],
                "nonce": nonces[place].hex(),
                "path": [step.hex() for step in reference.tree_path(leaves, place)],
                "pos": numbers[place],
            }
            for place in (0, size - 1)
        ],
        "seed": seed.hex(),
        "shoe_root": reference.tree_head(leaves).hex(),
        "transcript": shown,
        "transcript_hash": context.hex(),
    }


def replaced_reveal() -> Record:
    """A contributor's 32 bytes replaced after the commitments were made."""
    shown = transcript()
    shown["contributions"][0]["reveal"] = "ee" * 32
    return sealed(shown)


def on_the_table(record: Record) -> Record:
    """The same while the shoe is on the table, so that its openings must tell."""
    return {name: record[name] for name in record if name != "seed"}


def with_path(change: Callable[[list[str]], list[str]]) -> Record:
    """A record in which the path of the first card is another."""
    record = sealed(transcript())
    record["exposed"][0]["path"] = change(record["exposed"][0]["path"])
    return record


def unproved(pos: int) -> str:
    """What is said of an opening that does not hold."""
    return f"the card shown at position {pos} is not proved by the shoe root"


def malformed(place: str) -> str:
    """What is said of a record whose form is wrong at a place."""
    return f"the record is malformed: record.{place}"


FORGERIES: dict[str, tuple[Callable[[], Record], str]] = {
    "a seed chosen later": (
        lambda: sealed(transcript(), seed=OTHER),
        "the seed does not open the commitment",
    ),
    "a reveal replaced": (replaced_reveal, "the reveal of seat 1 does not open its commitment"),
    "another hash": (
        lambda: {**sealed(transcript()), "transcript_hash": "00" * 32},
        "the transcript does not have the published hash",
    ),
    "the cut forgotten": (lambda: sealed(transcript(), deal=list), ROOT),
    "cards exchanged": (lambda: sealed(transcript(), deal=lambda a: [a[1], a[0], *a[2:]]), ROOT),
    "a card twice": (lambda: sealed(transcript(), deal=lambda a: [a[1], *a[1:]]), ROOT),
    "a biased shuffle": (lambda: sealed(transcript(), forget_rejection=True), ROOT),
    "faces": (
        lambda: {**sealed(transcript()), "faces": ["9H"]},
        "not random: the cards were laid by hand (stacked/1)",
    ),
    "a card beyond the deck": (
        lambda: on_the_table(sealed(transcript(), deal=lambda a: [312, *a[1:]])),
        unproved(0),
    ),
    "a position beyond the shoe": (lambda: on_the_table(sealed(transcript(), last=312)), unproved(312)),
    "a path too long": (lambda: with_path(lambda path: ["00" * 32, *path]), unproved(0)),
    "a path too short": (lambda: with_path(lambda path: path[1:]), unproved(0)),
    "no path": (lambda: with_path(lambda _: []), unproved(0)),
    "too large a shoe": (lambda: sealed(transcript("es48", 11), 528), IMPOSSIBLE),
    "a cut of everything": (lambda: sealed(transcript(cuts=((1, 40), (3, 312)))), IMPOSSIBLE),
    "a seat twice": (lambda: sealed(transcript(cuts=((3, 40), (3, 41)))), IMPOSSIBLE),
    "seats out of order": (lambda: sealed(transcript(cuts=((3, 40), (1, 41)))), IMPOSSIBLE),
    "a cut of nothing": (
        lambda: sealed(transcript(cuts=((1, 0),))),
        malformed("transcript.contributions[0].cut"),
    ),
    "a number beyond 2^53": (lambda: sealed(transcript(shuffle=2**53)), malformed("transcript.shuffle")),
    "a cutter beyond 2^53": (
        lambda: sealed({**transcript(), "cutter": 2**53}),
        malformed("transcript.cutter"),
    ),
    "a log too long": (lambda: sealed(transcript(log="x" * 256)), malformed("transcript.table")),
    "a log of two words": (lambda: sealed(transcript(log="mesa two")), malformed("transcript.table")),
    "a field too many": (
        lambda: sealed({**transcript(), "extra": 1}),
        malformed("transcript (a field too many)"),
    ),
    "a beacon": (lambda: sealed({**transcript(), "beacon": "00"}), malformed("transcript.beacon")),
    "a seed kept back": (
        lambda: on_the_table({**sealed(transcript()), "status": "closed"}),
        malformed("status"),
    ),
    "a seed of a shoe on the table": (
        lambda: {**sealed(transcript()), "status": "sealed"},
        malformed("status"),
    ),
    "a cut that is open": (lambda: {**sealed(transcript()), "status": "cut"}, malformed("status")),
    "a status of none": (lambda: {**sealed(transcript()), "status": None}, malformed("status")),
    "false for none": (
        lambda: sealed({**transcript(cuts=()), "cutter": False}),
        malformed("transcript.cutter"),
    ),
}


@pytest.mark.parametrize(("forge", "said"), FORGERIES.values(), ids=FORGERIES.keys())
def test_a_careful_forgery_is_refused(forge: Callable[[], Record], said: str, tmp_path: Path) -> None:
    """Fairness 1.10, rows 1, 4 and 6: one thing that does not fit is enough, and it is named."""
    record = forge()
    assert answer(alone(written(record, tmp_path), "--json"))["problems"] == [said]
    _, found = examine(json.dumps(record).encode())
    assert found


@pytest.mark.parametrize("deck", [("fr52", 6, 312), ("es48", 1, 48), ("fr52", 10, 520), ("es40", 13, 520)])
def test_the_forger_can_be_honest(deck: tuple[str, int, int], tmp_path: Path) -> None:
    """Fairness 1.4: what the forger makes without cheating is good: forgeries fail for what they are."""
    kind, packs, size = deck
    record = sealed(transcript(kind, packs, ((1, 40), (3, 47))), size) | {"status": "voided"}
    assert alone(written(record, tmp_path)).returncode == 0
    assert examine(json.dumps(record).encode()) == (False, [])
    live = on_the_table(record) | {"status": "sealed"}
    assert answer(alone(written(live, tmp_path), "--json")) == {"good": True, "live": True, "problems": []}
    assert examine(json.dumps(live).encode()) == (True, [])
