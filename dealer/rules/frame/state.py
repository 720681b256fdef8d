"""The public state of a table: exactly what follows from its log, and nothing hidden.

A snapshot of this is safe to show to anybody who may see the table.
"""

from typing import Any

import msgspec

from dealer.rules.frame.events import Move
from shoe.cards import Deck
from shoe.corte import Transcript

STANDING = 1001
"""Standing players are numbered from here on (R-13)."""
SPECTATORS = range(101, 165)
"""Numbers of people without a place who add to a cut (fairness, decision 3)."""
MOST_WITHOUT_SEAT = len(SPECTATORS)
"""Contributors of one shuffle who stand or watch; with many more the event of the seal would be too long."""


class Seat(msgspec.Struct, frozen=True, gc=False):
    """Who holds a number at the table: seated, or standing from 1001 on.

    Attributes:
        pid: the person's pseudonym at this table.
        bot: the policy of a bot of the house, empty for a person.
        taken: sequence number of the event that gave the place.
        willing: whether the person takes part in the cuts.
        recanted: how many shuffles there had been when the person last took that back, -1 if never.
    """

    pid: str
    bot: str
    taken: int
    willing: bool = False
    recanted: int = -1


class Claim(msgspec.Struct, frozen=True, gc=False):
    """A hold of the cage that came here: when, and whether its chips were taken."""

    at: int
    taken: bool


class Proposal(msgspec.Struct, frozen=True, gc=False):
    """What one person has proposed and another has to approve.

    Attributes:
        round: the round that was the last one then.
        corrects: the settled round whose chips it is about, 0 for none.
        seq: number of its event.
    """

    at: int
    by: str
    kind: str
    round: int
    corrects: int = 0
    moves: tuple[Move, ...] = ()
    reason: str = ""
    seq: int = 0


class Settled(msgspec.Struct, frozen=True, gc=False):
    """A round that was settled not long ago.

    Attributes:
        most: who had a part in it (a pseudonym, or `house`), and the chips that another result could have
            moved to or from them.
        changed: what corrections have brought them since; below 0 what they gave.
    """

    round: int
    most: dict[str, int]
    changed: dict[str, int] = {}


class Contributor(msgspec.Struct, frozen=True, gc=False):
    """Who has committed to a contribution; cut and reveal are there once it was opened."""

    pid: str
    commit: str
    cut: int = 0
    reveal: str = ""


class Cut(msgspec.Struct, frozen=True):
    """An open cut (fairness 1.4).

    Attributes:
        cutter: the seat that cuts, 0 for nobody.
        asked: the seats that are waited for.
        since: when the present step began, ms UTC.
        until: when it ends.
        reveal_ms: time to reveal.
        revealing: commitments are closed and are being opened.
        contributors: by number.
    """

    shuffle: int
    deck: Deck
    cutter: int
    asked: tuple[int, ...]
    since: int
    until: int
    reveal_ms: int
    revealing: bool = False
    contributors: dict[int, Contributor] = {}
    declined: frozenset[int] = frozenset()


class Aborts(msgspec.Struct, frozen=True):
    """What aborted attempts leave behind until a shoe is sealed (fairness 1.7).

    Attributes:
        count: how many there were.
        barred: pseudonyms of those who did not reveal.
        rest: pseudonyms of those who may take part in a further attempt, None for everybody else.
    """

    count: int = 0
    barred: frozenset[str] = frozenset()
    rest: frozenset[str] | None = None


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


class Table(msgspec.Struct, frozen=True, gc=False):
    """One table after event `seq`.

    Attributes:
        paused_at: when the clocks were last stopped, ms UTC; 0 if they never were.
        resumed_at: when they went on after that; 0 while they stand.
        settled: the latest rounds with chips at stake, as long as they can be corrected.
        corrected: by round the numbers of the events that approved its corrections.
        pauses: the pauses before that one which what is open may have met, as (from, to) in ms UTC.
        chips: chips by place; `cage` is the boundary and holds minus what stands at the table.
        claims: holds of the cage seen here in the last day (design 7).
        stacked: cards were laid by hand; the table says so for ever.
        commitments: by shuffle number, of seeds whose shuffle is neither sealed nor aborted.
        shuffles: number of the last shuffle used; an open cut has its number.
        cut: the open cut of the next shoe.
        aborts: of that shoe's earlier attempts.
        deck: of the last shoe; its cards may lie on the table when it has been closed.
        hands: positions dealt in this round, by hand.
        faces: exposed cards of this round, by position.
        moved: deadlines that a pause or an outage has moved, by decision.
        outage: end of the last outage that decisions were moved for, ms UTC.
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
    pause_reason: str = ""
    paused_at: int = 0
    resumed_at: int = 0
    pauses: tuple[tuple[int, int], ...] = ()
    proposal: Proposal | None = None
    settled: tuple[Settled, ...] = ()
    corrected: dict[int, tuple[int, ...]] = {}
    seats: dict[int, Seat] = {}
    absent: frozenset[int] = frozenset()
    chips: dict[str, int] = {}
    claims: dict[str, Claim] = {}
    commitments: dict[int, str] = {}
    shuffles: int = 0
    cut: Cut | None = None
    aborts: Aborts = Aborts()
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
    outage: int = 0
    play: Any = None

    @property
    def oldest(self) -> int:
        """When the oldest decision that may still be open was opened, ms UTC, or before that."""
        return min(self.since, self.cut.since) if self.cut else self.since

    def until(self, decision: str, until: int | None) -> int | None:
        """When a decision ends: as it was set, or as a pause or an outage has moved it."""
        return self.moved.get(decision, until)

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
