"""The garage: gains that a banker has excluded from play (R-74)."""

from dealer.rules.bacara import banking
from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.state import BANK, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import grouped
from dealer.rules.frame.events import Move
from dealer.rules.frame.game import Act, Decided, Option
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table


def opens(table: Table) -> bool:
    """Whether this bank has gained enough for a garage: more than so many minimum stakes."""
    threshold: int = table.options["garage_minima"] * table.options["min_stake"]
    return bool(threshold) and play_of(table).holding.gains > threshold


def most(table: Table) -> int:
    """What may still go there: of the gains, of the banker's own chips, and so that a bank is left."""
    holding, bank = play_of(table).holding, table.chips.get(BANK, 0)
    own = bank - sum(holding.shares.values())
    return min(_gains_left(table), own, bank - banking.least_bank(table))


def _gains_left(table: Table) -> int:
    """Of the gains what is not aside yet; a correction may have taken some of those back."""
    return max(0, play_of(table).holding.gains - table.chips.get(banking.GARAGE, 0))


def set_aside(table: Table, chance: Chance, act: Act) -> Decided:
    """The banker puts gains aside, between coups and as often as he likes."""
    command = act.command
    if not isinstance(command, cmd.SetAside) or table.phase != "between_rounds":
        return Refusal("wrong_phase", {"phase": table.phase})
    if not act.seat or act.seat != play_of(table).banker:
        return Refusal("not_banker")
    if not opens(table):
        return Refusal("garage_below_threshold")
    if command.amount > _gains_left(table):
        return Refusal("garage_too_much", {"max": _gains_left(table)})
    if command.amount > most(table):
        return Refusal("bank_below_minimum", {"min": banking.least_bank(table)})
    total = table.chips.get(banking.GARAGE, 0) + command.amount
    return [
        ev.GarageSetAside(amount=command.amount, by=act.by, seat=act.seat, source=act.source, total=total),
        *grouped("garage", [Move(command.amount, BANK, banking.GARAGE)]),
    ]


def options(table: Table) -> list[Option]:
    """What the banker may put aside now."""
    if table.phase != "between_rounds" or not opens(table) or most(table) < 1:
        return []
    return [Option("set_aside", min=1, max=most(table))]
