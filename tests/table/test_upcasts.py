"""Old events are read for ever: each comes as if it had been written today (design 3, Growing)."""

from typing import Any

import msgspec
import pytest

from dealer.rules.frame.event import Codec, Data, Event, Upcasts, encode


class _Poured(Data, frozen=True, gc=False):
    """A type of event that exists here only, in its third shape."""

    TYPE = "test.poured"
    V = 3
    cups: tuple[int, ...]
    kind: str


def _counted(data: dict[str, Any]) -> dict[str, Any]:
    """From one cup to a list of cups."""
    return {"cups": [data["cup"]], "sort": data["sort"]}


def _named(data: dict[str, Any]) -> dict[str, Any]:
    """From `sort` to `kind`."""
    return {"cups": data["cups"], "kind": data["sort"]}


UPCASTS: Upcasts = {("test.poured", 1): _counted, ("test.poured", 2): _named}
CODEC = Codec((_Poured,), UPCASTS)


def _stored(v: int, data: dict[str, Any]) -> bytes:
    return encode(Event("pid_1", 5, data, "test/t/tbl_1", 0, 9, "test.poured", v))


@pytest.mark.parametrize(
    ("v", "data"),
    [
        (1, {"cup": 2, "sort": "tea"}),
        (2, {"cups": [2], "sort": "tea"}),
        (3, {"cups": [2], "kind": "tea"}),
    ],
)
def test_every_version_reads_as_the_present_one(v: int, data: dict[str, Any]) -> None:
    """Step by step, from whichever version on; nothing else of the event changes."""
    event = CODEC.decode(_stored(v, data))
    assert event == Event("pid_1", 5, _Poured((2,), "tea"), "test/t/tbl_1", 0, 9, "test.poured", 3)


@pytest.mark.parametrize("v", [0, 4])
def test_a_version_unknown_here_is_named(v: int) -> None:
    """An event of a later release is not guessed at."""
    with pytest.raises(
        msgspec.ValidationError, match=rf"'test.poured' of version {v}; known here are 1 to 3"
    ):
        CODEC.decode(_stored(v, {"cups": [2], "kind": "tea"}))


def test_what_is_up_cast_is_checked() -> None:
    """An up-cast that misses the present shape gives no event."""
    wrong = Codec((_Poured,), {**UPCASTS, ("test.poured", 2): _counted})
    with pytest.raises(KeyError):
        wrong.decode(_stored(2, {"cups": [2], "sort": "tea"}))
    lazy = Codec((_Poured,), {**UPCASTS, ("test.poured", 2): dict})
    with pytest.raises(msgspec.ValidationError):
        lazy.decode(_stored(2, {"cups": [2], "sort": "tea"}))


@pytest.mark.parametrize("lost", [1, 2])
def test_a_gap_among_up_casts_shows_at_once(lost: int) -> None:
    """A new version without the step from the one before cannot be released: no table would open."""
    rest = {key: step for key, step in UPCASTS.items() if key[1] != lost}
    with pytest.raises(ValueError, match=rf"no up-cast from \[\('test.poured', {lost}\)\]"):
        Codec((_Poured,), rest)
