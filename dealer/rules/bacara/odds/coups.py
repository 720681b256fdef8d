"""All coups of a full shoe, counted by how they end and by the cards they take."""

from collections import Counter
from math import perm

from dealer.rules.bacara.odds.bankers import Banker
from dealer.rules.bacara.odds.counts import PAIRS, Counts, Hands, ways, without
from dealer.rules.bacara.odds.sight import Results, Rules, Sight, abates, all_shown, at_once, endings, seen
from dealer.rules.bacara.tableau import DRAW, STAND


def most_cards(rules: Rules) -> int:
    """The most cards a coup can take: three for each hand (R-38)."""
    return 3 * (rules.panos + 1)


def total(shoe: Counts, rules: Rules) -> int:
    """In how many orders so many cards leave the shoe."""
    return perm(sum(shoe), most_cards(rules))


def count(hands: Hands, shoe: Counts, rules: Rules, banker: Banker) -> Counter[tuple[Results, int]]:
    """Orders of as many cards as a coup can take, by its results and by the cards it did take.

    Cards that the coup leaves in the shoe may lie there in any order, so that all sum to `total`.

    Args:
        hands: counts hands.
        shoe: the shoe before the coup.
        rules: of the coup.
        banker: what he does when he may speak.
    """
    size, most = sum(shoe), most_cards(rules)
    tally: Counter[tuple[Results, int]] = Counter()

    def add(results: Results, cards: int, orders: int) -> None:
        tally[results, cards] += orders * perm(size - cards, most - cards)

    shows = all_shown(rules)
    fewest = 2 * (rules.panos + 1)
    for a, b, points, orders in PAIRS:
        own = ways(shoe, a, b) * orders
        if not own:
            continue
        left = without(shoe, a, b)
        if abates(points, rules):
            dealt = hands.by_score(left, rules.panos)
            for results, places in at_once(rules, points):
                add(results, fewest, own * sum(dealt[place] for place in places))
            continue
        for shown, naturals in shows:
            before = own * naturals * ways(left, *seen(shown))
            if not before:
                continue
            sight = Sight((a, b), shown)
            act = banker(sight) if sight.third_cards else STAND
            cards = fewest + sum(third is not None for third in sight.third_cards) + (act == DRAW)
            for results, unseen in endings(hands, shoe, rules, sight, act).items():
                add(results, cards, before * unseen)
    return tally
