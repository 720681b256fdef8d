"""`croupier keys`: made, listed and revoked, with a running service or without one (fairness S-2)."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from dealer.http.keyring import STORED, Keyring
from ops.service import opened_store
from ops.settings import StoreSettings
from tests.ops.conftest import Run
from tests.ops.processes import Service, croupier, until
from tests.valkey.conftest import servers_in

Serve = Callable[..., Service]


def test_life_of_a_key(serve: Serve, run: Run) -> None:
    """A key made beside a running service opens its doors, is listed, and once revoked is refused soon."""
    service = serve().start()
    server = service.valkey()
    done = croupier("keys", "add", "--role", "auditor", "--name", "anna", "--json", "--data", service.data)
    assert (done.returncode, done.stderr) == (0, "")
    made = json.loads(done.stdout)
    assert set(made) == {"id", "key", "role"}
    assert made["role"] == "auditor"
    until(lambda: service.ask("/v1/tables", made["key"])[0] == 200)
    (listed,) = json.loads(run(f"keys list --json --data {service.data}")[1])
    assert (listed["id"], listed["name"], listed["role"]) == (made["id"], "anna", "auditor")
    assert run(f"keys revoke {made['id']} --data {service.data}") == (0, "", "")
    until(lambda: service.ask("/v1/tables", made["key"])[0] == 401)
    again = run(f"keys revoke {made['id']} --data {service.data}")
    assert again == (1, "", f"croupier: There is no key {made['id']}.\n")
    assert service.valkey() == server
    assert service.stop() == 0


def test_without_a_service(serve: Serve, run: Run) -> None:
    """Keys can be made while no service runs; a server that was started for it does not stay."""
    service = serve()
    host = service.key()
    account = service.start().made("/v1/accounts", host, {})["account"]
    assert service.stop() == 0
    code, token, _ = run(f"keys add --role player --account {account} --ttl 60 --data {service.data}")
    assert code == 0
    assert servers_in(service.data) == []
    _, listed, _ = run(f"keys list --data {service.data}")
    assert [line.split()[1:] for line in listed.splitlines()] == [["host", "-"], ["player", account]]
    assert token.strip() not in listed
    service.start()
    assert service.ask("/v1/tables", token.strip())[0] == 200
    assert service.ask("/v1/accounts", token.strip())[0] == 403


@pytest.mark.parametrize("command", ["list", "add --role host", "revoke key_1"])
@pytest.mark.parametrize("found", [None, "empty", "letters"])
def test_without_a_store(tmp_path: Path, run: Run, command: str, found: str | None) -> None:
    """Where no store is, none is made by a mistyped `--data`: 1, words that name it, nothing touched."""
    data = tmp_path / "data"
    if found is not None:
        data.mkdir(mode=0o755)
    if found == "letters":
        (data / found).write_text("dear Ana", encoding="ascii")
    code, out, err = run(f"keys {command} --data {data}")
    assert (code, out) == (1, "")
    assert err.startswith(f"croupier: There is no store in '{data}'. ")
    assert data.exists() == (found is not None)
    if found is not None:
        assert [path.name for path in data.iterdir()] == [found] * (found == "letters")
        assert data.stat().st_mode & 0o777 == 0o755


def test_without_a_directory_of_ones_own(run: Run, tmp_path: Path) -> None:
    """A server of one's own needs no data directory here (`--redis`)."""
    code, _, err = run(f"keys list --data {tmp_path}/data --redis unix://{tmp_path}/nowhere")
    assert code == 1
    assert "There is no store" not in err
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("written", [False, True], ids=["no book", "a book"])
def test_account_that_nobody_opened(serve: Serve, run: Run, written: bool) -> None:
    """Design 7: a player's key acts for an account of the cage; for one that is none, no key is made."""
    service = serve()
    host = service.key()
    service.start()
    if written:
        account = service.made("/v1/accounts", host, {})["account"]
        assert run(f"keys add --role player --account {account} --data {service.data}")[0] == 0
    code, out, err = run(f"keys add --role player --account acc_nobody --data {service.data}")
    assert (code, out) == (1, "")
    assert err.startswith("croupier: There is no account acc_nobody.")
    listed = json.loads(run(f"keys list --json --data {service.data}")[1])
    assert [each["role"] for each in listed] == ["host", "player"][: 1 + written]


