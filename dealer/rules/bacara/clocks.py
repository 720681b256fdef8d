"""What is due at a bacará table: the clock of the phase, the bots on turn, the bank the house owes."""

from collections.abc import Sequence

from dealer.rules.bacara import banco, banking, betting, deposits, modes, seeking, speaking
from dealer.rules.bacara.croupier import unasked
from dealer.rules.bacara.state import SPEAKING, play_of
from dealer.rules.frame.game import Due
from dealer.rules.frame.state import Table

_WAITS = {
    "betting": "betting_ms",
    "last_call": "last_call_ms",
    "speak_right": "speak_ms",
    "speak_left": "speak_ms",
    "speak_single": "speak_ms",
    "speak_bank": "banker_ms",
    "between_rounds": "between_rounds_ms",
    "preparing": "speak_ms",
    "dealing": "speak_ms",
    "showdown": "speak_ms",
    "settling": "speak_ms",
}
"""The waiting time of each phase. A chore left to a host has the time in which a hand would speak."""
_OPENINGS = frozenset({"between_rounds", "preparing"})


def due(table: Table) -> list[Due]:
    """Everything that will be decided at the table, and when."""
    if table.phase == "no_bank":
        return [*seeking.due(table), *_house(table), *_bots(table)]
    return [*_phase(table), *_bots(table)]


def _phase(table: Table) -> list[Due]:
    """The clock of the phase; the betting clock starts with the first stake, so an idle table has none."""
    if table.phase == banco.PHASE:
        return banco.due(table)
    return _between(table) if table.phase == "between_rounds" else _wait(table, table.phase)


def _between(table: Table) -> list[Due]:
    """Between coups there is one clock: that of the next coup, or of a banker's absence if it ends first."""
    if deposits.broken(table):
        return deposits.due(table)
    away = banking.away(table)
    following = _wait(table, table.phase)
    if away is None:
        return following
    sooner = [d for d in following if d.until is not None and away.until is not None and d.until < away.until]
    return sooner or [away]


def _wait(table: Table, phase: str) -> list[Due]:
    wait = _WAITS.get(phase)
    if wait is None or (phase in _OPENINGS and not betting.may_open(table)):
        return []
    if phase != "between_rounds" and wait == "speak_ms" and phase not in SPEAKING and unasked(table):
        return []
    since = play_of(table).first_stake if phase == "betting" else table.since
    ms = table.options[wait]
    seats = (speaking.speaker(table),) if phase in SPEAKING else ()
    return [Due(table.decision(), "timeout", seats, since + ms if ms and since else None, since)]


def _house(table: Table) -> list[Due]:
    if not house_bank(table):
        return []
    return [Due(f"house:{table.opened}", "chore", (), table.since)]


def house_bank(table: Table) -> int:
    """Chips the house banks with once it is asked and somebody can play against it (R-50); 0 for none now."""
    asked = table.phase == "no_bank" and play_of(table).seeking.mode == modes.HOUSE
    if not asked or not betting.players_ready(table):
        return 0
    amount: int = table.options["house_bank"]
    return amount


def _bots(table: Table) -> Sequence[Due]:
    """Bots who have something to do in this phase; each has its own decision, so it acts once."""
    bots = [n for n, seat in table.seats.items() if seat.bot]
    if not bots:
        return []
    bots.sort()
    play = play_of(table)
    if table.phase == "no_bank":
        turn = [n for n in bots if n in play.seeking.awaited]
    elif table.phase in betting.OPEN:
        staked = {play.banker, *(s.seat for s in play.stakes.values())}
        least = table.options["min_stake"]
        turn = [n for n in bots if n not in staked and table.stack(n) >= least]
    else:
        turn = [n for n in bots if table.phase in SPEAKING and n == speaking.speaker(table)]
    think = table.options["bot_think_ms"]
    return [
        Due(f"bot:{n}:{table.opened}", "bot", (n,), table.since + think * (i + 1)) for i, n in enumerate(turn)
    ]


def overdue(table: Table, now: int) -> bool:
    """Whether the next coup was due while nobody could play, so that it begins as soon as somebody can."""
    wait = table.options["between_rounds_ms"]
    until = table.until(table.decision(), table.since + wait if wait else None)
    return until is not None and now >= until
