"""What is told of any hand of a match: its tricks, who gave up, how the match ended if it did."""

from typing import Any

from dealer.rules.frame.event import Event
from dealer.rules.tricks import events as ev
from shoe.cards import Deck


class Told:
    """What the events heard so far tell.

    Attributes:
        tricks: each with its cards in order and, when it is complete, who won it.
        conceded: seats that gave up.
        won: the winning side, why, and the totals; empty while nobody has won.
    """

    def __init__(self, deck: Deck) -> None:
        self.tricks: list[dict[str, Any]] = []
        self.conceded: list[int] = []
        self.won: dict[str, Any] = {}
        self._deck = deck
        self._trick: list[dict[str, Any]] = []

    def hear(self, event: Event) -> None:
        """Take an event in; those of other kinds change nothing."""
        data = event.data
        match data:
            case ev.CardPlayed():
                if not self._trick:
                    self.tricks.append({"cards": self._trick})
                self._trick.append(
                    {"seat": data.seat, "card": self._deck.code(data.card), "source": data.source}
                )
            case ev.TrickWon():
                self.tricks[-1] |= {"seat": data.seat, "side": data.side}
                self._trick = []
            case ev.MatchConceded():
                self.conceded.append(data.seat)
            case ev.MatchWon():
                self.won = {"side": data.side, "reason": data.reason, "scores": list(data.scores)}
            case _:
                pass

    @property
    def complete(self) -> int:
        """How many tricks are complete."""
        return len(self.tricks) - bool(self._trick)
