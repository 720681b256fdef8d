"""Bacará: some coups alike in both worlds, then one in which hands differ that lie face down.

The cards that differ are spades and all others are not, so that no card of the other world lacks where both
show the same. A hand is exchanged for one that the tableau treats alike, and the script ends before it is
shown; or for one that has to say another word, and the script ends when it is asked. Naturals are among these
where people lay them down themselves.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from dealer.rules.bacara.coup import BANK, play
from dealer.rules.bacara.holders import pano_of
from dealer.rules.bacara.points import RANKS, total, value
from tests.secrecy.trial import HOST, Body, Maker, Sitting, sent

_STILL = {"betting_ms": 0, "last_call_ms": 0, "speak_ms": 0, "banker_ms": 0, "between_rounds_ms": 0}
_EVERY = ("call", "announce_bank", "deal", "lay_down", "show", "settle", "next_round")
PANOS = ("right", "left")
_COUPS = 3
_MOST_CARDS = 9
_DRAWS, _STANDS, _NATURAL = range(5), range(5, 8), range(8, 10)
_CHORES: Mapping[str, Sequence[Body]] = {
    "preparing": ({"type": "announce_bank"}, {"type": "call", "call": "place_bets"}),
    "betting": ({"type": "call", "call": "last_call"},),
    "last_call": ({"type": "call", "call": "no_more_bets"},),
    "dealing": ({"type": "deal"},),
    "showdown": ({"type": "show"},),
    "settling": ({"type": "settle"},),
    "between_rounds": ({"type": "next_round"}, {"type": "call", "call": "place_bets"}),
}
"""What a host may do himself to end a phase."""


class Panos:
    """A table of two paños.

    Args:
        automations: what is done unasked.
        banker: the seat of whoever banks, 0 for the house.
        bots: seats of bots.
    """

    policy = "steady"
    voids = True

    def __init__(
        self,
        chance: random.Random,
        automations: Sequence[str] = _EVERY,
        banker: int = 0,
        bots: Sequence[int] = (),
    ) -> None:
        options: dict[str, Any] = {**_STILL, "bot_think_ms": 0, "automations": list(automations)}
        if banker:
            options |= {"bank_modes": ["volunteer"], "consent_ms": 0}
        self.body: Mapping[str, Any] = {
            "game": "bacara",
            "profile": "seed",
            "mode": "dos-panos",
            "options": options,
        }
        self.people: Mapping[int, int] = {1: 300, 2: 300, 11: 300, 12: 300}
        self.bots: Mapping[int, int] = dict.fromkeys(bots, 200)
        self._banker = banker
        self._shown = "show" in automations
        self._plan = [PANOS if bots else chance.choice((PANOS, PANOS, *((p,) for p in PANOS)))] * (_COUPS - 1)
        self._chance = chance
        self._plain = [rank + suit for suit in "CDH" for rank in RANKS] * 3
        self._spades = [rank + "S" for rank in RANKS] * 3
        for cards in (self._plain, self._spades):
            chance.shuffle(cards)
        before = [card for panos in self._plan for card in self._coup(panos)]
        self._plan.append(PANOS)
        self._hidden = set(chance.sample((*PANOS, BANK), chance.randint(1, 3)))
        self._words, one, other = self._last_coup(own="lay_down" not in automations)
        self.shoes: tuple[Sequence[str], Sequence[str]] = ([*before, *one], [*before, *other])

    def _coup(self, panos: Sequence[str]) -> list[str]:
        """The cards of a coup that is played to its end."""
        laid = [self._plain.pop() for _ in range(_MOST_CARDS)]
        used = play([value(card[0]) for card in laid], panos).cards_used
        self._plain += laid[used:]
        return laid[:used]

    def _last_coup(self, *, own: bool) -> tuple[int, list[str], list[str]]:
        """So many words are the same whichever hands lie there, and both layouts.

        Args:
            own: whether people lay their naturals down themselves.
        """
        chance = self._chance
        words = 3 if not self._shown else 2 if self._banker else 1
        hands: dict[str, tuple[list[str], list[str]]] = {}
        for turn, hand in enumerate((*PANOS, BANK)):
            kinds = [_DRAWS, _STANDS, *([_NATURAL] if own and hand != BANK else [])]
            if hand not in self._hidden:
                two = self._two(self._plain, chance.choice(kinds[:2]))
                hands[hand] = two, two
                continue
            one_kind, other_kind = chance.choice((chance.sample(kinds, 2), [chance.choice(kinds[:2])] * 2))
            hands[hand] = self._two(self._spades, one_kind), self._two(self._spades, other_kind)
            if one_kind != other_kind:
                asked = 1 if hand == BANK and not self._banker else turn  # the house speaks unasked
                words = min(words, asked)
        third = [self._plain.pop() for _ in range(3)]
        one, other = (
            [hands[hand][world][card] for card in (0, 1) for hand in (*PANOS, BANK)] + third
            for world in (0, 1)
        )
        return words, one, other

    def _two(self, cards: list[str], points: Sequence[int]) -> list[str]:
        """Two of these cards with so many points, taken out of them."""
        while True:
            two = self._chance.sample(cards, 2)
            if total(card[0] for card in two) in points:
                for card in two:
                    cards.remove(card)
                return two

    def insiders(self, view: Mapping[str, Any]) -> set[int]:
        """Who holds a hand that differs."""
        if view["round"] < _COUPS or not any(view["hands"].values()):
            return set()
        holders = {**view["holders"], BANK: view["banker"]}
        return {holders[hand] for hand in self._hidden} - {0}

    def over(self, view: Mapping[str, Any]) -> bool:
        """Whether so many words have been said."""
        lies = view["phase"].startswith("speak_") or view["phase"] == "showdown"
        return view["round"] == _COUPS and lies and len(view["said"]) >= self._words

    def act(
        self, chance: random.Random, view: Mapping[str, Any], options: Mapping[int, Sequence[Body]]
    ) -> tuple[int, Body] | None:
        """Seek a banker, stake, speak; whatever is left ends by a host."""
        phase = view["phase"]
        if phase == "no_bank":
            return self._seek(options)
        if phase == "betting":
            staked = {(stake["seat"], stake["on"]) for stake in view["stakes"]}
            panos = self._plan[max(view["round"], 1) - 1]
            idle = [
                (seat, option)
                for seat, given in options.items()
                for option in given
                if option["type"] == "stake" and (seat, option["fields"]["on"]) not in staked
                if option["fields"]["on"] in (panos if len(panos) == 1 else pano_of(seat))
            ]
            if idle:
                seat, option = chance.choice(idle)
                return seat, sent(option, amount=min(option["max"], option["min"] + chance.randint(0, 5)))
        speaker = view["due"][0]["seats"] if phase.startswith("speak_") else ()
        if speaker and speaker[0] in self.bots:
            return None
        if speaker and chance.random() < 0.6:
            (seat,) = speaker
            word = next(option for option in options[seat] if option.get("decision"))
            return seat, sent(word)
        chores = [{"type": "expire", "decision": due["decision"]} for due in view["due"]]
        return HOST, chance.choice([*chores, *_CHORES.get(phase, ())])

    def _seek(self, options: Mapping[int, Sequence[Body]]) -> tuple[int, Body]:
        """The banker offers himself, and everybody consents."""
        for seat, given in options.items():
            for option in given:
                if option["type"] == "consent" and option["fields"]["yes"]:
                    return seat, sent(option)
        return self._banker, {"type": "offer_bank", "amount": 250}


def _by_hand(chance: random.Random) -> Panos:
    """A human croupier does some of it, and hands lay their own naturals down."""
    return Panos(chance, chance.sample(["call", "announce_bank", "deal", "settle"], 2))


TRIALS: tuple[Maker, ...] = (
    Panos,
    _by_hand,
    lambda chance: Panos(chance, banker=chance.choice((1, 12))),
    lambda chance: Panos(chance, ("call", "announce_bank", "deal", "lay_down", "settle"), bots=(3, 13)),
)

_QUICK = {
    "bot_think_ms": 0,
    "betting_ms": 40,
    "last_call_ms": 1,
    "speak_ms": 100,
    "banker_ms": 1,
    "between_rounds_ms": 1,
    "stop_card": 110,
}
SITTINGS = tuple(
    Sitting(
        body={"game": "bacara", "profile": "seed", "mode": "dos-panos", "options": {**_QUICK, **options}},
        people=people,
        bots={2: 500, 11: 500, 13: 500},
        policy="steady",
    )
    for options, people in (
        ({}, {1: 1_000}),
        ({"coverage": "after"}, {12: 1_000}),
        ({"holder_rule": "fixed"}, {1: 1_000}),
        ({}, {}),
        ({"packs": 4}, {}),
        ({"holder_rule": "fixed"}, {}),
    )
)
