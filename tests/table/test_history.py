"""Rounds told from their events: what every game's rounds say (fairness 1.7, design 1)."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from dealer.rules.frame.event import CROUPIER, Data, Event
from dealer.rules.frame.events import RoundEnded, RoundStarted, RoundVoided
from dealer.rules.frame.game import Game
from dealer.rules.frame.history import tell
from dealer.rules.frame.state import Table
from shoe.cards import Deck
from shoe.corte import Contribution, Transcript, contribution_commit
from shoe.shoe import make_transcript
from tests.table.rig import LOG, START_MS

SEED = bytes(32)
DECK = Deck("es48", 1)
GAME = cast("Game", SimpleNamespace(history=lambda events: {"heard": len(events)}))
"""A game of which the frame knows nothing but that it tells its part."""
TABLE = Table(log=LOG, game="other", profile="house", profile_version=3)


def contributed(*seats: int) -> Transcript:
    """The transcript of a shoe to whose order these seats have added."""
    plain = make_transcript(LOG, 4, DECK, SEED)
    given = []
    for seat in seats:
        commit = contribution_commit(LOG, 4, plain.commitment, seat, 7, SEED.hex())
        given.append(Contribution(commit=commit, cut=7, reveal=SEED.hex(), seat=seat))
    return make_transcript(LOG, 4, DECK, SEED, 0, given)


def round_of(*data: Data) -> list[Event]:
    """The events of round 9, from event 100 on."""
    return [Event(CROUPIER, START_MS + n, each, LOG, 9, 100 + n, each.TYPE, 1) for n, each in enumerate(data)]


@pytest.mark.parametrize("seats", [(), (1,), (1, 3, 101)])
@pytest.mark.parametrize(
    ("end", "over"),
    [
        ((), {}),
        ((RoundEnded(0),), {"ended_at": START_MS + 1}),
        ((RoundVoided(("pid_a", "pid_b"), "host"),), {"ended_at": START_MS + 1, "voided": True}),
    ],
    ids=["under way", "settled", "voided"],
)
def test_a_round_says_how_it_ended_and_who_mixed_its_cards(
    end: Sequence[Data], over: dict[str, Any], seats: tuple[int, ...]
) -> None:
    """Fairness 1.7: every history has `contributors` and `beacon`, at any game's table; a void is an end."""
    events = round_of(RoundStarted(4), *end)
    assert msgspec.to_builtins(tell(GAME, TABLE, events, contributed(*seats))) == over | {
        "beacon": False,
        "contributors": len(seats),
        "first": 100,
        "game": "other",
        "last": 100 + len(end),
        "profile": "house",
        "round": 9,
        "shuffle": 4,
        "started_at": START_MS,
        "table": "tbl_1",
        "told": {"heard": len(events)},
        "version": 3,
    }
