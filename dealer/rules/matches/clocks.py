"""What is due between the hands of a match, and on anybody's turn."""

from dealer.rules.frame.game import Due
from dealer.rules.frame.state import Table
from dealer.rules.matches import course
from dealer.rules.matches.state import WAITS, match_of


def clock(table: Table, wait: str, awaited: tuple[int, ...]) -> Due:
    """The clock of the present phase, of as much time as the option `wait` gives."""
    ms = table.options[wait]
    return Due(table.decision(), "timeout", awaited, table.since + ms if ms else None, table.since)


def turn(table: Table, wait: str, acts: str = "", since: int = 0) -> list[Due]:
    """The clock of the seat on turn and, of a bot, its own.

    Args:
        table: somebody is on turn.
        wait: the option with the time of the turn.
        acts: tells several acts of one turn apart.
        since: when the bot last did something, if that was in this turn.
    """
    seat = match_of(table).turn
    clocks = [clock(table, wait, (seat,))]
    held = table.seats.get(seat)
    if held is None or not held.bot:
        return clocks
    until = max(table.since, since) + table.options["bot_think_ms"]
    return [*clocks, Due(f"bot:{seat}:{table.opened}{acts}", "bot", (seat,), until, table.since)]


def between(table: Table) -> list[Due]:
    """The clock between hands or matches, if another can begin."""
    if table.phase in WAITS and (course.may_start(table) or course.may_deal(table)):
        return [clock(table, "between_rounds_ms", ())]
    return []


def overdue(table: Table, now: int) -> bool:
    """Whether the next hand was due while it could not begin, so that it begins as soon as it can."""
    wait = table.options["between_rounds_ms"]
    until = table.until(table.decision(), table.since + wait if wait else None)
    return table.phase in WAITS and until is not None and now >= until
