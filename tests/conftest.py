"""What holds for the whole suite: a test that did not run is not a test that passed."""

from collections.abc import Generator

import pytest


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
