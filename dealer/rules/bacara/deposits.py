"""What a banker may do for his bank beside ending it: go on with a new deposit, answer for everything.

R-29, R-31, R-58.
"""

from dealer.rules.bacara import banking
from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.betting import OPEN
from dealer.rules.bacara.state import BANK, funds, is_open, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import Move
from dealer.rules.frame.game import Act, Decided, Due, Option
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table

BETWEEN = "between_rounds"


def broken(table: Table) -> bool:
    """Whether the bank has *saltado*, and its banker may go on with a new deposit (R-58)."""
    play = play_of(table)
    waits = table.phase == BETWEEN and play.banker and table.options["replenish"]
    return bool(waits) and funds(table) < table.options["min_stake"]


def due(table: Table) -> list[Due]:
    """The time the banker has for it."""
    ms = table.options["bank_offer_ms"]
    until = table.since + ms if ms else None
    return [Due(f"deposit:{table.opened}", "timeout", (play_of(table).banker,), until, table.since)]


def replenish(table: Table, chance: Chance, act: Act) -> Decided:
    """He goes on with at least what he began with (R-58)."""
    command, play = act.command, play_of(table)
    if not isinstance(command, cmd.ReplenishBank) or not broken(table):
        return Refusal("wrong_phase", {"phase": table.phase})
    if act.seat != play.banker:
        return Refusal("not_banker")
    least = play.holding.put
    if command.amount < least:
        return Refusal("deposit_too_low", {"min": least})
    if command.amount > table.stack(act.seat):
        return Refusal("insufficient_chips", {"stack": table.stack(act.seat)})
    return [
        ev.BankReplenished(amount=command.amount, by=act.by, seat=act.seat, source=act.source),
        *grouped("bank", [Move(command.amount, f"stack:{act.seat}", BANK)]),
    ]


def may_renew(table: Table) -> bool:
    """Whether a new shoe may be asked for: after a new deposit, until the next coup (R-58)."""
    return table.phase == BETWEEN and play_of(table).holding.renewed and table.shoe is not None


def renew(table: Table, chance: Chance, act: Act) -> Decided:
    """After a new deposit the banker may have a new shoe (R-58)."""
    if not may_renew(table) or table.shoe is None:
        return Refusal("wrong_phase", {"phase": table.phase})
    if act.seat != play_of(table).banker:
        return Refusal("not_banker")
    asked: list[Data] = [ev.NewShoeRequested(by=act.by, seat=act.seat, source=act.source)]
    return [*asked, *chance.end(table.shoe)]


def may_accept(table: Table) -> bool:
    """Whether the banker could still make his bank an open one (R-31)."""
    return table.phase in OPEN and table.options["coverage"] == "after" and not is_open(table)


def accept_all(table: Table, chance: Chance, act: Act) -> Decided:
    """The banker accepts all stakes, and answers for them with all he has (R-31)."""
    if not may_accept(table):
        return Refusal("wrong_phase", {"phase": table.phase})
    if not act.seat or act.seat != play_of(table).banker:
        return Refusal("not_banker")
    return [ev.StakesAccepted(by=act.by, seat=act.seat, source=act.source)]


def options(table: Table, seat: int) -> list[Option]:
    """What the banker may do of this now."""
    if broken(table):
        least, most = play_of(table).holding.put, table.stack(seat)
        return [Option("replenish_bank", min=least, max=most)] if least <= most else []
    found = [Option("request_new_shoe")] if may_renew(table) else []
    return [*found, *([Option("accept_all_stakes")] if may_accept(table) else [])]


def given_up(table: Table, source: str, by: str) -> list[Data]:
    """He does not go on."""
    return banking.ended(table, "exhausted", source, by)
