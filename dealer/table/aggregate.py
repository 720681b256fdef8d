"""The aggregate as a whole: one command in, its events and the next state out.

Everything an accepted command causes, up to the next moment somebody is awaited, is one list of
events that is appended as a whole or not at all.
"""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from dealer.rules.frame import commands as cmd
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import CROUPIER, Codec, Data, Event
from dealer.rules.frame.events import (
    EVENTS,
    UPCASTS,
    CorteAborted,
    RoundStarted,
    SeedRevealed,
    TableClosed,
)
from dealer.rules.frame.game import Act, Decided, Due, Game
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.table import cashier, closing, corte, outage, seats, shoes
from dealer.table.evolve import evolve
from dealer.table.opening import open_table

MAX_STEPS = 64
"""The croupier's steps after one command; more would mean that two of them undo each other."""

_DECIDERS: Mapping[type, Callable[[Game, Table, Chance, Act], Decided]] = {
    cmd.Sit: seats.sit,
    cmd.SeatBot: seats.seat_bot,
    cmd.Join: seats.join,
    cmd.Leave: seats.leave,
    cmd.CashOut: cashier.cash_out,
    cmd.Receive: cashier.receive,
    cmd.Resolve: cashier.resolve,
    cmd.CashedOut: cashier.cashed_out,
    cmd.CommitSeeds: shoes.commit_seeds,
    cmd.SetCutWilling: corte.set_willing,
    cmd.CutCommit: corte.commit,
    cmd.CutDecline: corte.decline,
    cmd.CutReveal: corte.reveal,
    cmd.MoveDeadlines: outage.move_deadlines,
    cmd.Pause: closing.pause,
    cmd.Resume: closing.resume,
    cmd.CloseTable: closing.close_table,
    cmd.ProposeCorrection: closing.propose,
    cmd.ApproveCorrection: closing.approve,
    cmd.RejectCorrection: closing.reject,
}


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """What an accepted command did.

    Attributes:
        secrets: seeds to keep sealed by shuffle number, None for one that has been revealed.
        rounds: first sequence number of every round that began.
        faces: laid by hand on the first shoe, to keep sealed beside its seed.
    """

    events: list[Event]
    table: Table
    secrets: dict[int, bytes | None]
    rounds: dict[int, int]
    faces: tuple[str, ...]


def codec(game: Game) -> Codec:
    """Reads the log of a table of this game."""
    return Codec((*EVENTS, *game.events), {**UPCASTS, **game.upcasts})


def replay(game: Game, table: Table, events: Iterable[Event]) -> Table:
    """The state after further events of the log."""
    for event in events:
        table = evolve(game, table, event)
    return table


def due(game: Game, table: Table) -> list[Due]:
    """Everything that will be decided at this table, and when (design 3)."""
    waiting = cashier.cash_outs_due(table)
    if table.status in {"paused", "closed"} or (table.status == "closing" and not table.playing):
        return waiting
    every = corte.decisions(game, table) + waiting
    if table.status == "open":
        every += shoes.seeds_due(table)
    if not table.moved:
        return every
    return [msgspec.structs.replace(d, until=table.until(d.decision, d.until)) for d in every]


def handle(game: Game, table: Table, chance: Chance, act: Act) -> Outcome | Refusal:
    """Decide a command and let the croupier go on until somebody is awaited."""
    decided = decide(game, table, chance, act)
    if not isinstance(decided, list):
        return decided
    secrets: dict[int, bytes | None] = {}
    unused = table.commitments
    faces: tuple[str, ...] = ()
    if type(act.command) is cmd.OpenTable:
        faces = act.command.stacked
        chance.lay(faces)
    seeds = getattr(act.command, "seeds", ())
    if seeds:
        fresh = dict(enumerate(seeds, shoes.next_uncommitted(table)))
        chance.learn(fresh)
        secrets.update(fresh)
    events, table = apply(game, table, decided, act.actor, act.now)
    for _ in range(MAX_STEPS):
        step = advance(game, table, chance, act.now)
        if not step:
            break
        more, table = apply(game, table, step, CROUPIER, act.now)
        events += more
    else:
        raise RuntimeError(f"the croupier does not come to rest in phase {table.phase}")
    rounds: dict[int, int] = {}
    for event in events:
        kind = type(event.data)
        if kind is RoundStarted:
            rounds[event.round] = event.seq
        elif kind is SeedRevealed or kind is CorteAborted:
            secrets[event.data.shuffle] = None
        elif kind is TableClosed:
            secrets.update(dict.fromkeys(unused, None))
    return Outcome(events, table, secrets, rounds, faces)


