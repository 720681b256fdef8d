"""What holds for the whole suite: a test that did not run is not a test that passed."""

import os
import sys
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, settings

# A slow machine is no defect: no property is judged by the clock, nor by how fast its examples are made.
# A test takes its settings as it is collected, so this has to stand where all of them begin.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

_COUNTING = "COVERAGE_PROCESS_CONFIG"
"""By this variable the coverage of a process is counted that is started with it."""


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Make a failure of a skip; an expected failure, reported as skipped too, is left alone."""
    if report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = (
            f"{report.longreprtext or 'skipped'}\nThis suite skips nothing: a test makes what it needs."
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that skips itself or is marked to be skipped."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail a module that skips itself while it is collected."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.fixture(scope="session", autouse=True)
def _counting() -> str:
    """Let the processes that tests start go uncounted, which spares a third of what a start costs."""
    return os.environ.pop(_COUNTING, "")


@pytest.fixture
def counted(_counting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the processes of a test that run what no test does in its own process."""
    if _counting:
        monkeypatch.setenv(_COUNTING, _counting)


@pytest.fixture
def uncounted() -> Iterator[None]:
    """Count no coverage while a test goes a long way again and again: other tests have counted its lines.

    Counting doubles the time of a test. It is for one that calculates, tries by chance, or plays for long.
    """
    counting = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(counting)
