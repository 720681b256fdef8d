"""The house's bots at a butifarra table."""

from collections.abc import Mapping, Sequence
from typing import Any

from dealer.rules.butifarra import cards
from dealer.rules.butifarra import commands as cmd
from dealer.rules.frame.commands import Command
from dealer.rules.frame.game import Option
from dealer.rules.tricks import commands as tricks


def steady(
    view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]], options: Sequence[Option]
) -> Command | None:
    """Names its longest suit, passes, and plays its least legal card. It never concedes unasked."""
    values = view["options"]["card_values"]
    kinds = {option.type for option in options}
    if "name_trump" in kinds:
        trump: Any = cards.longest([card["card"] for card in hand], values)
        return cmd.NameTrump(trump=trump)
    if "pass" in kinds:
        return cmd.Pass()
    legal = [cards.DECK.parse(option.fields["card"]) for option in options if option.type == "play"]
    return tricks.Play(card=cards.DECK.code(cards.least(legal, values))) if legal else None


POLICIES = {"steady": steady}
"""By the name a host gives in `seat_bot`."""
