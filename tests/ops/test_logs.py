"""The service's own log: JSON, known fields, no local value, no secret (fairness S-15, S-16, S-23, S-30)."""

import ast
import asyncio
import json
import logging
import os
import signal
import sys
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import structlog

import dealer
import ops
import shoe
from dealer.croupier.node import Node
from dealer.journal import Journal
from dealer.table.shoes import BATCH
from ops.cli import commands
from ops.logs import FIELDS
from ops.service import opened_store
from ops.settings import StoreSettings
from shoe.seal import Vault
from tests.ops.conftest import Run
from tests.ops.processes import Service, until
from tests.valkey.conftest import servers_in

pytestmark = pytest.mark.usefixtures("counted")
Serve = Callable[..., Service]
BROKEN_DESK = """
from dealer.croupier.tables import TableDesk

whole = TableDesk.decide

def broken(self, draft, order):
    seeds = dict(self.chance._seeds)
    if getattr(order.command, "seat", 0) == 5:
        raise RuntimeError("the desk is broken")
    return whole(self, draft, order)

TableDesk.decide = broken
"""
BROKEN_START = """
import ops.service

def broken(settings, store, durability):
    keys = dict(store.keys)
    raise RuntimeError("no start")

ops.service._readiness = broken
"""
OTHER_VOICES = """
import asyncio, logging, warnings
import ops.service

whole = ops.service._readiness

def talkative(settings, store, durability):
    logging.getLogger("elsewhere").error("two\\nlines of %s", "a library")
    warnings.warn("take care")
    asyncio.get_running_loop().call_exception_handler({"message": "odd", "exception": ValueError("x")})
    return whole(settings, store, durability)

ops.service._readiness = talkative
"""


async def secrets_of(data: Path, table: str) -> list[bytes]:
    """The seeds of a table that are still sealed, and the key that seals them."""
    async with opened_store(StoreSettings(data=data)) as store:
        journal = Journal(store.redis)
        await journal.open()
        node = Node(journal, store.identity.service, Vault(store.keys, store.active_key_id))
        desk = await node.table(table)
        await journal.close()
        return [*desk.chance._seeds.values(), *store.keys.values()]


def spellings(secret: bytes) -> list[bytes]:
    """How a secret would look in an output."""
    return [secret, secret.hex().encode(), b64encode(secret)[:40], repr(secret)[2:-1].encode()]


