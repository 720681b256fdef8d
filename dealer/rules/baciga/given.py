"""Back from an event to the command that may have brought it: what a log is decided again with."""

from collections.abc import Sequence
from typing import Any

from dealer.rules.baciga import cards
from dealer.rules.baciga import commands as cmd
from dealer.rules.baciga import events as ev
from dealer.rules.frame.commands import Command
from dealer.rules.frame.event import Data
from dealer.rules.matches import given
from shoe.cards import MAX_CARDS, Deck

_DECK = Deck(cards.KIND, MAX_CARDS // cards.PACK)
"""As many packs as there can be: a card has the same code in all decks."""


def _declared(d: ev.MeldDeclared) -> list[Command]:
    meld: Any = d.meld
    return [cmd.Declare(seat=d.seat, meld=meld, cards=tuple(_DECK.code(card) for card in d.cards))]


def _shown(d: ev.SevenShown) -> list[Command]:
    return [cmd.ShowSeven(seat=d.seat, card=_DECK.code(d.card))] if d.how == "shown" else []


_WORDS: given.Words = {
    **given.words(_DECK),
    ev.MeldDeclared: _declared,
    ev.SevenExchanged: lambda d: [cmd.ExchangeSeven(seat=d.seat)],
    ev.SevenShown: _shown,
    ev.StockDrawn: lambda d: [cmd.DrawStock(seat=d.seat)],
}


def commands_of(data: Data) -> Sequence[Command]:
    """The commands of the game that may have brought this event; none if nobody's word brings it."""
    words = _WORDS.get(type(data))
    return words(data) if words else ()
