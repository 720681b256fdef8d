"""The aggregate as a whole: one command in, its events and the next state out.

Everything an accepted command causes, up to the next moment somebody is awaited, is one list of
events that is appended as a whole or not at all.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from dealer.rules.frame import commands as cmd
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import CROUPIER, Codec, Data, Event
from dealer.rules.frame.events import EVENTS, RoundStarted, SeedRevealed, TableOpened
from dealer.rules.frame.game import Act, Decided, Due, Game
from dealer.rules.frame.profile import resolve
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.table import cashier, seats, shoes
from dealer.table.evolve import evolve
from shoe.shoe import make_transcript, stacked

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
}


class Outcome(msgspec.Struct, frozen=True):
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
    return Codec((*EVENTS, *game.events))


def replay(game: Game, table: Table, events: Iterable[Event]) -> Table:
    """The state after further events of the log."""
    for event in events:
        table = evolve(game, table, event)
    return table


def due(game: Game, table: Table) -> list[Due]:
    """Everything that will be decided at this table, and when (design 3)."""
    if table.status != "open":
        return cashier.cash_outs_due(table)
    every = [*game.due(table), *shoes.seeds_due(table), *cashier.cash_outs_due(table)]
    if not table.moved:
        return every
    return [msgspec.structs.replace(d, until=table.moved.get(d.decision, d.until)) for d in every]


def handle(game: Game, table: Table, chance: Chance, act: Act) -> Outcome | Refusal:
    """Decide a command and let the croupier go on until somebody is awaited."""
    decided = _decide(game, table, chance, act)
    if isinstance(decided, Refusal):
        return decided
    secrets: dict[int, bytes | None] = {}
    faces: tuple[str, ...] = ()
    if isinstance(act.command, cmd.OpenTable):
        faces = act.command.stacked
        chance.lay(faces)
    seeds = getattr(act.command, "seeds", ())
    if seeds:
        first = table.shuffles + len(table.commitments) + 1
        fresh = dict(enumerate(seeds, first))
        chance.learn(fresh)
        secrets.update(fresh)
    events, table = _apply(game, table, decided, act.actor, act.now)
    for _ in range(MAX_STEPS):
        step = _advance(game, table, chance, act.now)
        if not step:
            break
        more, table = _apply(game, table, step, CROUPIER, act.now)
        events += more
    else:
        raise RuntimeError(f"the croupier does not come to rest in phase {table.phase}")
    secrets.update({e.data.shuffle: None for e in events if type(e.data) is SeedRevealed})
    rounds = {e.round: e.seq for e in events if type(e.data) is RoundStarted}
    return Outcome(events, table, secrets, rounds, faces)


def _apply(game: Game, table: Table, data: Iterable[Data], actor: str, now: int) -> tuple[list[Event], Table]:
    at = max(now, table.at)
    events = []
    for d in data:
        starts = type(d) is RoundStarted
        number = table.round + 1 if starts else table.round if table.playing else 0
        event = Event(actor, at, d, table.log, number, table.seq + 1, d.TYPE, d.V)
        table = evolve(game, table, event)
        events.append(event)
    return events, table


def _decide(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    command = act.command
    if isinstance(command, cmd.OpenTable):
        return _open(game, table, command)
    if table.seq < 0:
        return Refusal("no_such_table")
    own = _DECIDERS.get(type(command))
    if not isinstance(command, cmd.Command):
        return own(game, table, chance, act) if own else Refusal("unknown_command")
    if table.status != "open":
        return Refusal(f"table_{table.status}")
    if isinstance(command, cmd.Expire):
        return _expire(game, table, chance, act)
    named = command.decision
    if named is not msgspec.UNSET and all(d.decision != named for d in due(game, table)):
        return Refusal("decision_over", {"decision": named})
    if own:
        return own(game, table, chance, act)
    decider = game.commands.get(type(command))
    return decider(table, chance, act) if decider else Refusal("unknown_command")


def _open(game: Game, table: Table, command: cmd.OpenTable) -> Decided:
    if table.seq >= 0:
        return Refusal("key_reused")
    profile = game.profiles.get(command.profile)
    if profile is None or command.mode not in profile.modes:
        return Refusal("option_not_allowed", {"option": "profile" if profile is None else "mode"})
    options = resolve(profile, command.mode, command.options)
    if isinstance(options, Refusal):
        return options
    refused = game.check_options(options) or _unlayable(game, table, command, options)
    return refused or [
        TableOpened(
            automations=profile.automations,
            game=command.game,
            mode=command.mode,
            options=options,
            profile=profile.id,
            profile_version=profile.version,
            stacked=bool(command.stacked),
        ),
        shoes.commit(table.log, 1, command.seeds),
    ]


def _unlayable(
    game: Game, table: Table, command: cmd.OpenTable, options: Mapping[str, Any]
) -> Refusal | None:
    """Refuse cards laid by hand that the deck does not hold."""
    try:
        first = make_transcript(table.log, 1, game.cards(options), command.seeds[0])
        stacked(first, command.seeds[0], command.stacked)
    except ValueError:
        return Refusal("no_such_card")
    return None


def _expire(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    named = getattr(act.command, "decision", None)
    for entry in due(game, table):
        if entry.decision == named and entry.kind == "timeout":
            if act.source != "host" and (entry.until is None or act.now < entry.until):
                return Refusal("wrong_phase", {"phase": table.phase})
            return game.expire(table, chance, act)
    return Refusal("decision_over", {"decision": str(named)})


def _advance(game: Game, table: Table, chance: Chance, now: int) -> list[Data]:
    if table.status != "open":
        return []
    deck = game.deck(table)
    if deck is not None and table.shuffles + 1 in table.commitments:
        return shoes.seal(table, chance, deck)
    return game.advance(table, chance, now)
