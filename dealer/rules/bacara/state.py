"""The public state of a coup: the bank, the stakes, who holds which paño, what was said."""

import msgspec
from msgspec.structs import replace

from dealer.rules.bacara.coverage import Covered, Stake
from dealer.rules.frame.event import Event
from dealer.rules.frame.state import Table

PANOS = ("right", "left")
"""The paños of a two-paño table, in the order in which they are dealt and speak (R-33, R-36)."""
BANK = "bank"
"""The banker's hand, and the place where the bank's chips stand."""
SPEAKING = ("speak_right", "speak_left", "speak_bank")
"""The phases in which a hand speaks."""


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """Who wants to bank and with how much: an offer, a bid, or (0) an entry to the lot."""

    amount: int
    seat: int


class Seeking(msgspec.Struct, frozen=True, gc=False):
    """How a banker is being looked for while nobody banks (R-50 to R-54).

    Attributes:
        mode: the mode being tried; empty before the first one, and when all have been tried in vain.
        step: `bank_step` of the glossary, section 3; empty while players, or the house's chips, are awaited.
            `offers` without a mode is the rest after a fruitless pass.
        candidate: the volunteer who is being voted on, or the seat the lot fell to; 0 for nobody.
        amount: what the volunteer offers.
        awaited: seats whose consent is asked and not given yet.
        consented: seats that have said yes.
        queue: further volunteers in the order of their offers; bids, the last is the highest; who has entered
            the lot and not won it.
        refused: volunteers who were refused since this mode began.
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


def play_of(table: Table) -> Play:
    """The bacará part of a table's state."""
    play: Play = table.play
    return play


def enter(table: Table, event: Event, phase: str, play: Play) -> Table:
    """The table in a new phase, whose clock starts with the event."""
    return replace(table, phase=phase, since=event.at, opened=event.seq, play=play)


def seats_of(pano: str, table: Table) -> list[int]:
    """The occupied seats of a paño in order, without the banker's, which is kept for him (R-12, R-15)."""
    first = 1 if pano == "right" else 11
    banker = play_of(table).banker
    return sorted(n for n in table.seats if first <= n < first + 8 and n != banker)
