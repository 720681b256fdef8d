"""What Prometheus sees. Labels come from closed sets: types of commands, codes, kinds of deadlines.

Several workers of one service keep their figures in files of one directory, so that whichever of them is
scraped answers for all: counters are sums that outlive a worker, gauges count the living (`share`). What the
others have counted in the last two seconds (`ops.sampling`) may be missing.
"""

import math
import os
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Metric,
    disable_created_metrics,
    generate_latest,
    values,
)
from prometheus_client.multiprocess import MultiProcessCollector

from dealer.croupier.hooks import Hooks
from dealer.croupier.order import ACCEPTED
from dealer.http.limits import Reason
from dealer.rules.frame.commands import Command
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import RoundEnded
from ops.valkey.serverlog import TROUBLES

_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
_LATE = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60)
_SIZES = (1, 2, 4, 8, 16, 32, 64)
REASONS: tuple[Reason, ...] = get_args(Reason)
"""Why somebody may be kept out."""
_WORD = re.compile(r"(?<!^)(?=[A-Z])")
_SHARED = "PROMETHEUS_MULTIPROC_DIR"  # where prometheus-client looks for the directory of all workers


def share(directory: Path, worker: int) -> None:
    """Let this process be one of several that answer for each other; before its `Metrics` are made.

    A worker that replaces a dead one has its number, and so goes on where its counters stood.

    Args:
        directory: the same for all of them, empty at first.
        worker: the number of this one; no other living process has it.
    """
    os.environ[_SHARED] = str(directory)
    values.ValueClass = values.MultiProcessValue(lambda: worker)  # type: ignore[no-untyped-call]


def forget(directory: Path, worker: int) -> None:
    """A worker is dead: nobody waits at its desks or listens to it any more, but what it did is done."""
    for gauges in directory.glob(f"gauge_live*_{worker}.db"):
        gauges.unlink()


def label_of(command: str) -> str:
    """The name of a command as the API writes it, from that of its class: `buy_in` for `BuyIn`."""
    return _WORD.sub("_", command).lower()


def labels_of(kind: type, code: str) -> tuple[str, str]:
    """Type and code under which an answer to a command of this class is counted.

    A refusal of what depends on a hidden face would tell that face to whoever reads the figures, so all of
    them count alike; an accepted one is in the log for everybody.
    """
    if code != ACCEPTED and issubclass(kind, Command) and kind.HIDDEN:
        return "hidden", "refused"
    return label_of(kind.__name__), code


