"""Mode `lot`: the bank is drawn among those who want it; the winner names its amount (R-53, A-26, A-42)."""

from dealer.rules.bacara import banking, modes
from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.state import play_of
from dealer.rules.frame import lot
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Act, Decided, Source
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import STANDING, Table

PURPOSE = "bank"
"""What the lots drawn here decide."""


def entered(table: Table) -> list[int]:
    """Who takes part and could bank now."""
    least = banking.least_bank(table)
    return [each.seat for each in play_of(table).seeking.queue if table.stack(each.seat) >= least]


def enter(table: Table, chance: Chance, act: Act) -> Decided:
    """Somebody takes part in the lot."""
    begun = modes.begin(table, act, "lot")
    if isinstance(begun, Refusal):
        return begun
    if play_of(table).seeking.step == "offered":
        return Refusal("wrong_phase", {"phase": table.phase})
    if act.seat >= STANDING:
        return Refusal("not_candidate")
    if any(each.seat == act.seat for each in play_of(table).seeking.queue):
        return Refusal("decision_over")
    if act.seat in play_of(table).barred:
        return Refusal("bank_return_barred")
    if table.stack(act.seat) < banking.least_bank(table):
        return Refusal("insufficient_chips", {"stack": table.stack(act.seat)})
    return [*begun, ev.BankEntered(by=act.by, seat=act.seat, source=act.source)]


def draw(table: Table, chance: Chance) -> list[Data]:
    """The next lot among those who have not had it; nothing if there is nobody, or no seed for it."""
    seats = entered(table)
    return lot.draw(table, chance, seats, PURPOSE) if seats and lot.possible(table) else []


def answer(table: Table, chance: Chance, act: Act) -> Decided:
    """Whom the lot fell to takes the bank, or does not."""
    seeking, command = play_of(table).seeking, act.command
    if seeking.step != "offered":
        return Refusal("wrong_phase", {"phase": table.phase})
    if act.seat != seeking.candidate:
        return Refusal("not_candidate")
    if not isinstance(command, cmd.AcceptBank):
        return declined(table, act.source, act.by)
    misfit = banking.misfit(table, act.seat, command.amount)
    return misfit or banking.constitute(table, act.seat, command.amount, "lot", act.source, act.by)


def declined(table: Table, source: Source, by: str) -> list[Data]:
    """Whom the lot fell to does not bank; the draw is repeated among the rest."""
    return [ev.BankDeclined(by=by, seat=play_of(table).seeking.candidate, source=source)]
