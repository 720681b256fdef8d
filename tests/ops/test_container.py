"""Dockerfile and compose.yaml, as far as they can be tried without an engine (fairness S-34, S-14)."""

import json
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from ops.valkey.binary import server_binary
from tests.ops.conftest import Run
from tests.ops.processes import Service, children, environment, until
from tests.project.tree import TREE
from tests.valkey.conftest import reserved_port

Serve = Callable[..., Service]

WATCH = """
import os, sys
data = {data!r}
os.environ["TMPDIR"] = data
sys.dont_write_bytecode = True

def watch(event, given):
    writes = {{
        "open": lambda path, mode, flags: flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT),
        "os.mkdir": lambda *_: True,
        "os.rename": lambda *_: True,
    }}.get(event)
    if writes and writes(*given) and isinstance(given[0], str):
        path = os.path.realpath(given[0])
        if not path.startswith((data, "/dev/", "/proc/")):
            os.write(2, f"wrote {{path}}\\n".encode())

sys.addaudithook(watch)
"""


def stages() -> list[list[tuple[str, str]]]:
    """The instructions of each stage of the Dockerfile: name and rest, continued lines joined."""
    text = (TREE / "Dockerfile").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)).splitlines()
    found: list[list[tuple[str, str]]] = []
    for line in filter(None, map(str.strip, lines)):
        name, _, rest = line.partition(" ")
        if name == "FROM":
            found.append([])
        found[-1].append((name, rest.strip()))
    return found


def last(name: str) -> str:
    """An instruction that the final stage has once."""
    (rest,) = [rest for each, rest in stages()[-1] if each == name]
    return rest


def compose() -> dict[str, Any]:
    """The services of compose.yaml."""
    services: dict[str, Any] = yaml.safe_load((TREE / "compose.yaml").read_text("utf-8"))["services"]
    return services


def test_two_stages() -> None:
    """What builds is left behind: the second stage takes one folder from the first and no file of ours."""
    build, final = stages()
    assert build[0] == ("FROM", "debian:trixie-slim AS build")
    assert final[0] == ("FROM", "debian:trixie-slim")
    assert [rest for name, rest in final if name == "COPY"] == ["--from=build /opt/croupier /opt/croupier"]
    assert not [name for name, _ in build + final if name == "ADD"]


def test_everything_installed_is_hashed() -> None:
    """S-32: pip installs what a lock has hashes of, or what was just built from this tree."""
    commands = re.findall(r"pip (?:install|wheel) ([^&]*)", " & ".join(rest for _, rest in stages()[0]))
    assert len(commands) == 4
    assert all("--require-hashes" in command or "--no-index" in command for command in commands)


def test_not_root() -> None:
    """S-34: the service is nobody on the machine: a number, so that an engine can check it, and not 0."""
    instructions = stages()[-1]
    assert re.fullmatch(r"[1-9]\d{4,}:[1-9]\d{4,}", last("USER"))
    after = instructions[instructions.index(("USER", last("USER"))) :]
    assert not [name for name, _ in after if name in {"RUN", "COPY"}]
    assert last("VOLUME") == last("WORKDIR") == "/data"


