"""`croupier verify`: the record of a shoe, checked offline and without trusting a service (fairness 1.12)."""

import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from shoe.corte import STACKED, Hex32, Opening, Transcript
from shoe.verify import NOT_RANDOM, verify_opening, verify_record


class _Live(msgspec.Struct, frozen=True, gc=False):
    """What is published of a shoe while it is on the table."""

    exposed: tuple[Opening, ...]
    shoe_root: Hex32
    transcript: Transcript
    transcript_hash: Hex32


def verify(
    record: Annotated[Path, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Check the record of a shoe: seed, contributions, order, cut, root and every card shown.

    While the shoe is on the table, and its seed secret, only the cards shown so far can be checked.

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
        print(
            "the cards shown so far are proved; all else waits for the seed" if live else "all is as promised"
        )
    return 1 if problems else 0


def examine(raw: bytes) -> tuple[bool, list[str]]:
    """Whether a record is that of a shoe still on the table, and what is wrong with it, in sentences."""
    try:
        record = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return False, ["the record is not JSON"]
    live = isinstance(record, dict) and "seed" not in record
    return live, _live_problems(record) if live else verify_record(record)


def _live_problems(record: dict[str, Any]) -> list[str]:
    try:
        shown = msgspec.convert(record, _Live)
    except msgspec.ValidationError as error:
        return [f"the record is malformed: {error}"]
    laid = [NOT_RANDOM] if shown.transcript.profile == STACKED or "faces" in record else []
    return laid + [
        f"the card shown at position {opening.pos} is not proved by the shoe root"
        for opening in shown.exposed
        if not verify_opening(opening, shown.transcript.deck.size, shown.shoe_root)
    ]
