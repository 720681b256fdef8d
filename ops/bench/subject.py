"""What is measured: anything that answers commands durably over HTTP, and the yardstick as one such thing."""

import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Protocol

import msgspec

from ops.bench.plan import MANY_TABLES, Kind, Plan, Template
from ops.bench.processes import first_line, spawn, stop


class Started(msgspec.Struct, frozen=True, gc=False):
    """A subject that accepts requests.

    Attributes:
        pids: Every process of the subject whose CPU time counts, Valkey's not among them.
        port: Its HTTP port on 127.0.0.1.
    """

    pids: tuple[int, ...]
    port: int


class Subject(Protocol):
    """A server that can be started against an empty Valkey, loaded and stopped, again and again.

    Each measurement is one start, one plan, one stop, so nothing a subject keeps may outlive `stop`.
    """

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    @property
    def once(self) -> bool:
        """Whether a plan may be sent only once; the load then ends with it, if not with its time."""
        ...

    async def start(self, valkey_socket: Path, core: int | None) -> Started:
        """Start on the given core (None: anywhere) and return once requests are accepted."""
        ...

    async def plan(self, kind: Kind) -> Plan:
        """Make whatever the load needs (tables, seats, tokens) and say what is to be sent.

        Every request of the plan must be answered with 2xx, however often it is sent under fresh keys, from
        the first to the last second; of a plan for once, if they are sent in its order.
        """
        ...

    async def stop(self) -> None:
        """End every process of the subject; also after a start that failed half-way."""
        ...


class YardstickSubject:
    """The yardstick, one stream a table, one template a table."""

    name = "yardstick"
    once = False
    module = "ops.bench.yardstick"
    """What is run."""

    def __init__(self) -> None:
        self._process: Process | None = None

    async def start(self, valkey_socket: Path, core: int | None) -> Started:
        """Run the module on a free port."""
        command = (sys.executable, "-m", self.module, "--socket", str(valkey_socket))
        self._process = await spawn(core, *command, stdout=PIPE)
        return Started(pids=(self._process.pid,), port=int(await first_line(self._process)))

    async def plan(self, kind: Kind) -> Plan:
        """The same stake on each of many tables, or on one; the yardstick needs no seats and no tokens."""
        body = msgspec.Raw(b'{"type":"stake","seat":1,"on":"right","amount":1}')
        tables = MANY_TABLES if kind == "many_tables" else 1
        return tuple(
            Template(body=body, headers={}, path=f"/v1/tables/{number}/commands") for number in range(tables)
        )

    async def stop(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            await stop(self._process)
            self._process = None
