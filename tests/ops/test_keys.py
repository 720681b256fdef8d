"""`croupier keys`: made, listed and revoked, with a running service or without one (fairness S-2)."""

import json
from collections.abc import Callable

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
    """Keys can be made before the first start; a server that was started for it does not stay."""
    service = serve()
    code, token, _ = run(f"keys add --role player --account acc_1 --ttl 60 --data {service.data}")
    assert code == 0
    assert servers_in(service.data) == []
    _, listed, _ = run(f"keys list --data {service.data}")
    assert listed.split()[1:] == ["player", "acc_1"]
    assert token.strip() not in listed
    service.start()
    assert service.ask("/v1/tables", token.strip())[0] == 200
    assert service.ask("/v1/accounts", token.strip())[0] == 403


def test_no_token_is_kept(serve: Serve) -> None:
    """S-2: of the tokens that were issued, none stands in any file of the store, any log or output."""
    service = serve().start()
    keys = [service.key(), service.key("auditor")]
    service.made("/v1/accounts", keys[0], {})
    assert service.ask("/v1/accounts", keys[0] + "x", {})[0] == 401
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
