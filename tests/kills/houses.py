"""Installations that can be killed: services on one data directory, each of one process or several."""

import os
import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

from tests.ops.processes import Service, until


class House:
    """Services on one data directory, each at a port of its own.

    Args:
        home: a directory that does not exist yet.
        services: how many.
        workers: processes of each.
    """

    def __init__(self, home: Path, services: int = 1, workers: int = 1) -> None:
        self.services: list[Service] = []
        self.data = home / "0" / "data"
        self._workers = workers
        for number in range(services):
            place = home / str(number)
            place.mkdir(parents=True)
            if number:
                (place / "data").symlink_to(self.data, target_is_directory=True)
            self.services.append(Service(place, "--workers", str(workers), "--sandbox"))

    def start(self, services: Sequence[Service] = ()) -> None:
        """Start some services, or all of them, and wait until they listen."""
        starting = services or self.services
        with ThreadPoolExecutor(len(starting)) as hands:
            list(hands.map(Service.start, starting))

    def stop(self) -> None:
        """Let every service drain and stop."""
        assert [service.stop() for service in self.services] == [0] * len(self.services)

    def addresses(self) -> list[str]:
        """Where the services are that run."""
        return [f"http://127.0.0.1:{service.port}" for service in self.services if not service.ended()]

    def strike(self, victim: str, chance: Random) -> None:
        """Kill something, and start again what does not come back by itself.

        Args:
            victim: the `server`, a `worker`, a whole `service`, or `all` services.
            chance: picks one, where there are several.
        """
        match victim:
            case "server":
                os.kill(self.services[0].valkey(), signal.SIGKILL)
            case "worker":
                parent = chance.choice(self.services).pid
                os.kill(chance.choice(until(lambda: _workers_of(parent))), signal.SIGKILL)
            case _:
                victims = self.services if victim == "all" else [chance.choice(self.services)]
                self.fell(victims)
                self.start(victims)

    def fell(self, services: Sequence[Service] = ()) -> None:
        """Kill some services, or all of them, whole: the process first that would replace the others."""
        for service in services or self.services:
            workers = [] if self._workers == 1 or service.ended() else _workers_of(service.pid)
            service.kill()
            for pid in workers:
                with suppress(ProcessLookupError):  # it ends with its parent
                    os.kill(pid, signal.SIGKILL)
            until(partial(_gone, workers))

    def log(self) -> str:
        """All that the services have logged."""
        return "".join(service.err.read_text(encoding="utf-8") for service in self.services)


def _workers_of(pid: int) -> list[int]:
    """The processes that a service has started and that are alive."""
    started = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8")
    return [child for child in map(int, started.split()) if not _gone([child])]


def _gone(pids: Sequence[int]) -> bool:
    """Whether none of these processes is left; one that nobody has waited for has no command line."""
    for pid in pids:
        with suppress(OSError):
            if Path(f"/proc/{pid}/cmdline").read_bytes():
                return False
    return True
