"""A hand in the middle: a table as an example describes it, to which commands are given."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Command
from dealer.rules.frame.event import Event
from dealer.rules.frame.game import Act, Game
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Seat, ShoeState, Table
from dealer.rules.matches.state import match_of
from dealer.table.aggregate import handle
from shoe.cards import Deck
from shoe.corte import Transcript
from shoe.shoe import Shoe, make_transcript

LOG = "test/t/tbl_1"
_SEED = bytes(32)


class Fixed(Chance):
    """The one shoe of a position: its cards lie where the example has them."""

    def __init__(self, shoe: Shoe, order: Sequence[int]) -> None:
        super().__init__({1: _SEED})
        shoe.__dict__["order"] = tuple(order)
        self._only = shoe

    def shoe(self, transcript: Transcript) -> Shoe:
        """That shoe."""
        return self._only


class Position:
    """A hand that is under way.

    Args:
        game: what is played.
        deck: with what.
        lying: the cards of the shoe in order.

    Attributes:
        table: to be set by a subclass.
        places: where each card lies in the shoe.
        events: all that was decided so far.
    """

    table: Table

    def __init__(self, game: Game, deck: Deck, lying: Sequence[int]) -> None:
        self._game = game
        self._transcript = make_transcript(LOG, 1, deck, _SEED)
        self.chance = Fixed(Shoe(self._transcript, _SEED), lying)
        self.places = {card: pos for pos, card in enumerate(lying)}
        self.lying = lying
        self.events: list[Event] = []

    def shoe(self, out: int) -> ShoeState:
        """The shoe with so many cards dealt."""
        size = self._transcript.deck.size
        return ShoeState(1, self._transcript, "", size, out, ready=True)

    def around(self, players: int) -> dict[str, Any]:
        """The fields of a table with so many people in a round."""
        return {
            "log": LOG,
            "game": self._game.id,
            "seq": 10,
            "at": 1_000,
            "status": "open",
            "automations": frozenset({"deal", "next_round"}),
            "seats": {n: Seat(f"pid_{n}", "", 0) for n in range(1, players + 1)},
            "shuffles": 1,
            "deck": self._transcript.deck,
            "round": 1,
            "playing": True,
            "since": 1_000,
            "opened": 10,
        }

    def give(self, seat: int, command: Command) -> str:
        """A command of a seat; the code with which it is refused, empty if it is taken."""
        act = Act(command, f"pid_{seat}", "player", f"pid_{seat}", seat, self.table.at + 10)
        outcome = handle(self._game, self.table, self.chance, act)
        if isinstance(outcome, Refusal):
            return outcome.code
        self.table = outcome.table
        self.events += outcome.events
        return ""


def with_play(table: Table, **changed: Any) -> Table:
    """The table with another state of the match."""
    return replace(table, play=replace(match_of(table), **changed))
