"""Back from an event of a match to the command that may have brought it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dealer.rules.frame import events as frame
from dealer.rules.frame.commands import Command, Deal, NextRound
from dealer.rules.frame.event import Data
from dealer.rules.tricks import commands as cmd
from dealer.rules.tricks import events as ev
from shoe.cards import Deck

Words = Mapping[type[Data], Callable[[Any], Sequence[Command]]]
"""By event, from what it tells to the commands that may have brought it."""


def _following(d: Data) -> list[Command]:
    return [NextRound()]


def words(deck: Deck) -> Words:
    """Those of all matches; the deck gives cards their codes."""
    return {
        ev.CardPlayed: lambda d: [cmd.Play(seat=d.seat, card=deck.code(d.card))],
        ev.ConcessionOffered: lambda d: [cmd.Concede(seat=d.seat)],
        ev.MatchConceded: lambda d: [cmd.Concede(seat=d.seat)],
        frame.CardDealt: lambda _: [Deal()],
        frame.RoundStarted: _following,
        frame.LotDrawn: _following,
        ev.PairsMade: _following,
        ev.MatchStarted: _following,
    }
