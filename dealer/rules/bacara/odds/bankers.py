"""What a banker does with what he sees: what his rule asks, or the best of what it leaves to him (R-41)."""

from collections.abc import Callable, Mapping

from dealer.rules.bacara.odds.counts import Counts, Hands
from dealer.rules.bacara.odds.sight import Results, Rules, Sight, endings
from dealer.rules.bacara.tableau import DRAW, STAND, banker_default, banker_may

Banker = Callable[[Sight], str]
"""`draw` or `stand` for what is seen."""

Gain = Mapping[Results, int]
"""What each way to end is worth to the banker, in chips; a loss is below 0."""


def by_rule(rules: Rules) -> Banker:
    """The banker who does what is done when nobody answers: the house's."""
    return lambda sight: banker_default(rules.banker_rule, sight.points, sight.third_cards)


def best(hands: Hands, shoe: Counts, rules: Rules, gain: Gain) -> Banker:
    """The banker who, within his rule, gains most on average; see `best_act`."""
    return lambda sight: best_act(shoe, rules, sight, gain, hands)


def best_act(shoe: Counts, rules: Rules, sight: Sight, gain: Gain, hands: Hands | None = None) -> str:
    """Return `draw` or `stand`: the exact best response to all a banker may know.

    Where both are worth the same he does what is done when nobody answers.

    Args:
        shoe: the shoe before the coup, as far as he knows it: a full one, or less what he saw leave it.
        rules: of the coup; where they leave no choice, that is what he does.
        sight: what he has seen in this coup.
        gain: what each way to end brings him. It depends on the covered stakes of each paño.
        hands: counts hands, and remembers; a new one if it is left out.

    Raises:
        ValueError: he is not asked (R-35, R-40).
    """
    may = banker_may(rules.banker_rule, sight.points, sight.third_cards)
    if not may or not sight.third_cards:
        raise ValueError("a banker with a natural, or against nothing but naturals, does not speak")
    default = banker_default(rules.banker_rule, sight.points, sight.third_cards)
    if len(may) == 1:
        return default
    counter = hands or Hands()
    unseen = sum(shoe) - len(sight.cards) - 2 * len(sight.third_cards)
    drawn = _worth(endings(counter, shoe, rules, sight, DRAW), gain)
    # Ways to stand leave the card he could have drawn in the shoe: it may be any of those still there.
    stood = _worth(endings(counter, shoe, rules, sight, STAND), gain) * unseen
    if drawn == stood:
        return default
    return DRAW if drawn > stood else STAND


def _worth(ends: Mapping[Results, int], gain: Gain) -> int:
    return sum(ways * gain[results] for results, ways in ends.items())
