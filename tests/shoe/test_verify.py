"""What a verifier refuses (fairness 1.12)."""

import copy
import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe import merkle
from shoe.cards import Deck
from shoe.corte import Opening, contribution_commit, leaf
from shoe.shoe import make_transcript, stacked
from shoe.verify import NOT_RANDOM, verify_opening, verify_record
from tests.shoe import reference

Record = dict[str, Any]

HASH = "the transcript does not have the published hash"
SEED = "the seed does not open the commitment"
ROOT = "the seed and the transcript give another shoe root"
REVEAL = "does not open its commitment"
UNPROVED = "is not proved by the shoe root"
MOVED = "is not the one the seed puts there"
FORM = "the record is malformed"


def _flip(text: str) -> str:
    return text[:-1] + ("0" if text[-1] != "0" else "1")


def _change(*where: str | int, to: Callable[[Any], Any]) -> Callable[[Record], None]:
    def tamper(record: Record) -> None:
        place: Any = record
        for step in where[:-1]:
            place = place[step]
        place[where[-1]] = to(place[where[-1]])

    return tamper


def _swap(items: list[Any]) -> list[Any]:
    return [items[1], items[0], *items[2:]]


# name -> (the change, what must be said about it)
TAMPERINGS: dict[str, tuple[Callable[[Record], None], str]] = {
    "seed": (_change("seed", to=_flip), SEED),
    "root": (_change("shoe_root", to=_flip), ROOT),
    "table": (_change("transcript", "table", to=lambda table: table + "x"), HASH),
    "number": (_change("transcript", "shuffle", to=lambda number: number + 1), SEED),
    "deck": (_change("transcript", "deck", "packs", to=lambda packs: packs + 1), HASH),
    "cutter": (_change("transcript", "cutter", to=lambda cutter: cutter + 1), HASH),
    "beacon": (_change("transcript", "beacon", to=lambda _: "00"), FORM),
    "card": (_change("exposed", 0, "card", to=lambda card: card ^ 1), MOVED),
    "nonce": (_change("exposed", 0, "nonce", to=_flip), UNPROVED),
    "position": (_change("exposed", 0, "pos", to=lambda pos: pos + 1), UNPROVED),
    "path": (_change("exposed", 1, "path", 0, to=_flip), UNPROVED),
    "commitment": (_change("transcript", "commitment", to=_flip), SEED),
    "transcript hash": (_change("transcript_hash", to=_flip), HASH),
    "profile": (_change("transcript", "profile", to=lambda _: "stacked/1"), NOT_RANDOM),
}
CONTRIBUTION_TAMPERINGS: dict[str, tuple[Callable[[Record], None], str]] = {
    "missing contribution": (_change("transcript", "contributions", to=lambda all_: all_[:-1]), HASH),
    "reordered contributions": (_change("transcript", "contributions", to=_swap), FORM),
    "cut": (_change("transcript", "contributions", 1, "cut", to=lambda cut: cut + 1), REVEAL),
    "reveal": (_change("transcript", "contributions", 0, "reveal", to=_flip), REVEAL),
    "commit": (_change("transcript", "contributions", 0, "commit", to=_flip), REVEAL),
    "seat": (_change("transcript", "contributions", -1, "seat", to=lambda seat: seat + 1), REVEAL),
}
CASES = [
    (vector, name, tamper, said)
    for vector in reference.VECTORS
    for name, (tamper, said) in {
        **TAMPERINGS,
        **(CONTRIBUTION_TAMPERINGS if vector["transcript"]["contributions"] else {}),
    }.items()
]


def _cover_up(record: Record) -> None:
    """Recompute every hash that a forger can: commits, commitment and transcript hash, but not the seal."""
    shown = record["transcript"]
    header = f"corte/1 seed\n{shown['table']}\n{shown['shuffle']}\n".encode()
    shown["commitment"] = hashlib.sha256(header + bytes.fromhex(record["seed"])).hexdigest()
    for each in shown["contributions"]:
        args = (
            shown["table"],
            shown["shuffle"],
            shown["commitment"],
            each["seat"],
            each["cut"],
            each["reveal"],
        )
        each["commit"] = contribution_commit(*args)
    record["transcript_hash"] = hashlib.sha256(reference.canonical(shown)).hexdigest()


@pytest.mark.parametrize("vector", reference.VECTORS, ids=reference.NAMES)
def test_an_honest_record_has_no_problems(vector: Record) -> None:
    """Fairness 1.12: the four published records are good, and stay so under a recomputation of the hashes."""
    record = copy.deepcopy(vector)
    assert verify_record(record) == []
    _cover_up(record)
    assert record == vector


@pytest.mark.parametrize(
    ("vector", "tamper", "said"),
    [
        pytest.param(vector, tamper, said, id=f"{vector['transcript']['table']}-{name}")
        for vector, name, tamper, said in CASES
    ],
)
def test_a_tampered_record_is_refused(vector: Record, tamper: Callable[[Record], None], said: str) -> None:
    """Fairness 1.12: each of the tamperings is found, for the reason it deserves."""
    record = copy.deepcopy(vector)
    tamper(record)
    assert any(said in problem for problem in verify_record(record))


UNDONE = {"commitment", "commit", "transcript hash"}  # a recomputation restores what these altered


