"""Merkle trees of RFC 6962 over leaf hashes that are given.

A lone node at the right end of a level moves up unchanged; level by level that yields the same tree as the
recursive definition of the RFC.
"""

import hashlib
from collections.abc import Sequence


def levels(leaves: Sequence[bytes]) -> list[list[bytes]]:
    """All levels of the tree, leaves first, the root alone in the last; `[[]]` for no leaves."""
    level = list(leaves)
    tree = [level]
    while len(level) > 1:
        above = [_node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        if len(level) % 2:
            above.append(level[-1])
        tree.append(above)
        level = above
    return tree


def root(leaves: Sequence[bytes]) -> bytes:
    """Tree head over the leaf hashes; the hash of nothing for no leaves."""
    return levels(leaves)[-1][0] if leaves else hashlib.sha256().digest()


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Inclusion path of one leaf, from the bottom up.

    Raises:
        IndexError: there is no such leaf.
    """
    return path_in(levels(leaves), index)


def path_in(tree: Sequence[Sequence[bytes]], index: int) -> list[bytes]:
    """Inclusion path read from `levels`, for whoever asks for many paths of one tree.

    Raises:
        IndexError: there is no such leaf.
    """
    if not 0 <= index < len(tree[0]):
        raise IndexError("there is no such leaf")
    siblings = []
    for level in tree[:-1]:
        if index ^ 1 < len(level):
            siblings.append(level[index ^ 1])
        index >>= 1
    return siblings


def verify(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether the path proves this leaf hash at this index of a tree of this size and root."""
    if not 0 <= index < size:
        return False
    node, last = leaf, size - 1
    for sibling in path:
        if last == 0:
            return False
        if index % 2 or index == last:
            node = _node(sibling, node)
            while index and not index % 2:  # levels this node rose through alone
                index >>= 1
                last >>= 1
        else:
            node = _node(node, sibling)
        index >>= 1
        last >>= 1
    return last == 0 and node == root


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()
