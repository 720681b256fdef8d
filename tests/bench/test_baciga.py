"""A play of báciga beside a stake of bacará: the plan, its end, and the row of the report."""

import msgspec
import pytest

from dealer.rules.tricks.commands import Play
from ops.bench import baciga
from ops.bench.baciga import LAID, OPTIONS, plays
from ops.bench.load import drive
from ops.bench.plan import Template, requests
from ops.bench.processes import BenchmarkError
from ops.bench.report import GOALS, from_json, render, to_json
from tests.baciga.rig import Baciga
from tests.bench.test_load import ANSWER, always, server
from tests.bench.test_report import measurement, report, scenario


def test_every_play_of_the_plan_is_legal() -> None:
    """baciga:6.1: the cards are those laid, each is its player's to play, and the stock lasts to the end."""
    rig = Baciga(laid=LAID, **OPTIONS)
    rig.fill()
    for seat, card in plays():
        assert (rig.turn, rig.table.phase) == (seat, "stock")
        rig.play(seat, Play(card=card))
    assert rig.table.phase == "last_tricks"


def test_cards_that_cannot_be_laid_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand that the rules do not let be played ends the benchmark with the reason."""
    monkeypatch.setattr(baciga, "LAID", ("QS",) * 5)
    with pytest.raises(BenchmarkError, match="could not be played"):
        plays()


async def test_a_plan_for_once_ends_the_load() -> None:
    """What is sent once is not begun again, and the load ends with it, long before its time."""
    plan = [Template(body=msgspec.Raw(b"{}"), headers={}, path=f"/{n}") for n in range(5)]
    async with server(always(ANSWER)) as port:
        result = await drive(port, requests(plan, "k", once=True), connections=2, seconds=60)
    assert result.statuses == {200: 5}


@pytest.mark.parametrize(
    ("rate", "cpu", "met"),
    [(8_300, 60, [True, True]), (8_299, 60.1, [False, False]), (9_000, 61, [True, False])],
)
def test_a_fifth_more_is_the_bound(rate: float, cpu: float, met: list[bool]) -> None:
    """A play may cost a fifth more than a stake, in CPU and in rate; a run without it promises nothing."""
    goals = [goal for goal in GOALS if goal.scenario == "baciga"]
    plain = report(scenario(measurement(9_000, 60, 2)))
    made = msgspec.structs.replace(plain, baciga=scenario(measurement(rate, cpu, 2)))
    assert [goal.met(made) for goal in goals] == met
    assert from_json(to_json(made)) == made
    assert "baciga, 8 connections" in render(made)
    assert "baciga" not in render(plain)
    assert not any(goal.met(plain) for goal in goals)