def event(log: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """The one line of a log that tells of this."""
    (line,) = [line for line in log if line["event"] == name]
    return line


def test_no_secret_gets_out(serve: Serve) -> None:
    """S-15, S-30: of what breaks the log says where; no token, seed or seal key is in it or in any output."""
    service = serve("--log-level", "debug", before=BROKEN_DESK)
    key = service.key()
    service.start()
    body = {"game": "bacara", "profile": "seed", "mode": "dos-panos"}
    table = service.made("/v1/tables", key, body)["table"]
    sitting = {"type": "seat_bot", "seat": 5, "policy": "steady"}
    status, problem = service.ask(f"/v1/tables/{table}/commands", key, sitting)
    assert (status, problem["code"]) == (500, "internal")
    assert service.stop() == 0
    failed = event(service.log(), "command_failed")
    assert failed["aggregate"] == f"t/{table}"
    assert ", in broken\nRuntimeError: " in failed["exception"]
    request = event(service.log(), "request_failed")
    assert problem["instance"] == f"urn:croupier:error:{request['error']}"
    secrets = asyncio.run(secrets_of(service.data, table))
    assert len(secrets) == BATCH + 1
    told = b"".join((service.data.parent / name).read_bytes() for name in ("out", "err", "data/valkey.log"))
    assert b"the desk is broken" in told
    assert key.encode() not in told
    assert not [secret for secret in secrets for spelling in spellings(secret) if spelling in told]


@pytest.mark.parametrize("arguments", [(), ("--demo",)])
def test_failed_start(serve: Serve, arguments: tuple[str, ...]) -> None:
    """S-15: a service that fails ends with 1 and one line of its log that says where, without any value."""
    service = serve(*arguments, before=BROKEN_START)
    service.launch()
    assert service.wait() == 1
    failed = event(service.log(), "service_failed")
    assert ", in broken\nRuntimeError: " in failed["exception"]
    assert failed["level"] == "error"
    (seal_key,) = (service.data / "seal.key").read_text(encoding="ascii").split()
    told = service.err.read_bytes()
    assert not [spelling for spelling in spellings(bytes.fromhex(seal_key)) if spelling in told]
    assert service.printed == ""
    assert (
        not arguments
        or told == f"croupier: The service failed; {service.data}/croupier.log says why.\n".encode()
    )
    assert servers_in(service.data) == []


def test_every_line_is_an_object(serve: Serve) -> None:
    """S-16: what libraries, warnings and the event loop say is in the log too, one object on one line."""
    service = serve(before=OTHER_VOICES).start()
    os.kill(service.valkey(), signal.SIGKILL)
    until(lambda: "server_back" in [line.get("code") for line in service.log()])
    assert service.stop() == 0
    log = service.log()
    assert event(log, "two\nlines of a library")["level"] == "error"
    assert "ValueError: x" in event(log, "odd")["exception"]
    assert [line for line in log if "take care" in line["event"]]
    assert all({"event", "level", "timestamp"} <= set(line) for line in log)


def test_a_log_that_cannot_be_written(serve: Serve) -> None:
    """A full disk under the log does not keep the service from bringing its Valkey back."""
    service = serve(stderr="/dev/full").start()
    os.kill(service.valkey(), signal.SIGKILL)
    until(lambda: service.ask("/readyz")[0] == 200)
    assert service.stop() == 0


def test_no_core_dumps(serve: Serve) -> None:
    """S-15: neither the service nor its Valkey leaves its memory on disk when it crashes."""
    service = serve().start()
    for pid in (service.pid, service.valkey()):
        limits = Path(f"/proc/{pid}/limits").read_text(encoding="ascii").splitlines()
        (core,) = [line for line in limits if line.startswith("Max core file size")]
        assert core.split()[4:6] == ["0", "0"]


def test_every_command_has_a_log(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-23: what any command has to log is one object a line on standard error, of known fields only."""

    def talkative(words: list[str]) -> int:
        structlog.get_logger().warning("strange", reason="odd", seed="CANARY")
        logging.getLogger("elsewhere").error("plain")
        sys.stdout.write(f"{words}\n")
        return 0

    monkeypatch.setattr(commands, "run", talkative)
    code, out, err = run("keys list")
    assert (code, out) == (0, "['keys', 'list']\n")
    strange, plain = map(json.loads, err.splitlines())
    assert (strange["event"], strange["reason"], strange["dropped"]) == ("strange", "odd", 1)
    assert (plain["event"], plain["level"]) == ("plain", "error")
    assert "CANARY" not in err


UNKNOWN_FIELDS = """
import ops.service, structlog, logging

whole = ops.service._readiness

def talkative(settings, store, durability):
    log = structlog.get_logger()
    log.warning("strange", reason="odd", seed="CANARY-1", hand=["CANARY-2"], _x="CANARY-3")
    logging.getLogger("elsewhere").error("plain", extra={"seed": "CANARY-4"}, stack_info=True)
    try:
        secret = "CANARY-" + "5"
        raise RuntimeError("broken")
    except RuntimeError:
        log.exception("failed", account="CANARY-6")
    return whole(settings, store, durability)

ops.service._readiness = talkative
"""


def test_only_known_fields(serve: Serve) -> None:
    """S-23: a field that is not on the list is dropped and counted; tracebacks have no local values."""
    service = serve(before=UNKNOWN_FIELDS).start()
    assert service.stop() == 0
    log = service.log()
    assert "CANARY" not in service.err.read_text(encoding="utf-8")
    strange, failed = event(log, "strange"), event(log, "failed")
    assert set(strange) == {"event", "level", "timestamp", "reason", "dropped"}
    assert (strange["reason"], strange["dropped"], failed["dropped"]) == ("odd", 3, 1)
    assert failed["exception"].endswith("RuntimeError: broken")
    assert event(log, "plain")["level"] == "error"


def test_every_field_that_is_logged_is_known() -> None:
    """S-23: no line of the house's own says anything that would be dropped."""
    said = set()
    for package in (dealer, ops, shoe):
        for path in Path(str(package.__file__)).parent.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                match node:
                    case ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "_log"))):
                        said |= {word.arg for word in node.keywords if word.arg}
    assert {"aggregate", "reason", "exc_info"} <= said
    assert said - {"exc_info"} <= FIELDS
