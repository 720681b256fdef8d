"""The command line: help, wrong usage, refusals in words, settings, simulations (design 8)."""

import itertools
import json
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace

import pytest
from cyclopts import App

from ops.cli import simulate
from ops.cli.commands import app
from ops.settings import ServeSettings, Settings
from ops.workers import PortTaken, listening
from tests.ops.conftest import Run
from tests.ops.processes import MAIN, Service, croupier, environment
from tests.valkey.conftest import servers_in

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
        (f"keys add --role host --ttl {10**30}", "--ttl"),
        ("keys add --role player", "--account"),
        ("keys add --role player --account ana", "--account"),
        ("keys add --role host --account acc_1", "--account"),
        ("keys revoke", "--key-id"),
        ("odds", "PROFILE"),
        ("odds nowhere", "nowhere"),
        ("odds seed --mode nowhere", "nowhere"),
        ("odds seed --packs 11", "--packs"),
        ("odds seed --banker worst", "--banker"),
        ("simulate bacara --rounds 0", "--rounds"),
        ("simulate bacara --packs 5", "--packs"),
        ("simulate baciga --players 5", "--players"),
        ("simulate baciga --rounds 0", "--rounds"),
        ("simulate butifarra --profile nowhere", "--profile"),
        ("simulate bacara --seed -1", "--seed"),
        ("simulate bacara --seed 9007199254740992", "--seed"),
        ("simulate bacara --seed 99999999999999999999999", "--seed"),
        ("serve --pace nan", "--pace"),
        ("bench --seconds nan", "--seconds"),
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


def whole_numbers(group: App, name: str = "") -> Iterator[tuple[str, str]]:
    """Every option of every command that takes a whole number, with its command."""
    for command in commands(group):
        chosen = group
        for word in command.split():
            chosen = chosen[word]
        for argument in chosen.assemble_argument_collection() if chosen.default_command else ():
            if argument.hint in {int, int | None}:
                yield command, argument.name


WHOLE = [*whole_numbers(app)]


def test_the_whole_numbers_are_found() -> None:
    """The search for options that take whole numbers finds those there are."""
    assert {name for _, name in WHOLE} == {
        "--address-connections",
        "--address-rate",
        "--connections",
        "--events",
        "--host-rate",
        "--idempotency-ttl",
        "--key-rate",
        "--listeners",
        "--packs",
        "--panos",
        "--port",
        "--rounds",
        "--seed",
        "--table-rate",
        "--ttl",
        "--workers",
    }


@pytest.mark.parametrize(
    ("command", "option", "number"),
    [
        *((*each, "4.0") for each in WHOLE),
        *(("serve", "--port", number) for number in ["3.2", "1e2", "0x50", "1_0", "\u0663", "x", ""]),
    ],
)
def test_whole_numbers(run: Run, command: str, option: str, number: str) -> None:
    """What is no plain whole number is refused by every option, never rounded or guessed at."""
    needed = {"keys add": "--role host", "odds": "seed"}.get(command, "")
    code, out, err = run(f"{command} {needed} {option}={number}")
    assert (code, out) == (2, "")
    assert option in err
    assert "whole number" in err


