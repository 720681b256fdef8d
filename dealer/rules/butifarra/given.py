"""Back from an event to the command that may have brought it: what a log is decided again with."""

from collections.abc import Callable, Sequence
from typing import Any

from dealer.rules.butifarra import commands as cmd
from dealer.rules.butifarra import events as ev
from dealer.rules.butifarra.cards import DECK
from dealer.rules.frame.commands import Command
from dealer.rules.frame.event import Data
from dealer.rules.matches import given

_LEVELS: Sequence[Callable[..., Command]] = (cmd.Contro, cmd.Recontro, cmd.SantVicenc, cmd.Barraca)


def _named(d: ev.TrumpNamed) -> list[Command]:
    trump: Any = d.trump
    return [cmd.NameTrump(seat=d.seat, trump=trump)]


def _contested(d: ev.TrumpContested) -> list[Command]:
    trump: Any = d.trump
    return [cmd.Contest(seat=d.seat, trump=trump)]


_WORDS: given.Words = {
    **given.words(DECK),
    ev.TrumpNamed: _named,
    ev.TrumpDelegated: lambda d: [cmd.Delegate(seat=d.seat)],
    ev.TrumpContested: _contested,
    ev.TrumpInsisted: lambda d: [cmd.Insist(seat=d.seat)],
    ev.BidPassed: lambda d: [cmd.Pass(seat=d.seat)],
    ev.ControSaid: lambda d: [_LEVELS[d.level - 1](seat=d.seat)],
}


def commands_of(data: Data) -> Sequence[Command]:
    """The commands of the game that may have brought this event; none if nobody's word brings it."""
    words = _WORDS.get(type(data))
    return words(data) if words else ()
