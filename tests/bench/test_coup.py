"""Whole coups of bacará as the benchmark sends them: the plan, and the rehearsal that finds it."""

from collections import Counter

import msgspec
import pytest

from dealer.http.messages import AnyCommand
from dealer.rules.bacara.events import RoundSettled
from ops.bench.baciga import BacigaSubject
from ops.bench.coup import LAID, OPTIONS, PUNTERS, CoupSubject
from ops.bench.processes import BenchmarkError
from ops.bench.rehearsal import HOST, Rehearsal
from tests.table.rig import opened


def test_a_plan_is_whole_coups() -> None:
    """R-22: each command is its sender's to give, everybody stakes in each coup, and each coup is settled.

    The shoe does not come to its stop card (R-08).
    """
    rig = opened(dict.fromkeys(PUNTERS, 10_000), LAID, **OPTIONS)
    script = CoupSubject().script()
    for seat, body in script:
        command = msgspec.convert(body, AnyCommand)
        if seat == HOST:
            rig.host(command)
        else:
            rig.play(seat, command)
    said = Counter((seat, body["type"]) for seat, body in script)
    coups = said[HOST, "next_round"]
    assert coups > 20
    assert {said[seat, "stake"] for seat in PUNTERS} == {coups}
    assert len(rig.of(RoundSettled)) == coups
    assert (rig.table.phase, rig.table.shuffles) == ("betting", 1)


def test_what_cannot_be_said_is_an_error() -> None:
    """Cards that cannot be laid, and a word that is not offered, end the benchmark with the reason."""
    with pytest.raises(BenchmarkError, match="could not be played: no_such_card"):
        Rehearsal(msgspec.structs.replace(BacigaSubject.setting, laid=("QS",) * 5))
    with pytest.raises(BenchmarkError, match="seat 1 may not say play in phase stock"):
        Rehearsal(BacigaSubject.setting).say(1, "play")
    with pytest.raises(BenchmarkError, match="could not be played: insufficient_chips"):
        Rehearsal(CoupSubject.setting).say(1, "stake", on="right", amount=10_001)
