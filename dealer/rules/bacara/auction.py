"""Mode `auction`: the bank goes to the highest bid, which is its amount (R-52, A-25, A-42)."""

from dealer.rules.bacara import banking, modes
from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.state import Candidate, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Act, Decided
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import STANDING, Table

CALLS = 3
"""Calls without an answer after which the hammer falls."""


def highest(table: Table) -> Candidate | None:
    """The highest bid whose bidder still sits here with the chips for it."""
    seeking = play_of(table).seeking
    bids = seeking.queue if seeking.mode == "auction" else ()
    return next((each for each in reversed(bids) if table.stack(each.seat) >= each.amount), None)


def least_bid(table: Table) -> int:
    """The smallest bid that would be taken now."""
    top = highest(table)
    return max(banking.least_bank(table), top.amount + 1 if top else 0)


def bid(table: Table, chance: Chance, act: Act) -> Decided:
    """Somebody bids more than all others; the calls begin again."""
    command = act.command
    if not isinstance(command, cmd.BidBank):
        return Refusal("unknown_command")
    begun = modes.begin(table, act, "auction")
    if isinstance(begun, Refusal):
        return begun
    if act.seat >= STANDING:
        return Refusal("not_candidate")
    least = least_bid(table)
    if command.amount < least and highest(table):
        return Refusal("bid_too_low", {"min": least})
    misfit = banking.misfit(table, act.seat, command.amount)
    return misfit or [
        *begun,
        ev.BankBid(amount=command.amount, by=act.by, seat=act.seat, source=act.source),
    ]


def hammer(table: Table) -> list[Data]:
    """Nobody bids any more: the highest bidder banks; nothing if nobody has bid."""
    top = highest(table)
    return banking.constitute(table, top.seat, top.amount, "auction") if top else []
