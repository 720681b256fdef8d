"""Records of shoes made by hypothesis: honest ones, and what a house might make of them."""

import copy
import hashlib
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from shoe.cards import Deck
from shoe.corte import Contribution, commitment, contribution_commit
from shoe.shoe import Shoe, make_transcript, stacked
from tests.shoe import reference

Record = dict[str, Any]
Place = tuple[str | int, ...]

_DECKS = [
    Deck("fr52", 1),
    Deck("fr52", 6),
    Deck("fr32", 2),
    Deck("es48", 1),
    Deck("es40", 1),
    Deck("es40", 13),
]
_BYTES = st.binary(min_size=32, max_size=32)


@st.composite
def shoes(draw: st.DrawFn) -> Shoe:
    """A sealed shoe of any kind, with up to three contributions."""
    log = draw(st.from_regex(r"[!-~]{1,40}", fullmatch=True))
    shuffle, seed, deck = draw(st.integers(1, 2**53 - 1)), draw(_BYTES), draw(st.sampled_from(_DECKS))
    house = commitment(log, shuffle, seed)
    given = []
    for seat in sorted(draw(st.sets(st.sampled_from([1, 2, 3, 8, 11, 101, 164]), max_size=3))):
        cut, reveal = draw(st.integers(1, deck.size - 1)), draw(_BYTES).hex()
        commit = contribution_commit(log, shuffle, house, seat, cut, reveal)
        given.append(Contribution(commit=commit, cut=cut, reveal=reveal, seat=seat))
    cutter = draw(st.sampled_from([0, 5, *(each.seat for each in given)]))
    return Shoe(make_transcript(log, shuffle, deck, seed, cutter, given), seed)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """The honest record of such a shoe, with some cards shown; now and then it is still on the table."""
    shoe = draw(shoes())
    shown = draw(st.lists(st.integers(0, shoe.deck.size - 1), max_size=4, unique=True))
    record = shoe.record(shown)
    if draw(st.integers(0, 3)) == 0:
        del record["seed"]
    return record


@st.composite
def by_hand(draw: st.DrawFn) -> Record:
    """The record of a shoe whose first card was laid."""
    shoe = draw(shoes())
    laid = stacked(shoe.transcript, bytes.fromhex(shoe.record()["seed"]), [shoe.deck.ranks[-1]])
    return laid.record([0, 1])


@st.composite
def tampered(draw: st.DrawFn) -> Record:
    """A record in which one thing was changed; sometimes the hash of the transcript was made to fit."""
    record = copy.deepcopy(draw(records()))
    place = draw(st.sampled_from(list(_places(record))))
    target: Any = record
    for step in place[:-1]:
        target = target[step]
    name: Any = place[-1]
    if draw(st.integers(0, 4)) == 0:
        del target[name]
    else:
        target[name] = draw(_other(target[name]))
    if draw(st.booleans()) and "transcript" in record:
        record["transcript_hash"] = hashlib.sha256(reference.canonical(record["transcript"])).hexdigest()
    return record


def _places(value: Any, at: Place = ()) -> Iterator[Place]:
    """Every place inside a record."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in inside:
        yield (*at, name)
        yield from _places(inner, (*at, name))


def _other(value: Any) -> st.SearchStrategy[Any]:
    """Something else instead of a value: what is near it, or of another kind."""
    if isinstance(value, str):
        near: list[Any] = [
            value[:-1] + chr(ord(value[-1:] or "a") ^ 1),
            value + "\n",
            value.upper() + " ",
            "",
        ]
    elif isinstance(value, int):
        near = [value + 1, value - 1, value ^ 1, -value, value + 2**53, float(value), True, str(value)]
    elif isinstance(value, list):
        near = [value[:-1], value[::-1], value + value, {}]
    else:
        near = [{**value, "extra": 1}, {}, [value]]
    return st.sampled_from([*near, None])
