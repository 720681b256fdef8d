"""The public state of a table: exactly what follows from its log, and nothing hidden.

A snapshot of this is safe to show to anybody who may see the table.
"""

from typing import Any

import msgspec

from shoe.cards import Deck
from shoe.corte import Transcript

STANDING = 1001
"""Standing players are numbered from here on (R-13)."""


class Seat(msgspec.Struct, frozen=True, gc=False):
    """Who holds a number at the table: seated, or standing from 1001 on.

    Attributes:
        pid: the person's pseudonym at this table.
        bot: the policy of a bot of the house, empty for a person.
        taken: sequence number of the event that gave the place.
    """

    pid: str
    bot: str
    taken: int


class Claim(msgspec.Struct, frozen=True, gc=False):
    """A hold of the cage that came here: when, and whether its chips were taken."""

    at: int
    taken: bool


class ShoeState(msgspec.Struct, frozen=True):
    """The shoe on the table: sealed, how far it is dealt, and whether stakes on it are allowed."""

    shuffle: int
    transcript: Transcript
    root: str
    size: int
    pos: int = 0
    ready: bool = False
    stopped: bool = False

    @property
    def remaining(self) -> int:
        """Cards still in the shoe."""
        return self.size - self.pos


class Table(msgspec.Struct, frozen=True):
    """One table after event `seq`.

    Attributes:
        chips: chips by place; `cage` is the boundary and holds minus what stands at the table.
        claims: holds of the cage seen here in the last day (design 7).
        stacked: cards were laid by hand; the table says so for ever.
        commitments: by shuffle number, of seeds not yet used.
        shuffles: number of the last shuffle used.
        deck: of the last shoe; its cards may lie on the table when it has been closed.
        hands: positions dealt in this round, by hand.
        faces: exposed cards of this round, by position.
        phase: glossary, section 3; entered at time `since` by event `opened`.
        play: the game's own state.
    """

    log: str
    game: str = ""
    profile: str = ""
    profile_version: int = 0
    mode: str = ""
    options: dict[str, Any] = {}
    automations: frozenset[str] = frozenset()
    stacked: bool = False
    seq: int = -1
    at: int = 0
    status: str = "new"
    seats: dict[int, Seat] = {}
    absent: frozenset[int] = frozenset()
    chips: dict[str, int] = {}
    claims: dict[str, Claim] = {}
    commitments: dict[int, str] = {}
    shuffles: int = 0
    shoe: ShoeState | None = None
    deck: Deck | None = None
    round: int = 0
    playing: bool = False
    hands: dict[str, tuple[int, ...]] = {}
    faces: dict[int, int] = {}
    phase: str = ""
    since: int = 0
    opened: int = -1
    moved: dict[str, int] = {}
    play: Any = None

    def seat_of(self, pid: str) -> int:
        """The number under which a person plays, 0 for nobody at the table."""
        for number, seat in self.seats.items():
            if seat.pid == pid:
                return number
        return 0

    def stack(self, seat: int) -> int:
        """Chips of a seat that are not at stake."""
        return self.chips.get(f"stack:{seat}", 0)

    def decision(self) -> str:
        """The id of what the present phase waits for; it never comes again."""
        return f"{self.phase}:{self.opened}"
