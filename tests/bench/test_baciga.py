"""A play of báciga beside a command of bacará: the plan, its end, and the rows of the report."""

import msgspec
import pytest

from dealer.rules.tricks.commands import Play
from ops.bench.baciga import LAID, OPTIONS, BacigaSubject
from ops.bench.load import drive
from ops.bench.plan import Template, requests
from ops.bench.report import GOALS, from_json, render, to_json
from tests.baciga.rig import Baciga
from tests.bench.test_load import ANSWER, always, server
from tests.bench.test_report import measurement, report, scenario


def test_every_play_of_the_plan_is_legal() -> None:
    """baciga:6.1: the cards are those laid, each is its player's to play, and the stock lasts to the end."""
    rig = Baciga(laid=LAID, **OPTIONS)
    rig.fill()
    for seat, body in BacigaSubject().script():
        assert (rig.turn, rig.table.phase) == (seat, "stock")
        rig.play(seat, msgspec.convert(body, Play))
    assert rig.table.phase == "last_tricks"


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
    """A play may cost a fifth more than the mean command of a coup, in CPU and in rate.

    What it is to a stake is told without a goal, and a run without either promises nothing.
    """
    goals = [goal for goal in GOALS if goal.scenario == "baciga"]
    plain = report(scenario(measurement(9_000, 60, 2)))
    found, stake = scenario(measurement(rate, cpu, 2)), scenario(measurement(1_000, 500, 2))
    made = msgspec.structs.replace(plain, baciga=found, baciga_stake=stake)
    assert [goal.met(made) for goal in goals] == met
    assert from_json(to_json(made)) == made
    mean, _, told = render(made).partition("baciga_stake, 8 connections")
    assert "baciga, 8 connections" in mean
    assert "0.10 [0.10-0.10]\n" in told
    assert not any(verdict in told for verdict in ("kept", "MISSED"))
    assert "baciga" not in render(plain)
    assert not any(goal.met(plain) for goal in goals)
