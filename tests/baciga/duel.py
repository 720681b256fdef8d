"""The house's bot against somebody who does anything legal: `python -m tests.baciga.duel HANDS`."""

import random
import sys
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import msgspec

from dealer.rules.frame.commands import Command
from dealer.rules.frame.game import Option
from dealer.rules.registry import GAMES
from dealer.table.practice import Practice

GAME = GAMES["baciga"]
NEVER = 100_000
"""A target nobody reaches, so that every hand is played to its end."""
_KINDS = {str(kind.__struct_config__.tag): kind for kind in GAME.commands}


def anything(luck: random.Random, options: Sequence[Option]) -> Command:
    """Any legal move with equal chance, but giving up."""
    option = luck.choice([option for option in options if option.type != "concede"])
    decision = {"decision": option.decision} if option.decision else {}
    found: Command = msgspec.convert({"type": option.type, **option.fields, **decision}, _KINDS[option.type])
    return found


def duel(hands: int, luck: int, profile: str = "seed") -> list[tuple[int, int]]:
    """Points of the bot and of the other in each hand of two players; the deal goes round.

    The bot sits in seat 1 in hands with an odd number and in seat 2 in the others.
    """
    draw = random.Random(luck)  # noqa: S311 - somebody who does anything
    tables = [Practice(GAME, profile, "", {"target": NEVER}, luck + n) for n in range(2)]
    policy = GAME.policies["steady"]
    told: list[tuple[int, int]] = []
    for hand in range(hands):
        bot, table = hand % 2 + 1, tables[hand % 2]
        before = table.view()["scores"]
        while (view := table.view())["playing"]:
            seat = view["turn"]
            options = table.options(seat)
            if seat == bot:
                table.give(seat, _certain(policy(view, table.hand(seat), options)))
            else:
                table.give(seat, anything(draw, options))
        gained = [after - old for after, old in zip(view["scores"], before, strict=True)]
        told.append((gained[bot - 1], gained[2 - bot]))
        while not table.view()["playing"]:
            table.wait()
    return told


def _certain(command: Command | None) -> Command:
    assert command is not None, "the bot has a move on its turn"
    return command


def report(told: Sequence[tuple[int, int]]) -> Mapping[str, Any]:
    """Hands won, tied and lost by the bot; how far it was ahead in a hand, with the deviation of that."""
    ahead = [bot - other for bot, other in told]
    won, tied = sum(a > 0 for a in ahead), sum(a == 0 for a in ahead)
    share, mean = won / len(ahead), sum(ahead) / len(ahead)
    deviation = sqrt(sum((a - mean) ** 2 for a in ahead) / len(ahead))
    return {
        "won": won,
        "tied": tied,
        "lost": len(ahead) - won - tied,
        "share": round(share, 4),
        "error_of_share": round(sqrt(share * (1 - share) / len(ahead)), 4),
        "bot": round(sum(bot for bot, _ in told) / len(told), 1),
        "other": round(sum(other for _, other in told) / len(told), 1),
        "ahead": round(mean, 1),
        "deviation": round(deviation, 1),
    }


if __name__ == "__main__":
    count, rules = int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "seed"
    sys.stdout.write(f"{report(duel(count, 1, rules))}\n")