def test_wrong_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that is wrong in the environment is named as such."""
    for wrong in ("x", "8080.5"):
        monkeypatch.setenv("CROUPIER_PORT", wrong)
        code, _, err = run("serve")
        assert code == 2
        assert "CROUPIER_PORT" in err


def test_empty_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty variable is as good as none, whatever the setting takes."""
    for field in fields(ServeSettings):
        monkeypatch.setenv(f"CROUPIER_{field.name.upper()}", "")
    code, out, err = run("config --json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert {shown["source"] for shown in told.values()} == {"default"}
    assert told["host"]["value"] == "127.0.0.1"


@pytest.mark.parametrize(
    "line",
    [
        "serve --host=",
        "serve --data=",
        "serve --seal-key=",
        "config --redis=",
        "keys add --role host --name=",
    ],
)
def test_empty_flag(run: Run, line: str) -> None:
    """An empty text is refused: as a host it would be every address, as a path the working directory."""
    code, out, err = run(line)
    assert (code, out) == (2, "")
    assert line.rsplit(maxsplit=1)[-1].rstrip("=") in err


def test_settings_that_are_none(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name in the environment that no command knows is warned of, and its value is not told."""
    monkeypatch.setenv("CROUPIER_PROT", "canary")
    monkeypatch.setenv("CROUPIER_PORT", "81")
    monkeypatch.setenv("CROUPIER_ROUNDS", "3")
    code, _, err = run("config")
    assert code == 0
    assert "canary" not in err
    warned = json.loads(err)
    assert (warned["event"], warned["level"], warned["setting"]) == (
        "unknown_setting",
        "warning",
        "CROUPIER_PROT",
    )
    monkeypatch.setenv("CROUPIER_DEMO", "maybe")
    code, _, err = run("config")
    assert code == 2
    assert "CROUPIER_DEMO" in err


def test_config(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-15: `config` shows each setting with its source, flags before environment, no store's URL."""
    monkeypatch.setenv("CROUPIER_PORT", "81")
    monkeypatch.setenv("CROUPIER_HOST", "::1")
    monkeypatch.setenv("CROUPIER_SANDBOX", "true")
    monkeypatch.setenv("CROUPIER_REDIS", "rediss://me:canary@db.example.com/0")
    monkeypatch.setenv("CROUPIER_DEMO", "true")
    line = "config --host 127.0.0.2 --port 82 --seal-key a --seal-key b"
    code, out, err = run(f"{line} --json")
    assert (code, err) == (0, "")
    assert "canary" not in out
    told = json.loads(out)
    assert list(told) == [field.name for field in fields(ServeSettings)]
    assert told["host"] == {"value": "127.0.0.2", "source": "flag", "environment": "CROUPIER_HOST"}
    assert told["seal_key"] == {"value": ["a", "b"], "source": "flag", "environment": "CROUPIER_SEAL_KEY"}
    assert told["redis"] == {"value": "(set)", "source": "environment", "environment": "CROUPIER_REDIS"}
    sources = {name: (shown["value"], shown["source"]) for name, shown in told.items()}
    assert sources["port"] == (82, "flag")
    assert sources["sandbox"] == (True, "environment")
    assert sources["data"] == ("data", "default")
    assert sources["demo"] == (True, "environment")
    assert {source for _, source in sources.values()} == {"flag", "environment", "default"}
    code, out, err = run(line)
    assert (code, err) == (0, "")
    assert "canary" not in out
    lines = {words[0]: words[1:] for words in map(str.split, out.splitlines())}
    assert list(lines) == [f"--{name.replace('_', '-')}" for name in told]
    assert lines["--host"] == ["127.0.0.2", "flag"]
    assert lines["--redis"] == ["(set)", "CROUPIER_REDIS"]
    assert lines["--sandbox"] == ["yes", "CROUPIER_SANDBOX"]
    assert lines["--seal-key"] == ["a,", "b", "flag"]
    assert lines["--service-name"] == ["-", "default"]


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


def test_simulated_matches(run: Run) -> None:
    """Whole matches of báciga: the same seed gives them again; in words each combination has its line."""
    line = "simulate baciga --players 3 --rounds 1 --seed 5"
    code, out, _ = run(f"{line} --json")
    assert code == 0
    told = json.loads(out)
    assert set(told) == {"matches", "rounds", "rounds_per_match", "winner", "others", "won", "melds"}
    assert set(told["won"]) == {"1", "2", "3"}
    assert run(f"{line} --json")[1] == out
    code, out, _ = run(line)
    assert code == 0
    names = [line.split()[0] for line in out.splitlines()]
    assert names == ["matches", "rounds_per_match", "winner", "others", *told["melds"]]


def test_simulated_biddings(run: Run) -> None:
    """Whole matches of butifarra (butifarra:5.1): each line of the table and each multiplier has its own."""
    line = "simulate butifarra --rounds 1 --seed 5"
    told = json.loads(run(f"{line} --json")[1])
    assert sum(told["outcomes"].values()) == told["rounds"]
    code, out, _ = run(line)
    assert code == 0
    names = [line.split("  ")[0] for line in out.splitlines()]
    assert names[:5] == ["matches", "rounds_per_match", "winner", "others", "delegated"]
    assert names[5:] == [*(f"line {n}" for n in range(1, 9)), *(f"times {n}" for n in (1, 2, 4, 8))]


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


@pytest.mark.parametrize("host", ["a..b", "\u00f1..x", "x" * 300, "300.1.1.1", "a b"])
def test_host_that_is_none(host: str) -> None:
    """A host that cannot be listened on is refused as a taken port is, whatever the system says of it."""
    with pytest.raises(PortTaken) as refused:
        listening(Settings(host=host, port=0))
    assert re.fullmatch(r"Cannot listen on [ -~]+\.", str(refused.value))


PRINTING = {
    "version": ("--version",),
    "help": ("serve", "--help"),
    "config": ("config",),
    "odds": ("odds", "seed", "--panos", "1"),
    "simulate": ("simulate", "bacara", "--rounds", "3"),
    "verify": ("verify", "-"),
    "serve": ("serve", "--port", "0"),
    "workers": ("serve", "--port", "0", "--workers", "2"),
    "demo": ("serve", "--port", "0", "--demo", "--pace", "100"),
}
"""Every command that has something to say."""
AT_ONCE = ("version", "simulate", "serve", "demo")
"""One of each way to write a line: the command line's reader, print, print while serving, the printer."""


@pytest.mark.parametrize(
    ("name", "unbuffered"), [*((name, "") for name in PRINTING), *((name, "1") for name in AT_ONCE)]
)
def test_output_that_cannot_be_written(tmp_path: Path, name: str, unbuffered: str) -> None:
    """A full disk under standard output ends any command with 1 and one line of words.

    Without a buffer each line fails where it is written; one command of each way to write one is enough.
    """
    command = PRINTING[name]
    data = str(tmp_path / "data")
    with Path("/dev/full").open("w", encoding="ascii") as full:
        done = croupier(*command, out=full, CROUPIER_DATA=data, PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stderr) == (1, "croupier: No space left on device.\n")
    assert servers_in(tmp_path) == []


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_closed_before_the_start(tmp_path: Path, stream: str) -> None:
    """Standard streams that are closed, as some supervisors leave them, are no reason to fail."""
    line = f'"$0" -c "$1" simulate bacara --rounds 3 {stream} && "$0" -c "$1" verify - {stream}; test $? = 1'
    shell = ["/bin/bash", "-c", line, sys.executable, MAIN]
    done = subprocess.run(shell, env=environment(), capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("serve", "--demo")])
def test_foreign_directory(tmp_path: Path, command: tuple[str, ...]) -> None:
    """A directory that holds other things is refused in words and left as it was."""
    (tmp_path / "letters").write_text("dear Ana")
    done = croupier(*command, "--data", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("croupier: ")
    assert "holds other things" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["letters"]
