"""The whole bench, with the yardstick on both sides and rounds too short to mean anything."""

from pathlib import Path

import msgspec
import pytest

from ops.bench import harness
from ops.bench.harness import Load, measure
from ops.bench.plan import Kind, Plan, Template
from ops.bench.processes import BenchmarkError, Cores
from ops.bench.report import from_json, render, to_json
from ops.bench.run import Step, run
from ops.bench.subject import Started, YardstickSubject

ANYWHERE = Cores(others=None, server=None)
SHORT = Load(connections=2, kind="hot_table", seconds=0.2, warmup_seconds=0.1)


def is_empty(directory: Path) -> bool:
    """Whether nothing was left behind."""
    return not any(directory.iterdir())


class Refused(YardstickSubject):
    """A yardstick whose plan is no command."""

    async def plan(self, kind: Kind) -> Plan:
        """One body nobody understands."""
        return (Template(body=msgspec.Raw(b"[]"), headers={}, path="/v1/tables/1/commands"),)


class Vanished(YardstickSubject):
    """A subject that names a port and a process of which neither is there."""

    async def start(self, valkey_socket: Path, core: int | None) -> Started:
        """Stop as soon as started."""
        started = await super().start(valkey_socket, core)
        await self.stop()
        return started


async def test_yardstick_against_itself(tmp_path: Path) -> None:
    """A run measures both subjects in all scenarios, without a bad request, and gives ratios (design 9)."""
    steps: list[Step] = []
    report = await run(
        YardstickSubject(),
        rounds=1,
        seconds=0.2,
        warmup_seconds=0.1,
        connections=16,
        parent=tmp_path,
        progress=steps.append,
    )
    assert [step.done for step in steps] == [1, 2, 3, 4, 5, 6]
    assert {step.total for step in steps} == {6}
    for scenario, connections in ((report.hot_table, 16), (report.latency_8, 8), (report.many_tables, 16)):
        assert scenario.connections == connections
        assert (
            min(scenario.ratio.min, scenario.cpu_ratio.min, scenario.p50_ratio.min, scenario.p99_ratio.min)
            > 0
        )
        for figures in (scenario.service, scenario.yardstick):
            assert figures.bad == 0
            assert list(figures.statuses) == [200]
            assert min(figures.server_us.min, figures.valkey_us.min, figures.load_us.min) > 0
    assert from_json(to_json(report)) == report
    assert "many_tables, 16 connections" in render(report)
    assert is_empty(tmp_path)


async def test_a_run_needs_a_round() -> None:
    """No rounds is an error before anything is started."""
    with pytest.raises(ValueError, match="at least one round"):
        await run(YardstickSubject(), rounds=0)


async def test_a_subject_that_refuses_everything_has_no_speed(tmp_path: Path) -> None:
    """Where no request succeeds there is an error that names the statuses, and nothing is left running."""
    with pytest.raises(BenchmarkError, match="400"):
        await measure(Refused(), SHORT, cores=ANYWHERE, parent=tmp_path)
    assert is_empty(tmp_path)


async def test_a_subject_that_is_gone_is_an_error(tmp_path: Path) -> None:
    """When the server is not there the generator's own words say so."""
    with pytest.raises(BenchmarkError, match="load generator failed"):
        await measure(Vanished(), SHORT, cores=ANYWHERE, parent=tmp_path)


async def test_a_load_without_end_is_broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A generator that does not end within all its allowances is stopped, and so is everything else."""
    monkeypatch.setattr(harness, "START_SECONDS", -100.0)
    with pytest.raises(BenchmarkError, match="did not end in time"):
        await measure(YardstickSubject(), SHORT, cores=ANYWHERE, parent=tmp_path)
    assert is_empty(tmp_path)
