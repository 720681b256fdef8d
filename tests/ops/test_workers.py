"""Several processes behind one address serve the same tables (design 5)."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

from tests.ops.processes import Service, children, until

Serve = Callable[..., Service]
TABLE = {"game": "bacara", "profile": "seed", "mode": "dos-panos", "options": {"betting_ms": 0}}


def test_any_worker_serves_any_table(serve: Serve) -> None:
    """Commands of one table that meet different processes make one log, each of them once."""
    service = serve("--workers", "2").start()
    key = service.key()
    table = service.made("/v1/tables", key, TABLE)["table"]
    account = service.made("/v1/accounts", key, {})["account"]
    service.made("/v1/transfers", key, {"from": "house", "to": account, "amount": 1000})
    commands = f"/v1/tables/{table}/commands"
    service.made(commands, key, {"type": "sit", "seat": 1, "account": account})
    service.made(commands, key, {"type": "buy_in", "seat": 1, "amount": 1000})
    until(lambda: service.seen(f"/v1/tables/{table}", key)["phase"] == "betting")
    for _ in range(40):  # each over a connection of its own, which either process may take
        service.made(commands, key, {"type": "stake", "seat": 1, "on": "right", "amount": 1})
    shown = service.seen(f"/v1/tables/{table}", key)
    assert shown["stakes"] == [{"on": "right", "seat": 1, "amount": 40}]
    assert shown["chips"]["stack:1"] == 960
    assert service.stop() == 0


def test_a_killed_worker_is_replaced(serve: Serve) -> None:
    """The address goes on answering, and two processes stand behind it again."""
    service = serve("--workers", "2").start()
    until(lambda: len(children(service.pid)) == 2)
    first = children(service.pid)
    os.kill(first[0], signal.SIGKILL)
    until(lambda: len(children(service.pid)) == 2 and first[0] not in children(service.pid))
    assert service.seen("/readyz")["ready"] is True
    assert service.stop() == 0


def test_workers_do_not_outlive_their_parent(serve: Serve) -> None:
    """Workers whose parent was killed drain and end by themselves: nobody else could stop them."""
    service = serve("--workers", "2").start()
    until(lambda: len(children(service.pid)) == 2)
    workers = children(service.pid)
    service.kill()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
