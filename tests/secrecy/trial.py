"""What a game gives so that its secrets are tried: a table, two shoes for it, and how it is played."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from dealer.rules.frame.game import Policy

Body = dict[str, Any]
"""A command as it is sent, or an option as it was told."""
HOST = 0
"""Whoever gives a command that is no seat's."""


class Trial(Protocol):
    """One table and its script, as far as it is public: both worlds play it from the same numbers.

    Attributes:
        body: what opens the table, without its cards.
        people: chips by seat of those who have keys of their own.
        bots: chips by seat of those who are the house's.
        policy: how those play.
        shoes: cards laid on top of the first shoe, in the one world and in the other. Below them lie
            others in each, since the seeds differ.
        voids: whether at the end the round is voided, and what lay there stays unseen.
    """

    body: Mapping[str, Any]
    people: Mapping[int, int]
    bots: Mapping[int, int]
    policy: str
    shoes: tuple[Sequence[str], Sequence[str]]
    voids: bool

    def insiders(self, view: Mapping[str, Any]) -> set[int]:
        """The seats that see now what differs."""
        ...

    def over(self, view: Mapping[str, Any]) -> bool:
        """Whether whatever comes next shows everybody what differs."""
        ...

    def act(
        self, chance: random.Random, view: Mapping[str, Any], options: Mapping[int, Sequence[Body]]
    ) -> tuple[int, Body] | None:
        """A legal command, drawn at random, and whose it is; `HOST` for a host's. None while a bot thinks.

        Args:
            chance: draws alike in both worlds.
            view: what everybody sees.
            options: what each seat of people may do, as it is told them.
        """
        ...


def sent(option: Body, **more: Any) -> Body:
    """An option as a command, with what its sender adds."""
    decision = {"decision": option["decision"]} if "decision" in option else {}
    return {"type": option["type"], **option.get("fields", {}), **decision, **more}


Maker = Callable[[random.Random], Trial]
"""Draws a trial."""


class Sitting(msgspec.Struct, frozen=True):
    """A table that plays by itself.

    Attributes:
        body: what opens it; its waiting times are as short as can be, or nought where nobody is awaited.
        people: chips by seat of those who play over the doors.
        bots: chips by seat of those who are the house's.
        policy: how all of them play.
        plainly: how people play instead, where the policy goes by more than the doors show.
    """

    body: Body
    people: Mapping[int, int]
    bots: Mapping[int, int]
    policy: str
    plainly: Policy | None = None
