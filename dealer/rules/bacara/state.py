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


class Play(msgspec.Struct, frozen=True, gc=False):
    """Bacará's part of a table.

    Attributes:
        banker: the seat that banks, 0 for the house.
        bank_mode: how the bank was got; empty while nobody banks.
        pointers: the mano of each paño; a paño that is not named starts at its lowest seat (R-16).
        stakes: on the cloth, by `<bet>:<seat>`.
        first_stake: when the betting clock started, ms UTC; 0 while no stake lies.
        covered: this coup's covered stakes in R-30 order.
        holders: seat (0: the croupier) by dealt paño.
        said: what each hand did: `drew`, `stood`, `natural`.
    """

    banker: int = 0
    bank_mode: str = ""
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
    """The occupied seats of a paño in order (R-12)."""
    first = 1 if pano == "right" else 11
    return sorted(n for n in table.seats if first <= n < first + 8)
