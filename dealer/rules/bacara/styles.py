"""Where a number in a profile is not enough: how it closes the stakes, deals and settles (design 3)."""

from collections.abc import Callable, Mapping

import msgspec

from dealer.rules.bacara import closing, dealing
from dealer.rules.bacara.punto import coup
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.state import Table


class Style(msgspec.Struct, frozen=True):
    """The steps of a coup that a profile may do in a way of its own.

    Attributes:
        close: from «no va más» to the stakes that play.
        deal: the cards, as far as nobody is asked for a word.
        settlement: the chips.
    """

    close: Callable[[Table], list[Data]]
    deal: Callable[[Table, Chance], list[Data]]
    settlement: Callable[[Table], list[Data]]


BANQUE = Style(dealing.close, dealing.deal, closing.settlement)
STYLES: Mapping[str, Style] = {"punto-y-banca": Style(coup.close, coup.deal, coup.settlement)}
"""By profile, of those that differ."""


def of(table: Table) -> Style:
    """The steps of this table's profile."""
    return STYLES.get(table.profile, BANQUE)
