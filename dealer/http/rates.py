"""How often somebody may ask: a key, an address, at a table; beyond it 429 with `Retry-After` (fairness S-8).

Each process counts by itself, in memory. A rate has a burst of two seconds' worth: whoever was quiet may ask
that often at once, and then at the rate itself.
"""

import math
import time
from collections.abc import Mapping

from dealer.http.keyring import KeyRecord, Role
from dealer.http.limits import BURST_S, CALLERS, GUESSES, Bounds, Reason
from dealer.http.problems import Problem

FULL = math.inf
_KEY_BOUND: Mapping[Role, Reason] = {"auditor": "key_rate", "host": "host_rate", "player": "key_rate"}


class Rate:
    """So many a second for each of many callers.

    All that is kept of a caller is when he will be as if he had never asked; one for whom that is past is
    forgotten when there are too many.

    Args:
        per_second: what each may have.
    """

    def __init__(self, per_second: int) -> None:
        self._step = 1 / per_second
        self._slack = BURST_S - self._step / 2  # half a turn to spare, so that no rounding takes one away
        self._even: dict[str, float] = {}
        self._swept = -math.inf

    def take(self, caller: str, now: float) -> float:
        """Take one turn.

        Returns:
            Nought if it was there; otherwise for how many seconds there will be none, `FULL` if it cannot be
            said because there are more callers than can be remembered.
        """
        even = self._even.get(caller, 0.0)
        if even <= now:
            if len(self._even) >= CALLERS and not self._room(now):
                return FULL
            even = now
        early = even - now - self._slack
        if early > 0:
            return early
        self._even[caller] = even + self._step
        return 0.0

    def _room(self, now: float) -> bool:
        """Forget whoever can be forgotten, once a second at most; whether there is room then."""
        if now - self._swept >= 1:
            self._swept = now
            self._even = {caller: even for caller, even in self._even.items() if even > now}
        return len(self._even) < CALLERS


class Rates:
    """The rates of one process.

    What changes something is refused when nothing can be said of its caller, what only reads is let in.

    Args:
        bounds: what the operator has set.
    """

    def __init__(self, bounds: Bounds) -> None:
        others = _rate(bounds.key_rate)
        self._keys: Mapping[Role, Rate | None] = {
            "auditor": others,
            "host": _rate(bounds.host_rate),
            "player": others,
        }
        self._addresses = _rate(bounds.address_rate)
        self._tables = _rate(bounds.table_rate)
        self._guesses = Rate(GUESSES)

    def visit(self, address: str) -> None:
        """Count a request that needs no key.

        Args:
            address: whence it comes; empty for one that is not counted, as everywhere here.

        Raises:
            Problem: `rate_limited`, as of all that follow.
        """
        if address and self._addresses is not None:
            _let_read("address_rate", self._addresses.take(address, time.monotonic()))

    def guess(self, address: str) -> None:
        """Count a request with a token that is nobody's; those from uncounted addresses are one caller."""
        _let_change("guesses", self._guesses.take(address, time.monotonic()))

    def read(self, address: str, key: KeyRecord) -> None:
        """Count a request that changes nothing."""
        rate = self._keys[key.role]
        if rate is not None or address:
            now = time.monotonic()
            if rate is not None:
                _let_read(_KEY_BOUND[key.role], rate.take(key.id, now))
            if address and self._addresses is not None:
                _let_read("address_rate", self._addresses.take(address, now))

    def change(self, address: str, key: KeyRecord, table: str) -> None:
        """Count a request that may change something, at a table if it names one.

        A host's acts do not count there: he is the house.
        """
        rate = self._keys[key.role]
        if key.role == "host":
            table = ""
        if rate is None and not address and not table:
            return
        now = time.monotonic()
        if rate is not None:
            _let_change(_KEY_BOUND[key.role], rate.take(key.id, now))
        if address and self._addresses is not None:
            _let_change("address_rate", self._addresses.take(address, now))
        if table and self._tables is not None:
            _let_change("table_rate", self._tables.take(table, now))


def _rate(per_second: int) -> Rate | None:
    return Rate(per_second) if per_second else None


def _let_read(bound: Reason, wait: float) -> None:
    if 0 < wait < FULL:
        raise _later(bound, wait)


def _let_change(bound: Reason, wait: float) -> None:
    if wait:
        raise _later(bound, min(wait, BURST_S))


def _later(bound: Reason, wait: float) -> Problem:
    return Problem("rate_limited", headers={"Retry-After": str(math.ceil(wait))}, bound=bound)
