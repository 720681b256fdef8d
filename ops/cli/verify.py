"""`croupier verify`: the record of a shuffle, checked offline and without trusting a service (fairness 1.12).

Mostly that is a shoe. A lot and an attempt that was given up have records of the same form, and beside what
follows from the seed it is checked what is said of them: who won, and who was missing.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from cyclopts import Parameter

from dealer.rules.frame.events import SeatCommit
from dealer.rules.frame.lot import strength
from shoe.corte import Opening, Transcript
from shoe.verify import verify_live, verify_record

SO_FAR = "what is open so far is as promised; all else waits for the seed"
"""What can be said of a shuffle whose seed is still secret."""


class _Said(msgspec.Struct, frozen=True):
    """What a record says of its shuffle; vectors and records of former releases say nothing."""

    status: Literal["", "aborted", "lot", "sealed", "closed", "voided"] = ""


class _Aborted(msgspec.Struct, frozen=True):
    commits: tuple[SeatCommit, ...]
    missing: tuple[int, ...]
    transcript: Transcript


class _Lot(msgspec.Struct, frozen=True):
    candidates: tuple[int, ...]
    exposed: tuple[Opening, ...]
    winner: int


def verify(
    record: Annotated[Path, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Check the record of a shoe: seed, contributions, order, cut, root and every card shown.

    While the shoe is on the table, and its seed secret, only the contributions and the cards shown so far can
    be checked. A lot and an attempt that was given up are checked too.

    Args:
        record: a file with what `GET /v1/tables/{id}/shoes/{n}` answered; `-` reads standard input.
        json: print one JSON object.
    """
    try:
        raw = sys.stdin.buffer.read() if record == Path("-") else record.read_bytes()
    except OSError as trouble:
        print(f"croupier: {trouble.strerror}: {record}", file=sys.stderr)
        return 2
    live, problems = examine(raw)
    if json:
        print(msgspec.json.encode({"good": not problems, "live": live, "problems": problems}).decode())
    elif problems:
        print("\n".join(problems))
    else:
        print(SO_FAR if live else "all is as promised")
    return 1 if problems else 0


def examine(raw: bytes) -> tuple[bool, list[str]]:
    """Whether a record is that of a shoe still on the table, and what is wrong with it, in sentences."""
    try:
        record = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return False, ["the record is not JSON"]
    live = isinstance(record, dict) and "seed" not in record
    problems = verify_live(record) if live else verify_record(record)
    return live, problems or _contradictions(record, live)


def _contradictions(record: dict[str, Any], live: bool) -> list[str]:
    """What is said beside the shuffle and does not go with it."""
    try:
        status = msgspec.convert(record, _Said).status
        if live and status not in {"", "sealed"}:
            return [f"its status is {status}, and its seed is not there"]
        if status == "sealed" and not live:
            return ["its status is sealed, and its seed is there"]
        match status:
            case "aborted":
                return list(_given_up(msgspec.convert(record, _Aborted)))
            case "lot":
                return list(_drawn(msgspec.convert(record, _Lot)))
            case _:
                return []
    except msgspec.ValidationError as error:
        return [f"the record is malformed: {error}"]


def _given_up(attempt: _Aborted) -> Iterator[str]:
    """Each contribution was committed to; who has opened nothing is missing, if the opening had begun."""
    commits = {each.seat: each.commit for each in attempt.commits}
    opened = {each.seat: each.commit for each in attempt.transcript.contributions}
    if not opened.items() <= commits.items():
        yield "a contribution is not among the commitments"
    shut = tuple(sorted(commits.keys() - opened.keys()))
    if attempt.missing != shut and (attempt.missing or opened):
        yield "the missing are not those who have opened nothing"


def _drawn(lot: _Lot) -> Iterator[str]:
    """The first cards are for the candidates in their order, and the highest wins."""
    positions = [opening.pos for opening in lot.exposed]
    if positions != list(range(len(lot.candidates))) or list(lot.candidates) != sorted(set(lot.candidates)):
        yield "the candidates have not got the first cards one by one, in the order of their seats"
        return
    best = max(lot.exposed, key=lambda opening: strength(opening.card), default=None)
    if best is None or lot.candidates[best.pos] != lot.winner:
        yield "somebody else has the highest card of the lot"