@pytest.mark.parametrize(
    ("vector", "tamper"),
    [
        pytest.param(vector, tamper, id=f"{vector['transcript']['table']}-{name}")
        for vector, name, tamper, _ in CASES
        if name not in UNDONE
    ],
)
def test_a_forger_who_recomputes_the_hashes_is_refused(
    vector: Record, tamper: Callable[[Record], None]
) -> None:
    """Fairness 1.10, row 6: with all other hashes made to fit, the seal of the shoe still tells."""
    record = copy.deepcopy(vector)
    tamper(record)
    _cover_up(record)
    assert verify_record(record) != []


def test_a_card_dealt_twice_is_refused() -> None:
    """Fairness 1.3: one position's opening shown for another is not proved."""
    record = copy.deepcopy(reference.VECTORS[0])
    record["exposed"][1] = {**record["exposed"][0], "pos": record["exposed"][1]["pos"]}
    problems = verify_record(record)
    assert any(UNPROVED in problem for problem in problems)
    assert any(MOVED in problem for problem in problems)


@pytest.mark.parametrize("vector", reference.VECTORS, ids=reference.NAMES)
def test_a_position_outside_the_shoe_is_refused(vector: Record) -> None:
    """Fairness 1.3: a shoe has N positions and no more; claiming another is a problem, not a crash."""
    record = copy.deepcopy(vector)
    record["exposed"][0]["pos"] = vector["cards"]
    assert verify_record(record) == [f"the card shown at position {vector['cards']} {UNPROVED}"]


def test_a_card_outside_the_deck_is_refused() -> None:
    """Fairness 1.3: a house that seals a card the deck does not have cannot prove it, root or no root."""
    nonce = bytes(32)
    cards = (60, 7)
    leaves = [leaf(pos, card, nonce) for pos, card in enumerate(cards)]
    sealed = [
        Opening(card=card, nonce=nonce.hex(), path=(leaves[1 - pos].hex(),), pos=pos)
        for pos, card in enumerate(cards)
    ]
    head = merkle.root(leaves).hex()
    assert [verify_opening(opening, 2, head) for opening in sealed] == [False, False]


def test_an_opening_without_its_path_proves_nothing() -> None:
    """Fairness 1.6: the inclusion path belongs to the record."""
    record = copy.deepcopy(reference.VECTORS[0])
    del record["exposed"][0]["path"]
    assert verify_record(record) == ["the card shown at position 0 " + UNPROVED]


def test_a_single_card_is_proved_without_the_seed() -> None:
    """Fairness 1.6: if the house never reveals the seed, every card shown is still proved."""
    for vector in reference.VECTORS:
        for shown in vector["exposed"]:
            opening = Opening(
                card=shown["card"], nonce=shown["nonce"], path=tuple(shown["path"]), pos=shown["pos"]
            )
            assert verify_opening(opening, vector["cards"], vector["shoe_root"])
            assert not verify_opening(opening, vector["cards"], _flip(vector["shoe_root"]))


def test_a_stacked_record_is_checked_and_never_called_random() -> None:
    """Design 6: verifiers say "not random" of every stacked shoe, and still find other faces."""
    seed = bytes(range(32))
    record = stacked(make_transcript("a/t/b", 1, Deck("fr52", 1), seed), seed, ["9H", "K"]).record([0, 1])
    assert verify_record(record) == [NOT_RANDOM]
    assert verify_record({**record, "faces": ["9H", "Q"]})[1:] != []
    assert verify_record({**record, "faces": ["9H", "9H"]})[1:] == [
        "the order cannot be derived: the deck holds no further 9H"
    ]
    honest = reference.VECTORS[0]
    assert verify_record({**honest, "faces": ["9H"]}) == [
        "the order cannot be derived: faces belong to a stacked shoe, and to no other"
    ]


def test_what_belongs_to_the_record_is_missed() -> None:
    """Design 4: a shoe record needs transcript, transcript hash, seed, root and openings."""
    whole = reference.VECTORS[0]
    for name in ("transcript", "transcript_hash", "seed", "shoe_root", "exposed"):
        problems = verify_record({key: value for key, value in whole.items() if key != name})
        assert len(problems) == 1
        assert name in problems[0]


PLACES = [
    ("seed",),
    ("shoe_root",),
    ("transcript_hash",),
    ("exposed",),
    ("exposed", 0),
    ("exposed", 0, "pos"),
    ("exposed", 0, "card"),
    ("exposed", 0, "nonce"),
    ("exposed", 0, "path"),
    ("exposed", 0, "path", 0),
    ("transcript",),
    ("transcript", "table"),
    ("transcript", "shuffle"),
    ("transcript", "deck"),
    ("transcript", "deck", "kind"),
    ("transcript", "deck", "packs"),
    ("transcript", "contributions"),
    ("transcript", "contributions", 0),
    ("transcript", "contributions", 0, "cut"),
    ("transcript", "contributions", 0, "seat"),
    ("transcript", "contributions", 0, "reveal"),
    ("faces",),
]
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(PLACES), anything)
def test_rubbish_is_a_problem_and_never_an_exception(place: tuple[str | int, ...], rubbish: object) -> None:
    """Fairness 1.12: a verifier answers for any input; only the true value is good."""
    record = copy.deepcopy(reference.VECTORS[0])
    target: Any = record
    for step in place[:-1]:
        target = target[step]
    true_value = target.get(place[-1], "absent") if isinstance(target, dict) else target[place[-1]]
    good = [] if place == ("exposed",) else true_value  # a record need not show any card
    harmless = type(rubbish) is type(good) and rubbish == good  # True and 1.0 are no 1
    target[place[-1]] = rubbish
    assert (verify_record(record) == []) == harmless
