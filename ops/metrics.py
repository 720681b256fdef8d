"""What Prometheus sees. Labels come from closed sets: types of commands, codes, kinds of deadlines."""

import re
from collections.abc import Sequence
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)

from dealer.croupier.hooks import Hooks
from dealer.croupier.order import ACCEPTED
from dealer.rules.frame.commands import Command
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import RoundEnded

_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
_LATE = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60)
_SIZES = (1, 2, 4, 8, 16, 32, 64)
_WORD = re.compile(r"(?<!^)(?=[A-Z])")


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
    """The hooks of one node as Prometheus metrics in a registry of their own."""

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
            "croupier_queue_depth", "Commands waiting at the desks of this node.", registry=registry
        )
        self._listeners = Gauge(
            "croupier_listeners", "Listeners that follow a table live at this node.", registry=registry
        )
        self._deadlines = Counter("croupier_deadlines", "Deadlines acted upon.", ["kind"], registry=registry)
        self._late = Histogram(
            "croupier_deadline_late_seconds",
            "How late a deadline was acted upon.",
            buckets=_LATE,
            registry=registry,
        )
        self._rounds = Counter(
            "croupier_rounds", "Coups and hands that this node has seen end.", registry=registry
        )
        self._answered: dict[tuple[type, str], Counter] = {}

    def text(self) -> bytes:
        """All metrics in Prometheus's text format."""
        return generate_latest(self._registry)

    def answered(self, command: object, code: str) -> None:
        """Count an answer; the child of each pair of labels is kept, for looking it up costs more."""
        kind = type(command)
        child = self._answered.get((kind, code))
        if child is None:
            child = self._answered[kind, code] = self._commands.labels(*labels_of(kind, code))
        child.inc()

    def appended(self, commands: int, events: int, seconds: float) -> None:
        """Observe an append."""
        self._append.observe(seconds)
        self._batch.observe(commands)
        self._events.inc(events)

    def conflicted(self) -> None:
        """Count a conflict."""
        self._conflicts.inc()

    def told(self, events: Sequence[Event]) -> None:
        """Count finished rounds."""
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
        self._queue.inc(change)

    def listening(self, change: int) -> None:
        """Follow the listeners."""
        self._listeners.inc(change)
