"""`croupier replay`: a table's log read back and checked, coup by coup, without a service (design 8)."""

import os
import sys
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from dealer.words import Lang
from ops.cli.verify import SO_FAR
from ops.replay.broken import Broken
from ops.replay.coups import coups
from ops.replay.lines import stored_events
from ops.replay.replay import Replayed, replay
from ops.terminal.printer import Printer
from shoe.verify import NOT_RANDOM


def read_back(
    log: Annotated[Path, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
    lang: Lang = "es",
) -> int:
    """Read a table's log back: check that it holds, and tell every coup.

    A log that does not hold is not told; what is wrong with it is said instead. One whose cards were laid by
    hand is told, and is not called good.

    Args:
        log: a file with the events of a table from the first one on, one a line, or with the pages that
            `GET /v1/tables/{id}/events` answered, one a line; `-` reads standard input.
        json: print one JSON object a coup.
        lang: language of the coups.
    """
    try:
        raw = sys.stdin.buffer.read() if log == Path("-") else log.read_bytes()
    except OSError as trouble:
        print(f"croupier: {trouble.strerror}: {log}", file=sys.stderr)
        return 2
    try:
        replayed = replay(stored_events(raw))
    except Broken as trouble:
        print(msgspec.json.encode({"problem": str(trouble)}).decode() if json else trouble)
        return 1
    rounds = list(coups(replayed.game, replayed.table, replayed.events))
    if json:
        for coup in rounds:
            print(msgspec.json.encode(coup).decode())
        if replayed.table.stacked:
            print(msgspec.json.encode({"problem": NOT_RANDOM}).decode())
        return int(replayed.table.stacked)
    printer = Printer(sys.stdout, lang, os.environ)
    for event in replayed.events:
        printer.show(event)
    print(f"\n{_summary(replayed, len(rounds))}")
    return int(replayed.table.stacked)


def _summary(replayed: Replayed, rounds: int) -> str:
    counted = f"events {len(replayed.events)}, rounds {rounds}, shuffles proved {replayed.proved}"
    if replayed.waiting:
        counted = f"{counted}, events that wait for a seed {replayed.waiting}"
    if replayed.table.stacked:
        return f"{counted}: {NOT_RANDOM}"
    return f"{counted}: {SO_FAR if replayed.shut or replayed.waiting else 'all is as promised'}"
