"""Killed anywhere, the evening goes on (design 1 and 5)."""

import asyncio
import http.client
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from random import Random

from dealer.rules.frame.event import Event
from dealer.rules.frame.events import ChipsBoughtIn
from ops.demo import TABLE
from tests.ops.evening import check_books, check_rounds, check_shown, on_their_way, told
from tests.ops.processes import Service, until

Serve = Callable[..., Service]
COMMANDS = f"/v1/tables/{TABLE}/commands"
CHIPS = 7
"""What the host keeps bringing to a seat; nobody else brings so few."""
MOMENTS = (
    ("betting", 0.0, 0.2),
    ("last_call", 0.0, 0.05),
    ("last_call", 0.05, 0.12),
    ("speak_", 0.0, 0.03),
    ("speak_", 0.02, 0.12),
)
"""A phase, and how long after it is seen: stakes, the last call, the deal, the words, the settlement."""


class Buyer(threading.Thread):
    """Brings chips to seat 1 again and again, each time under one key until there is a definite answer."""

    def __init__(self, service: Service, key: str) -> None:
        super().__init__()
        self._service = service
        self._key = key
        self._over = threading.Event()
        self.accepted = 0
        self.refused: set[str] = set()

    def run(self) -> None:
        """Until told that it is over."""
        number = 0
        while not self._over.wait(0.02):
            try:
                status, answer = self._service.ask(
                    COMMANDS, self._key, {"type": "buy_in", "seat": 1, "amount": CHIPS}, f"chips-{number}"
                )
            except (OSError, http.client.HTTPException):
                continue
            if status == 503:
                continue
            number += 1
            if status == 200:
                self.accepted += 1
            else:
                self.refused.add(answer["code"])

    def end(self) -> None:
        """Finish what is being asked."""
        self._over.set()
        self.join()


@contextmanager
def buying(service: Service, key: str) -> Iterator[Buyer]:
    """Somebody buys in all the while."""
    buyer = Buyer(service, key)
    buyer.start()
    try:
        yield buyer
    finally:
        buyer.end()


def reach(service: Service, key: str, phase: str) -> None:
    """Wait until the table is in a phase whose name begins so."""

    def reached() -> bool:
        status, shown = service.ask(f"/v1/tables/{TABLE}", key)
        return status == 200 and bool(shown["phase"].startswith(phase))

    until(reached, 0.002)


def go_on(service: Service, key: str, after: int) -> None:
    """Wait until something happens at the table after an event."""
    until(lambda: told(service, key, after))


def play_on(service: Service, key: str, coup: int) -> None:
    """Wait until a later coup is under way."""
    until(lambda: told(service, key)[-1].round > coup)


def test_kills(serve: Serve) -> None:
    """Design 5 and 7, S-5: killed ten times, in every part of a coup, the service and its Valkey go on.

    It is the same table, nothing that was told is lost, every coup is whole, every buy-in was made once, and
    the chips at the table are those that the cage gave it.
    """
    chance = Random(20)  # noqa: S311 - moments, the same in each run
    service = serve("--demo", "--pace", "20")
    key = service.key()
    service.start()
    reach(service, key, "betting")
    known: list[Event] = []
    with buying(service, key) as buyer:
        for (phase, first, last), victim in product(MOMENTS, ("service", "valkey")):
            reach(service, key, phase)
            known += told(service, key, len(known) - 1)
            time.sleep(chance.uniform(first, last))
            if victim == "service":
                service.kill()
                service.start()
            else:
                os.kill(service.valkey(), signal.SIGKILL)
            go_on(service, key, len(known) - 1)
            whole = told(service, key)
            assert whole[: len(known)] == known
            check_shown(service, key, whole)
            known = whole
    play_on(service, key, known[-1].round)
    until(lambda: not on_their_way(service, key))
    assert service.stop() == 0
    events, _ = asyncio.run(check_books(service.data))
    assert events[: len(known)] == known
    assert check_rounds(events) > len(MOMENTS)
    bought = [e for e in events if type(e.data) is ChipsBoughtIn and e.data.amount == CHIPS]
    assert len(bought) == buyer.accepted > 0
    assert buyer.refused <= {"hold_expired"}
