"""What the croupier does unasked, and what silence means (baciga 13, 13.1)."""

from dealer.rules.baciga import dealing, declaring, playing, scoring
from dealer.rules.baciga.state import play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Decided, Source
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.matches import clocks, course


def unasked(table: Table, chance: Chance, now: int) -> list[Data]:
    """The next step that needs nobody's word; nothing when somebody is awaited."""
    if not table.playing and table.shoe is not None and course.spent(table):
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
        return dealing.deal(table, chance) if "deal" in table.automations else []
    if table.phase == "preparing" or clocks.overdue(table, now):
        return course.following(table, chance)
    return []


def expire(table: Table, chance: Chance, source: Source, by: str) -> Decided:
    """The act of the croupier when the time of a phase or a turn is up."""
    match table.phase:
        case "stock" | "last_tricks":
            return playing.forced(table, chance, source, by)
        case "declaring":
            return declaring.draw(table, source, by)
        case "dealing":
            return dealing.deal(table, chance)
        case _:
            return course.following(table, chance) or Refusal("wrong_phase", {"phase": table.phase})
