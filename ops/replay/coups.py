"""The rounds of a log, each as one object, told from its events alone."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from dealer.rules.frame.event import Event
from dealer.rules.frame.events import ShoeSealed
from dealer.rules.frame.game import Game
from dealer.rules.frame.history import RoundTold, tell
from dealer.rules.frame.state import Table


def coups(game: Game, table: Table, events: Sequence[Event]) -> Iterator[RoundTold]:
    """Every round of the log that led to this table, as `GET /v1/tables/{id}/rounds/{n}` tells it."""
    shoes = {e.data.shuffle: e.data.transcript for e in events if isinstance(e.data, ShoeSealed)}
    for number, grouped in groupby(events, lambda event: event.round):
        if number:
            coup = list(grouped)
            approvals = [events[seq] for seq in table.corrected.get(number, ())]
            yield tell(game, table, coup, shoes[coup[0].data.shuffle], approvals)
