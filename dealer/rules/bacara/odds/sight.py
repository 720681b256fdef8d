"""What a banker knows when he is to speak, and how the coup can end then.

He has looked at his own two cards (R-34) and has seen each paño take a card face up, stand, or lay a natural
down (R-36, R-38). The cards that lie face down before a paño can be any that would have made it do so.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from itertools import product
from math import prod

import msgspec

from dealer.rules.bacara.odds.counts import PAIRS, Counts, Hands, ways, without
from dealer.rules.bacara.settlement import result
from dealer.rules.bacara.tableau import DRAW, LAY_DOWN, STAND, punter_default

Shown = int | tuple[int, int] | None
"""What a paño has shown: its third card, the two of its natural, or nothing, as it stood. Values of cards."""

Results = tuple[str, ...]
"""`bank`, `pano` or `push` for each paño that was dealt cards, right first."""


class Rules(msgspec.Struct, frozen=True):
    """What decides a coup beside the cards.

    Attributes:
        banker_rule: as for `tableau.banker_may`.
        five: as for `tableau.punter_may`; a paño that may choose does what it does when nobody answers.
        panos: how many paños are dealt cards.
    """

    banker_rule: str
    five: str
    panos: int


class Sight(msgspec.Struct, frozen=True):
    """What a banker without a natural knows when he is to speak.

    Attributes:
        own: the values of his two cards.
        shown: what each paño has shown, right first; not all of them naturals (R-40).
    """

    own: tuple[int, int]
    shown: tuple[Shown, ...]

    @property
    def points(self) -> int:
        """The score of his two cards."""
        return sum(self.own) % 10

    @property
    def third_cards(self) -> tuple[int | None, ...]:
        """What the rule of a banker may look at: the third card of each paño that spoke."""
        return tuple(each for each in self.shown if not isinstance(each, tuple))

    @property
    def cards(self) -> tuple[int, ...]:
        """The values of all cards he has seen."""
        return (*self.own, *seen(self.shown))


def seen(shown: tuple[Shown, ...]) -> tuple[int, ...]:
    """The values of all cards the paños have shown."""
    cards: list[int] = []
    for each in shown:
        if isinstance(each, tuple):
            cards += each
        elif each is not None:
            cards.append(each)
    return tuple(cards)


def abates(points: int, rules: Rules) -> bool:
    """Whether two cards of this score are a natural; the same for every hand (R-03)."""
    return punter_default(points, rules.five) == LAY_DOWN


def all_shown(rules: Rules) -> list[tuple[tuple[Shown, ...], int]]:
    """All that the paños together can show, with the orders in which the cards of naturals may have come."""
    each: list[tuple[Shown, int]] = [(None, 1), *((third, 1) for third in range(10))]
    each += [((a, b), orders) for a, b, points, orders in PAIRS if abates(points, rules)]
    return [
        (tuple(shown for shown, _ in one), prod(orders for _, orders in one))
        for one in product(each, repeat=rules.panos)
    ]


def endings(hands: Hands, shoe: Counts, rules: Rules, sight: Sight, act: str) -> Mapping[Results, int]:
    """In how many ways the coup ends so or so if the banker draws, or stands.

    Counted are the orders of the cards he has not seen: his third one, if he draws, and those face down.

    Args:
        hands: counts hands.
        shoe: the shoe before the coup.
        rules: of the coup.
        sight: what he has seen.
        act: `draw` or `stand`.
    """
    left = without(shoe, *sight.cards)
    hidden = len(sight.third_cards)
    # The cards of a natural have left the shoe; for the result its score is enough.
    shown = tuple((0, sum(each) % 10) if isinstance(each, tuple) else each for each in sight.shown)
    found: dict[Results, int] = defaultdict(int)
    for third in range(10) if act == DRAW else (None,):
        way, rest = (1, left) if third is None else (ways(left, third), without(left, third))
        if not way:
            continue
        dealt = hands.by_score(rest, hidden)
        for results, places in _places(rules.five, sight.points, shown, third):
            found[results] += way * sum([dealt[place] for place in places])
    return found


def at_once(rules: Rules, bank: int) -> list[tuple[Results, tuple[int, ...]]]:
    """The results against a bank with a natural (R-35), each with the places in `Hands` that lead to it."""
    found: dict[Results, list[int]] = defaultdict(list)
    for place, scores in enumerate(product(range(10), repeat=rules.panos)):
        results = tuple(result(points, abates(points, rules), bank, True) for points in scores)
        found[results].append(place)
    return [(results, tuple(places)) for results, places in found.items()]


@cache
def _places(
    five: str, own: int, shown: tuple[Shown, ...], third: int | None
) -> list[tuple[Results, tuple[int, ...]]]:
    """For each way to end, the places in `Hands.by_score` of the hidden hands that lead to it."""
    bank = (own + (third or 0)) % 10
    can_have = [
        [points for points in range(10) if punter_default(points, five) == (STAND if each is None else DRAW)]
        for each in shown
        if not isinstance(each, tuple)
    ]
    found: dict[Results, list[int]] = defaultdict(list)
    for scores in product(*can_have):
        hidden = iter(scores)
        results = []
        place = 0
        for each in shown:
            if isinstance(each, tuple):
                results.append(result(sum(each) % 10, True, bank, False))
            else:
                points = next(hidden)
                place = 10 * place + points
                results.append(result((points + (each or 0)) % 10, False, bank, False))
        found[tuple(results)].append(place)
    return [(results, tuple(places)) for results, places in found.items()]
