"""`croupier bench`: the service beside the yardstick (design 9)."""

import pytest

from ops.bench import fanout, laid, service
from ops.bench.audience import Stage
from ops.bench.fanout import ServiceSpeaker
from ops.bench.report import from_json
from tests.ops.conftest import Run


@pytest.mark.usefixtures("counted")
def test_service_beside_the_yardstick(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One short round measures both in every scenario, each request taken; the report is one JSON object.

    A play of báciga is measured beside a command of whole coups and beside a stake, all in the same round;
    more tables than connections, so that the people at a table do not overtake each other.
    """
    staged: list[Stage] = []
    stage = ServiceSpeaker.stage

    async def kept(self: ServiceSpeaker, listeners: int) -> Stage:
        staged.append(await stage(self, listeners))
        return staged[-1]

    monkeypatch.setattr(ServiceSpeaker, "stage", kept)
    monkeypatch.setattr(fanout, "STREAMS_OF_A_KEY", 10)
    monkeypatch.setattr(service, "MANY_TABLES", 128)
    monkeypatch.setattr(laid, "MANY_TABLES", 128)
    code, out, err = run("bench --rounds 1 --seconds 0.3 --events 0 --listeners 20 --json")
    assert code == 0, err
    report = from_json(out.encode())
    for scenario in (report.hot_table, report.latency_8, report.many_tables):
        for figures, name in ((scenario.service, "service"), (scenario.yardstick, "yardstick")):
            assert (figures.name, figures.bad, list(figures.statuses)) == (name, 0, [200])
        assert scenario.ratio.min > 0
    assert report.baciga is not None
    for figures, name in ((report.baciga.service, "baciga"), (report.baciga.yardstick, "coup")):
        assert (figures.name, figures.bad, list(figures.statuses)) == (name, 0, [200])
    assert report.baciga_stake is not None
    assert report.baciga_stake.service == report.baciga.service
    assert report.baciga_stake.yardstick == report.many_tables.service
    assert report.listeners is not None
    assert (report.listeners.connections, len(staged[0].keys)) == (20, 2)
    for figures in (report.listeners.service, report.listeners.yardstick):
        assert (figures.bad, list(figures.statuses)) == (0, [200])
    steps = err.splitlines()
    assert [line.split()[0] for line in steps] == [*(f"{n}/8" for n in range(1, 9)), "1/2", "2/2"]
    assert all(("a delivery" in line) is ("listeners" in line) for line in steps)
