"""Merkle trees (RFC 6962, fairness 1.6)."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe import merkle
from tests.shoe import reference


def _leaves(size: int) -> list[bytes]:
    return [hashlib.sha256(b"\x00" + bytes([i % 256, i // 256])).digest() for i in range(size)]


@pytest.mark.parametrize("size", [*range(40), 48, 64, 312, 416, 520])
def test_head_and_paths_are_those_of_the_rfc(size: int) -> None:
    """RFC 6962, 2.1 and 2.1.1: the level-by-level tree equals the recursive definition."""
    leaves = _leaves(size)
    head = reference.tree_head(leaves)
    assert merkle.root(leaves) == head
    for index in {0, 1, size // 2, size - 2, size - 1} & set(range(size)):
        path = merkle.path(leaves, index)
        assert path == reference.tree_path(leaves, index)
        assert merkle.verify(leaves[index], index, size, path, head)


def test_a_shoe_of_six_packs_needs_nine_hashes_at_most() -> None:
    """Fairness 1.6: at most 9 hashes for 312 or 416 cards."""
    for size in (312, 416):
        leaves = _leaves(size)
        assert max(len(merkle.path(leaves, index)) for index in range(size)) == 9


@given(st.data())
def test_only_the_true_claim_verifies(data: st.DataObject) -> None:
    """Fairness 1.6: another leaf, place, root, or an altered, cut or longer path proves nothing."""
    size = data.draw(st.integers(2, 130))
    leaves = _leaves(size)
    index = data.draw(st.integers(0, size - 1))
    path, head = merkle.path(leaves, index), merkle.root(leaves)
    assert merkle.verify(leaves[index], index, size, path, head)

    step = data.draw(st.integers(0, len(path) - 1))
    bit = 1 << data.draw(st.integers(0, 7))
    altered = [*path]
    altered[step] = bytes([path[step][0] ^ bit]) + path[step][1:]
    elsewhere = data.draw(st.integers(0, size - 1).filter(lambda other: other != index))
    assert not merkle.verify(leaves[index], index, size, altered, head)
    assert not merkle.verify(leaves[index], index, size, path[:step] + path[step + 1 :], head)
    assert not merkle.verify(leaves[index], index, size, [*path, head], head)
    assert not merkle.verify(leaves[elsewhere], index, size, path, head)
    assert not merkle.verify(leaves[index], elsewhere, size, path, head)
    assert not merkle.verify(leaves[index], index, size, path, leaves[index])


def test_a_path_that_ends_below_the_top_proves_nothing() -> None:
    """RFC 9162, 2.1.3.2: an inner node is no tree head, even under its own hash."""
    leaves = _leaves(5)
    assert not merkle.verify(leaves[0], 0, 5, merkle.path(leaves[:4], 0), merkle.root(leaves[:4]))


def test_a_path_that_goes_on_above_the_top_proves_nothing() -> None:
    """RFC 9162, 2.1.3.2: a claimed size bounds the path, even where the claimed root would fit."""
    leaves = _leaves(2)
    assert not merkle.verify(leaves[1], 0, 1, [leaves[0]], merkle.root(leaves))


def test_a_negative_index_proves_nothing() -> None:
    """Positions count from 0: -1 is not another name of the last leaf."""
    leaves = _leaves(2)
    assert merkle.verify(leaves[1], 1, 2, [leaves[0]], merkle.root(leaves))
    assert not merkle.verify(leaves[1], -1, 2, [leaves[0]], merkle.root(leaves))


@pytest.mark.parametrize("index", [-1, 3, 4])
def test_a_leaf_outside_the_tree_has_no_path(index: int) -> None:
    """Positions run from 0 to N - 1; none counts from the end."""
    leaves = _leaves(3)
    with pytest.raises(IndexError, match="no such leaf"):
        merkle.path(leaves, index)
    assert not merkle.verify(leaves[2], index, 3, merkle.path(leaves, 2), merkle.root(leaves))
