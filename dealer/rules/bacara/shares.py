"""Associates: others who have a part in the bank, its gains and its losses, and never a word in it (R-60)."""

from collections.abc import Mapping

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


def shared(shares: Mapping[int, int], bank: int, net: int) -> dict[int, int]:
    """The shares after a coup: of a gain as of a loss each is rounded down, the rest is the banker's (R-60).

    Of a loss, what is more than the banker has in the bank those bear whose part was rounded, a chip each by
    seat.

    Args:
        shares: chips of the bank by associate, before the coup.
        bank: all chips of the bank then.
        net: what it has gained, less commission; a loss is below 0.
    """
    sign = 1 if net >= 0 else -1
    after = {seat: own + sign * (abs(net) * own // bank) for seat, own in shares.items()}
    short = sum(after.values()) - (bank + net)
    rounded = sorted(seat for seat, own in shares.items() if abs(net) * own % bank)
    for seat in rounded[: max(0, short)]:
        after[seat] -= 1
    return after


def _barred(table: Table) -> Refusal | None:
    if not table.options["associates"]:
        return Refusal("option_not_allowed", {"option": "associates"})
    if not banking.may_end(table) or not play_of(table).banker:  # a share begins between coups
        return Refusal("wrong_phase", {"phase": table.phase})
    return None


def ask(table: Table, chance: Chance, act: Act) -> Decided:
    """Somebody asks for a share; asking again replaces what was asked."""
    command, play = act.command, play_of(table)
    refused = _barred(table)
    if refused or not isinstance(command, cmd.AskShare):
        return refused or Refusal("unknown_command")
    if act.seat == play.banker:
        return Refusal("not_candidate")
    if command.amount > table.stack(act.seat):
        return Refusal("insufficient_chips", {"stack": table.stack(act.seat)})
    return [ev.ShareAsked(amount=command.amount, by=act.by, seat=act.seat, source=act.source)]


def answer(table: Table, chance: Chance, act: Act) -> Decided:
    """The banker consents, and the associate's chips join the bank; or he does not."""
    command, play = act.command, play_of(table)
    refused = _barred(table)
    if refused or not isinstance(command, cmd.AnswerShare):
        return refused or Refusal("unknown_command")
    if act.seat != play.banker:
        return Refusal("not_banker")
    amount, seat = play.holding.asking.get(command.associate, 0), command.associate
    if not amount:
        return Refusal("not_candidate")
    if not command.yes:
        return [ev.ShareRefused(by=act.by, seat=seat, source=act.source)]
    if amount > table.stack(seat):
        return Refusal("insufficient_chips", {"stack": table.stack(seat)})
    return [
        ev.ShareGranted(amount=amount, by=act.by, seat=seat, source=act.source),
        *grouped("bank", [Move(amount, f"stack:{seat}", BANK)]),
    ]


def options(table: Table, seat: int) -> list[Option]:
    """What a seat may ask, or the banker answer, now."""
    play = play_of(table)
    if _barred(table):
        return []
    if seat != play.banker:
        stack = table.stack(seat)
        return [Option("ask_share", min=1, max=stack)] if stack else []
    return [
        Option("answer_share", fields={"associate": n, "yes": yes})
        for n, amount in play.holding.asking.items()
        for yes in ((True, False) if amount <= table.stack(n) else (False,))
    ]
