"""The compact range is the RFC 6962 tree, whoever adds to it and in whatever portions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.journal.range import Range, leaf_hash
from shoe import merkle

EVENTS = st.lists(st.binary(max_size=40), max_size=70)


@given(EVENTS)
def test_its_root_is_the_tree_head(events: list[bytes]) -> None:
    """Of every number of events, as the tree over all leaves has it (design 5)."""
    assert Range().extended(events).root() == merkle.root([leaf_hash(event) for event in events])


@given(EVENTS, st.integers(0, 70))
def test_it_is_extended_without_what_came_before(events: list[bytes], cut: int) -> None:
    """Two portions give the same as one."""
    whole = Range().extended(events)
    assert Range().extended(events[:cut]).extended(events[cut:]) == whole
    assert len(whole.nodes) == len(events).bit_count()


@given(EVENTS.filter(bool), st.data())
def test_a_flipped_bit_shows(events: list[bytes], data: st.DataObject) -> None:
    """Another byte anywhere, or an event less, is another range (platform 1.4)."""
    at = data.draw(st.integers(0, len(events) - 1))
    changed = [*events]
    changed[at] = bytes([*events[at], 0])
    assert Range().extended(changed) != Range().extended(events)
    assert Range().extended(events[:at] + events[at + 1 :]) != Range().extended(events)


@pytest.mark.parametrize(("size", "nodes"), [(1, 0), (2, 2), (0, 1), (-1, 1)])
def test_hashes_that_stand_for_another_number_are_none(size: int, nodes: int) -> None:
    """A stored range that contradicts itself cannot be read."""
    with pytest.raises(ValueError, match="do not stand for"):
        Range(size, (b"\0" * 32,) * nodes)
