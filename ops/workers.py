"""Several service processes behind one address.

One process opens the listening socket and keeps as many workers going as asked for; each worker is a
whole service of its own and takes connections from that socket. No worker owns a table, so it does
not matter which one a request meets.
"""

import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from types import FrameType

import structlog

from ops.settings import Settings
from ops.stopping import heeded

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 10.0
STEADY_S = 10.0
"""A worker that lived this long was well: the next one starts without delay."""

log = structlog.get_logger()


class PortTaken(Exception):
    """The address cannot be listened on; the message says why in words."""


def listening(settings: Settings) -> socket.socket:
    """The socket the service listens on.

    Raises:
        PortTaken: the address is in use, or not this machine's.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=1024)
    except (TypeError, UnicodeError) as trouble:
        raise PortTaken(f"Cannot listen on {settings.host!a}: that is no name of a machine.") from trouble
    except OSError as trouble:
        reason = trouble.strerror or str(trouble)
        raise PortTaken(f"Cannot listen on {settings.host} port {settings.port}: {reason}.") from trouble


def address_of(listener: socket.socket) -> str:
    """Where the socket is reached, such as `http://127.0.0.1:8080`."""
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


class Workers:
    """Keeps `count` processes going, each doing `work`, until told to stop.

    Forks before any event loop or thread exists in this process, and never starts one.

    Args:
        count: how many.
        work: what each does, given its number from 0 on; whoever replaces a dead one gets the same.
        gone: told the number of each one that has ended.
    """

    def __init__(self, count: int, work: Callable[[int], int], gone: Callable[[int], None]) -> None:
        self._count = count
        self._work = work
        self._gone = gone
        self._born: dict[int, tuple[int, float]] = {}
        self._heeded = heeded()
        self._stopping = False
        self._pause = FIRST_PAUSE_S

    def run(self) -> int:
        """Returns when every worker has ended: 0 after a stop, 1 if none could ever start."""
        for number in self._heeded:
            signal.signal(number, self._stop)
        for place in range(self._count):
            self._fork(place)
        while self._born:
            pid, status = os.wait()
            place, born = self._born.pop(pid)
            lived = time.monotonic() - born
            code = os.waitstatus_to_exitcode(status)
            self._gone(place)
            if self._stopping:
                continue
            if code == 1 and lived < STEADY_S and not self._born:
                return 1
            log.error("worker_ended", pid=pid, code=code)
            self._pause = FIRST_PAUSE_S if lived >= STEADY_S else min(2 * self._pause, LONGEST_PAUSE_S)
            time.sleep(self._pause)
            self._fork(place)
        return 0

    def _fork(self, place: int) -> None:
        if self._stopping:
            return
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            for number in self._heeded:
                signal.signal(number, signal.SIG_DFL)
            os._exit(self._work(place))
        self._born[pid] = place, time.monotonic()
        if self._stopping:  # told so while this one was being made
            os.kill(pid, signal.SIGTERM)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True
        for pid in self._born:
            os.kill(pid, signal.SIGTERM)
