"""The house's own hand where its rule leaves it a choice: by the rule, or the best of what it sees (R-41).

The option `house_banker` says which: `rule`, what is done when nobody answers, or `best`.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product

from dealer.rules.bacara.coverage import PANOS, Covered
from dealer.rules.bacara.odds.bankers import best_act
from dealer.rules.bacara.odds.counts import Hands, full
from dealer.rules.bacara.odds.sight import Results, Rules, Shown, Sight
from dealer.rules.bacara.points import value_of_card
from dealer.rules.bacara.settlement import settle
from dealer.rules.bacara.state import BANK, play_of
from dealer.rules.frame.state import Table

_RESULTS = ("bank", "push", "pano")


def best(table: Table, cards: Sequence[int]) -> str:
    """`draw` or `stand`: what gains the bank most on average against the stakes in play.

    It knows what lies open, its own two cards and the packs of the shoe, and keeps no count of coups before.
    """
    play, options = play_of(table), table.options
    panos = tuple(pano for pano in PANOS if pano in play.holders)
    first, second = map(value_of_card, cards[:2])
    sight = Sight((first, second), tuple(_shown(table, pano) for pano in panos))
    rules = Rules(options["banker_rule"], options["five"], len(panos))
    gains = _gains(table, panos, play.covered)
    return best_act(full(options["packs"]), rules, sight, gains, _hands())


def _shown(table: Table, pano: str) -> Shown:
    """What a paño has shown: its natural, its third card, or nothing, as it stood."""
    said, cards = play_of(table).said[pano], table.hands[pano]
    values = [value_of_card(table.faces[pos]) for pos in cards if pos in table.faces]
    if said == "natural":
        return values[0], values[1]
    return values[-1] if said == "drew" else None


def _gains(table: Table, panos: tuple[str, ...], covered: Sequence[Covered]) -> Mapping[Results, int]:
    """What each way to end brings the bank, commission taken."""
    bank, options = table.chips.get(BANK, 0), table.options
    rates = options["commission_bp"], options["commission_unit"]
    found = {}
    for results in product(_RESULTS, repeat=len(panos)):
        how = dict(zip(panos, results, strict=True))
        found[results] = settle(options["coverage"], bank, covered, how, *rates).bank - bank
    return found


@cache
def _hands() -> Hands:
    """Counted hands are the same for every table."""
    return Hands()
