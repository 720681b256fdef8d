"""Two worlds that differ only in cards nobody may see are one to everybody (fairness S-20 a, S-21, 2.7).

How long an answer takes is not compared: that says something on a quiet machine only.
"""

import pytest

from tests.journal.server import Server
from tests.secrecy.known import masked
from tests.secrecy.script import WORLDS, play


@pytest.mark.parametrize("luck", range(2))
async def test_a_hidden_card_changes_no_byte(
    server: Server, luck: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S-20 a, S-21: all that is seen, refused, counted, logged, stored is the same, in order and length."""
    one, other = [await play(server, luck, which, monkeypatch) for which in range(len(WORLDS))]
    assert sorted(one.names.values()) == sorted(other.names.values())
    assert not one.names.keys() & other.names.keys(), "what is masked has to differ"
    assert one.heard.keys() == other.heard.keys()
    for name, here in one.heard.items():
        there = other.heard[name]
        for (asked, told), (asked_there, told_there) in zip(here, there, strict=False):
            assert asked == asked_there, name
            apart = differs(masked(told, one.names), masked(told_there, other.names))
            assert not apart, f"{name} hears another answer to {asked}: {apart}"
        assert len(here) == len(there), name


def differs(one: bytes, other: bytes) -> str:
    """What the first byte that is not the same stands in, empty if all are."""
    if one == other:
        return ""
    place = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return " / ".join(repr(each[max(0, place - 60) : place + 60]) for each in (one, other))
