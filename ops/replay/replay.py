"""A log read back from its first event to its last, through the code that plays the tables.

What is checked: the bytes are canonical, nothing is missing, time does not go back, every event can follow
the one before it, no chip appears or vanishes, what a round tells of points, results and chips is what its
cards and moves give, and every card is the one that the seed puts there.

What is not: whether people did what the log says they did, and when. A house that writes a whole log anew
can write a consistent one; whoever followed the table live sees the difference.
"""

from collections.abc import Sequence

import msgspec

from dealer.rules.frame import events as frame
from dealer.rules.frame.event import Event
from dealer.rules.frame.game import Game
from dealer.rules.frame.refusal import ChipsBroken
from dealer.rules.frame.state import Table
from dealer.rules.registry import GAMES
from dealer.table.aggregate import codec
from dealer.table.evolve import evolve
from ops.replay import checks
from ops.replay.broken import Broken
from ops.replay.shuffles import Shuffles

_IMPOSSIBLE = (
    msgspec.MsgspecError,
    ArithmeticError,
    AttributeError,
    ChipsBroken,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What reading and evolving raise of an event that cannot follow: they are written for honest logs."""


class Replayed(msgspec.Struct, frozen=True):
    """A log that holds.

    Attributes:
        events: all of them.
        table: what they lead to.
        proved: shoes and lots whose seeds are open, and whose cards follow from them.
    """

    game: Game
    events: list[Event]
    table: Table
    proved: int


def replay(stored: Sequence[bytes]) -> Replayed:
    """Read a log back.

    Args:
        stored: the bytes of its events, from the first one on.

    Raises:
        Broken: the first thing that is wrong, and at which event.
    """
    game = _game(stored)
    reading = _Reading(game)
    for number, raw in enumerate(stored):
        try:
            reading.take(raw)
        except Broken as trouble:
            raise Broken(f"event {number}: {trouble}") from None
        except _IMPOSSIBLE as trouble:
            raise Broken(f"event {number}: it cannot follow ({type(trouble).__name__}: {trouble})") from None
    return Replayed(game, reading.events, reading.table, reading.shuffles.proved)


class _Opened(msgspec.Struct):
    game: str


class _First(msgspec.Struct):
    data: _Opened


def _game(stored: Sequence[bytes]) -> Game:
    try:
        return GAMES[msgspec.json.decode(stored[0], type=_First).data.game]
    except (msgspec.MsgspecError, LookupError):
        raise Broken("it does not begin with the opening of a table whose game is known here") from None


class _Reading:
    """The log so far."""

    def __init__(self, game: Game) -> None:
        self.events: list[Event] = []
        self.table = Table(log="")
        self.shuffles = Shuffles()
        self._game = game
        self._decode = codec(game).decode
        self._round_from = 0

    def take(self, raw: bytes) -> None:
        """Check the next event, and follow it."""
        event = self._decode(raw)
        if not self.events:
            self.table = Table(log=event.log)
        checks.canonical(raw, event)
        checks.placed(event, self.table)
        checks.signed(event, self.table)
        checks.by_two(event, self.table)
        checks.chips(event, self.events, self.table)
        self.shuffles.note(event, self.table)
        if type(event.data) is frame.RoundStarted:
            self._round_from = len(self.events)
        elif type(event.data) is frame.RoundEnded:
            checks.told(self._game, self.table, self.events[self._round_from :])
        self.events.append(event)
        self.table = evolve(self._game, self.table, event)
