"""Butifarra: the bidding and some tricks in which two hands hold each other's bastos in the other world.

The bastos that differ lie in those two hands alone, and no basto is named, led or played as a card of choice
before the script ends, so nobody but the two may hear a difference: not in what is refused, not in what the
croupier does when time is up. Sometimes one of them is the dealer's partner, who may not even see his own
cards before the dealer has spoken (`partner_blind`).
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from dealer.rules.butifarra.commands import WORDS
from dealer.rules.frame.commands import Command
from dealer.rules.frame.game import Option
from tests.butifarra.duel import command_of
from tests.secrecy.trial import HOST, Body, Maker, Sitting, sent

_TRICKS = 3
_BASTOS = "B"
_RANKS = range(1, 13)
_PROFILES = ("seed", "competicio-lliure", "competicio-obligada")
_DEALER, _PARTNER = 1, 3
_MOVES = {"play", *(str(kind.__struct_config__.tag) for kind in WORDS)}
_TO = [seat for _ in range(3) for seat in (2, 3, 4, 1) for _ in range(4)]
"""Who gets each card of the pack."""


class Hand:
    """A table whose two hands differ.

    Args:
        chance: draws alike in both worlds.
    """

    body: Mapping[str, Any]
    people: Mapping[int, int] = dict.fromkeys(range(1, 5), 10)
    bots: Mapping[int, int] = {}
    shoes: tuple[Sequence[str], Sequence[str]]
    policy: str = "steady"
    voids: bool = False
    """The end of a hand opens the whole deck to everybody, so the script ends before it."""

    def __init__(self, chance: random.Random) -> None:
        self._blind = chance.random() < 0.7
        still = {"play_ms": 0, "bid_ms": 0, "between_rounds_ms": 0, "bot_think_ms": 0}
        options = {**still, "first_dealer": _DEALER, "partner_blind": self._blind}
        profile = chance.choice(_PROFILES)
        self.body = {"game": "butifarra", "profile": profile, "mode": "", "options": options}
        other = chance.choice((2, 4))
        self._insiders = (_PARTNER if self._blind else chance.choice((_DEALER, _PARTNER)), other)
        self.shoes = self._laid(chance)

    def _laid(self, chance: random.Random) -> tuple[list[str], list[str]]:
        """The whole pack in both worlds."""
        several = chance.randint(2, 4)
        places = {seat: [pos for pos, to in enumerate(_TO) if to == seat] for seat in range(1, 5)}
        mine, theirs = (chance.sample(places[seat], several) for seat in self._insiders)
        rest = [pos for seat in range(1, 5) if seat not in self._insiders for pos in places[seat]]
        bastos = [f"{rank}{_BASTOS}" for rank in _RANKS]
        plain = [f"{rank}{suit}" for suit in "OCE" for rank in _RANKS]
        for cards in (bastos, plain):
            chance.shuffle(cards)
        hidden = {*mine, *theirs, *chance.sample(rest, len(bastos) - 2 * several)}
        one = [bastos.pop() if pos in hidden else plain.pop() for pos in range(len(_TO))]
        other = list(one)
        for here, there in zip(mine, theirs, strict=True):
            other[here], other[there] = one[there], one[here]
        return one, other

    def insiders(self, view: Mapping[str, Any]) -> set[int]:
        """Who holds the two hands, and sees them."""
        if not view["playing"]:
            return set()
        waits = self._blind and view["bid_step"] == "open"
        return {seat for seat in self._insiders if not (waits and seat == _PARTNER)}

    def over(self, view: Mapping[str, Any]) -> bool:
        """Whether so many tricks have been played."""
        tricks: list[int] = view["tricks"]
        return sum(tricks) >= _TRICKS

    def act(
        self, chance: random.Random, view: Mapping[str, Any], options: Mapping[int, Sequence[Body]]
    ) -> tuple[int, Body] | None:
        """A legal word or card without bastos; sometimes a host ends the turn of somebody else.

        Not where the act would be a suit named, or a card led: it might be a basto.
        """
        led = bool(view["hands"].get("trick")) or (view["bid_step"] and view["bid_step"] != "delegated")
        if led and view["turn"] not in self._insiders and chance.random() < 0.2:
            return HOST, {"type": "expire", "decision": view["due"][0]["decision"]}
        seat = view["turn"]
        moves = [
            option
            for option in options[seat]
            if option["type"] in _MOVES and not _names_bastos(option.get("fields", {}))
        ]
        return seat, sent(chance.choice(moves))


def _names_bastos(fields: Mapping[str, str]) -> bool:
    return _BASTOS in fields.get("card", "") or fields.get("trump") == _BASTOS


TRIALS: tuple[Maker, ...] = (Hand,)
_QUICK = {"bot_think_ms": 0, "between_rounds_ms": 1, "first_dealer": _DEALER}


def _first(
    view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]], options: Sequence[Option]
) -> Command | None:
    """Says and plays the first thing that is legal."""
    found = next((option for option in options if option.type in _MOVES), None)
    return None if found is None else command_of(found)


SITTINGS = (
    Sitting(
        body={
            "game": "butifarra",
            "profile": "seed",
            "options": {**_QUICK, "partner_blind": True},
        },
        people={1: 10},
        bots={2: 10, 3: 10, 4: 10},
        policy="steady",
        plainly=_first,
    ),
)
