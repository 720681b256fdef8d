"""Full disks, damaged and foreign data directories, as somebody at the command line meets them (design 5)."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ops.service import opened_store
from ops.settings import StoreSettings
from ops.valkey.keyfile import load_or_create
from tests.ops.conftest import Run
from tests.ops.processes import Service, croupier, until
from tests.ops.test_metrics import figure, health, troubles
from tests.valkey.conftest import servers_in

pytestmark = pytest.mark.usefixtures("counted")
Serve = Callable[..., Service]
BASE = "appendonlydir/appendonly.aof.1.base.aof"
LOG = "appendonlydir/appendonly.aof.1.incr.aof"
MANIFEST = "appendonlydir/appendonly.aof.manifest"
IMPATIENT = """
from dealer.journal.journal import Journal
Journal.__init__.__kwdefaults__["patience_ms"] = 1000
"""
"""The service gives a silent store up after a second, not ten."""


async def make(data: Path) -> None:
    """A store that was started and stopped."""
    async with opened_store(StoreSettings(data=data)):
        pass


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two stores, made once."""
    home = tmp_path_factory.mktemp("stores")
    for name in ("data", "other"):
        asyncio.run(make(home / name))
    return home


def zeros(data: Path, other: Path) -> None:
    """Zero bytes inside the log, as after a power loss."""
    raw = (data / LOG).read_bytes()
    at = raw.index(b"HSETNX") - 8
    (data / LOG).write_bytes(raw[:at] + bytes(32) + raw[at + 32 :])


def other_key(data: Path, other: Path) -> None:
    """The seal key of another store."""
    (data / "seal.key").unlink()
    load_or_create(data / "seal.key")


def newer(data: Path, other: Path) -> None:
    """The base of the log as a much later server writes it."""
    (data / BASE).write_bytes(b"VALKEY999" + bytes(64))


TROUBLES = {
    "log_damaged": (zeros, "The append-only file is damaged"),
    "log_emptied": (lambda data, _: (data / LOG).write_bytes(b""), "its data is gone or damaged"),
    "log_missing": (
        lambda data, _: (data / LOG).unlink(),
        "A file that the append-only manifest names is missing",
    ),
    "manifest_missing": (lambda data, _: (data / MANIFEST).unlink(), "a server would start empty"),
    "marker_damaged": (lambda data, _: (data / "store.json").write_bytes(b"{"), "The marker file"),
    "marker_foreign": (
        lambda data, other: shutil.copy(other / "store.json", data),
        "files of two stores were mixed",
    ),
    "key_missing": (lambda data, _: (data / "seal.key").unlink(), "The seal key file"),
    "key_of_another": (other_key, "Copy the key file from a node that has it"),
    "key_exposed": (lambda data, _: (data / "seal.key").chmod(0o644), "can be read by others"),
    "written_by_a_later_server": (newer, "written by a newer server than this one"),
}
"""What was done to a data directory, and words of the sentence that says so."""


@pytest.mark.parametrize("trouble", TROUBLES)
def test_told_in_words(template: Path, tmp_path: Path, run: Run, trouble: str) -> None:
    """A data directory that cannot be used ends with 1 and one line that says why, and stays as it is."""
    data = shutil.copytree(template / "data", tmp_path / "data")
    spoil, words = TROUBLES[trouble]
    spoil(data, template / "other")
    found = {path: path.read_bytes() for path in data.rglob("*") if path.suffix in {".aof", ".json", ".key"}}
    code, out, err = run(f"keys list --data {data}")
    assert (code, out) == (1, "")
    assert err.startswith("croupier: ")
    assert err.count("\n") == 1
    assert words.lower() in err.lower()
    assert {path: path.read_bytes() for path in found} == found
    assert servers_in(tmp_path) == []


def test_service(template: Path, tmp_path: Path) -> None:
    """The service says the same of a damaged store, and ends with 1."""
    data = shutil.copytree(template / "data", tmp_path / "data")
    zeros(data, template)
    done = croupier("serve", "--port", "0", "--data", data)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("croupier: The append-only file is damaged")
    assert done.stderr.count("\n") == 1


async def fill(data: Path) -> Path:
    """Put all that is stored into the base of the log, and let the part that grows be a full disk."""
    async with opened_store(StoreSettings(data=data)) as store:
        await store.redis.bgrewriteaof()
        while (await store.redis.info("persistence"))["aof_rewrite_in_progress"]:
            await asyncio.sleep(0.02)
    (log,) = (data / "appendonlydir").glob("*.incr.aof")
    log.unlink()
    log.symlink_to("/dev/full")
    return log


def test_started_on_a_full_disk(template: Path, tmp_path: Path, serve: Serve) -> None:
    """A service whose first write finds the disk full ends with 1, and its last line says that."""
    asyncio.run(fill(shutil.copytree(template / "data", tmp_path / "data")))
    service = serve(before=IMPATIENT)
    service.launch()
    assert service.wait() == 1
    assert service.err.read_text().splitlines()[-1].startswith("croupier: The disk is full.")


def test_disk_full(serve: Serve) -> None:
    """A full disk stops play and not the service: 503 and why, until there is room; nothing is lost."""
    service = serve(before=IMPATIENT)
    host = service.key()
    assert service.start().stop() == 0
    log = asyncio.run(fill(service.data))
    service.start()
    until(lambda: "disk_full" in health(service))
    status, problem = service.ask("/v1/accounts", host, {}, "once")
    assert (status, problem["code"]) == (503, "unavailable")
    until(lambda: troubles(service) == {"disk_full"})
    for _ in range(40):  # over several restarts of the server, which answers until its next write
        status, problem = service.ask("/readyz")
        assert (status, problem["params"]["reason"]) == (503, "disk_full")
    log.unlink()
    log.touch(mode=0o600)
    until(lambda: service.ask("/v1/accounts", host, {}, "once")[0] == 201)
    assert len(service.seen("/v1/accounts", host)["accounts"]) == 1
    until(lambda: service.ask("/readyz")[0] == 200)
    until(lambda: figure(service, "croupier_store_up") == 1 and not troubles(service))
    assert service.stop() == 0
