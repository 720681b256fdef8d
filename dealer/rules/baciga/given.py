"""Back from an event to the command that may have brought it: what a log is decided again with."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dealer.rules.baciga import cards
from dealer.rules.baciga import commands as cmd
from dealer.rules.baciga import events as ev
from dealer.rules.frame import events as frame
from dealer.rules.frame.commands import Command, Deal, NextRound
from dealer.rules.frame.event import Data
from dealer.rules.tricks import commands as tricks
from dealer.rules.tricks import events as told
from shoe.cards import MAX_CARDS, Deck

_DECK = Deck(cards.KIND, MAX_CARDS // cards.PACK)
"""As many packs as there can be: a card has the same code in all decks."""


def _declared(d: ev.MeldDeclared) -> list[Command]:
    meld: Any = d.meld
    return [cmd.Declare(seat=d.seat, meld=meld, cards=tuple(_DECK.code(card) for card in d.cards))]


def _shown(d: ev.SevenShown) -> list[Command]:
    return [cmd.ShowSeven(seat=d.seat, card=_DECK.code(d.card))] if d.how == "shown" else []


def _following(d: Data) -> list[Command]:
    return [NextRound()]


_WORDS: Mapping[type[Data], Callable[[Any], Sequence[Command]]] = {
    told.CardPlayed: lambda d: [tricks.Play(seat=d.seat, card=_DECK.code(d.card))],
    told.ConcessionOffered: lambda d: [tricks.Concede(seat=d.seat)],
    told.MatchConceded: lambda d: [tricks.Concede(seat=d.seat)],
    ev.MeldDeclared: _declared,
    ev.SevenExchanged: lambda d: [cmd.ExchangeSeven(seat=d.seat)],
    ev.SevenShown: _shown,
    ev.StockDrawn: lambda d: [cmd.DrawStock(seat=d.seat)],
    frame.CardDealt: lambda _: [Deal()],
    frame.RoundStarted: _following,
    frame.LotDrawn: _following,
    told.PairsMade: _following,
    told.MatchStarted: _following,
}


def commands_of(data: Data) -> Sequence[Command]:
    """The commands of the game that may have brought this event; none if nobody's word brings it."""
    words = _WORDS.get(type(data))
    return words(data) if words else ()
