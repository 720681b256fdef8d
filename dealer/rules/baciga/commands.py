"""The commands of báciga (glossary, section 4); `play` and `concede` are those of all games of tricks."""

from typing import Annotated

from msgspec import Meta

from dealer.rules.baciga.melds import LARGEST, Name
from dealer.rules.frame.commands import Command
from dealer.rules.tricks.commands import CardCode


class Declare(Command, frozen=True, gc=False, tag="declare"):
    """Declare a combination of exactly these physical cards, out of turn too (8.2)."""

    HIDDEN = True
    meld: Name
    cards: Annotated[tuple[CardCode, ...], Meta(min_length=1, max_length=LARGEST)]


class ExchangeSeven(Command, frozen=True, gc=False, tag="exchange_seven"):
    """Give a seven of trumps for the card that lies face up under the stock (12.3)."""

    HIDDEN = True


class ShowSeven(Command, frozen=True, gc=False, tag="show_seven"):
    """Show a seven of trumps; it stays in the hand (12.4)."""

    HIDDEN = True
    card: CardCode


class DrawStock(Command, frozen=True, gc=False, tag="draw_stock"):
    """End `declaring`: all draw, the winner of the trick first (12.2)."""
