"""The house's bots at a butifarra table: one that thinks by samples, and one that only counts.

Neither concedes unasked; that a bot agrees with its partner is the table's own doing (12.2).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from dealer.rules.butifarra import cards
from dealer.rules.butifarra import commands as cmd
from dealer.rules.butifarra.bots import playout, sampling
from dealer.rules.butifarra.bots.bits import card_of
from dealer.rules.butifarra.bots.counting import Choices
from dealer.rules.butifarra.bots.position import Position, position
from dealer.rules.frame.commands import Command
from dealer.rules.frame.game import Deep, Option, Policy
from dealer.rules.tricks import commands as tricks

SAMPLES = 60
"""Hands in which the steady bot tries a choice."""
_WORDS = {str(kind.__struct_config__.tag): kind for kind in cmd.WORDS}


class Sampling(msgspec.Struct, frozen=True):
    """Tries each choice in so many hands that may be; the same turn with as many gives the same choice."""

    samples: int = SAMPLES

    def __call__(
        self, view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]], options: Sequence[Option]
    ) -> Command | None:
        """What it does."""
        word = partial(sampling.word, samples=self.samples)
        card = partial(sampling.card, samples=self.samples)
        return _given(view, hand, options, word, card)


def quick(
    view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]], options: Sequence[Option]
) -> Command | None:
    """Bids by counting, and plays as the hands are played out in which the other one tries its choices."""
    return _given(view, hand, options, _counted, _chosen)


def _counted(seen: Position) -> tuple[str, str]:
    return Choices(seen.talk).word(seen.hand)


def _chosen(seen: Position) -> int:
    return playout.choose(seen.rules, seen.trump, seen.hand, seen.unseen, seen.trick, seen.seat)


def _given(
    view: Mapping[str, Any],
    hand: Sequence[Mapping[str, Any]],
    options: Sequence[Option],
    word: Callable[[Position], tuple[str, str]],
    card: Callable[[Position], int],
) -> Command | None:
    """The command for a turn in the bidding or in a trick; nothing if it is neither."""
    kinds = {option.type for option in options}
    if "play" in kinds:
        seen = position(view, hand)
        return tricks.Play(card=cards.code(card_of(card(seen), seen.rules.values)))
    if kinds & _WORDS.keys():
        spoken, trump = word(position(view, hand))
        fields = {"trump": trump} if trump else {}
        command: Command = msgspec.convert({"type": spoken, **fields}, _WORDS[spoken])
        return command
    return None


POLICIES: Mapping[str, Policy] = {"quick": quick, "steady": Deep(Sampling())}
"""By the name a host gives in `seat_bot`."""
