"""The house's bots at a bacará table: they stake calmly and play what the tableau asks."""

from collections.abc import Mapping, Sequence
from typing import Any

from dealer.rules.bacara.commands import Consent, Draw, Stake, Stand
from dealer.rules.frame.commands import Command
from dealer.rules.frame.game import Option

_PARTS = (20, 40, 25, 10, 50)
"""A stake is the stack divided by one of these in turn, so that a table of bots does not look alike."""


def steady(
    view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]], options: Sequence[Option]
) -> Command | None:
    """Stakes a small part of the stack on its own paño, and draws or stands as the tableau asks.

    It never wants the bank, and consents to anybody else's.
    """
    free = {"draw", "stand"} <= {option.type for option in options}
    for option in options:
        if option.type == "consent":
            return Consent(yes=True, decision=option.decision)
        if option.type == "draw" and not free:  # a free five stands, as for whoever is silent
            return Draw(decision=option.decision)
        if option.type == "stand":
            return Stand(decision=option.decision)
    own = next((o for o in options if o.type == "stake"), None)
    if own is None or own.min is None or own.max is None:
        return None
    part = _PARTS[(view["round"] + own.max) % len(_PARTS)]
    return Stake(on=own.fields["on"], amount=min(own.max, max(own.min, own.max // part)))


POLICIES = {"steady": steady}
"""By the name a host gives in `seat_bot`."""