@pytest.mark.parametrize("name", ["a\x1b[2Jb", "two\nlines", "a\tb", "\udcff", "\u202e", "x" * 101])
def test_names_that_are_none(run: Run, tmp_path: Path, name: str) -> None:
    """S-16: a name that would move a terminal's cursor, or is no text, is refused; a plain one is not."""
    code, out, err = run(f"keys add --role host --data {tmp_path}/data --name", name)
    assert (code, out) == (2, "")
    assert "--name" in err
    assert not (tmp_path / "data").exists()


def test_list(serve: Serve, run: Run) -> None:
    """S-2, S-16: the list marks keys whose life is over, and prints no character that moves a cursor."""
    service = serve()

    async def make() -> None:
        async with opened_store(StoreSettings(data=service.data)) as store:
            keyring = Keyring(store.redis)
            old, _ = await keyring.add("host", name="old", ttl_s=1)
            ended = replace(old, id="key_0", created_at=1, expires_at=2, name="\x1b[2J\nx")
            later = replace(old, id="key_1", created_at=old.created_at + 1, expires_at=0, name="Ana Ñ")
            for digest, record in (("0" * 64, ended), ("1" * 64, later)):
                await store.redis.hset(STORED, digest, msgspec.json.encode(record))

    asyncio.run(make())
    until(lambda: "(expired) old" in run(f"keys list --data {service.data}")[1])
    lines = run(f"keys list --data {service.data}")[1].splitlines()
    assert [line.split(maxsplit=3)[2:] for line in lines] == [
        ["-", "(expired) ?[2J?x"],
        ["-", "(expired) old"],
        ["-", "Ana Ñ"],
    ]


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_key_that_cannot_be_told(serve: Serve, run: Run, unbuffered: str) -> None:
    """S-2: if its token cannot be printed no key is left behind that nobody has."""
    service = serve()
    service.key()
    with Path("/dev/full").open("w", encoding="ascii") as full:
        for command in (("add", "--role", "auditor"), ("list",)):
            done = croupier("keys", *command, "--data", service.data, out=full, PYTHONUNBUFFERED=unbuffered)
            assert (done.returncode, done.stderr) == (1, "croupier: No space left on device.\n")
    listed = json.loads(run(f"keys list --json --data {service.data}")[1])
    assert [each["role"] for each in listed] == ["host"]


def test_no_token_is_kept(serve: Serve) -> None:
    """S-2: of the tokens that were issued, none stands in any file of the store, any log or output."""
    service = serve().start()
    keys = [service.key(), service.key("auditor")]
    service.made("/v1/accounts", keys[0], {})
    # Until the service has read its key, whoever waits for that has guessed too often.
    until(lambda: service.ask("/v1/accounts", keys[0] + "x", {})[0] == 401)
    assert service.stop() == 0
    files = [path for path in service.data.parent.rglob("*") if path.is_file()]
    assert {"out", "err", "valkey.log"} < {path.name for path in files}
    written = b"".join(path.read_bytes() for path in files)
    assert b"auditor" in written
    assert not [key for key in keys if key.removeprefix("crp_").encode() in written]


def test_store_away(serve: Serve, run: Run) -> None:
    """A store that cannot be opened ends the command with 1 and words."""
    service = serve().start()
    with service.without_store():
        code, out, err = run(f"keys list --data {service.data}")
    assert (code, out) == (1, "")
    assert err.startswith("croupier: The store's manifest ")
