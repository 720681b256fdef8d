"""`croupier bench`: the service beside the yardstick (design 9)."""

from ops.bench.report import from_json
from tests.ops.processes import croupier


def test_service_beside_the_yardstick() -> None:
    """One short round measures both in every scenario, each request taken; the report is one JSON object."""
    done = croupier("bench", "--rounds", "1", "--seconds", "0.3", "--events", "0", "--json")
    assert done.returncode == 0, done.stderr
    report = from_json(done.stdout.encode())
    for scenario in (report.hot_table, report.latency_8, report.many_tables):
        for figures, name in ((scenario.service, "service"), (scenario.yardstick, "yardstick")):
            assert (figures.name, figures.bad, list(figures.statuses)) == (name, 0, [200])
        assert scenario.ratio.min > 0
    steps = done.stderr.splitlines()
    assert [line.split()[0] for line in steps] == [f"{n}/6" for n in range(1, 7)]
