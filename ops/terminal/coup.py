"""What a watcher remembers of the coup on the table: which card lies where, and which are open."""

from shoe.cards import Deck

BANK = "bank"
CARDS_DEALT = 2
"""Every hand begins with two cards (R-33)."""

_FACES = Deck("fr52", 10)
"""Faces do not depend on how many packs are in play, up to the largest shoe."""


def face(card: int) -> str:
    """The face of a French card id, whichever pack it is from."""
    return _FACES.face(card)


class Coup:
    """The cards of one coup as the public log shows them.

    Attributes:
        hands: positions by hand, in dealing order.
        awaited: initial cards still to come before the deal is told; 0 if nobody knows.
        closed: whether «no va más» was heard.
        said: hands whose word is told once their cards are open, with the words.
        net: what every seat has won or lost so far.
    """

    def __init__(self) -> None:
        self.hands: dict[str, list[int]] = {}
        self.awaited = 0
        self.closed = False
        self.said: dict[str, str] = {}
        self.net: dict[int, int] = {}
        self._faces: dict[int, str] = {}

    def deal(self, pos: int, hand: str) -> bool:
        """A card goes face down to a hand; whether it was the last of the first two for everybody."""
        self.hands.setdefault(hand, []).append(pos)
        if not self.awaited:
            return False
        self.awaited -= 1
        return not self.awaited

    def expose(self, pos: int, card: int) -> str:
        """A card is face up; the hand it lies in, empty if nobody saw it being dealt."""
        self._faces[pos] = face(card)
        return next((hand for hand, dealt in self.hands.items() if pos in dealt), "")

    def cards(self, hand: str) -> list[str]:
        """The faces of a hand in dealing order, empty for a card that lies face down."""
        return [self._faces.get(pos, "") for pos in self.hands.get(hand, ())]

    def told_in_full(self, hand: str) -> bool:
        """Whether the word of a hand can be told: a third card is up, or both cards of a natural are."""
        faces = self.cards(hand)
        return all(faces[CARDS_DEALT:] or faces)
