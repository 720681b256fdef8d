"""What the croupier says of its own work. The house makes metrics of it; the default listens to nothing."""

from collections.abc import Sequence

from dealer.rules.frame.event import Event


class Hooks:
    """Override what is of interest; all methods are called on the event loop and must not wait."""

    def answered(self, command: object, code: str) -> None:
        """A command was answered with this code.

        Whoever counts refusals must not tell those of a `HIDDEN` command apart, neither by its type nor by
        the code: they say which cards somebody holds.
        """

    def appended(self, commands: int, events: int, seconds: float) -> None:
        """One append became durable."""

    def conflicted(self) -> None:
        """Another node was faster; the commands are decided again."""

    def told(self, events: Sequence[Event]) -> None:
        """These events are durable and were told to all listeners."""

    def rang(self, kind: str, late_ms: int) -> None:
        """A deadline of this kind was acted upon, so many milliseconds late."""

    def queued(self, change: int) -> None:
        """So many more (or fewer) commands wait at the desks of this node."""

    def listening(self, change: int) -> None:
        """So many more (or fewer) listeners follow a table of this node."""
