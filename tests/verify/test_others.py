"""Records of what is no shoe: lots, and attempts that were given up (fairness 1.7; design 3, "Lots")."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealer.rules.frame.lot import PACK, strength
from ops.cli.verify import examine
from shoe.cards import Deck
from shoe.corte import Contribution, contribution_commit
from shoe.shoe import Shoe, make_transcript
from tests.verify.programs import alone, answer, written

Record = dict[str, Any]

LOG, SEED = "mesa.example/t/tbl_1", b"\x07" * 32
CANDIDATES = (2, 11, 12)
PLAIN = make_transcript(LOG, 1, Deck("fr52", 3), SEED)


def lot() -> Record:
    """Three seats draw."""
    shoe = Shoe(make_transcript(LOG, 1, PACK, SEED), SEED)
    drawn = range(len(CANDIDATES))
    best = max(drawn, key=lambda pos: strength(shoe.card(pos)))
    said = {"candidates": list(CANDIDATES), "purpose": "bank", "status": "lot", "winner": CANDIDATES[best]}
    return shoe.record(drawn) | said


def contribution(seat: int) -> Contribution:
    """What somebody has revealed."""
    reveal = bytes([seat]).hex() * 32
    commit = contribution_commit(LOG, 1, PLAIN.commitment, seat, 40, reveal)
    return Contribution(commit=commit, cut=40, reveal=reveal, seat=seat)


def given_up(revealed: tuple[int, ...] = (1,), missing: tuple[int, ...] = (3,)) -> Record:
    """Seats 1 and 3 have committed, and not all have revealed."""
    given = [contribution(seat) for seat in revealed]
    shoe = Shoe(make_transcript(LOG, 1, PLAIN.deck, SEED, 1, given), SEED)
    commits = [{"commit": contribution(seat).commit, "seat": seat} for seat in (1, 3)]
    return shoe.record() | {"commits": commits, "missing": list(missing), "status": "aborted"}


def at(*where: str | int, to: Any) -> Callable[[Record], None]:
    """Put something else at a place."""

    def change(record: Record) -> None:
        target: Any = record
        for step in where[:-1]:
            target = target[step]
        target[where[-1]] = to

    return change


def without(made: Callable[[], Record], name: str) -> Callable[[], Record]:
    """The same without a field."""
    return lambda: {field: value for field, value in made().items() if field != name}


HONEST: dict[str, Callable[[], Record]] = {
    "a lot": lot,
    "an attempt that somebody spoiled": given_up,
    "an attempt that both spoiled": lambda: given_up((), (1, 3)),
    "an attempt that ended before the opening": lambda: given_up((), ()),
}


@pytest.mark.parametrize("made", HONEST.values(), ids=HONEST.keys())
def test_an_honest_record_is_good(made: Callable[[], Record], tmp_path: Path) -> None:
    """Fairness 1.7: both verifiers take them as they come; the seed opens, and the rest follows from it."""
    record = made()
    assert examine(json.dumps(record).encode()) == (False, [])
    assert answer(alone(written(record, tmp_path), "--json"))["good"] is True


def test_the_refused_shoe_is_computed_as_soon_as_the_missing_speak() -> None:
    """Fairness 1.7: with the part that was withheld the record gives the very shoe that was refused."""
    record = given_up()
    late = contribution(3)
    assert late.commit == record["commits"][1]["commit"]
    record["transcript"]["contributions"].append(msgspec.to_builtins(late))
    both = make_transcript(LOG, 1, PLAIN.deck, SEED, 1, [contribution(1), late])
    refused = Shoe(both, SEED)
    assert refused.order != Shoe(make_transcript(LOG, 1, PLAIN.deck, SEED, 1, [contribution(1)]), SEED).order
    told = record | {"missing": [], "shoe_root": refused.root, "transcript_hash": both.hash()}
    assert examine(json.dumps(told).encode()) == (False, [])


MISSING = "the missing are not those who have opened nothing"
FIRST = "the candidates have not got the first cards one by one, in the order of their seats"
WINNER = "somebody else has the highest card of the lot"
LOSER = next(seat for seat in CANDIDATES if seat != lot()["winner"])
TAMPERED = {
    "another winner": (lot, at("winner", to=3), WINNER),
    "a loser wins": (lot, at("winner", to=LOSER), WINNER),
    "nobody drew": (lambda: lot() | {"candidates": [], "exposed": []}, None, WINNER),
    "a candidate too many": (lot, at("candidates", to=[2, 11, 12, 13]), FIRST),
    "candidates in another order": (lot, at("candidates", to=[11, 2, 12]), FIRST),
    "a candidate twice": (lot, at("candidates", to=[2, 2, 12]), FIRST),
    "a lot without a winner": (without(lot, "winner"), None, "malformed"),
    "somebody missed who has opened": (given_up, at("missing", to=[1]), MISSING),
    "nobody missed": (given_up, at("missing", to=[]), MISSING),
    "one of two missed": (lambda: given_up((), (1,)), None, MISSING),
    "another commitment": (given_up, at("commits", 0, "commit", to="0" * 64), "not among the commitments"),
    "a status of tomorrow": (given_up, at("status", to="burnt"), "malformed"),
    "a seed kept back": (without(lot, "seed"), None, "its status is lot, and its seed is not there"),
    "another card": (lot, at("exposed", 0, "card", to=51), "is not proved by the shoe root"),
    "another seed": (given_up, at("seed", to="0" * 64), "does not open the commitment"),
}


@pytest.mark.parametrize(("made", "change", "said"), TAMPERED.values(), ids=TAMPERED.keys())
def test_a_tampering_is_refused(
    made: Callable[[], Record], change: Callable[[Record], None] | None, said: str
) -> None:
    """Fairness 1.7, design 3: what is said of winner, missing and commitments has to go with the shuffle."""
    record = copy.deepcopy(made())
    if change is not None:
        change(record)
    _, problems = examine(json.dumps(record).encode())
    assert any(said in problem for problem in problems), problems
