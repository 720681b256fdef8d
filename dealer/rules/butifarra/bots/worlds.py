"""Hidden hands as they may be: drawn evenly from all deals that agree with what was played.

No draw is ever thrown away. Unseen cards fall into classes by the seats that may hold them, at most seven;
how many of each class a seat holds is drawn by the number of deals there are of it, and then which ones.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import shake_256
from itertools import accumulate, product
from math import comb, prod

from dealer.rules.butifarra.bots.bits import PACK, Rules, Trick, legal, members

_WORD = 4
"""Bytes that order one card; equal words are broken by the card, once in some million draws."""
_CHOICE = 16
"""Bytes that choose among the ways to share out the classes."""
Split = tuple[tuple[int, ...], ...]
"""Of each class, how many of its cards each of the three seats holds."""


@lru_cache(maxsize=4096)
def barred(rules: Rules, trump: int, trick: Trick | None, seat: int, card: int) -> int:
    """The cards that a seat cannot hold any more, since with one of them it might not have played this card.

    Of all duties (7, 8) it takes one card alone to forbid another, so it is enough to try each.
    """
    own = 1 << card
    if legal(rules, trump, PACK, trick, seat) & own:
        return 0
    return sum(
        1 << other
        for other in members(PACK & ~own)
        if not legal(rules, trump, own | 1 << other, trick, seat) & own
    )


class Worlds:
    """The deals that may be.

    Args:
        unseen: the cards that somebody holds whom the bot cannot look at.
        counts: how many cards each of those seats holds.
        bars: of each of them, the cards that it cannot hold. Where nothing agrees with all of that, which
            legal play never leads to, they are not heeded.
        seed: what the draws follow from.
    """

    def __init__(self, unseen: int, counts: Mapping[int, int], bars: Mapping[int, int], seed: bytes) -> None:
        self._seats = tuple(counts)
        self._seed = seed
        self._cards = members(unseen)
        free = {seat: ~bars[seat] for seat in self._seats}
        if not self._share(free, tuple(counts.values())):
            self._share(dict.fromkeys(self._seats, -1), tuple(counts.values()))

    def _share(self, free: Mapping[int, int], counts: Sequence[int]) -> bool:
        """Find all ways to share out the classes; whether there is one."""
        self._class = [
            tuple(place for place, seat in enumerate(self._seats) if free[seat] >> card & 1)
            for card in self._cards
        ]
        anybody = tuple(range(len(counts)))
        sizes = Counter(self._class)
        bound = [each for each in sizes if each != anybody]
        ways: list[Split] = []
        for split in product(*(_splits(each, sizes[each], len(counts)) for each in bound)):
            rest = tuple(n - sum(part[place] for part in split) for place, n in enumerate(counts))
            if min(rest) >= 0:
                ways.append((*split, rest))
        self._splits = [dict(zip((*bound, anybody), split, strict=True)) for split in ways]
        self._upto = list(accumulate(prod(map(_orders, split)) for split in ways))
        return bool(ways)

    def draw(self, number: int) -> dict[int, int]:
        """The hands of that number, by seat."""
        stream = shake_256(self._seed + number.to_bytes(4, "big")).digest(_CHOICE + _WORD * len(self._cards))
        choice = int.from_bytes(stream[:_CHOICE], "big") * self._upto[-1] >> 8 * _CHOICE
        split = self._splits[bisect_right(self._upto, choice)]
        left = {
            each: [self._seats[place] for place, n in enumerate(part) for _ in range(n)]
            for each, part in split.items()
        }
        hands = dict.fromkeys(self._seats, 0)
        words = [stream[at : at + _WORD] for at in range(_CHOICE, len(stream), _WORD)]
        for _, card, group in sorted(zip(words, self._cards, self._class, strict=True)):
            hands[left[group].pop()] |= 1 << card
        return hands


def _splits(places: Sequence[int], size: int, seats: int) -> Iterator[tuple[int, ...]]:
    """All ways to share out so many cards among those of three seats, of which at most two may have them."""
    if places:
        first, last = places[0], places[-1]
        for n in range(size + 1) if first != last else (size,):
            yield tuple(n if place == first else size - n if place == last else 0 for place in range(seats))


def _orders(part: Sequence[int]) -> int:
    """In how many ways those who get so many cards of a class may get them."""
    return prod(comb(sum(part[: place + 1]), n) for place, n in enumerate(part))
