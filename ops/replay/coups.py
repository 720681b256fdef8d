"""The rounds of a log, each as one object, told from its events alone."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec

from dealer.rules.frame import events as frame
from dealer.rules.frame.event import Event
from dealer.rules.frame.game import Game
from dealer.rules.frame.state import Table


class Coup(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One round; what is in `told` is the game's. The fields are those of `GET /v1/tables/{id}/rounds/{n}`.

    Attributes:
        ended_at: when it was settled or voided, ms UTC; 0 if it was still under way.
        first: sequence number of its first event.
        last: that of its last one.
    """

    ended_at: int = 0
    first: int
    game: str
    last: int
    profile: str
    round: int
    shuffle: int
    started_at: int
    table: str
    told: dict[str, Any]
    version: int
    voided: bool = False


def coups(game: Game, table: Table, events: Sequence[Event]) -> Iterator[Coup]:
    """Every round of the log that led to this table."""
    for number, grouped in groupby(events, lambda event: event.round):
        if not number:
            continue
        coup = list(grouped)
        over = type(coup[-1].data) in {frame.RoundEnded, frame.RoundVoided}
        yield Coup(
            ended_at=coup[-1].at if over else 0,
            first=coup[0].seq,
            game=table.game,
            last=coup[-1].seq,
            profile=table.profile,
            round=number,
            shuffle=coup[0].data.shuffle,
            started_at=coup[0].at,
            table=table.log.rpartition("/")[2],
            told=game.history(coup),
            version=table.profile_version,
            voided=type(coup[-1].data) is frame.RoundVoided,
        )
