"""The public state of a coup: the bank, the stakes, who holds which paño, what was said."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from dealer.rules.bacara.coverage import Covered, Stake
from dealer.rules.bacara.holders import around
from dealer.rules.frame.event import Event
from dealer.rules.frame.state import STANDING, Table

BANK = "bank"
"""The banker's hand, and the place where the bank's chips stand."""
SPEAKING = ("speak_right", "speak_left", "speak_single", "speak_bank")
"""The phases in which a hand speaks."""


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """Who wants to bank and with how much: an offer, a bid, or (0) an entry to the lot."""

    amount: int
    seat: int


class Seeking(msgspec.Struct, frozen=True, gc=False):
    """How a banker is being looked for while nobody banks (R-50 to R-54, R-59, R-63 to R-67).

    Attributes:
        mode: the mode being tried; empty before the first one, and when all have been tried in vain.
        step: `bank_step` of the glossary, section 3; empty while players, or the house's chips, are awaited.
            `offers` without a mode is the rest after a fruitless pass.
        candidate: the volunteer who is being voted on, the seat the lot fell to, whom the bank is offered to;
            0 for nobody.
        amount: what the volunteer offers, or what the bank is offered for; 0 if its banker may name it.
        awaited: seats whose consent is asked and not given yet.
        consented: seats that have said yes.
        queue: further volunteers in the order of their offers; bids, the last is the highest; who has entered
            the lot and not won it.
        refused: volunteers who were refused since this mode began, or seats that have declined.
    """

    mode: str = ""
    step: str = ""
    candidate: int = 0
    amount: int = 0
    awaited: frozenset[int] = frozenset()
    consented: frozenset[int] = frozenset()
    queue: tuple[Candidate, ...] = ()
    refused: frozenset[int] = frozenset()

    @property
    def rests(self) -> bool:
        """Whether everything was tried in vain, so that the table waits for a first word."""
        return self.step == "offers" and not self.mode


class Called(msgspec.Struct, frozen=True, gc=False):
    """Who wants to play alone against the bank: on a paño, on the line, or `half`: «con la mesa» (R-72)."""

    on: str
    seat: int
    half: bool = False


class Banco(msgspec.Struct, frozen=True, gc=False):
    """Banco at this bank (R-69 to R-72, R-75).

    Attributes:
        called: who plays it in this coup, None for nobody.
        calls: what was said in the window so far, in order.
        passed: seats that let it pass in this window.
        first: whose word counts before all others in the next window: he lost the last banco against this
            bank, or pushed; 0 for nobody.
        used: the bank is not new any more: it has had a coup with a winner.
    """

    called: Called | None = None
    calls: tuple[Called, ...] = ()
    passed: frozenset[int] = frozenset()
    first: int = 0
    used: bool = False


class Holding(msgspec.Struct, frozen=True, gc=False):
    """The present bank's own history, as far as rules ask for it.

    Attributes:
        put: chips it was constituted with.
        added: chips its banker has replenished it with since.
        coups: coups with a covered stake so far.
        gains: chips it has won in the coups it won, net of commission (R-74).
        shoes: shoes that have ended under it (R-09).
        renewed: it was replenished since its last coup, so that a new shoe may be asked for (R-58).
        accepted: the banker has accepted all stakes, and answers with all he has (R-31).
        shares: chips of the bank that are an associate's, by seat (R-60).
        asking: who has asked for a share, and of how much, by seat.
    """

    put: int = 0
    added: int = 0
    coups: int = 0
    gains: int = 0
    shoes: int = 0
    renewed: bool = False
    accepted: bool = False
    shares: dict[int, int] = {}
    asking: dict[int, int] = {}


class Play(msgspec.Struct, frozen=True, gc=False):
    """Bacará's part of a table.

    Attributes:
        banker: the seat that banks, 0 for the house.
        bank_mode: how the bank was got; empty while nobody banks.
        seeking: how a banker is looked for.
        away: since when the banker has not answered, ms UTC; it means something only while he is absent.
        pointers: the mano of each paño; a paño that is not named starts at its lowest seat (R-16).
        stakes: on the cloth, by `<bet>:<seat>`.
        first_stake: when the betting clock started, ms UTC; 0 while no stake lies.
        covered: this coup's covered stakes in R-30 order.
        holders: seat (0: the croupier) by dealt paño.
        said: what each hand did: `drew`, `stood`, `natural`.
        turn: the seat from whose right on the bank is offered where it goes round (R-64); 0 at first.
        declines: how often running each seat has declined it in its turn (R-65).
        barred: seats that may not bank again from this shoe (R-57).
        banco: see `Banco`.
        holding: see `Holding`.
    """

    banker: int = 0
    bank_mode: str = ""
    seeking: Seeking = Seeking()
    away: int = 0
    pointers: dict[str, int] = {}
    stakes: dict[str, Stake] = {}
    first_stake: int = 0
    covered: tuple[Covered, ...] = ()
    holders: dict[str, int] = {}
    said: dict[str, str] = {}
    turn: int = 0
    declines: dict[int, int] = {}
    barred: frozenset[int] = frozenset()
    banco: Banco = Banco()
    holding: Holding = Holding()


def play_of(table: Table) -> Play:
    """The bacará part of a table's state."""
    play: Play = table.play
    return play


def enter(table: Table, event: Event, phase: str, play: Play) -> Table:
    """The table in a new phase, whose clock starts with the event."""
    return replace(table, phase=phase, since=event.at, opened=event.seq, play=play)


def panos_of(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The paños of a table, in the order in which they are dealt and speak (R-33, R-36, R-93)."""
    if "tie_pays" in options:
        return ("punto",)
    return ("single",) if options["panos"] == 1 else ("right", "left")


def seats_of(pano: str, table: Table) -> list[int]:
    """The occupied seats of a paño in order, without the banker's, which is kept for him (R-12, R-15)."""
    if pano == "single":
        return to_the_right(table)
    first = 1 if pano == "right" else 11
    banker = play_of(table).banker
    return sorted(n for n in table.seats if first <= n < first + 8 and n != banker)


def to_the_right(table: Table) -> list[int]:
    """Who sits at a table with one paño, from the banker's right on; the banker is not among them (R-14)."""
    banker = play_of(table).banker
    return around((n for n in table.seats if n < STANDING and n != banker), banker + 1)


def is_open(table: Table) -> bool:
    """Whether the banker answers with his stack too: an open bank, or all stakes accepted (R-29, R-31)."""
    play = play_of(table)
    return bool(play.banker) and (table.options["liability"] == "open" or play.holding.accepted)


def funds(table: Table) -> int:
    """Chips that stand behind the bank: its own, of an open one the banker's stack too (R-28, R-29)."""
    own = table.chips.get(BANK, 0)
    return own + table.stack(play_of(table).banker) if is_open(table) else own


def keeps_history(options: Mapping[str, Any]) -> bool:
    """Whether some rule of the table asks what a bank has gained, or how long it has stood."""
    return any(options.get(key) for key in ("replenish", "garage_minima", "shoes_per_bank", "associates"))


def goes_round(options: Mapping[str, Any]) -> bool:
    """Whether the players bank in turn (R-62)."""
    return "turn" in options["bank_modes"]