def apply(game: Game, table: Table, data: Iterable[Data], actor: str, now: int) -> tuple[list[Event], Table]:
    """The events of what was decided at `now` (ms UTC), and the table after them."""
    at = max(now, table.at)
    events = []
    for d in data:
        starts = type(d) is RoundStarted
        number = table.round + 1 if starts else table.round if table.playing else 0
        event = Event(actor, at, d, table.log, number, table.seq + 1, d.TYPE, d.V)
        table = evolve(game, table, event)
        events.append(event)
    return events, table


def decide(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """What an act brings by itself, before the croupier goes on; or why nothing."""
    command = act.command
    if type(command) is cmd.OpenTable:
        return open_table(game, table, command)
    if table.seq < 0:
        return Refusal("no_such_table")
    own = _DECIDERS.get(type(command))
    if not isinstance(command, cmd.Command):
        if isinstance(command, cmd.CommitSeeds) and table.status in {"closing", "closed"}:
            return Refusal("table_closed")
        return own(game, table, chance, act) if own else Refusal("unknown_command")
    barred = _barred(table, command)
    if barred:
        return Refusal(barred)
    if type(command) is cmd.Expire:
        return _expire(game, table, chance, act)
    named = command.decision
    if named is not msgspec.UNSET and all(d.decision != named for d in due(game, table)):
        return Refusal("decision_over", {"decision": named})
    if own:
        return own(game, table, chance, act)
    decider = game.commands.get(type(command))
    return decider(table, chance, act) if decider else Refusal("unknown_command")


_WHILE_PAUSED = (
    cmd.Resume,
    cmd.CloseTable,
    cmd.Leave,
    cmd.CashOut,
    cmd.ProposeCorrection,
    cmd.ApproveCorrection,
    cmd.RejectCorrection,
)
_NEWCOMERS = (cmd.Sit, cmd.SeatBot, cmd.Join, cmd.BuyIn, cmd.Pause)
"""What a table that closes takes no more, even while its last round is played."""


def _barred(table: Table, command: cmd.Command) -> str:
    """Why a table takes no such command now, empty if it does."""
    if table.status == "open":
        return ""
    if table.status == "paused":
        return "" if isinstance(command, _WHILE_PAUSED) else "table_paused"
    if table.status == "closing" and table.playing and not isinstance(command, _NEWCOMERS):
        return ""
    return "table_closed"


def _expire(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    named = getattr(act.command, "decision", None)
    for entry in due(game, table):
        if entry.decision == named and entry.kind == "timeout":
            if named == corte.decision(table):
                return corte.expire(table, chance, act, entry)
            if act.source != "host" and (entry.until is None or act.now < entry.until):
                return Refusal("wrong_phase", {"phase": table.phase})
            return game.expire(table, chance, act)
    return Refusal("decision_over", {"decision": str(named)})


def advance(game: Game, table: Table, chance: Chance, now: int) -> list[Data]:
    """The croupier's next step unasked, at `now` (ms UTC); nothing when somebody is awaited."""
    if table.status == "closing":
        return game.advance(table, chance, now) if table.playing else closing.wind_up(game, table, chance)
    if table.status != "open":
        return []
    return corte.advance(game, table, chance, now) or game.advance(table, chance, now)
