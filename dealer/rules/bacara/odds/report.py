"""The exact odds of a profile in figures: `odds` for bacará."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from dealer.rules.bacara.coverage import Covered
from dealer.rules.bacara.odds import punto
from dealer.rules.bacara.odds.bankers import best, by_rule
from dealer.rules.bacara.odds.counts import Hands, full
from dealer.rules.bacara.odds.coups import count, total
from dealer.rules.bacara.odds.sight import Results, Rules
from dealer.rules.bacara.punto.limits import is_punto
from dealer.rules.bacara.settlement import Settlement, settle
from dealer.rules.bacara.state import panos_of

RESULTS = ("bank", "push", "pano")

_STAKE = 10_000
"""Chips on each paño: basis points of them are whole chips, so that no commission is rounded (R-47)."""


def odds(
    options: Mapping[str, Any], packs: int | None = None, banker: str = "rule", panos: int | None = None
) -> dict[str, Any]:
    """Count every order in which the cards of a coup can leave a full shoe.

    Args:
        options: of the profile.
        packs: packs in the shoe; the profile's own number if None.
        banker: `rule`: he does what is done when nobody answers. `best`: of what his rule leaves to him he
            does what gains most, the stakes of all paños being equal.
        panos: how many paños are dealt cards, the others being idle (R-20); all if None.

    Returns:
        An object for JSON: for each paño its orders by result; with two of them `joint`, by right's result
        and then left's; `cards`, orders by cards used; `total`, all orders, which each of these sums to;
        `edge`, what a stake on each paño loses on average, in parts of the stake; `gain`, what the bank wins,
        in parts of all stakes and less commission; `packs` and `panos`. Of punto y banca see `punto.odds`.

    Raises:
        ValueError: the profile does not have so many paños.
    """
    all_panos = panos_of(options)
    dealt = len(all_panos) if panos is None else panos
    if not 1 <= dealt <= len(all_panos):
        raise ValueError(f"paños to be dealt cards: 1 to {len(all_panos)}, not {dealt}")
    names = all_panos[:dealt]
    packs = options["packs"] if packs is None else packs
    if is_punto(options):
        return punto.odds(options, packs)
    rules = Rules(options["banker_rule"], options["five"], dealt)
    settled = {
        results: _settled(names, results, options["commission_bp"])
        for results in product(RESULTS, repeat=dealt)
    }
    bank = _STAKE * dealt
    gain = {results: each.bank - bank for results, each in settled.items()}
    shoe, hands = full(packs), Hands()
    plays = best(hands, shoe, rules, gain) if banker == "best" else by_rule(rules)
    tally = count(hands, shoe, rules, plays)
    everything = total(shoe, rules)

    def mean(worth: Mapping[Results, int], chips: int) -> float:
        weighed = sum(worth[results] * orders for (results, _), orders in tally.items())
        return float(Fraction(weighed, everything * chips))

    lost = {
        pano: mean({results: -each.net[seat] for results, each in settled.items()}, _STAKE)
        for seat, pano in enumerate(names)
    }
    return {
        **_by_result(names, tally),
        "cards": _by_cards(tally),
        "edge": lost,
        "gain": mean(gain, bank),
        "packs": packs,
        "panos": dealt,
        "total": everything,
    }


def _settled(names: tuple[str, ...], results: Results, commission_bp: int) -> Settlement:
    stakes = [Covered(_STAKE, _STAKE, pano, seat) for seat, pano in enumerate(names)]
    how = dict(zip(names, results, strict=True))
    return settle("before", _STAKE * len(names), stakes, how, commission_bp)


def _by_result(names: tuple[str, ...], tally: Counter[tuple[Results, int]]) -> dict[str, Any]:
    found: dict[str, Any] = {pano: dict.fromkeys(RESULTS, 0) for pano in names}
    joint = {right: dict.fromkeys(RESULTS, 0) for right in RESULTS}
    for (results, _), orders in tally.items():
        for pano, result in zip(names, results, strict=True):
            found[pano][result] += orders
        if len(results) == 2:
            right, left = results
            joint[right][left] += orders
    return found if len(names) == 1 else found | {"joint": joint}


def _by_cards(tally: Counter[tuple[Results, int]]) -> dict[str, int]:
    found: Counter[int] = Counter()
    for (_, cards), orders in tally.items():
        found[cards] += orders
    return {str(cards): found[cards] for cards in sorted(found)}
