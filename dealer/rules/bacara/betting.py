"""Stakes and the three calls (R-22 ... R-26)."""

from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.state import funds, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import ChipsMoved, Move, RoundStarted
from dealer.rules.frame.game import Act, Decided
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import STANDING, Table

OPEN = frozenset({"betting", "last_call"})
"""The phases in which stakes change (R-22)."""


def _closed(table: Table) -> Refusal | None:
    if table.phase in OPEN:
        return None
    if table.playing:
        return Refusal("late_stake")
    if play_of(table).bank_mode and (table.shoe is None or not table.shoe.ready):
        return Refusal("shoe_not_ready")
    return Refusal("wrong_phase", {"phase": table.phase})


def place(on: str, seat: int) -> str:
    """Where a stake lies (design 4)."""
    return f"stake:{on}:{seat}"


def stake(table: Table, chance: Chance, act: Act) -> Decided:
    """Put chips on a paño (R-25, R-26)."""
    command = act.command
    if not isinstance(command, cmd.Stake):
        return Refusal("unknown_command")
    refused = _closed(table)
    if refused:
        return refused
    play = play_of(table)
    if play.banker and act.seat == play.banker:
        return Refusal("banker_may_not_stake")
    lying = play.stakes.get(f"{command.on}:{act.seat}")
    total = command.amount + (lying.amount if lying else 0)
    least, most = table.options["min_stake"], table.options.get("max_stake")
    if total < least:
        return Refusal("stake_below_minimum", {"min": least})
    if most is not None and total > most:
        return Refusal("stake_above_maximum", {"max": most})
    if command.amount > table.stack(act.seat):
        return Refusal("insufficient_chips", {"stack": table.stack(act.seat)})
    return [
        ev.StakePlaced(
            amount=command.amount, by=act.by, on=command.on, seat=act.seat, source=act.source, total=total
        ),
        ChipsMoved("stake", (Move(command.amount, f"stack:{act.seat}", place(command.on, act.seat)),)),
    ]


def unstake(table: Table, chance: Chance, act: Act) -> Decided:
    """Lower a stake, or take all of it back (R-22, R-23)."""
    command = act.command
    if not isinstance(command, cmd.Unstake):
        return Refusal("unknown_command")
    refused = _closed(table)
    if refused:
        return refused
    lying = play_of(table).stakes.get(f"{command.on}:{act.seat}")
    if lying is None or command.amount > lying.amount:
        return Refusal("stake_not_found", {"stake": lying.amount if lying else 0})
    rest = lying.amount - command.amount
    least = table.options["min_stake"]
    if rest and rest < least:
        return Refusal("stake_below_minimum", {"min": least})
    return [
        ev.StakeWithdrawn(
            amount=command.amount, by=act.by, on=command.on, seat=act.seat, source=act.source, total=rest
        ),
        *grouped("unstake", [Move(command.amount, place(command.on, act.seat), f"stack:{act.seat}")]),
    ]


def able(table: Table) -> list[int]:
    """Who has chips to stake or a stake lying, the banker aside."""
    least = table.options["min_stake"]
    play = play_of(table)
    staking = {s.seat for s in play.stakes.values()}
    return [n for n in table.seats if n != play.banker and (n in staking or table.stack(n) >= least)]


def players_ready(table: Table) -> bool:
    """Whether there are enough punters (R-61).

    A banker who is a player counts among `min_players`; a house bank needs one punter.
    """
    banker = play_of(table).banker
    wanted: int = table.options["min_players"] - (1 if banker else 0)
    found = able(table)
    seated = sum(n < STANDING for n in found) + bool(banker)
    return len(found) >= max(1, wanted) and seated >= table.options.get("min_seated", 0)


def may_open(table: Table) -> bool:
    """Whether a coup may begin: a ready shoe, a bank, and enough punters (R-08, R-58, R-61)."""
    shoe = table.shoe
    if shoe is None or not shoe.ready or funds(table) < table.options["min_stake"]:
        return False
    return players_ready(table)


def opening(table: Table, source: str, by: str = "") -> list[Data]:
    """A coup begins: «¡Hagan juego, señores!»."""
    shuffle = table.shoe.shuffle if table.shoe else 0
    return [RoundStarted(shuffle), ev.StakesOpened(source=source, by=by)]
