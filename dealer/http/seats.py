"""Whether a command names a seat where it must, and none where it would mean nothing.

`seat` is the wanted place to some commands, for whom a host acts to others, and nothing to the rest; a
message type cannot say which. Whoever names a seat expects something of it, so none is passed over.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from dealer.http.messages import COMMANDS
from dealer.http.problems import Problem
from dealer.rules.frame.commands import Command, CutReveal, Expire, SeatBot, Sit

_Rule = Literal["named", "named by a host", "free", "never"]


def _rule(kind: type[Command]) -> _Rule:
    if kind in {Sit, SeatBot}:
        return "named"
    if kind is CutReveal:
        return "free"
    if kind.NAMES_SEAT or kind is Expire:
        return "never"
    return "free" if kind.HIDDEN or kind.PERSONAL else "named by a host"


_RULES: Mapping[type, _Rule] = {kind: _rule(kind) for kind in COMMANDS}


def check(command: Command, *, host: bool) -> None:
    """Refuse a command whose seat is missing, or has no meaning.

    Args:
        command: one of those that a door takes.
        host: whether a host sends it; a player's own seat is known.

    Raises:
        Problem: `malformed`, with the place. What a player may not send at all is left to the table.
    """
    rule = _RULES[type(command)]
    if rule == "free" or (command.HOST_ONLY and not host):
        return
    named = command.seat is not msgspec.UNSET
    if host and command.FOR_HOUSE:
        return
    wrong = named if rule == "never" else not named and (host or rule == "named")
    if wrong:
        raise Problem("malformed", {"path": "$.seat"})
