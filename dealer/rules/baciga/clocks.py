"""What is due at a báciga table: the clock of the turn or phase, and the bot on turn."""

from dealer.rules.baciga import matches
from dealer.rules.baciga.state import play_of
from dealer.rules.frame.game import Due
from dealer.rules.frame.state import Table

_TURNS = {"stock": "play_ms", "last_tricks": "play_ms", "declaring": "declare_ms"}
_WAITS = ("between_rounds", "match_over")
"""The phases in which the next hand, or match, is waited for."""


def due(table: Table) -> list[Due]:
    """Everything that will be decided at the table, and when."""
    phase = table.phase
    if phase in _TURNS:
        return [_clock(table, _TURNS[phase], (play_of(table).turn,)), *_bot(table)]
    if phase == "dealing":
        return [_clock(table, "play_ms", ())]
    if phase in _WAITS and (matches.may_start(table) or matches.may_deal(table)):
        return [_clock(table, "between_rounds_ms", ())]
    return []


def _clock(table: Table, wait: str, awaited: tuple[int, ...]) -> Due:
    ms = table.options[wait]
    return Due(table.decision(), "timeout", awaited, table.since + ms if ms else None, table.since)


def _bot(table: Table) -> list[Due]:
    """A bot on turn: every declaration makes a decision of its own of what it does next."""
    play = play_of(table)
    held = table.seats.get(play.turn)
    if held is None or not held.bot:
        return []
    said = len([each for each in play.scored if each.seat == play.turn]) + len(play.sevens)
    until = max(table.since, play.spoke) + table.options["bot_think_ms"]
    return [Due(f"bot:{play.turn}:{table.opened}:{said}", "bot", (play.turn,), until, table.since)]


def overdue(table: Table, now: int) -> bool:
    """Whether the next hand was due while it could not begin, so that it begins as soon as it can."""
    wait = table.options["between_rounds_ms"]
    until = table.until(table.decision(), table.since + wait if wait else None)
    return table.phase in _WAITS and until is not None and now >= until
