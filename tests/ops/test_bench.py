"""`croupier bench`: the service beside the yardstick (design 9)."""

import pytest

from ops.bench import laid, service
from ops.bench.report import from_json
from tests.ops.conftest import Run


@pytest.mark.usefixtures("counted")
def test_service_beside_the_yardstick(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One short round measures both in every scenario, each request taken; the report is one JSON object.

    A play of báciga is measured beside a command of whole coups and beside a stake, all in the same round;
    more tables than connections, so that the people at a table do not overtake each other.
    """
    monkeypatch.setattr(service, "MANY_TABLES", 128)
    monkeypatch.setattr(laid, "MANY_TABLES", 128)
    code, out, err = run("bench --rounds 1 --seconds 0.3 --events 0 --json")
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
    steps = err.splitlines()
    assert [line.split()[0] for line in steps] == [f"{n}/8" for n in range(1, 9)]