def test_started_without_a_shell(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Signals reach the service, its dead children are reaped, and its settings are those of the image."""
    entry, command = json.loads(last("ENTRYPOINT")), json.loads(last("CMD"))
    assert entry == ["tini", "--", "croupier"]
    assert command == ["serve"]
    for name, value in image_environment().items():
        monkeypatch.setenv(name, value)
    told = json.loads(run("config --json")[1])
    assert (told["host"]["value"], told["data"]["value"], str(told["port"]["value"])) == (
        "0.0.0.0",  # noqa: S104 - a container's own network
        last("VOLUME"),
        last("EXPOSE"),
    )


def image_environment() -> dict[str, str]:
    """The settings of ours that the image has in its environment."""
    pairs = (pair.split("=", 1) for name, rest in stages()[-1] if name == "ENV" for pair in rest.split())
    return {name: value for name, value in pairs if name.startswith("CROUPIER_")}


def test_health(serve: Serve) -> None:
    """The image's check passes while the service lives, and fails where nobody answers."""
    options, _, command = last("HEALTHCHECK").partition("CMD ")
    assert "--timeout" in options
    python, *rest = json.loads(command)
    assert python == "python"
    service = serve().start()

    def healthy(port: int) -> bool:
        environ = environment(CROUPIER_PORT=str(port))
        return (
            subprocess.run([sys.executable, *rest], env=environ, capture_output=True, check=False).returncode
            == 0
        )

    assert healthy(service.port)
    assert service.stop() == 0
    assert not healthy(service.port)


def test_read_only_root(serve: Serve, tmp_path: Path) -> None:
    """S-34: the service writes nowhere but in its data directory, where the image has no other place."""
    data = tmp_path / "data"
    data.mkdir()
    service = serve("--workers", "2", before=WATCH.format(data=str(data))).start()
    until(lambda: len(children(service.pid)) == 2)
    assert service.seen("/readyz")["ready"] is True
    assert service.stop() == 0
    assert "wrote" not in service.err.read_text()
    assert not [path for path in data.iterdir() if path.name.startswith(".")]


def test_the_watch_sees_what_is_written(tmp_path: Path) -> None:
    """Whoever writes elsewhere is seen."""
    code = WATCH.format(data=str(tmp_path / "data")) + f"open({str(tmp_path / 'elsewhere')!r}, 'w').close()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == f"wrote {tmp_path / 'elsewhere'}\n"


def test_built_from_what_it_needs() -> None:
    """Nothing gets into the image by accident: all is left out but what is named, and that is there."""
    lines = (TREE / ".dockerignore").read_text(encoding="utf-8").splitlines()
    named = [line[1:] for line in lines if line.startswith("!")]
    assert "*" in lines
    assert {"dealer", "ops", "pyproject.toml", "requirements.lock", "shoe"} <= set(named)
    assert all((TREE / name).exists() for name in named)


@pytest.mark.parametrize("name", ["croupier", "valkey"])
def test_confined(name: str) -> None:
    """S-34: neither service may write outside its volume, gain rights, or have any of root's."""
    service = compose()[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in service
    assert all(volume.endswith(":/data") for volume in service["volumes"])


def test_only_the_service_reaches_its_store() -> None:
    """S-14: the store listens on a loopback that it shares with the service, and on nothing else."""
    services = compose()
    assert services["croupier"]["network_mode"] == "service:valkey"
    words = shlex.split(services["valkey"]["command"])
    assert words[words.index("--bind") + 1] == "127.0.0.1"
    (published,) = services["valkey"]["ports"]
    assert published == f"127.0.0.1:8080:{image_environment()['CROUPIER_PORT']}"
    assert services["croupier"]["depends_on"]["valkey"]["condition"] == "service_healthy"


def answers(port: int) -> bool:
    """Whether somebody listens on the loopback."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def composed(tmp_path: Path) -> Iterator[str]:
    """The store of compose.yaml on a free port; its URL."""
    services = compose()
    _, *words = shlex.split(services["valkey"]["command"])
    with reserved_port() as port:
        process = subprocess.Popen(
            [server_binary(), *words, "--port", str(port)], cwd=tmp_path, stdout=subprocess.DEVNULL
        )
        until(lambda: answers(port))
        yield str(services["croupier"]["environment"]["CROUPIER_REDIS"]).replace(":6379", f":{port}")
        process.kill()
        process.wait()


def test_the_store_is_durable_enough(serve: Serve, composed: str) -> None:
    """Design 5: the service takes the store as compose.yaml starts it, without anybody's word for it."""
    service = serve("--redis", composed).start()
    ready = service.seen("/readyz")
    assert (ready["ready"], ready["store"], ready["durability"]) == (True, "external", "checked")
    assert service.stop() == 0
