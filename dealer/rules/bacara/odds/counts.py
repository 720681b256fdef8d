"""In how many ways hands come out of a shoe of which only the values of the cards are known.

Suits and ranks do not matter in a coup (R-02), so a shoe is ten numbers: how many cards of each value it has.
Ways are counted as orders of single cards, all equally likely (R-04).
"""

from collections.abc import Sequence

from dealer.rules.bacara.points import RANKS, value

Counts = tuple[int, ...]
"""Cards of each value, 0 to 9."""

PAIRS = tuple((a, b, (a + b) % 10, 1 if a == b else 2) for a in range(10) for b in range(a, 10))
"""Two cards in any order: their values, lower first, their score, and the orders they may come in."""

SUITS = 4


def full(packs: int) -> Counts:
    """The counts of so many French packs (R-01, R-02)."""
    values = [value(rank) for rank in RANKS]
    return tuple(SUITS * packs * values.count(v) for v in range(10))


def without(left: Counts, *values: int) -> Counts:
    """The counts when cards of these values are out."""
    rest = list(left)
    for v in values:
        rest[v] -= 1
    return tuple(rest)


def ways(left: Counts, *values: int) -> int:
    """In how many ways cards of these values come next, in this order."""
    rest = list(left)
    found = 1
    for v in values:
        found *= rest[v]
        rest[v] -= 1
    return found


class Hands:
    """Ways in which hands of two cards come out of a shoe, by their scores; what was counted is kept."""

    def __init__(self) -> None:
        self._known: dict[tuple[Counts, int], Sequence[int]] = {}

    def by_score(self, left: Counts, hands: int) -> Sequence[int]:
        """Ways to get so many hands one after the other; with 7 and then 3 points they stand at place 73."""
        found = self._known.get((left, hands))
        if found is None:
            found = self._known[left, hands] = self._count(left, hands)
        return found

    def _count(self, left: Counts, hands: int) -> Sequence[int]:
        if hands == 0:
            return (1,)
        found = [0] * 10**hands
        span = 10 ** (hands - 1)
        for a, b, score, orders in PAIRS:
            first = left[a] * (left[b] - (a == b)) * orders
            if not first:
                continue
            if hands == 1:  # nothing follows: one way, and no need to make the shoe it would come from
                found[score] += first
                continue
            for place, more in enumerate(self.by_score(without(left, a, b), hands - 1), score * span):
                found[place] += first * more
        return found
