"""The house's bots against other pairs: `python -m tests.butifarra.duel DEALS RIVAL PROFILE POLICY`.

Every deal is played twice, the pairs changing seats in between, so that good cards do not count.
"""

import random
import sys
import time
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

import msgspec

from dealer.rules.butifarra import cards, duties
from dealer.rules.frame.commands import Command
from dealer.rules.frame.game import Option, Policy
from dealer.rules.registry import GAMES
from dealer.table.practice import Practice

GAME = GAMES["butifarra"]
_KINDS = {str(kind.__struct_config__.tag): kind for kind in GAME.commands}


class Deal(NamedTuple):
    """What the bots were ahead by in one deal, in each of its two plays."""

    first: int
    second: int

    @property
    def ahead(self) -> int:
        """Over both."""
        return self.first + self.second


def anything(luck: random.Random) -> Policy:
    """Any legal word or card with equal chance, but giving up."""

    def choose(
        view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]], options: Sequence[Option]
    ) -> Command | None:
        return command_of(luck.choice([option for option in options if option.type != "concede"]))

    return choose


def greedy(
    view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]], options: Sequence[Option]
) -> Command | None:
    """Names its longest suit, never doubles, takes what it can with its best card, or gives its least."""
    values, trump = view["options"]["card_values"], view["trump"]
    words = {option.type: option for option in options}
    if "name_trump" in words:
        suit = cards.longest([card["card"] for card in hand], values)
        return command_of(next(option for option in options if option.fields.get("trump") == suit))
    if "pass" in words:
        return command_of(words["pass"])
    lying = [cards.DECK.parse(code) for code in view["hands"].get("trick", ())]
    legal = {cards.DECK.parse(option.fields["card"]): option for option in options if option.type == "play"}
    winning = [card for card in legal if duties.winner([*lying, card], trump, values) == len(lying)]
    best = max(winning, key=lambda card: cards.played(card, values).strength, default=None)
    return command_of(legal[cards.least(legal, values) if best is None else best])


def duel(deals: int, luck: int, policy: Policy, rival: Policy, profile: str = "seed") -> list[Deal]:
    """How far the bots are ahead in so many deals."""
    return [
        Deal(*(_play(luck * 10_000 + n, policy, rival, profile, side) for side in (0, 1)))
        for n in range(deals)
    ]


def _play(seed: int, policy: Policy, rival: Policy, profile: str, side: int) -> int:
    """Points by which the bots on this side are ahead in the first hand of a match."""
    table = Practice(GAME, profile, "", {}, seed)
    while not (view := table.view())["turn"]:
        table.wait()
    while view["playing"]:
        seat = view["turn"]
        if not seat:
            table.wait()
        else:
            who = policy if (seat - 1) % 2 == side else rival
            command = who(view, table.hand(seat), table.options(seat))
            assert command is not None, "there is a move on every turn"
            table.give(seat, command)
        view = table.view()
    ahead: int = view["scores"][side] - view["scores"][1 - side]
    return ahead


def report(told: Sequence[Deal]) -> Mapping[str, Any]:
    """Deals and hands won and tied by the bots; points ahead in a hand, with the error of that."""
    number = len(told)
    hands = [ahead for deal in told for ahead in deal]
    mean = sum(deal.ahead for deal in told) / (2 * number)
    spread = sqrt(sum((deal.ahead / 2 - mean) ** 2 for deal in told) / number)
    won, tied = sum(deal.ahead > 0 for deal in told), sum(deal.ahead == 0 for deal in told)
    share = won / number
    return {
        "deals": number,
        "won": won,
        "tied": tied,
        "share": round(share, 3),
        "error_of_share": round(sqrt(share * (1 - share) / number), 3),
        "hands_won": round(sum(ahead > 0 for ahead in hands) / len(hands), 3),
        "hands_tied": round(sum(ahead == 0 for ahead in hands) / len(hands), 3),
        "ahead": round(mean, 2),
        "deviation": round(spread, 2),
        "error_of_ahead": round(spread / sqrt(number), 2),
    }


def command_of(option: Option) -> Command:
    """What is sent for an option."""
    decision = {"decision": option.decision} if option.decision else {}
    found: Command = msgspec.convert({"type": option.type, **option.fields, **decision}, _KINDS[option.type])
    return found


class _Timed:
    """A policy whose choices are timed, in CPU seconds."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.taken: list[float] = []

    def __call__(
        self, view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]], options: Sequence[Option]
    ) -> Command | None:
        """The same choice."""
        begun = time.process_time()
        chosen = self._policy(view, hand, options)
        self.taken.append(time.process_time() - begun)
        return chosen


def _main(deals: str, against: str = "anything", rules: str = "seed", name: str = "steady") -> None:
    luck = random.Random(1)  # noqa: S311 - somebody who does anything
    rivals: Mapping[str, Policy] = {"anything": anything(luck), "greedy": greedy, **GAME.policies}
    timed = _Timed(GAME.policies[name])
    told = report(duel(int(deals), 1, timed, rivals[against], rules))
    taken = sorted(timed.taken)
    costs = [round(1000 * taken[int(len(taken) * part)], 1) for part in (0.5, 0.95)]
    sys.stdout.write(f"{told} ms median, 95 % and most: {[*costs, round(1000 * taken[-1], 1)]}\n")


if __name__ == "__main__":
    _main(*sys.argv[1:])