class Metrics(Hooks):
    """The hooks of one node, and what is sampled beside them, as Prometheus metrics."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # each would be a family of its own
        self._registry = registry = CollectorRegistry()
        self._commands = Counter(
            "croupier_commands", "Commands answered.", ["type", "code"], registry=registry
        )
        self._append = Histogram(
            "croupier_append_seconds",
            "From a decision to its durable append.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._batch = Histogram(
            "croupier_append_batch", "Commands in one append.", buckets=_SIZES, registry=registry
        )
        self._events = Counter("croupier_events", "Events appended by this node.", registry=registry)
        self._conflicts = Counter(
            "croupier_append_conflicts",
            "Appends decided again because another node was faster.",
            registry=registry,
        )
        self._queue = Gauge(
            "croupier_queue_depth",
            "Commands waiting at the desks.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self._listeners = Gauge(
            "croupier_listeners",
            "Listeners that follow a table live.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self._deadlines = Counter("croupier_deadlines", "Deadlines acted upon.", ["kind"], registry=registry)
        self._late = Histogram(
            "croupier_deadline_late_seconds",
            "How late a deadline was acted upon.",
            buckets=_LATE,
            registry=registry,
        )
        self._rounds = Counter("croupier_rounds", "Coups and hands ended by this node.", registry=registry)
        self._holds = _latest("croupier_holds", "Chips on their way to a table: open holds.", registry)
        self._oldest = _latest(
            "croupier_hold_oldest_seconds", "Age of the oldest open hold, 0 if there is none.", registry
        )
        self._up = Gauge(
            "croupier_store_up",
            "1 while the store answers, 0 while it does not.",
            multiprocess_mode="livemin",
            registry=registry,
        )
        self._up.set(1)  # a worker that only starts says nothing against it
        self._uptime = _latest("croupier_store_uptime_seconds", "Age of the store's server.", registry)
        self._memory = _latest("croupier_store_memory_bytes", "Memory that the store uses.", registry)
        self._log = _latest("croupier_store_log_bytes", "Length of the store's append-only file.", registry)
        self._free = _latest(
            "croupier_data_free_bytes", "Room left on the disk of the data directory.", registry
        )
        self._free.set(math.nan)  # the disk of a server of one's own is not ours to look at
        self._trouble = Gauge(
            "croupier_embedded_trouble",
            "1 while the embedded Valkey is down for this reason.",
            ["code"],
            multiprocess_mode="livemax",
            registry=registry,
        )
        for code in TROUBLES:
            self._trouble.labels(code).set(0)
        self._refused = Counter(
            "croupier_refused",
            "Connections and requests that a bound has kept out.",
            ["reason"],
            registry=registry,
        )
        for reason in REASONS:
            self._refused.labels(reason)
        self._answered: dict[tuple[type, str], int] = {}
        self._appended = _Observed(self._append, _SECONDS), _Observed(self._batch, _SIZES)
        self._made = 0
        self._waiting = 0
        self._own = False

    def text(self) -> bytes:
        """All metrics in Prometheus's text format, those of the other workers included."""
        self.hand_over()
        directory = os.environ.get(_SHARED)
        if directory is None:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together, directory)  # type: ignore[no-untyped-call]
        return generate_latest(together)

    def families(self) -> Iterable[Metric]:
        """What is measured, for whoever describes it."""
        self.hand_over()
        return self._registry.collect()

    def hand_over(self) -> None:
        """Pass on what every command adds to: these figures are kept here in plain numbers meanwhile.

        Passed on one by one they would be a seventh of what a command costs.
        """
        for (kind, code), number in self._answered.items():
            self._commands.labels(*labels_of(kind, code)).inc(number)
        self._answered.clear()
        for observed in self._appended:
            observed.hand_over()
        self._events.inc(self._made)
        self._made = 0
        self._queue.set(self._waiting)

    def answered(self, command: object, code: str) -> None:
        """Count an answer."""
        answer = type(command), code
        self._answered[answer] = self._answered.get(answer, 0) + 1

    def appended(self, commands: int, events: int, seconds: float) -> None:
        """Observe an append."""
        took, together = self._appended
        took.add(seconds)
        together.add(commands)
        self._made += events
        self._own = events > 0

    def conflicted(self) -> None:
        """Count a conflict."""
        self._conflicts.inc()

    def told(self, events: Sequence[Event]) -> None:
        """Count finished rounds where they were appended; every node that follows the table is told."""
        if not self._own:
            return
        self._own = False  # an append is told at once, before anything else happens here
        for event in events:
            data: Any = event.data
            if type(data) is RoundEnded:
                self._rounds.inc()

    def rang(self, kind: str, late_ms: int) -> None:
        """Count a deadline and how late it was."""
        self._deadlines.labels(kind).inc()
        self._late.observe(max(0, late_ms) / 1000)

    def queued(self, change: int) -> None:
        """Follow the queues."""
        self._waiting += change

    def listening(self, change: int) -> None:
        """Follow the listeners."""
        self._listeners.inc(change)

    def holding(self, holds: int, oldest_ms: int) -> None:
        """So many holds are open, the oldest for so long."""
        self._holds.set(holds)
        self._oldest.set(oldest_ms / 1000)

    def store_answers(self, uptime_s: int, memory_bytes: int, log_bytes: int) -> None:
        """The store has told about itself."""
        self._up.set(1)
        self._uptime.set(uptime_s)
        self._memory.set(memory_bytes)
        self._log.set(log_bytes)

    def store_silent(self) -> None:
        """The store does not answer."""
        self._up.set(0)

    def room(self, free_bytes: int) -> None:
        """So much room is left where the data directory is."""
        self._free.set(free_bytes)

    def turned_away(self, reason: Reason) -> None:
        """A bound has kept somebody out."""
        self._refused.labels(reason).inc()

    def trouble(self, code: str) -> None:
        """The embedded server is down for this reason, or serves again."""
        for known in TROUBLES:
            self._trouble.labels(known).set(known == code)


class _Observed:
    """Observations that are still to be handed over to a histogram, which takes them one by one only."""

    def __init__(self, histogram: Histogram, bounds: Sequence[float]) -> None:
        self._histogram = histogram
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def add(self, value: float) -> None:
        """One more."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def hand_over(self) -> None:
        """Add all of them to the histogram."""
        buckets = self._histogram._buckets  # noqa: SLF001 - there is no other way to add many at once
        for bucket, number in zip(buckets, self._counts, strict=True):
            bucket.inc(number)
        self._histogram._sum.inc(self._sum)  # noqa: SLF001 - likewise
        self._counts = [0] * len(self._counts)
        self._sum = 0.0


def _latest(name: str, text: str, registry: CollectorRegistry) -> Gauge:
    """A gauge of what all workers see alike: whoever looked last is right."""
    return Gauge(name, text, multiprocess_mode="livemostrecent", registry=registry)
