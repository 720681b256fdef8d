"""What a node does at a table of itself, for tests that play without one."""

from dealer.rules.bacara.bots import POLICIES
from dealer.rules.frame import commands as cmd
from tests.table.rig import Rig, seeds


def play_bot(rig: Rig) -> None:
    """The first bot on turn, if there is one, gives the command that its policy chooses."""
    for turn in [d for d in rig.due() if d.kind == "bot"][:1]:
        (seat,) = turn.seats
        command = POLICIES["steady"](rig.view(), rig.hand(seat), rig.options(seat))
        assert command is not None
        rig.send(command, rig.table.seats[seat].pid, "bot")


def do_chores(rig: Rig, luck: int) -> None:
    """The bank, the seeds, the way to the cage."""
    for chore in [d for d in rig.due() if d.kind == "chore"]:
        if chore.decision.startswith("house:"):
            rig.fund()
        elif chore.decision.startswith("seeds:"):
            first = int(chore.decision.removeprefix("seeds:"))
            rig.send(cmd.CommitSeeds(chore.decision, seeds(first, 32, luck)))
        else:
            rig.send(cmd.CashedOut(chore.decision))
