"""Odds the slow way: every order of the cards of a tiny shoe is played out, one by one.

The rules of the seed are told here once more, card by card, so that nothing of the engine counts for itself.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import product

Results = tuple[str, ...]
Choice = Callable[[tuple[int, int], tuple[object, ...]], bool]
"""Whether the banker draws, by his two cards and by what the paños have shown."""

WORTH = {"bank": 1, "push": 0, "pano": -1}
"""What a stake brings to the bank."""

TINY = [
    {0: 4, 3: 3, 8: 4},
    {1: 5, 4: 3, 6: 2},
    {2: 4, 5: 3, 9: 5},
    {0: 2, 4: 6, 7: 3},
    {3: 3, 5: 5, 6: 4},
]
"""Cards of each value; nine at least, so that a coup can be finished, and all values somewhere."""


def counts(shoe: Mapping[int, int]) -> tuple[int, ...]:
    """The shoe as the engine writes it."""
    return tuple(shoe.get(value, 0) for value in range(10))


def orders(shoe: Mapping[int, int], cards: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every row of values that can leave the shoe, with the orders of single cards it stands for."""
    for row in product(shoe, repeat=cards):
        left = dict(shoe)
        weight = 1
        for value in row:
            weight *= left[value]
            left[value] -= 1
        if weight:
            yield row, weight


def tableau(own: tuple[int, int], shown: tuple[object, ...]) -> bool:
    """Nought to four draws, five and more stands."""
    return sum(own) % 10 <= 4


def coup(row: tuple[int, ...], panos: int, choice: Choice) -> tuple[Results, int]:
    """How a coup of the seed ends, and the cards it takes."""
    own, shown, hands, used = _until_the_bank(row, panos)
    if own is None:
        bank = hands[-1]
    else:
        bank = sum(own) % 10
        if choice(own, shown):
            bank = (bank + row[used]) % 10
            used += 1
    return tuple(_wins(hand, bank) for hand in hands[:panos]), used


def best(shoe: Mapping[int, int], panos: int, stakes: tuple[int, ...]) -> Choice:
    """The banker who has tried both acts in all coups that look the same to him, and takes the better."""
    drawn: dict[object, int] = defaultdict(int)
    for row, weight in orders(shoe, 3 * (panos + 1)):
        own, shown, _, _ = _until_the_bank(row, panos)
        if own is None:
            continue
        for choice, sign in ((_draws, 1), (_stands, -1)):
            results, _ = coup(row, panos, choice)
            gain = sum(stake * WORTH[result] for stake, result in zip(stakes, results, strict=True))
            drawn[tuple(sorted(own)), shown] += sign * weight * gain

    def choose(own: tuple[int, int], shown: tuple[object, ...]) -> bool:
        better = drawn[tuple(sorted(own)), shown]
        return better > 0 or (better == 0 and tableau(own, shown))

    return choose


def _draws(own: tuple[int, int], shown: tuple[object, ...]) -> bool:
    return True


def _stands(own: tuple[int, int], shown: tuple[object, ...]) -> bool:
    return False


def count(shoe: Mapping[int, int], panos: int, choice: Choice) -> Counter[tuple[Results, int]]:
    """All orders of the cards a coup can take, by its results and the cards it took."""
    tally: Counter[tuple[Results, int]] = Counter()
    for row, weight in orders(shoe, 3 * (panos + 1)):
        tally[coup(row, panos, choice)] += weight
    return tally


def _until_the_bank(
    row: tuple[int, ...], panos: int
) -> tuple[tuple[int, int] | None, tuple[object, ...], list[int], int]:
    """The banker's cards if he speaks, what he has seen, all scores (naturals plus ten), cards out so far."""
    dealt = panos + 1
    hands = [(row[hand] + row[hand + dealt]) % 10 for hand in range(dealt)]
    hands = [hand + 10 if hand >= 8 else hand for hand in hands]
    used = 2 * dealt
    if hands[-1] >= 10 or min(hands[:panos]) >= 10:
        return None, (), hands, used
    shown: list[object] = []
    for pano in range(panos):
        if hands[pano] >= 10:
            shown.append(tuple(sorted((row[pano], row[pano + dealt]))))
        elif hands[pano] <= 4:
            shown.append(row[used])
            hands[pano] = (hands[pano] + row[used]) % 10
            used += 1
        else:
            shown.append(None)
    return (row[panos], row[panos + dealt]), tuple(shown), hands, used


def _wins(pano: int, bank: int) -> str:
    return "push" if pano == bank else "pano" if pano > bank else "bank"
