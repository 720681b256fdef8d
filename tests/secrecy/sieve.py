"""Looking for very many secrets in very many bytes at once."""

import sys
from base64 import b64encode, urlsafe_b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator

_WORD = 8


class Sieve:
    """Finds every needle that lies anywhere in a haystack.

    Args:
        needles: what to look for, by name, each of eight bytes at least.
    """

    def __init__(self, needles: Iterable[tuple[str, bytes]]) -> None:
        self._needles: dict[int, list[tuple[str, bytes]]] = defaultdict(list)
        for name, needle in needles:
            self._needles[int.from_bytes(needle[:_WORD], sys.byteorder)].append((name, needle))
        self._wanted = frozenset(self._needles)

    def found(self, hay: bytes) -> set[str]:
        """The names of the needles in it: their first eight bytes are looked up at every place."""
        padded = hay + bytes(2 * _WORD)
        places = len(hay) // _WORD * _WORD + _WORD
        words: set[int] = set()
        for start in range(_WORD):
            words |= self._wanted.intersection(memoryview(padded)[start : start + places].cast("Q").tolist())
        return {name for word in words for name, needle in self._needles[word] if needle in hay}


def forms(secret: bytes) -> Iterator[bytes]:
    """A secret as it might have been written: as it is, in hex, and in base64 wherever it begins there."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    for before in range(3):
        first, after = -(-before * 4 // 3), (before + len(secret)) * 8 // 6
        for code in (b64encode, urlsafe_b64encode):
            # Characters at both ends depend also on what stands beside it.
            yield code(bytes(before) + secret)[first:after]
