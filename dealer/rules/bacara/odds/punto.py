"""The exact odds of punto y banca: all orders of six cards, and what each bet loses by them (R-101 ff.)."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import perm
from typing import Any

from dealer.rules.bacara.odds.counts import PAIRS, SUITS, Counts, full, ways, without
from dealer.rules.bacara.points import RANKS
from dealer.rules.bacara.punto import limits
from dealer.rules.bacara.punto.coup import next_hand
from dealer.rules.bacara.punto.limits import PAIR_PAYS, PUNTO, TIE
from dealer.rules.bacara.settlement import commission_on, result
from dealer.rules.bacara.state import BANK

MOST_CARDS = 6
RESULTS = ("bank", "push", "pano")

_STAKE = 10_000
"""Chips on each bet: basis points of them are whole chips, so that no commission is rounded (R-103)."""
_SIX = 6

End = tuple[str, int, int]
"""How a coup ends: its result, the bank's score, the cards it took."""


@cache
def count(shoe: Counts) -> Mapping[End, int]:
    """Orders of six cards by how the coup ends; cards that it leaves in the shoe lie there in any order.

    They are the same for every table with such a shoe, whatever it pays.
    """
    tally: Counter[End] = Counter()
    for a, b, _, punto_orders in PAIRS:
        first = ways(shoe, a, b) * punto_orders
        left = without(shoe, a, b)
        for c, d, _, bank_orders in PAIRS:
            before = first * ways(left, c, d) * bank_orders
            if before:
                _play({PUNTO: [a, b], BANK: [c, d]}, without(left, c, d), before, sum(shoe), tally)
    return tally


def _play(hands: dict[str, list[int]], left: Counts, before: int, size: int, tally: Counter[End]) -> None:
    """Third cards, if there are any, each in all the ways it may come."""
    to = next_hand(hands)
    if to:
        for card in range(10):
            if left[card]:
                taken = {**hands, to: [*hands[to], card]}
                _play(taken, without(left, card), before * left[card], size, tally)
        return
    points = {hand: sum(cards) % 10 for hand, cards in hands.items()}
    naturals = {hand: len(cards) == 2 and points[hand] >= 8 for hand, cards in hands.items()}
    how = result(points[PUNTO], naturals[PUNTO], points[BANK], naturals[BANK])
    cards = sum(map(len, hands.values()))
    tally[how, points[BANK], cards] += before * perm(size - cards, MOST_CARDS - cards)


def odds(options: Mapping[str, Any], packs: int) -> dict[str, Any]:
    """The odds as an object for JSON.

    Returns:
        `results`, all orders by result; for each bet those that it wins, loses or gets its stake back;
        `edge`, what a stake on it loses on average, in parts of the stake; `gain`, what the bank wins, in
        parts of all stakes, the same on each bet, and less commission; `cards`, `total`, `packs` and `panos`.
    """
    tally, total = count(full(packs)), perm(52 * packs, MOST_CARDS)
    results = {how: sum(n for end, n in tally.items() if end[0] == how) for how in RESULTS}
    bets = {bet: _bet(bet, results, packs, total) for bet in limits.bets(options)}
    edges = {bet: _edge(bet, bets[bet], tally, options, total) for bet in bets}
    cards = {used: sum(n for end, n in tally.items() if end[2] == used) for used in range(4, MOST_CARDS + 1)}
    gained = sum(edges.values(), Fraction()) - _commission(bets, options, total)
    return {
        **bets,
        "cards": {str(used): n for used, n in cards.items()},
        "edge": {bet: float(edge) for bet, edge in edges.items()},
        "gain": float(gained / len(bets)),
        "packs": packs,
        "panos": 1,
        "results": results,
        "total": total,
    }


def _bet(bet: str, results: Mapping[str, int], packs: int, total: int) -> dict[str, int]:
    """Orders in which a bet wins, loses, or is returned (R-102)."""
    if bet in limits.PAIRS:
        same = total * (SUITS * packs - 1) // (len(RANKS) * SUITS * packs - 1)
        return {"win": same, "returned": 0, "lose": total - same}
    if bet == TIE:
        return {"win": results["push"], "returned": 0, "lose": results["bank"] + results["pano"]}
    own, other = ("bank", "pano") if bet == BANK else ("pano", "bank")
    return {"win": results[own], "returned": results["push"], "lose": results[other]}


def _edge(
    bet: str, ends: Mapping[str, int], tally: Mapping[End, int], options: Mapping[str, Any], total: int
) -> Fraction:
    """What a stake loses on average, in parts of it."""
    pays = PAIR_PAYS if bet in limits.PAIRS else options["tie_pays"] if bet == TIE else 1
    lost = Fraction(ends["lose"] - pays * ends["win"], total)
    if bet != BANK:
        return lost
    lost += _commission({bet: ends}, options, total)
    if options["six_pays_half"]:
        sixes = sum(n for (how, points, _), n in tally.items() if how == "bank" and points == _SIX)
        lost += Fraction(sixes, 2 * total)
    return lost


def _commission(bets: Mapping[str, Mapping[str, int]], options: Mapping[str, Any], total: int) -> Fraction:
    """What goes to the house box of a stake on the bank, in parts of it (R-103)."""
    taken = commission_on(_STAKE, options["commission_bp"], 1)
    return Fraction(taken * bets[BANK]["win"], _STAKE * total)
