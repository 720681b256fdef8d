"""A log read back from its first event to its last, through the code that plays the tables.

What is checked: the bytes are canonical, nothing is missing, time does not go back; each event is what the
rules bring of the act that began there, or of the croupier unasked; and every card is the one that the seed
puts there. Of a shoe whose seed is still shut, what depends on a face that nobody has seen waits.

What is not: whether people did what the log says they did, and when. A house that writes a whole log anew
can write a consistent one; whoever followed the table live sees the difference.
"""

from collections.abc import Sequence

import msgspec

from dealer.rules.frame.event import Event
from dealer.rules.frame.game import Game
from dealer.rules.frame.state import Table
from dealer.rules.registry import GAMES
from dealer.table.aggregate import codec
from dealer.table.evolve import evolve
from ops.replay import checks
from ops.replay.again import IMPOSSIBLE, Again
from ops.replay.broken import Broken
from ops.replay.shuffles import Shuffles


class Replayed(msgspec.Struct, frozen=True):
    """A log that holds.

    Attributes:
        events: all of them.
        table: what they lead to.
        proved: shoes and lots whose seeds are open, and whose cards follow from them.
        shut: whether some shuffle's seed is not open yet, so that its cards are not proved.
        waiting: events that could not be decided again, since they depend on faces of a shoe still shut.
    """

    game: Game
    events: list[Event]
    table: Table
    proved: int
    shut: bool
    waiting: int


def replay(stored: Sequence[bytes]) -> Replayed:
    """Read a log back.

    Args:
        stored: the bytes of its events, from the first one on.

    Raises:
        Broken: the first thing that is wrong, and at which event.
    """
    game = _game(stored)
    decode = codec(game).decode
    events: list[Event] = []
    unread: Exception | None = None
    for raw in stored:
        try:
            events.append(decode(raw))
        except IMPOSSIBLE as trouble:
            unread = trouble
            break
    reading = _Reading(game, events)
    for number, event in enumerate(events):
        try:
            reading.take(stored[number], event)
        except Broken as trouble:
            raise Broken(f"event {number}: {trouble}") from None
        except IMPOSSIBLE as trouble:
            raise Broken(_impossible(number, trouble)) from None
    if unread is not None:
        raise Broken(_impossible(len(events), unread))
    shuffles = reading.shuffles
    return Replayed(game, events, reading.table, shuffles.proved, shuffles.shut, reading.again.waiting)


def _impossible(number: int, trouble: Exception) -> str:
    return f"event {number}: it cannot follow ({type(trouble).__name__}: {trouble})"


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

    def __init__(self, game: Game, events: Sequence[Event]) -> None:
        self.again = Again(game, events)
        self.shuffles = Shuffles()
        self.table = Table(log=events[0].log if events else "")
        self._game = game

    def take(self, raw: bytes, event: Event) -> None:
        """Check the next event, and follow it."""
        number = self.table.seq + 1
        checks.canonical(raw, event)
        checks.placed(event, self.table)
        self.shuffles.note(event, self.table)
        self.again.check(number, self.table)
        self.table = evolve(self._game, self.table, event)
