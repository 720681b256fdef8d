"""Báciga: some tricks in which one hand holds other cards in the one world than in the other.

The cards that differ are spades, all of which lie in that hand or deep in the stock, and none of which is
played, drawn or turned up before the script ends. Everything else is laid alike, so nobody but the holder may
hear a difference: not in what he may declare, not in what is refused, not in what the croupier does.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tests.secrecy.trial import HOST, Body, Maker, sent

_TRICKS = 3
_RANKS = "789TJQKA"
_MOVES = frozenset({"play", "declare", "exchange_seven", "show_seven", "draw_stock"})
_DRAWN = (("seed", 2), ("seed", 3), ("standard", 2))
_DEALT = {"seed": (9, (3, 3, 3)), "standard": (8, (3, 2, 3))}
"""Cards in a hand, and the packets in which they are dealt."""


class Hand:
    """A table whose one hand differs.

    Args:
        chance: draws alike in both worlds.
        profile: of the rules.
        players: how many play; seat 1 deals.
    """

    body: Mapping[str, Any]
    people: Mapping[int, int]
    bots: Mapping[int, int]
    shoes: tuple[Sequence[str], Sequence[str]]
    policy: str = "steady"
    voids: bool = False
    """The end of a hand opens the whole deck to everybody, so the script ends before it."""

    def __init__(self, chance: random.Random, profile: str = "seed", players: int = 2) -> None:
        still = {"play_ms": 0, "declare_ms": 0, "between_rounds_ms": 0, "bot_think_ms": 0}
        options = {**still, "players": players, "first_dealer": 1}
        self.body = {"game": "baciga", "profile": profile, "mode": "", "options": options}
        self.people = dict.fromkeys(range(1, players + 1), 10)
        self.bots = {}
        self._insider = chance.randint(1, players)
        self.shoes = self._laid(chance, profile, players)

    def _laid(self, chance: random.Random, profile: str, players: int) -> tuple[list[str], list[str]]:
        """The whole deck in both worlds."""
        size, packets = _DEALT[profile]
        order = [*range(2, players + 1), 1]
        to = [seat for packet in packets for seat in order for _ in range(packet)]
        plain = [rank + suit for suit in "CDH" for rank in _RANKS] * players
        spades = [rank + "S" for rank in _RANKS] * players
        for cards in (plain, spades):
            chance.shuffle(cards)
        own = [pos for pos, seat in enumerate(to) if seat == self._insider]
        hidden = sorted(chance.sample(own, chance.randint(2, 4)))
        seen = size * players + players * _TRICKS + 1
        early = [spades.pop() if pos in hidden else plain.pop() for pos in range(seen)]
        last = plain.pop()
        deep = [*plain, *spades]
        chance.shuffle(deep)
        one = [*early, *deep, last]
        other = list(one)
        elsewhere = [pos for pos, face in enumerate(one) if face[1] == "S" and pos not in hidden]
        for pos, deeper in zip(hidden, chance.sample(elsewhere, len(hidden)), strict=True):
            other[pos], other[deeper] = one[deeper], one[pos]
        return one, other

    def insiders(self, view: Mapping[str, Any]) -> set[int]:
        """Who holds the hand."""
        return {self._insider} if view["playing"] else set()

    def over(self, view: Mapping[str, Any]) -> bool:
        """Whether so many tricks have been played."""
        tricks: list[int] = view["tricks"]
        return sum(tricks) >= _TRICKS

    def act(
        self, chance: random.Random, view: Mapping[str, Any], options: Mapping[int, Sequence[Body]]
    ) -> tuple[int, Body] | None:
        """A legal move without a spade, by anybody; sometimes a host ends the turn of somebody else."""
        if view["turn"] != self._insider and chance.random() < 0.2:
            return HOST, {"type": "expire", "decision": view["due"][0]["decision"]}
        moves = [
            (seat, option)
            for seat, given in options.items()
            for option in given
            if option["type"] in _MOVES and not _names_spades(option.get("fields", {}))
        ]
        seat, option = chance.choice(moves)
        return seat, sent(option)


def _names_spades(fields: Mapping[str, Any]) -> bool:
    return any(card[1] == "S" for card in (*fields.get("cards", ()), fields.get("card", "??")))


TRIALS: tuple[Maker, ...] = (lambda chance: Hand(chance, *chance.choice(_DRAWN)),)
