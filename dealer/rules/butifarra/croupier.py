"""What the croupier does unasked, and what silence means (butifarra 12, 12.1)."""

from dealer.rules.butifarra import playing, speaking
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
    match table.phase:
        case "bidding":
            return speaking.fixed(table)
        case "tricks":
            return playing.complete(table)
        case "dealing":
            return course.hands_dealt(table) if "deal" in table.automations else []
        case "preparing":
            return course.following(table, chance)
        case _:
            return course.following(table, chance) if clocks.overdue(table, now) else []


def expire(table: Table, chance: Chance, source: Source, by: str) -> Decided:
    """The act of the croupier when the time of a phase or a turn is up."""
    match table.phase:
        case "bidding":
            return speaking.silent(table, chance, source, by)
        case "tricks":
            return playing.silent(table, chance, source, by)
        case "dealing":
            return course.hands_dealt(table)
        case _:
            return course.following(table, chance) or Refusal("wrong_phase", {"phase": table.phase})
