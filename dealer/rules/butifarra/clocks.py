"""What is due at a butifarra table: the clock of the turn or phase, and the bot on turn."""

from dealer.rules.frame.game import Due
from dealer.rules.frame.state import Table
from dealer.rules.matches import clocks

_TURNS = {"bidding": "bid_ms", "tricks": "play_ms"}


def due(table: Table) -> list[Due]:
    """Everything that will be decided at the table, and when."""
    if table.phase in _TURNS:
        return clocks.turn(table, _TURNS[table.phase])
    if table.phase == "dealing":
        return [clocks.clock(table, "play_ms", ())]
    return clocks.between(table)
