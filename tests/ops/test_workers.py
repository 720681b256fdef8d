"""Several processes behind one address serve the same tables (design 5)."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ops.processes import Service, children, until

pytestmark = pytest.mark.usefixtures("counted")
Serve = Callable[..., Service]
TABLE = {"game": "bacara", "profile": "seed", "mode": "dos-panos", "options": {"betting_ms": 0}}


def test_any_worker_serves_any_table(serve: Serve) -> None:
    """Commands of one table that meet different processes make one log, each of them once."""
    service = serve("--workers", "2")
    key = service.key()
    service.start()
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


def counted(service: Service, name: str) -> float:
    """What a scrape, which any worker may answer, says of a series."""
    (line,) = [line for line in service.seen("/metrics").splitlines() if line.startswith(f"{name} ")]
    return float(line.split()[1])


def test_a_scrape_answers_for_all_workers(serve: Serve) -> None:
    """S-22: figures are those of all workers, whichever is asked; what a dead one counted stays counted."""
    service = serve("--workers", "2")
    host = service.key()
    service.start()
    until(lambda: len(children(service.pid)) == 2)
    accepted = 'croupier_commands_total{code="accepted",type="open_account"}'
    for _ in range(30):  # each over a connection of its own, which any worker may take
        service.made("/v1/accounts", host, {})
    until(lambda: {counted(service, accepted) for _ in range(12)} == {30})
    until(lambda: {counted(service, "croupier_append_seconds_count") for _ in range(12)} == {30})
    table = service.made("/v1/tables", host, TABLE)["table"]
    listening = []  # an answer that nobody keeps is one whose connection is closed
    for connection in [service.connect() for _ in range(6)]:
        given = {"Authorization": f"Bearer {host}", "Accept": "text/event-stream"}
        connection.request("GET", f"/v1/tables/{table}/events", headers=given)
        listening.append(connection.getresponse())
        assert listening[-1].status == 200
    until(lambda: counted(service, "croupier_listeners") == 6)
    for worker in children(service.pid):
        os.kill(worker, signal.SIGKILL)
    for answer in listening:
        answer.close()
    until(lambda: counted(service, "croupier_listeners") == 0)
    until(lambda: len(children(service.pid)) == 2)
    service.made("/v1/accounts", host, {})
    until(lambda: {counted(service, accepted) for _ in range(12)} == {31})
    assert {counted(service, "croupier_store_up") for _ in range(12)} == {1}
    assert service.stop() == 0


def test_workers_do_not_outlive_their_parent(serve: Serve) -> None:
    """Workers whose parent was killed drain and end by themselves: nobody else could stop them."""
    service = serve("--workers", "2").start()
    until(lambda: len(children(service.pid)) == 2)
    workers = children(service.pid)
    service.kill()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
