"""Installations that can be killed: one data directory, one or more services of one or more processes."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from random import Random

from tests.ops.processes import Service, until
from tests.ops.test_workers import children


class House:
    """Services on one data directory, each with a port of its own.

    Args:
        home: an empty directory.
        services: how many.
        workers: processes of each.
    """

    def __init__(self, home: Path, services: int = 1, workers: int = 1) -> None:
        self.services: list[Service] = []
        self.workers = workers
        self.data = home / "0" / "data"
        for number in range(services):
            place = home / str(number)
            place.mkdir(parents=True)
            if number:
                (place / "data").symlink_to(self.data, target_is_directory=True)
            self.services.append(Service(place, "--workers", str(workers), "--sandbox"))

    def start(self) -> None:
        """Start every service."""
        for service in self.services:
            service.start()

    def stop(self) -> None:
        """Stop every service as a good host does."""
        for service in self.services:
            assert service.stop() == 0

    def addresses(self) -> list[str]:
        """Where the services listen that are up."""
        return [f"http://127.0.0.1:{service.port}" for service in self.services if not service.ended()]

    def strike(self, victim: str, chance: Random) -> None:
        """Kill something with SIGKILL, and start again what does not come back by itself.

        Args:
            victim: `valkey`, a `worker`, a whole `service`, or `all` services.
            chance: picks which, where there are several.
        """
        match victim:
            case "valkey":
                os.kill(self.services[0].valkey(), signal.SIGKILL)
            case "worker":
                os.kill(chance.choice(children(chance.choice(self.services).pid)), signal.SIGKILL)
            case "service":
                self._again([chance.choice(self.services)])
            case _:
                self._again(self.services)

    def fell(self, services: Sequence[Service]) -> None:
        """Kill services with all their processes: the one that would replace the others first."""
        for service in services:
            workers = [] if self.workers == 1 or service.ended() else children(service.pid)
            service.kill()
            for pid in workers:
                os.kill(pid, signal.SIGKILL)
            until(lambda left=workers: not [pid for pid in left if _lives(pid)])

    def errors(self) -> str:
        """All that the services have logged."""
        return "".join(service.err.read_text(encoding="utf-8") for service in self.services)

    def _again(self, services: Sequence[Service]) -> None:
        self.fell(services)
        for service in services:
            service.start()


def _lives(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
