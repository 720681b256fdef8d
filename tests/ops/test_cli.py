"""The command line: help, wrong usage, refusals in words, settings, simulations (design 8)."""

import itertools
import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from cyclopts import App

from ops.cli import app, simulate
from tests.ops.conftest import Run
from tests.ops.processes import Service, croupier

Serve = Callable[..., Service]


def commands(group: App, name: str = "") -> Iterator[str]:
    """The whole names of a group and of all commands below it."""
    yield name
    for word in group:
        if not word.startswith("-"):
            yield from commands(group[word], f"{name} {word}".strip())


def test_version(run: Run) -> None:
    """`--version` says the version of the package and nothing else."""
    assert run("--version") == (0, "0.1.0\n", "")


@pytest.mark.parametrize("command", [*commands(app)])
def test_help(run: Run, command: str) -> None:
    """Each command explains itself and every flag it takes; no flag is without a word."""
    code, out, err = run(f"{command} --help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: croupier {command}".rstrip())
    assert "Parameters" in out or "Commands" in out
    flags = [line.split(maxsplit=3) for line in out.splitlines() if line.startswith(("│ --", "│ *  --"))]
    assert all(len(words) == 4 for words in flags)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("serve --bogus", "--bogus"),
        ("serve --port 70000", "--port"),
        ("serve --port x", "--port"),
        ("serve --pace 0", "--pace"),
        ("serve --log-level loud", "--log-level"),
        ("serve --idempotency-ttl 1", "--idempotency-ttl"),
        ("serve extra", "extra"),
        ("keys add", "--role"),
        ("keys add --role guest", "--role"),
        ("keys add --role host --ttl -1", "--ttl"),
        ("keys add --role player", "--account"),
        ("keys add --role player --account ana", "--account"),
        ("keys add --role host --account acc_1", "--account"),
        ("keys revoke", "--key-id"),
        ("simulate bacara --rounds 0", "--rounds"),
        ("simulate bacara --packs 5", "--packs"),
        ("bench --rounds 0", "--rounds"),
        ("deal", "deal"),
    ],
)
def test_wrong_usage(run: Run, line: str, word: str) -> None:
    """What cannot be meant ends with 2 and names what is wrong, on standard error, before anything starts."""
    code, out, err = run(line)
    assert (code, out) == (2, "")
    assert word in err
    assert "Traceback" not in err


def test_wrong_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that is wrong in the environment is named as such."""
    monkeypatch.setenv("CROUPIER_PORT", "x")
    code, _, err = run("serve")
    assert code == 2
    assert "CROUPIER_PORT" in err


def test_config(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-15: `config` shows what is in force, flags before environment, and never the URL of a store."""
    monkeypatch.setenv("CROUPIER_PORT", "81")
    monkeypatch.setenv("CROUPIER_HOST", "::1")
    monkeypatch.setenv("CROUPIER_SANDBOX", "true")
    monkeypatch.setenv("CROUPIER_REDIS", "rediss://me:canary@db.example.com/0")
    code, out, err = run("config --host 127.0.0.2 --seal-key a --seal-key b")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "data": "data",
        "durability": "checked",
        "host": "127.0.0.2",
        "idempotency_ttl": 86400,
        "log_level": "info",
        "port": 81,
        "redis": "(set)",
        "sandbox": True,
        "seal_key": ["a", "b"],
        "workers": 1,
        "service_name": "",
    }


def test_simulation(run: Run) -> None:
    """The counts of a simulation agree with each other; the same seed gives them again, another does not."""
    line = "simulate bacara --rounds 3000 --seed 5 --json"
    code, out, _ = run(line)
    assert code == 0
    told = json.loads(out)
    assert set(told) == {"rounds", "right", "left", "joint", "cards", "shoes"}
    results = {"bank", "push", "pano"}
    assert set(told["right"]) == set(told["left"]) == set(told["joint"]) == results
    assert all(set(row) == results for row in told["joint"].values())
    assert set(told["cards"]) == {"6", "7", "8", "9"}
    assert told["rounds"] == 3000 == sum(told["cards"].values())
    for result in results:
        assert told["right"][result] == sum(told["joint"][result].values())
        assert told["left"][result] == sum(row[result] for row in told["joint"].values())
    assert told["shoes"] > 1
    assert run(line)[1] == out
    assert json.loads(run(line.replace("5", "6"))[1]) != told


def test_simulation_in_words(run: Run) -> None:
    """Without `--json` a simulation tells each paño's results in parts of all coups."""
    code, out, _ = run("simulate bacara --rounds 500 --packs 4")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["right", "left", "cards", "shoes"]


def test_progress(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long simulation says on standard error how far it is; standard output is one JSON object."""
    monkeypatch.setattr(simulate, "time", SimpleNamespace(monotonic=itertools.count().__next__))
    code, out, err = run("simulate bacara --rounds 300 --json")
    assert code == 0
    assert json.loads(out)["rounds"] == 300
    assert "of 300 coups" in err


def test_taken_port(serve: Serve, tmp_path: Path) -> None:
    """A port that somebody else has ends the start with 1 and words; the store is left in order."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = croupier("serve", "--data", tmp_path / "data", "--port", str(port))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"croupier: Cannot listen on 127.0.0.1 port {port}: ")
    assert serve().start().stop() == 0


@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("keys", "list"), ("serve", "--demo")])
def test_foreign_directory(tmp_path: Path, command: tuple[str, ...]) -> None:
    """A directory that holds other things is refused in words and left as it was."""
    (tmp_path / "letters").write_text("dear Ana")
    done = croupier(*command, "--data", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("croupier: ")
    assert "holds other things" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["letters"]
