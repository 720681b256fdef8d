"""What a released version has written is read for ever, and means what it meant (design 3, Growing)."""

from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealer.cage import events as cage_events
from dealer.cage import snapshot as cage_snapshot
from dealer.cage.ledger import CODEC, Cage, evolve
from dealer.rules.frame.event import Data, encode
from dealer.rules.frame.events import EVENTS
from dealer.rules.frame.state import Table
from dealer.rules.registry import GAMES
from dealer.table import snapshot
from dealer.table.aggregate import codec, replay
from tests.golden.make import HERE, VERSION
from tests.golden.played import CAGE

LOGS = sorted(HERE.glob("*/*.jsonl"))
TABLES = [path for path in LOGS if path.stem != CAGE]
BOOKS = [path for path in LOGS if path.stem == CAGE]
NOT_YET: frozenset[str] = frozenset()
"""Types of events that no golden log holds yet."""


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def _state(path: Path) -> dict[str, Any]:
    """The state that was written beside a log."""
    written: dict[str, Any] = msgspec.json.decode(path.with_suffix(".state.json").read_bytes())
    return written


@pytest.mark.parametrize("path", TABLES, ids=_name)
def test_a_table_is_what_it_was(path: Path) -> None:
    """Its log leads to the same state in this release as in its own, and to one that can be."""
    lines = path.read_bytes().splitlines()
    written = _state(path)
    game = GAMES[written["game"]]
    play = msgspec.convert(written.pop("play"), game.state_type, str_keys=True)
    table = msgspec.structs.replace(msgspec.convert(written, Table, str_keys=True), play=play)
    events = [codec(game).decode(line) for line in lines]
    assert [event.seq for event in events] == list(range(len(lines)))
    assert replay(game, Table(log=table.log), events) == table
    assert snapshot.flaw(game, table) == ""


@pytest.mark.parametrize("path", BOOKS, ids=_name)
def test_a_book_is_what_it_was(path: Path) -> None:
    """The same of the cage."""
    events = [CODEC.decode(line) for line in path.read_bytes().splitlines()]
    cage = msgspec.convert(_state(path), Cage)
    assert reduce(evolve, events, Cage(log=cage.log)) == cage
    assert cage_snapshot.flaw(cage) == ""


def _registered() -> Iterator[type[Data]]:
    yield from (*EVENTS, *cage_events.EVENTS)
    for game in GAMES.values():
        yield from game.events


def test_every_event_in_its_present_shape_is_kept() -> None:
    """Whoever adds a type of event, or a version of one, adds a log that holds it."""
    kept = {(event["type"], event["v"]) for path in LOGS for event in map(msgspec.json.decode, _lines(path))}
    registered = {(kind.TYPE, kind.V) for kind in _registered()}
    assert registered - kept == {(kind.TYPE, kind.V) for kind in _registered() if kind.TYPE in NOT_YET}


def test_the_present_version_has_logs() -> None:
    """They are made before it is released."""
    assert {path.stem for path in (HERE / VERSION).glob("*.jsonl")} >= {
        CAGE,
        "bacara-evening",
        "baciga-standard",
    }


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


@pytest.mark.parametrize("path", [path for path in LOGS if path.parent.name == VERSION], ids=_name)
def test_the_present_version_writes_the_same_bytes(path: Path) -> None:
    """What it reads of its own logs it would write just so: nothing is lost in between."""
    reader = CODEC if path.stem == CAGE else codec(GAMES[_state(path)["game"]])
    assert [encode(reader.decode(line)) for line in _lines(path)] == _lines(path)
