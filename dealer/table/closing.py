"""Pausing a table, voiding what was played, and closing for good (design 6, 7; fairness 1.8).

A void needs two people: one proposes it, another approves. Everything it does is new events.
"""

import msgspec

from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import CAGE, TRANSIT, grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import Move
from dealer.rules.frame.game import Act, Decided, Game
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.table import correcting
from dealer.table.corte import INCIDENT, decisions, hidden

PROPOSAL_LIFE_MS = 900_000
"""A proposal that nobody has approved by then is void itself (fairness S-25)."""
INCIDENTS = frozenset({INCIDENT})
"""Reasons of a pause that one person alone may not lift (fairness 1.7)."""


def pause(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """Stop all clocks; nothing is decided until somebody resumes."""
    return [ev.TablePaused(by=act.by, reason="host", source=act.source)]


def resume(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """Go on; every open decision keeps the time it had."""
    if table.status != "paused":
        return Refusal("wrong_phase", {"phase": table.phase})
    if table.pause_reason in INCIDENTS:
        return Refusal("second_person_needed")
    return resumed(game, table, act)


def resumed(game: Game, table: Table, act: Act) -> list[Data]:
    """The events of going on."""
    return [ev.TableResumed(by=act.by, source=act.source), *_shifted(game, table, act.now)]


def _shifted(game: Game, table: Table, now: int) -> list[Data]:
    """What was open when the clocks stopped has the time it had then; what came later, all of its time."""
    at = max(now, table.at)
    steps: list[Data] = []
    for due in decisions(game, table):
        until, lost = table.until(due.decision, due.until), at - max(table.paused_at, due.since)
        if due.kind != "chore" and until is not None and lost:
            steps.append(ev.DeadlineMoved(decision=due.decision, until=until + lost))
    return steps


def proposable(table: Table) -> list[cmd.Correction]:
    """What could be proposed now."""
    fits: dict[cmd.Correction, bool] = {
        "void_round": table.playing,
        "void_shoe": table.shoe is not None,
        "result": correcting.possible(table),
        "resume": table.status == "paused",
    }
    return [kind for kind, fit in fits.items() if fit]


def propose(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """One person proposes a void, other chips for a settled round, or the end of an incident's pause."""
    command = act.command
    if not isinstance(command, cmd.ProposeCorrection):
        return Refusal("unknown_command")
    if command.kind == "result" and not table.playing:
        return _put_right(game, table, act, command)
    if command.kind not in proposable(table):
        return Refusal("wrong_phase", {"phase": table.phase})
    return [ev.CorrectionProposed(by=act.actor, kind=command.kind)]


def _put_right(game: Game, table: Table, act: Act, command: cmd.ProposeCorrection) -> Decided:
    if not (command.moves and command.reason and command.round):
        return Refusal("unknown_command")
    moves = tuple(Move(each.amount, each.origin, each.to) for each in command.moves)
    refused = correcting.misfit(game, table, command.round, moves)
    proposed = ev.CorrectionProposed(
        by=act.actor, corrects=command.round, kind=command.kind, moves=moves, reason=command.reason
    )
    return refused or [proposed]


def approve(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """Another person approves, and it is done; whoever names the kind approves nothing else (S-25).

    Chips are moved only for somebody who has named the proposal itself.
    """
    command, proposal = act.command, table.proposal
    if not isinstance(command, cmd.ApproveCorrection):
        return Refusal("unknown_command")
    if proposal is None or act.now - proposal.at > PROPOSAL_LIFE_MS or proposal.round != table.round:
        return Refusal("no_such_proposal")
    if command.kind not in {msgspec.UNSET, proposal.kind}:
        return Refusal("no_such_proposal")
    named = {proposal.seq} if proposal.kind == "result" else {msgspec.UNSET, proposal.seq}
    if command.proposal not in named:
        return Refusal("no_such_proposal")
    if act.actor == proposal.by:
        return Refusal("second_person_needed")
    approved = ev.CorrectionApproved(by=act.actor, kind=proposal.kind)
    approvals = (proposal.by, act.actor)
    match proposal.kind:
        case "resume":
            return [approved, *resumed(game, table, act)]
        case "result":
            return correcting.approved(game, table, act.actor)
        case "void_round" if table.playing:
            return [approved, *void_round(table, "host", approvals)]
        case "void_shoe" if table.shoe is not None:
            voided = void_round(table, "host", approvals) if table.playing else []
            return [approved, *voided, *chance.void(table.shoe, "host", approvals)]
        case _:
            return Refusal("no_such_proposal")


def reject(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """Anybody who might approve may reject; so may the proposer."""
    if table.proposal is None:
        return Refusal("no_such_proposal")
    return [ev.CorrectionRejected(by=act.actor, kind=table.proposal.kind)]


def void_round(table: Table, reason: str, approvals: tuple[str, ...] = ()) -> list[Data]:
    """The round never happened: all stakes return, cards that are out stay out of play (R-82, R-87)."""
    back = [
        Move(n, place, f"stack:{place.rsplit(':', 1)[1]}")
        for place, n in table.chips.items()
        if place.startswith("stake:")
    ]
    return [*grouped("void", back), ev.RoundVoided(approvals=approvals, reason=reason)]


def close_table(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """Close after the round, or at once by voiding it; then everybody's chips go home.

    A round that was paused is played to its end, each decision in the time it had.
    """
    command = act.command
    if not isinstance(command, cmd.CloseTable):
        return Refusal("unknown_command")
    if table.status == "closing" and not (command.now and table.playing):
        return Refusal("table_closed")
    closing = ev.TableClosing(by=act.by, now=command.now, source=act.source)
    if not table.playing:
        return [closing]
    if command.now:
        return [closing, *void_round(table, "closed")]
    return [closing, *(_shifted(game, table, act.now) if table.status == "paused" else [])]


def wind_up(game: Game, table: Table, chance: Chance) -> list[Data]:
    """The next step of a table that closes: end cut and shoe, send all chips home, and be closed.

    The seed of an open cut is opened like a shoe's: people have answered it, and the house may not drop an
    attempt unseen (fairness 1.7).
    """
    cut = table.cut
    if cut is not None:
        missing = tuple(hidden(cut)) if cut.revealing else ()
        return [ev.CorteAborted(missing, chance.seed(cut.shuffle).hex(), cut.shuffle)]
    if table.shoe is not None:
        return chance.end(table.shoe)
    ended = game.winding_up(table)
    if ended:
        return ended
    home = [
        Move(n, place, f"{TRANSIT}{correcting.owner(game, table, place)}:{table.seq + 1}")
        for place, n in table.chips.items()
        if place != CAGE and not place.startswith(TRANSIT)
    ]
    if home:
        return [*grouped("cash_out", home)]
    return [] if table.chips else [ev.TableClosed()]
