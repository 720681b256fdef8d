"""What a game is to the frame: its profiles, events and commands, and the hooks the table calls.

A new game is one package with one object of this shape and one line in `dealer.rules.registry`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Command, Internal
from dealer.rules.frame.event import Data, Event, Upcasts
from dealer.rules.frame.profile import Profile
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from shoe.cards import Deck

Source = Literal["player", "host", "bot", "timeout", "automation"]


class Act(msgspec.Struct, frozen=True, gc=False):
    """A command with what the door and the clock know of it.

    Attributes:
        actor: pseudonym of whoever sent it, or `croupier`.
        source: in what capacity the decision is made; recorded in its events.
        person: pseudonym of the person it is for (differs from `actor` when a host acts).
        seat: the seat it is for, 0 for none.
        now: time of arrival, ms UTC.
    """

    command: Command | Internal
    actor: str
    source: Source
    person: str
    seat: int
    now: int

    @property
    def by(self) -> str:
        """The host to name in the events, empty when a person acts for himself."""
        return self.actor if self.source == "host" else ""


class Due(msgspec.Struct, frozen=True, gc=False):
    """Something that will be decided at `until` (ms UTC; None: it waits for ever); open since `since`.

    `kind`: `timeout` ends by `expire`, `bot` is a bot's turn, `chore` is the house's own work.
    """

    decision: str
    kind: Literal["timeout", "bot", "chore"]
    seats: tuple[int, ...]
    until: int | None
    since: int = 0


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One legal command now, to be sent as it stands: `type`, `decision` if there is one, and all `fields`.

    With bounds an `amount` from `min` to `max` comes on top; of `cut_commit` and `cut_reveal` they bound the
    cut, and `commit`, or `cut` and `reveal`, are the sender's own. `points` tells what it scores at once.
    """

    type: str
    decision: str = ""
    fields: dict[str, Any] = {}
    min: int | None = None
    max: int | None = None
    points: int | None = None


Decided = list[Data] | Refusal
Decider = Callable[[Table, Chance, Act], Decided]
Evolver = Callable[[Table, Event], Table]
Policy = Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]], Sequence[Option]], Command | None]
"""A bot: what everybody sees, its own cards, its legal commands -> the command it gives."""


class Deep(msgspec.Struct, frozen=True):
    """A bot that thinks for so long that it may not do it where others wait: the croupier sees to that."""

    choose: Policy

    def __call__(
        self, view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]], options: Sequence[Option]
    ) -> Command | None:
        """What it gives."""
        return self.choose(view, hand, options)


class Game(Protocol):
    """The hooks of one game. All are pure; `chance` is given only where hidden faces may matter.

    Attributes:
        upcasts: from each earlier version of its events to the next.
        state_type: the type of its own part of the state, `Table.play`.
        places: kinds of places where chips lie in this game, besides stacks and stakes.
    """

    id: str
    label: str
    events: tuple[type[Data], ...]
    upcasts: Upcasts
    state_type: type[msgspec.Struct]
    places: frozenset[str]
    commands: Mapping[type[Command], Decider]
    profiles: Mapping[str, Profile]

    @property
    def evolvers(self) -> Mapping[type[Data], Evolver]:
        """How the game's state follows from its events, and from the frame's where it cares."""
        ...

    @property
    def policies(self) -> Mapping[str, Policy]:
        """The bots of the game by name."""
        ...

    def check_options(self, options: Mapping[str, Any]) -> Refusal | None:
        """Refuse combinations that cannot be played (`options_conflict`)."""
        ...

    def seat_numbers(self, table: Table) -> Sequence[int]:
        """The seats the table has."""
        ...

    def reserved(self, table: Table, seat: int) -> bool:
        """Whether a seat is kept for somebody who plays elsewhere at the table meanwhile."""
        ...

    def cards(self, options: Mapping[str, Any]) -> Deck:
        """The deck that is shuffled under these options."""
        ...

    def deck(self, table: Table) -> Deck | None:
        """The deck to shuffle now, or None while no new shoe is wanted."""
        ...

    def cut_order(self, table: Table) -> Sequence[int]:
        """The seats that may cut, in the order in which they are asked; the first willing one cuts."""
        ...

    def advance(self, table: Table, chance: Chance, now: int) -> list[Data]:
        """The croupier's next step unasked; nothing when somebody is awaited."""
        ...

    def due(self, table: Table) -> Sequence[Due]:
        """What will be decided, and when."""
        ...

    def expire(self, table: Table, chance: Chance, act: Act) -> Decided:
        """The act of the croupier when the present phase's time is up."""
        ...

    def may_leave(self, table: Table, seat: int) -> bool:
        """Whether the seat has nothing in play."""
        ...

    def may_replace(self, table: Table, seat: int) -> bool:
        """Whether a bot may go on for whoever holds this seat, with all he has in play."""
        ...

    def may_move(self, table: Table, seat: int) -> bool:
        """Whether somebody under this number may take another, free seat now."""
        ...

    def stack_answers(self, table: Table, seat: int) -> bool:
        """Whether the seat's stack answers for something in play, so that it may not go to the cage."""
        ...

    def owner(self, table: Table, place: str) -> int:
        """Whose the chips at one of the game's own places are: a seat, 0 for the house."""
        ...

    def correctable(self, table: Table) -> Sequence[str]:
        """The game's own places whose chips may be touched to put a settled round right, as the table stands.

        Of each round with chips at stake its evolvers leave a note (`dealer.rules.frame.settled.noted`).
        """
        ...

    def winding_up(self, table: Table) -> list[Data]:
        """What has to end before all chips of a closing table go home by the places they stand at."""
        ...

    def house_bank(self, table: Table) -> int:
        """Chips of the house that the table wants in its place `bank` now, 0 for none."""
        ...

    def house_adds(self, table: Table) -> bool:
        """Whether the house may add chips to its bank now."""
        ...

    def received(self, table: Table, act: Act) -> list[Data]:
        """What follows when the house's chips have arrived."""
        ...

    def holds(self, table: Table, seat: int) -> tuple[str, ...]:
        """The hands whose faces a seat may see."""
        ...

    def recalled(self, table: Table) -> dict[str, Any]:
        """What everybody has seen in this round and no view shows any more, for the house's bots to go by."""
        ...

    def options(self, table: Table, chance: Chance, seat: int) -> Sequence[Option]:
        """The legal commands of the game for a seat now."""
        ...

    def host_options(self, table: Table) -> Sequence[Option]:
        """The legal commands of the game that only a host gives, for no seat."""
        ...

    def view(self, table: Table) -> dict[str, Any]:
        """The game's part of the public view."""
        ...

    def check_state(self, table: Table) -> str:
        """Why its own part of the state, as it stands between two commands, cannot be; empty if it can."""
        ...

    def commands_of(self, data: Data, table: Table) -> Sequence[Command]:
        """The commands of its own that may have brought an event, each with the seat it is for."""
        ...

    def history(self, events: Sequence[Event]) -> dict[str, Any]:
        """One round told from its events: stakes, cards, results, chips."""
        ...
