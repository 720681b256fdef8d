"""`croupier backup`, and the restore that docs/operating.md describes (fairness S-12, S-36)."""

import asyncio
import contextlib
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from redis.client import Redis
from redis.exceptions import ResponseError

from ops.backup.aof import copy_log
from ops.valkey.client import client, end
from ops.valkey.embedded import start
from ops.valkey.store import open_store
from tests.journal.server import binaries
from tests.ops.conftest import Run
from tests.ops.processes import Service, until, valkey

Serve = Callable[..., Service]
DURABLE = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
PATIENT = {"betting_ms": 0, "last_call_ms": 0, "speak_ms": 0, "banker_ms": 0, "between_rounds_ms": 0}
GUESTS = {1: "right", 11: "left"}
SENDING = {"valkey": "yes", "redis": "no"}
"""A server sends a snapshot of unknown length as it makes it, or makes a file of it first."""


def opened(service: Service, host: str) -> str:
    """A table with two guests who have chips; its path."""
    body = {"game": "bacara", "profile": "seed", "mode": "dos-panos", "options": PATIENT}
    table = f"/v1/tables/{service.made('/v1/tables', host, body)['table']}"
    for seat in GUESTS:
        account = service.made("/v1/accounts", host, {})["account"]
        service.made("/v1/transfers", host, {"from": "house", "to": account, "amount": 1000})
        service.made(f"{table}/commands", host, {"type": "sit", "seat": seat, "account": account})
        service.made(f"{table}/commands", host, {"type": "buy_in", "seat": seat, "amount": 1000})
    return table


def play(service: Service, host: str, table: str, coups: int) -> None:
    """Play until so many coups have ended, and into the next one until its stakes are closed."""

    def next_step() -> Any:
        shown = service.seen(table, host)
        return shown if shown["phase"] == "betting" or shown["due"] else None

    ended = service.seen(table, host)["round"] + coups
    while True:
        shown = until(next_step)
        if shown["phase"] == "betting" and not shown["stakes"]:
            if shown["round"] > ended:
                return
            for seat, on in GUESTS.items():
                stake = {"type": "stake", "seat": seat, "on": on, "amount": 10}
                service.made(f"{table}/commands", host, stake)
        for due in shown["due"]:
            service.ask(f"{table}/commands", host, {"type": "expire", "decision": due["decision"]})


def log_of(service: Service, key: str, table: str) -> list[dict[str, Any]]:
    """All events of a table."""
    events: list[dict[str, Any]] = []
    while page := service.seen(f"{table}/events?limit=500&after={len(events) - 1}", key)["events"]:
        events += page
    return events


def closed(service: Service, host: str, table: str) -> list[dict[str, Any]]:
    """All events of a table that is closed for it."""
    service.made(f"{table}/commands", host, {"type": "close_table", "now": True})
    until(lambda: service.seen(table, host)["status"] == "closed")
    return log_of(service, host, table)


def cards(events: list[dict[str, Any]]) -> list[Any]:
    """The cards that were turned, in their order, with the shuffle they belong to."""
    return [event["data"] for event in events if event["type"] == "card.exposed"]


def made(run: Run, line: str) -> dict[str, Any]:
    """What the command says of the backup it has made."""
    code, out, err = run(f"backup {line} --json")
    assert (code, err) == (0, "")
    about: dict[str, Any] = json.loads(out)
    return about


@pytest.mark.parametrize("place", ["data/tonight", "data/", "link/tonight", "data/../data/a/b"])
def test_not_into_the_data(run: Run, tmp_path: Path, place: str) -> None:
    """A backup in the data directory, by whatever way, is refused: it would be lost with what it is of."""
    (tmp_path / "data" / "appendonlydir").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "data")
    code, out, err = run(f"backup {tmp_path}/{place} --data {tmp_path}/data")
    assert (code, out) == (1, "")
    assert err.startswith("croupier: A backup in the data directory ")
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["appendonlydir"]


def checked(backup: Path) -> bool:
    """Whether the files have the digests that stand beside them."""
    sums = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    return subprocess.run(sums, cwd=backup, capture_output=True, check=False).returncode == 0


def goes_on(
    run: Run, before: list[dict[str, Any]], live: Service, restored: Service, host: str, table: str
) -> None:
    """A restored service stands where the backup was made, and deals the cards that the live one dealt."""
    assert log_of(restored, host, table)[: len(before)] == before
    play(restored, host, table, 2)
    then, now = (closed(service, host, table) for service in (live, restored))
    common = min(len(cards(then)), len(cards(now)))
    assert common > len(cards(before)) > 0
    assert cards(then)[:common] == cards(now)[:common]
    lines = restored.out.with_name("restored.jsonl")
    lines.write_text(
        "".join(f"{json.dumps(event, separators=(',', ':'), sort_keys=True)}\n" for event in now)
    )
    assert run(f"replay {lines} --json")[0] == 0


