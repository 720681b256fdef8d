"""What the croupier does unasked, and what silence means (baciga 13, 13.1)."""

from dealer.rules.baciga import clocks, declaring, matches, playing, scoring
from dealer.rules.baciga.state import play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Deal, NextRound
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Act, Decided, Option, Source
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table


def unasked(table: Table, chance: Chance, now: int) -> list[Data]:
    """The next step that needs nobody's word; nothing when somebody is awaited."""
    if not table.playing and table.shoe is not None and matches.spent(table):
        return chance.end(table.shoe)
    play = play_of(table)
    won = scoring.reached(table) if play.running else []
    if won:
        return won
    given_up = play.turn in play.conceded
    if table.phase in playing.CARDS:
        done = playing.complete(table)
        return done or (playing.forced(table, chance, "automation") if given_up else [])
    if table.phase == "declaring":
        return declaring.draw(table, "automation") if given_up else []
    if table.phase == "dealing":
        return matches.deal(table, chance) if "deal" in table.automations else []
    if table.phase == "preparing" or clocks.overdue(table, now):
        return following(table, chance)
    return []


def following(table: Table, chance: Chance) -> list[Data]:
    """The next match or hand, as soon as everybody and everything it needs is there."""
    if matches.may_start(table):
        return matches.start(table, chance)
    return matches.begin(table) if matches.may_deal(table) else []


def expire(table: Table, chance: Chance, source: Source, by: str) -> Decided:
    """The act of the croupier when the time of a phase or a turn is up."""
    match table.phase:
        case "stock" | "last_tricks":
            return playing.forced(table, chance, source, by)
        case "declaring":
            return declaring.draw(table, source, by)
        case "dealing":
            return matches.deal(table, chance)
        case _:
            return following(table, chance) or Refusal("wrong_phase", {"phase": table.phase})


def chore(table: Table, chance: Chance, act: Act) -> Decided:
    """A host deals, or has the next hand begin without waiting."""
    if act.source == "player":
        return asked(table, act.seat) or matches.begin(table)
    wanted = isinstance(act.command, Deal)
    if table.playing:
        steps = matches.deal(table, chance) if wanted and table.phase == "dealing" else []
    else:
        steps = [] if wanted else following(table, chance)
    return steps or Refusal("wrong_phase", {"phase": table.phase})


def asked(table: Table, seat: int) -> Refusal | None:
    """Why a player may not have the next hand begin now; whoever asks is there, even if he was not (13)."""
    play = play_of(table)
    if not play.running and play.match:
        return Refusal("match_over")
    if seat in play.conceded:
        return Refusal("already_conceded")
    if table.phase == "between_rounds" and matches.prepared(table):
        return None
    return Refusal("wrong_phase", {"phase": table.phase})


def options(table: Table) -> list[Option]:
    """What a host may do of this now."""
    if table.phase == "dealing":
        return [Option(str(Deal.__struct_config__.tag))]
    waits = not table.playing and (matches.may_start(table) or matches.may_deal(table))
    return [Option(str(NextRound.__struct_config__.tag))] if waits else []
