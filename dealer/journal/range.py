"""The compact range of a log: the few hashes that stand for all of its events up to one (RFC 6962).

They are the roots of the perfect subtrees into which the tree over all events falls, largest first, one for
each binary digit 1 of their number. What follows is added without the events before it.
"""

import hashlib
from collections.abc import Iterable

import msgspec


class Range(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The first `size` events of a log, as hashes. The order of the fields is a stored format.

    Attributes:
        size: how many events.
        nodes: the roots of the subtrees.
        tip: the leaf of the last event, by which the end of a log is known again without reading all of it.

    Raises:
        ValueError: there are not as many hashes as so many events give.
    """

    size: int = 0
    nodes: tuple[bytes, ...] = ()
    tip: bytes = b""

    def __post_init__(self) -> None:
        if self.size < 0 or len(self.nodes) != self.size.bit_count():
            raise ValueError(f"{len(self.nodes)} hashes do not stand for {self.size} events")

    def extended(self, events: Iterable[bytes]) -> "Range":
        """The range after further events, each as it is stored."""
        size, nodes, tip = self.size, list(self.nodes), self.tip
        for event in events:
            tip = node = leaf_hash(event)
            full = size
            while full & 1:
                node = hashlib.sha256(b"\x01" + nodes.pop() + node).digest()
                full >>= 1
            nodes.append(node)
            size += 1
        return Range(size, tuple(nodes), tip)

    def root(self) -> bytes:
        """Tree head over all events so far; the hash of nothing for none."""
        if not self.nodes:
            return hashlib.sha256().digest()
        *larger, head = self.nodes
        for node in reversed(larger):
            head = hashlib.sha256(b"\x01" + node + head).digest()
        return head


def leaf_hash(event: bytes) -> bytes:
    """The leaf that stands for one stored event."""
    return hashlib.sha256(b"\x00" + event).digest()
