"""The ways to find a banker, in the order in which a table tries them (R-50 to R-54, R-61).

Unless the house comes first, the first mode waits for enough players. Each mode is tried once; after that
the table rests, and the first word of any mode begins that one again. The house is never asked in vain, so a
table that has it among its modes does not rest.
"""

from dealer.rules.bacara import banking, betting
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.state import Seeking, play_of
from dealer.rules.frame import lot
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Act
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import STANDING, Table

HOUSE = "house"
TURN = "turn"
FOLLOW_ON = "follow_on"
STEPS = {
    HOUSE: "",
    "volunteer": "offers",
    "registered": "offers",
    "auction": "auction",
    "lot": "lot",
    TURN: "offered",
    FOLLOW_ON: "offered",
}
"""The `bank_step` a mode begins with; what the house needs is its chips."""


def at_first(table: Table) -> Seeking:
    """Where a table without a bank begins: the house waits for a punter, other modes for enough players."""
    first: str = table.options["bank_modes"][0]
    return Seeking(HOUSE) if first == HOUSE else Seeking()


def enough(table: Table) -> bool:
    """Whether somebody who sits could bank, and somebody else play against him (R-61, A-42).

    A bot of the house never wants the bank, but is a punter like others.
    """
    least = banking.least_bank(table)
    able = betting.able(table)
    bankers = (n for n in able if n < STANDING and not table.seats[n].bot and table.stack(n) >= least)
    seated = sum(n < STANDING for n in able)
    enough_seats = seated >= table.options.get("min_seated", 0)
    return any(bankers) and enough_seats and len(able) >= max(2, table.options["min_players"])


def _possible(table: Table, mode: str) -> bool:
    return mode == HOUSE or (enough(table) and (mode != "lot" or lot.possible(table)))


def following(table: Table) -> str:
    """The next mode that can be tried, empty if there is none.

    A passed hand that nobody takes for its amount is auctioned, and then goes on in turn (R-67).
    """
    modes: list[str] = table.options["bank_modes"]
    seeking = play_of(table).seeking
    left = modes[modes.index(seeking.mode) + 1 :] if seeking.mode in modes else modes
    if seeking.mode == TURN and seeking.amount:
        left = ["auction", *modes]
    return next((mode for mode in left if _possible(table, mode)), "")


def go_on(table: Table, source: str, by: str = "") -> list[Data]:
    """The present mode has brought nobody: try the next one, or rest."""
    return [ev.BankSought(by=by, mode=following(table), source=source)]


def go_on_with(mode: str, act: Act) -> list[Data]:
    """A first word begins a mode at rest."""
    return [ev.BankSought(by=act.by, mode=mode, source=act.source)]


def begins(table: Table, mode: str) -> bool:
    """Whether a first word would begin this mode: the table rests, and has the mode and players for it."""
    rests = table.phase == "no_bank" and play_of(table).seeking.rests
    return rests and mode in table.options["bank_modes"] and _possible(table, mode)


def begin(table: Table, act: Act, mode: str) -> list[Data] | Refusal:
    """What a word of a mode needs before it: nothing if the mode is on, its beginning if the table rests."""
    if table.phase == "no_bank" and play_of(table).seeking.mode == mode:
        return []
    if begins(table, mode):
        return go_on_with(mode, act)
    return Refusal("wrong_phase", {"phase": table.phase})