def test_restored_and_played_on(serve: Serve, run: Run, tmp_path: Path) -> None:
    """A backup made in the middle of a shoe goes on with that shoe, under the same keys, when restored."""
    live = serve()
    host = live.key()
    live.start()
    table = opened(live, host)
    play(live, host, table, 1)
    before = log_of(live, host, table)
    about = made(run, f"{tmp_path}/backup --data {live.data}")
    play(live, host, table, 2)

    backup = tmp_path / "backup"
    assert checked(backup)
    home = tmp_path / "elsewhere"
    home.mkdir()
    shutil.copytree(backup, home / "data")
    shutil.copy(live.data / "seal.key", home / "data")
    restored = Service(home)
    try:
        restored.start()
        assert restored.seen("/readyz")["service"] == about["service"]
        goes_on(run, before, live, restored, host, table)
        assert restored.stop() == 0
    finally:
        restored.kill()
    assert live.stop() == 0
    assert (about["kind"], about["engine"].split()[0]) == ("embedded", "valkey")
    assert about["store_id"] == json.loads((live.data / "store.json").read_text())["store_id"]


@contextmanager
def snapshot_served(binary: str, backup: Path, home: Path) -> Iterator[Path]:
    """A server of one's own with the snapshot restored as the document tells; its socket."""
    home.mkdir()
    shutil.copy(backup / "dump.rdb", home)
    socket = home / "v.sock"
    once = ["--port", "0", "--unixsocket", str(socket), "--save", "", "--appendonly", "no"]
    process = subprocess.Popen([binary, *once], cwd=home, stdout=subprocess.DEVNULL)
    try:
        until(socket.exists)
        with Redis(unix_socket_path=str(socket)) as redis:
            for name, value in {**DURABLE, "appendonly": "yes"}.items():
                redis.config_set(name, value)
            until(lambda: not redis.info("persistence")["aof_rewrite_in_progress"])
        yield socket
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("engine", binaries())
def test_server_of_ones_own(
    serve: Serve, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    """A backup of an external server is its snapshot; a new server that loads it goes on with the shoe."""
    monkeypatch.setattr("tests.ops.processes.server_binary", lambda: binaries()[engine])
    sending = {"repl-diskless-sync": SENDING[engine], "repl-diskless-sync-delay": "0"}
    with valkey(tmp_path / "own", {**DURABLE, **sending}) as socket:
        live = serve("--redis", f"unix://{socket}").start()
        store = f"--data {live.data} --redis unix://{socket}"
        host = run(f"keys add --role host {store}")[1].strip()
        until(lambda: live.ask("/v1/tables", host)[0] == 200)
        table = opened(live, host)
        play(live, host, table, 1)
        before = log_of(live, host, table)
        about = made(run, f"{tmp_path}/backup {store} --with-seal-key")
        play(live, host, table, 2)
        assert checked(tmp_path / "backup")
        with snapshot_served(binaries()[engine], tmp_path / "backup", tmp_path / "new") as again:
            key = tmp_path / "backup" / "seal.key"
            home = tmp_path / "elsewhere"
            home.mkdir()
            restored = Service(home, "--redis", f"unix://{again}", "--seal-key", str(key))
            try:
                restored.start()
                goes_on(run, before, live, restored, host, table)
                assert restored.stop() == 0
            finally:
                restored.kill()
        assert live.stop() == 0
    assert (about["kind"], about["engine"].split()[0]) == ("external", engine)


async def test_under_load(tmp_path: Path) -> None:
    """A copy made between appends and rewrites of the log has all that was accepted before, without a gap."""
    store = await open_store(
        data_dir=tmp_path / "data",
        redis_url=None,
        durability_declared=False,
        service_name=None,
        seal_key_files=(),
    )
    accepted = 0

    async def write() -> None:
        nonlocal accepted
        while True:
            async with store.redis.pipeline() as pipe:
                for number in range(accepted, accepted + 20):
                    pipe.xadd("log", {"event": bytes(4000)}, id=f"{number + 1}-0")
                await pipe.execute()
            accepted += 20

    async def rewrite() -> None:
        while True:
            with contextlib.suppress(ResponseError):  # one is under way
                await store.redis.bgrewriteaof()
            await asyncio.sleep(0.01)

    tasks = [asyncio.create_task(work()) for work in (write, rewrite)]
    least = []
    for number in range(8):
        seen = accepted
        while accepted < seen + 40:
            await asyncio.sleep(0.001)
        least.append(accepted)
        (tmp_path / str(number)).mkdir()
        await copy_log(store.redis, tmp_path / "data", tmp_path / str(number))
    for task in tasks:
        await end(task)
    await store.close()
    for number, acknowledged in enumerate(least):
        copy = await start(tmp_path / str(number))
        async with client(copy.path, retry=False) as redis:
            entries: Any = await redis.xrange("log")
        await copy.stop()
        ids = [int(entry.split(b"-")[0]) for entry, _ in entries]
        assert ids == list(range(1, len(ids) + 1))
        assert len(ids) >= acknowledged


def test_what_is_in_it(serve: Serve, run: Run, tmp_path: Path) -> None:
    """S-12: a backup is closed to others and holds no seal key unless asked; damage to a file shows."""
    service = serve()
    service.key()
    secret = (service.data / "seal.key").read_text().strip()
    about = made(run, f"{tmp_path}/plain --data {service.data}")
    code, out, err = run(f"backup {tmp_path}/with --data {service.data} --with-seal-key")
    assert (code, err) == (0, "")
    assert all(about[name] in out for name in ("store_id", "service", "seal_key"))
    found = {
        name: {str(path.relative_to(tmp_path / name)) for path in (tmp_path / name).rglob("*")}
        for name in ("plain", "with")
    }
    assert found["with"] - found["plain"] == {"seal.key"}
    assert found["plain"] > {"SHA256SUMS", "appendonlydir", "backup.json", "store.json"}
    assert (tmp_path / "with" / "seal.key").read_text().strip() == secret
    for path in (tmp_path / "plain", *(tmp_path / "plain").rglob("*")):
        assert path.stat().st_mode & 0o077 == 0
        assert not path.is_file() or secret.encode() not in path.read_bytes()
    assert json.loads((tmp_path / "plain" / "backup.json").read_text()) == about
    log = next((tmp_path / "plain" / "appendonlydir").glob("*.incr.aof"))
    raw = bytearray(log.read_bytes())
    raw[len(raw) // 2] ^= 1
    log.write_bytes(raw)
    assert not checked(tmp_path / "plain")
    assert checked(tmp_path / "with")


@pytest.mark.parametrize("engine", binaries())
def test_moving_house(serve: Serve, run: Run, tmp_path: Path, engine: str) -> None:
    """The log of an embedded backup is read by a server of one's own as it is, a Redis among them."""
    service = serve()
    service.key()
    about = made(run, f"{tmp_path}/backup --data {service.data}")
    socket = tmp_path / "v.sock"
    options = ["--port", "0", "--unixsocket", str(socket), "--appendonly", "yes"]
    process = subprocess.Popen(
        [binaries()[engine], *options], cwd=tmp_path / "backup", stdout=subprocess.DEVNULL
    )
    try:
        until(socket.exists)
        with Redis(unix_socket_path=str(socket)) as redis:
            assert redis.hget("meta", "store_id") == about["store_id"].encode()
    finally:
        process.kill()
        process.wait()


def test_refused(serve: Serve, run: Run, tmp_path: Path) -> None:
    """What cannot be backed up, or not there, ends with 1 and words, and leaves nothing behind."""
    service = serve()
    service.key()
    (tmp_path / "taken").touch()
    for place, words in (
        ("taken", "There is something called"),
        ("taken/below", "The backup cannot be made in"),
        ("no/such/parent", "The backup cannot be made in"),
    ):
        code, out, err = run(f"backup {tmp_path}/{place} --data {service.data}")
        assert (code, out) == (1, "")
        assert err.startswith(f"croupier: {words}")
    code, _, err = run(f"backup {tmp_path}/copy --data {tmp_path}/nowhere")
    assert (code, err.startswith("croupier: There is no store in ")) == (1, True)
    assert {path.name for path in tmp_path.iterdir()} <= {"data", "err", "out", "taken"}


def test_damage_is_not_copied(serve: Serve, run: Run, tmp_path: Path) -> None:
    """A store whose file was damaged under its server gives no backup that looks like one."""
    service = serve().start()
    log = next((service.data / "appendonlydir").glob("*.incr.aof"))
    with log.open("r+b") as file:
        file.seek(log.read_bytes().index(b"HSET") - 8)
        file.write(bytes(16))
    code, out, err = run(f"backup {tmp_path}/copy --data {service.data}")
    assert (code, out) == (1, "")
    assert "do not pass valkey-check-aof" in err
    assert not [path for path in tmp_path.iterdir() if "copy" in path.name]


def test_no_right_to_a_snapshot(run: Run, tmp_path: Path) -> None:
    """A user who may not ask for a snapshot is told what it takes, and nothing is left behind."""
    with valkey(tmp_path / "own", DURABLE) as socket:
        with Redis(unix_socket_path=str(socket)) as redis:
            redis.acl_setuser(
                "casa", enabled=True, passwords=["+pw"], keys=["*"], commands=["+@all", "-sync"]
            )
        line = f"backup {tmp_path}/copy --data {tmp_path}/home --redis unix://casa:pw@{socket}"
        code, out, err = run(line)
    assert (code, out) == (1, "")
    assert "+sync" in err
    assert not [path for path in tmp_path.iterdir() if "copy" in path.name]
