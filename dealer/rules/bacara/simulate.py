"""Many coups in a row, counted: `simulate bacara`."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from dealer.rules.bacara.coup import may_begin, play, play_both
from dealer.rules.bacara.odds.sight import Rules
from dealer.rules.bacara.points import value_of_card
from dealer.rules.bacara.state import panos_of
from shoe.cards import Deck
from shoe.corte import order
from shoe.entropy import simulation_seed
from shoe.shoe import make_transcript

RESULTS = ("bank", "push", "pano")
SEED = Rules("same", "stand", 2)
"""Two paños under the seed's rules, of which millions of coups are played quickly."""

_LABEL = "bacara"
_LOG = "simulate/bacara"


def _shoes(seed: int, packs: int) -> Iterator[list[int]]:
    """Card values of one shoe after the other, shuffled by `corte/1` without a cut (R-01, R-04)."""
    deck = Deck("fr52", packs)
    shuffle = 0
    while True:
        shuffle += 1
        secret = simulation_seed(_LABEL, seed, shuffle)
        yield [value_of_card(card) for card in order(secret, make_transcript(_LOG, shuffle, deck, secret))]


def most_cards(panos: int) -> int:
    """Cards a coup can take; the stop card may leave room for the rest of one already begun."""
    return 3 * (panos + 1)


def of_profile(
    rounds: int,
    seed: int,
    options: Mapping[str, Any],
    packs: int,
    on_progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """The same under the options of a profile; whoever may choose does what is done when nobody answers."""
    rules = Rules(options["banker_rule"], options["five"], options["panos"])
    return simulate(rounds, seed, packs, options["stop_card"], on_progress, rules, panos_of(options))


def simulate(
    rounds: int,
    seed: int,
    packs: int = 3,
    stop_card: int = 10,
    on_progress: Callable[[int], None] | None = None,
    rules: Rules = SEED,
    panos: Sequence[str] = ("right", "left"),
) -> dict[str, Any]:
    """Play coups with all paños dealt and count how they end; the same arguments give the same counts.

    Args:
        rounds: coups to play.
        seed: number of the simulation.
        packs: packs of 52 in a shoe.
        stop_card: cards behind the stop card; a new shoe is opened when no more remain (R-07, R-08).
        on_progress: called after each shoe with the coups played so far.
        rules: of the coup.
        panos: the names of its paños.

    Returns:
        An object for JSON: `rounds`; each paño with its coups by result; of two `joint`, by right's result
        and then left's; `cards`, coups by cards used; `shoes` opened.

    Raises:
        ValueError: the stop card leaves no coup in a shoe, or too few cards to finish one (R-08).
    """
    size, most = 52 * packs, most_cards(rules.panos)
    if not most - 1 <= stop_card < size:
        raise ValueError(f"the stop card of {size} cards lies before the last {most - 1} to {size - 1}")
    one = play_both if rules == SEED else _slowly(rules, panos)
    tally: Counter[tuple[Any, ...]] = Counter()
    played = 0
    opened = 0
    shoes = _shoes(seed, packs)
    while played < rounds:
        values = next(shoes)
        opened += 1
        at = 0
        while played < rounds and may_begin(size - at, stop_card):
            coup = one(values, at)
            tally[coup] += 1
            at += coup[-1]
            played += 1
        if on_progress is not None:
            on_progress(played)
    return _report(tally, panos, played, opened)


def _slowly(rules: Rules, panos: Sequence[str]) -> Callable[[Sequence[int], int], tuple[Any, ...]]:
    """One coup under any rules: the result of each paño, and the cards used."""
    most = most_cards(rules.panos)

    def one(values: Sequence[int], at: int) -> tuple[Any, ...]:
        coup = play(values[at : at + most], panos, rules.five, rules.banker_rule)
        return *(coup.results[pano] for pano in panos), coup.cards_used

    return one


def _report(
    tally: Counter[tuple[Any, ...]], panos: Sequence[str], played: int, opened: int
) -> dict[str, Any]:
    fewest = 2 * (len(panos) + 1)
    cards = {str(used): 0 for used in range(fewest, most_cards(len(panos)) + 1)}
    found: dict[str, Any] = {pano: dict.fromkeys(RESULTS, 0) for pano in panos}
    joint = {right: dict.fromkeys(RESULTS, 0) for right in RESULTS}
    for (*results, used), coups in tally.items():
        cards[str(used)] += coups
        for pano, result in zip(panos, results, strict=True):
            found[pano][result] += coups
        if len(results) == 2:
            joint[results[0]][results[1]] += coups
    if len(panos) == 2:
        found["joint"] = joint
    return {**found, "cards": cards, "rounds": played, "shoes": opened}
