"""A table without a house around it, as a simulation sees it: seeded chance, no waiting, nobody real."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from dealer.rules.frame.commands import Command
from dealer.rules.frame.event import Event
from dealer.rules.frame.game import Option


class PracticeTable(Protocol):
    """What a game's simulation asks of a table; the aggregates provide one (`dealer.table.practice`)."""

    def view(self) -> Mapping[str, Any]:
        """What everybody sees, and what a bot recalls of the round."""
        ...

    def hand(self, seat: int) -> Sequence[Mapping[str, Any]]:
        """What a seat alone sees."""
        ...

    def options(self, seat: int) -> Sequence[Option]:
        """What a seat may do."""
        ...

    def give(self, seat: int, command: Command) -> Sequence[Event]:
        """A seat gives a command that has to be legal; its events."""
        ...

    def wait(self) -> Sequence[Event]:
        """Time passes until the croupier goes on by himself; the events of that."""
        ...


class OpenPractice(Protocol):
    """Opens such a table with everybody seated."""

    def __call__(
        self, game: str, profile: str, mode: str, options: Mapping[str, Any], seed: int, /
    ) -> PracticeTable:
        """A table of this game and profile; the seed gives all its chance."""
        ...
