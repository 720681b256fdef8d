"""A bidding as the bots follow it: what was said, what may be said now, and where it leads."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dealer.rules.butifarra import bidding
from dealer.rules.butifarra.bidding import Bidding, Contract


class Said(NamedTuple):
    """A word: the seat as on the wire, and the trump that went with it or an empty string."""

    seat: int
    word: str
    trump: str


class Talk(NamedTuple):
    """How far a bidding has come.

    Attributes:
        options: of the table.
        dealer: the seat that deals, as on the wire.
        state: where the bidding stands.
        said: its words in order.
    """

    options: Mapping[str, Any]
    dealer: int
    state: Bidding
    said: tuple[Said, ...] = ()

    @property
    def turn(self) -> int:
        """The seat on turn, as on the wire."""
        return bidding.turn(self.state)

    def sayable(self) -> Sequence[tuple[str, str]]:
        """What the seat on turn may say: words, each with its trump or an empty string."""
        return bidding.sayable(self.state, self.options)

    def after(self, word: str, trump: str) -> "Talk":
        """The bidding after a word of the seat on turn."""
        seat = self.turn
        state = bidding.said(self.state, self.options, seat, word, trump)
        return self._replace(state=state, said=(*self.said, Said(seat, word, trump)))

    def contract(self) -> Contract:
        """What it has come to, or would if all passed from now on."""
        return bidding.contract(self.state, self.options, self.dealer)


def begun(options: Mapping[str, Any], dealer: int) -> Talk:
    """A bidding in which nothing has been said."""
    return Talk(options, dealer, bidding.opened(dealer))
