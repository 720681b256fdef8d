"""schemathesis against the live service (fairness S-33, S-7, S-30).

All checks it has are on; `schemathesis.toml` says what each operation may answer.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from string import Template

from dealer.http.routes import ROUTES
from tests.ops.processes import LIMIT_S, Service

HERE = Path(__file__).parent


def schemathesis(directory: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run it to its end; what it keeps for a next time stays in the directory."""
    return subprocess.run(
        [sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()", *arguments],
        cwd=directory,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "PYTHONPATH": str(HERE.parents[1])},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def test_the_description_is_true(serve: Callable[..., Service], tmp_path: Path) -> None:
    """S-33: whatever is sent, answers are described ones, bad requests are refused and good ones are not."""
    service = serve("--sandbox").start()
    host = service.key()
    table = service.made("/v1/tables", host, {"game": "bacara", "profile": "seed", "mode": "dos-panos"})
    account = service.made("/v1/accounts", host, {})["account"]
    service.made("/v1/transfers", host, {"from": "house", "to": account, "amount": 1_000_000})
    commands = f"/v1/tables/{table['table']}/commands"
    service.made(commands, host, {"type": "sit", "seat": 1, "account": account})
    service.made(commands, host, {"type": "buy_in", "seat": 1, "amount": 1_000})
    address = f"http://127.0.0.1:{service.port}"
    given = {"ACCOUNT": account, "SERVICE": address, "TABLE": table["table"], "TOKEN": host}
    config = Template((HERE / "schemathesis.toml").read_text(encoding="utf-8")).substitute(given)
    (tmp_path / "schemathesis.toml").write_text(config, encoding="utf-8")
    report = tmp_path / "report.json"
    done = schemathesis(
        tmp_path,
        "--config-file",
        tmp_path / "schemathesis.toml",
        "run",
        f"{address}/openapi.json",
        "--checks=all",
        "--report=json",
        f"--report-json-path={report}",
    )
    assert done.returncode == 0, done.stdout[-5_000:]
    found = json.loads(report.read_text(encoding="utf-8"))
    assert found["complete"]
    assert found["operations"]["tested"] == len(ROUTES) - 1, "all but the description, which it reads first"
    assert found["test_cases"]["generated"] > 1_000
    assert (found["failures"], found["errors"], found["warnings"]["rate_limited"]) == ([], [], [])
    assert service.stop() == 0
    assert service.log() == []
