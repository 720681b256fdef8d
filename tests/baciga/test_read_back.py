"""Whole matches read back from their logs alone: the rules decide every event again."""

import pytest

from dealer.rules.baciga.events import MeldDeclared, TargetReached
from dealer.rules.baciga.state import play_of
from dealer.rules.tricks.events import MatchWon
from ops.replay.replay import replay
from tests.baciga.rig import started


@pytest.mark.parametrize(
    ("profile", "players", "luck", "target", "hands"),
    [("seed", 4, 0, 1_500, 3), ("seed-china", 2, 1, 10_000, 2)],
)
def test_a_match_read_back(profile: str, players: int, luck: int, target: int, hands: int) -> None:
    """9.2, section 11: a declaration decides it within a hand; the log leads to the same scores."""
    rig = started(profile, players=players, luck=luck)
    rig.to_the_end()
    play = play_of(rig.table)
    assert rig.table.round == hands
    (reached,), (won,) = rig.of(TargetReached), rig.of(MatchWon)
    at = next(event.seq for event in rig.events if event.data is reached)
    assert isinstance(rig.events[at - 1].data, MeldDeclared)
    assert play.totals == won.scores
    assert max(play.totals) == reached.total >= target

    read = replay(rig.stored)
    assert (read.table, read.waiting, read.shut) == (rig.table, 0, False)
    assert play_of(read.table).totals == play.totals
    told = [read.game.history([e for e in read.events if e.round == n]) for n in range(1, hands + 1)]
    assert told[-1]["won"] == {"side": play.winner, "reason": "target", "scores": list(play.totals)}
    gained = [0] * len(play.totals)
    for hand in told:
        for meld in hand["melds"]:
            gained[(meld["seat"] - 1) % len(gained)] += meld["points"]
        gained = [a + b for a, b in zip(gained, hand["briscas"] or [0] * len(gained), strict=True)]
    assert tuple(gained) == play.totals
