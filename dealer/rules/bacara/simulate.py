"""Many coups in a row, counted: `simulate bacara` for profile `seed`, mode `dos-panos`."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from dealer.rules.bacara.coup import may_begin, play_both
from dealer.rules.bacara.points import value_of_card
from shoe.cards import Deck
from shoe.corte import order
from shoe.entropy import simulation_seed
from shoe.shoe import make_transcript

RESULTS = ("bank", "push", "pano")
MOST_CARDS = 9
"""Cards a coup with two paños can take; the stop card may leave room for the rest of one already begun."""

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


def simulate(
    rounds: int,
    seed: int,
    packs: int = 3,
    stop_card: int = 10,
    on_progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Play coups with both paños dealt and count how they end; the same arguments give the same counts.

    Args:
        rounds: coups to play.
        seed: number of the simulation.
        packs: packs of 52 in a shoe.
        stop_card: cards behind the stop card; a new shoe is opened when no more remain (R-07, R-08).
        on_progress: called after each shoe with the coups played so far.

    Returns:
        An object for JSON: `rounds`; `right` and `left`, each with its coups by result; `joint`, by right's
        result and then left's; `cards`, coups by cards used; `shoes` opened.

    Raises:
        ValueError: the stop card leaves no coup in a shoe, or too few cards to finish one (R-08).
    """
    size = 52 * packs
    if not MOST_CARDS - 1 <= stop_card < size:
        raise ValueError(f"the stop card of {size} cards lies before the last {MOST_CARDS - 1} to {size - 1}")
    tally: Counter[tuple[str, str, int]] = Counter()
    played = 0
    opened = 0
    shoes = _shoes(seed, packs)
    while played < rounds:
        values = next(shoes)
        opened += 1
        at = 0
        while played < rounds and may_begin(size - at, stop_card):
            coup = play_both(values, at)
            tally[coup] += 1
            at += coup[2]
            played += 1
        if on_progress is not None:
            on_progress(played)
    return _report(tally, played, opened)


def _report(tally: Counter[tuple[str, str, int]], played: int, opened: int) -> dict[str, Any]:
    joint = {right: dict.fromkeys(RESULTS, 0) for right in RESULTS}
    cards = {str(used): 0 for used in range(6, MOST_CARDS + 1)}
    for (right, left, used), coups in tally.items():
        joint[right][left] += coups
        cards[str(used)] += coups
    return {
        "cards": cards,
        "joint": joint,
        "left": {left: sum(joint[right][left] for right in RESULTS) for left in RESULTS},
        "right": {right: sum(joint[right].values()) for right in RESULTS},
        "rounds": played,
        "shoes": opened,
    }
