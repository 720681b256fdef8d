"""What a table offers to bet on, and how a stake on the line or a half becomes stakes (R-26, R-27, R-95).

What holds for every stake is in `betting`.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from dealer.rules.bacara import banco, betting
from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara.coverage import split_a_cheval
from dealer.rules.bacara.punto import limits
from dealer.rules.bacara.state import panos_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import ChipsMoved
from dealer.rules.frame.game import Act, Decided
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table

_TWO = ("right", "left")
_HALVED = 2
"""A `half` stake of less plays nothing."""


def bets(options: Mapping[str, Any]) -> tuple[str, ...]:
    """What can be bet on at a table, the line aside."""
    return limits.bets(options) if limits.is_punto(options) else panos_of(options)


def stake(table: Table, chance: Chance, act: Act) -> Decided:
    """Put chips on what the table offers (R-26, R-27, R-69, R-95)."""
    command = act.command
    if not isinstance(command, cmd.Stake):
        return Refusal("unknown_command")
    if _plain(table, command):
        return betting.stake(table, chance, act)
    refused = _refused(table, act, command.on)
    if refused:
        return refused
    if command.half:
        if not table.options["half_stakes"]:
            return Refusal("bet_not_offered")
        if command.amount < _HALVED:
            return Refusal("stake_below_minimum", {"min": _HALVED * table.options["min_stake"]})
        command = replace(command, amount=command.amount // _HALVED, half=False)
    if limits.is_punto(table.options):
        over = limits.over(table, command.on, command.amount)
        return over or betting.stake(table, chance, act)
    if command.on != "a_cheval":
        return betting.stake(table, chance, replace(act, command=command))
    return _on_the_line(table, chance, act, command)


def _plain(table: Table, command: cmd.Stake) -> bool:
    """The commonest stake by far, on one of two paños while no banco is played: it is what it says."""
    two = command.on in _TWO and table.options["panos"] == len(_TWO)
    return two and not command.half and table.phase in betting.OPEN and table.play.banco.called is None


def _on_the_line(table: Table, chance: Chance, act: Act, command: cmd.Stake) -> Decided:
    """Two ordinary stakes, the odd unit on the right paño (R-27)."""
    if command.amount > table.stack(act.seat):
        return Refusal("insufficient_chips", {"stack": table.stack(act.seat)})
    placed: list[Data] = []
    moves = []
    right, left = split_a_cheval(command.amount)
    for half in (cmd.Stake(on="right", amount=right), cmd.Stake(on="left", amount=left)):
        if half.amount:
            decided = betting.stake(table, chance, replace(act, command=half))
            if isinstance(decided, Refusal):
                return decided
            placed += [step for step in decided if not isinstance(step, ChipsMoved)]
            moves += [move for step in decided if isinstance(step, ChipsMoved) for move in step.moves]
    return [*placed, *grouped("stake", moves)]


def unstake(table: Table, chance: Chance, act: Act) -> Decided:
    """Take back what is one's own again, or not yet in play (R-22, R-23, R-69)."""
    command = act.command
    if not isinstance(command, cmd.Unstake):
        return Refusal("unknown_command")
    if table.phase == banco.PHASE:
        return Refusal("wrong_phase", {"phase": table.phase})
    if banco.in_play(table, act.seat):
        return Refusal("banco_in_play")
    return betting.unstake(table, chance, act)


def _refused(table: Table, act: Act, on: str) -> Refusal | None:
    if table.phase == banco.PHASE:
        return Refusal("wrong_phase", {"phase": table.phase})
    if banco.in_play(table, act.seat):
        return Refusal("banco_in_play")
    line = on == "a_cheval" and table.options["a_cheval"]
    return None if line or on in bets(table.options) else Refusal("bet_not_offered")
