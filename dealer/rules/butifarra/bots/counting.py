"""Bidding by counting: what a hand is worth under each trump, and which word promises most.

The weights were fitted to the points of random hands that `playout` had played out, and rounded; what others
promise with their words, and the margin, are those of several that won most against each other. All are
tenths of a point of a hand of 52; under another table of section 9 they would all grow alike.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from dealer.rules.butifarra.bidding import BUTIFARRA, Contract
from dealer.rules.butifarra.bots.bits import NO_TRUMP, RANKS
from dealer.rules.butifarra.bots.talk import Said, Talk
from dealer.rules.butifarra.cards import SUITS
from dealer.rules.tricks.seats import PAIRS, side_of


class _Weights(NamedTuple):
    """What counts in a suit: its four highest cards, each of its cards, having none or a single one."""

    high: tuple[int, int, int, int]
    card: int
    void: int
    single: int


_TRUMPS = _Weights((33, 26, 12, 5), 11, 0, 0)
_SIDE = _Weights((34, 19, 8, 1), 0, 42, 13)
_PLAIN = _Weights((35, 25, 15, 7), 0, 5, 0)
_NOTHING, _NOTHING_PLAIN = -107, -82
"""A hand with none of all that, with trumps and without."""
_OFFERED = 30
"""What a seat promises that offers a trump."""
_RAISED = 30
"""And one that doubles."""
_MARGIN = 30
"""What one wants to be ahead by to double."""


_DELEGATED = NO_TRUMP + 1


@lru_cache(maxsize=4096)
def expected(hand: int) -> tuple[int, ...]:
    """How far above the half a hand is expected to bring its side: with each trump, with none, with any."""
    trumps, side, plain = _tables()
    suits = [hand >> RANKS * number & (1 << RANKS) - 1 for number in range(len(SUITS))]
    beside = _NOTHING + sum(side[held] for held in suits)
    named = [beside + trumps[held] - side[held] for held in suits]
    return (*named, _NOTHING_PLAIN + sum(plain[held] for held in suits), sum(named) // len(SUITS))


def number_of(trump: str) -> int:
    """A trump as the bots write it."""
    return NO_TRUMP if trump == BUTIFARRA else SUITS.index(trump)


class _Prospect(NamedTuple):
    """What a word leads to if nobody doubles after it, whatever hand it is said with.

    Attributes:
        spoken: the word, with its trump or an empty string.
        kind: place of what is played then among the expectations of a hand.
        told: what the words of the others add to that.
        multiplier: times what it counts.
    """

    spoken: tuple[str, str]
    kind: int
    told: int
    multiplier: int

    def promise(self, hand: int) -> int:
        """What the word promises with this hand."""
        return (expected(hand)[self.kind] + self.told) * self.multiplier


class Choices:
    """A bidding, with what each word would promise whoever is on turn; it keeps what has been asked for.

    Args:
        talk: how far it has come.
    """

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.turn = talk.turn
        self._after: dict[tuple[str, str], Choices] = {}

    @cached_property
    def contract(self) -> Contract:
        """What it has come to, or would if all passed."""
        return self.talk.contract()

    def word(self, hand: int) -> tuple[str, str]:
        """What the seat on turn says with this hand: the word, with its trump, that promises most."""
        return max(self._prospects, key=lambda each: each.promise(hand)).spoken

    def regret(self, hand: int, spoken: tuple[str, str]) -> int:
        """How much more than this word another would promise with this hand."""
        promises = {each.spoken: each.promise(hand) for each in self._prospects}
        return max(promises.values()) - promises[spoken]

    def after(self, spoken: tuple[str, str]) -> "Choices":
        """The bidding after a word of the seat on turn."""
        if spoken not in self._after:
            self._after[spoken] = Choices(self.talk.after(*spoken))
        return self._after[spoken]

    @cached_property
    def _prospects(self) -> Sequence[_Prospect]:
        return [self._prospect(spoken) for spoken in self.talk.sayable()]

    def _prospect(self, spoken: tuple[str, str]) -> _Prospect:
        word, _ = spoken
        if word == "delegate":
            return _Prospect(spoken, _DELEGATED, _OFFERED, 1)
        contract = self.after(spoken).contract
        told = sum(_heard(each, contract.trump, self.turn) for each in self.talk.said)
        margin = 0 if word in {"pass", "name_trump"} else _MARGIN
        return _Prospect(spoken, number_of(contract.trump), told - margin, contract.multiplier)


def _heard(said: Said, trump: str, seat: int) -> int:
    """What a word of another tells a seat about playing with this trump."""
    if said.seat == seat or said.word in {"pass", "delegate"} or said.trump not in {trump, ""}:
        return 0
    strength = _OFFERED if said.trump else _RAISED
    return strength if side_of(said.seat, PAIRS) == side_of(seat, PAIRS) else -strength


@lru_cache(maxsize=1)
def _tables() -> Sequence[Sequence[int]]:
    """What each holding of a suit is worth as trumps, beside trumps, and without."""
    return [[_worth(weights, held) for held in range(1 << RANKS)] for weights in (_TRUMPS, _SIDE, _PLAIN)]


def _worth(weights: _Weights, held: int) -> int:
    length = held.bit_count()
    high = sum(count for n, count in enumerate(weights.high, 1) if held >> RANKS - n & 1)
    short = weights.void if not length else weights.single if length == 1 else 0
    return high + weights.card * length + short
