"""What is due at a báciga table: the clock of the turn or phase, and the bot on turn."""

from dealer.rules.baciga.state import play_of
from dealer.rules.frame.game import Due
from dealer.rules.frame.state import Table
from dealer.rules.matches import clocks

_TURNS = {"stock": "play_ms", "last_tricks": "play_ms", "declaring": "declare_ms"}


def due(table: Table) -> list[Due]:
    """Everything that will be decided at the table, and when.

    Every declaration makes a decision of its own of what a bot does next.
    """
    if table.phase in _TURNS:
        play = play_of(table)
        said = len([each for each in play.scored if each.seat == play.turn]) + len(play.sevens)
        return clocks.turn(table, _TURNS[table.phase], f":{said}", play.spoke)
    if table.phase == "dealing":
        return [clocks.clock(table, "play_ms", ())]
    return clocks.between(table)
