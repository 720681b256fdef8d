"""Figures and alerts, read by Prometheus's own tool (fairness S-22)."""

import re
import shutil
import subprocess
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from ops.metrics import Metrics
from tests.ops.processes import Service, children, until
from tests.ops.test_metrics import scripted_coup

Serve = Callable[..., Service]
ALERTS = Path(str(files("ops").joinpath("alerts.yml")))
CASES = Path(__file__).with_name("alerts.test.yml")


def promtool(*arguments: str | Path, given: str = "") -> str:
    """What the tool has to say; it must be content."""
    command = ["promtool", *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_figures(serve: Serve) -> None:
    """Names, units, types and help of a service's figures are as Prometheus wants them, whoever answers."""
    service = serve("--sandbox", "--workers", "2")
    host = service.key()
    service.start()
    until(lambda: len(children(service.pid)) == 2)
    scripted_coup(service, host)
    assert promtool("check", "metrics", given=Metrics().text().decode()) == ""
    assert promtool("check", "metrics", given=service.seen("/metrics")) == ""
    assert service.stop() == 0


def test_the_tool_would_object() -> None:
    """A figure that breaks a rule of naming is found."""
    wrong = (
        "# HELP croupier_wrong_count Wrong.\n# TYPE croupier_wrong_count counter\ncroupier_wrong_count 1\n"
    )
    with pytest.raises(AssertionError, match="_total"):
        promtool("check", "metrics", given=wrong)


def test_alerts(tmp_path: Path) -> None:
    """Each alert fires when it should, with these labels and words, and not otherwise."""
    shutil.copy(ALERTS, tmp_path)
    shutil.copy(CASES, tmp_path)
    promtool("check", "rules", tmp_path / ALERTS.name)
    promtool("test", "rules", tmp_path / CASES.name)


def rules() -> list[dict[str, Any]]:
    """The alerts as they are written."""
    return [rule for group in yaml.safe_load(ALERTS.read_text("utf-8"))["groups"] for rule in group["rules"]]


def test_every_alert_is_tried() -> None:
    """There is a case in which each alert fires, and one in which it does not."""
    names = {rule["alert"] for rule in rules()}
    tried = [
        case for test in yaml.safe_load(CASES.read_text("utf-8"))["tests"] for case in test["alert_rule_test"]
    ]
    assert {case["alertname"] for case in tried if case["exp_alerts"]} == names
    assert {case["alertname"] for case in tried if not case["exp_alerts"]} == names


def test_alerts_are_about_what_is_measured() -> None:
    """Every figure that an alert asks for is one of ours."""
    text = Metrics().text().decode()
    ours = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    asked = {
        word.removesuffix("_bucket").removesuffix("_count")
        for rule in rules()
        for word in re.findall("croupier_[a-z_]+", rule["expr"])
    }
    assert asked <= ours
    assert len(asked) > 8
