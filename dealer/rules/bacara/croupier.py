"""The croupier's chores one by one: done unasked, or left to a host with a deadline behind it (design 3).

Whatever a host does here is what the automation would do; only the moment is his.
"""

from dealer.rules.bacara import banco, betting, closing, opening, speaking, styles
from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.state import SPEAKING
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Act, Decided, Option, Source
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table

CHORES = {
    "preparing": ("announce_bank", "call"),
    "dealing": ("deal",),
    "showdown": ("show",),
    "settling": ("settle",),
    "between_rounds": ("next_round", "call"),
}
"""What has to be automatic for the croupier to leave a phase unasked."""

_COMMANDS: dict[type, str] = {
    cmd.AnnounceBank: "preparing",
    cmd.Deal: "dealing",
    cmd.Show: "showdown",
    cmd.Settle: "settling",
}
_CALLS = {
    "place_bets": ("preparing", "between_rounds"),
    "last_call": ("betting",),
    "no_more_bets": ("last_call",),
}


def unasked(table: Table) -> bool:
    """Whether the croupier leaves the present phase by himself."""
    return table.automations.issuperset(CHORES.get(table.phase, ()))


def step(table: Table, chance: Chance, source: Source, by: str = "") -> list[Data]:
    """What ends the present phase, whoever decides that it is time."""
    if table.phase in SPEAKING:
        return speaking.by_tableau(table, chance, source, by)
    match table.phase:
        case "preparing" | "between_rounds":
            return opening.opening(table, chance, source, by) if betting.may_open(table) else []
        case banco.PHASE:
            return banco.resolve(table, chance, source, by)
        case "betting":
            return [ev.StakesLastCalled(source=source, by=by)]
        case "last_call":
            return [ev.StakesClosed(source=source, by=by)]
        case "dealing":
            return styles.of(table).deal(table, chance)
        case "showdown":
            return closing.show(table, chance)
        case "settling":
            return styles.of(table).settlement(table)
        case _:
            return []


def chore(table: Table, chance: Chance, act: Act) -> Decided:
    """A host does a chore in its phase."""
    if table.phase != _COMMANDS[type(act.command)]:
        return Refusal("wrong_phase", {"phase": table.phase})
    return step(table, chance, act.source, act.by) or Refusal("wrong_phase", {"phase": table.phase})


def call(table: Table, chance: Chance, act: Act) -> Decided:
    """A host gives a call; their order stands (R-22)."""
    command = act.command
    if not isinstance(command, cmd.Call) or table.phase not in _CALLS[command.call]:
        return Refusal("wrong_phase", {"phase": table.phase})
    return step(table, chance, act.source, act.by) or Refusal("wrong_phase", {"phase": table.phase})


def options(table: Table) -> list[Option]:
    """What a host may do of all this now."""
    phase = table.phase
    opens = phase in _CALLS["place_bets"]
    if opens and not betting.may_open(table):
        return []
    calls = [Option("call", fields={"call": call}) for call, phases in _CALLS.items() if phase in phases]
    chores = {*CHORES.get(phase, ()), *(["next_round"] if opens else [])} - {"call"}
    return [*calls, *map(Option, sorted(chores))]
