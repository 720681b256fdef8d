"""A settled round is put right: chips move between those who had a part in it (fairness S-24 to S-26).

Neither the cards nor the result are touched, for both follow from the sealed shoe. What two people can do is
to give chips back: an error of the software, a command in the wrong name, an outage, or what was agreed on.
"""

from collections import Counter
from collections.abc import Iterable

from dealer.rules.frame.chips import HOUSE, grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import Change, CorrectionApproved, Move
from dealer.rules.frame.game import Game
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.settled import find
from dealer.rules.frame.state import Table


def possible(table: Table) -> bool:
    """Whether a round can be corrected: one was settled not long ago, and none is under way."""
    return bool(table.settled) and not table.playing


def owner(game: Game, table: Table, place: str) -> str:
    """Whose the chips at a place are: a seat's, or what the game says of its own places."""
    kind, _, rest = place.partition(":")
    seat = int(rest.rsplit(":", 1)[-1]) if kind in {"stack", "stake"} else game.owner(table, place)
    return table.seats[seat].pid if seat in table.seats else HOUSE


def misfit(game: Game, table: Table, number: int, moves: Iterable[Move]) -> Refusal | None:
    """Why a round cannot be corrected like this now, or None.

    Refuses `not_correctable` (nothing was at stake in it, or it is too long ago), `not_in_round` (whoever has
    a place had no part in it), `chips_gone` (they are not there any more), `correction_too_large` (no other
    result would have moved so much).
    """
    round_ = find(table, number)
    if round_ is None:
        return Refusal("not_correctable", {"round": number})
    chips, brought = Counter(table.chips), Counter(round_.changed)
    for move in moves:
        for place, change in ((move.origin, -move.amount), (move.to, move.amount)):
            whose = _party(game, table, place)
            if whose not in round_.most:
                return Refusal("not_in_round", {"place": place})
            brought[whose] += change
        if chips[move.origin] < move.amount:
            return Refusal("chips_gone", {"chips": chips[move.origin], "place": move.origin})
        chips[move.origin] -= move.amount
        chips[move.to] += move.amount
    over = [most for whose, most in round_.most.items() if abs(brought[whose]) > most]
    return Refusal("correction_too_large", {"max": min(over)}) if over else None


def _party(game: Game, table: Table, place: str) -> str:
    """Whose a place is that a correction may touch, empty if it may not."""
    kind, _, rest = place.partition(":")
    if kind == "stack":
        held = table.seats.get(int(rest)) if rest else None
        return held.pid if held and place == f"stack:{int(rest)}" else ""  # `stack:01` is nowhere
    return owner(game, table, place) if place in game.correctable(table) else ""


def approved(game: Game, table: Table, by: str) -> list[Data] | Refusal:
    """What the standing proposal does when `by` approves it, if it still can be done."""
    proposal = table.proposal
    if proposal is None:
        return Refusal("no_such_proposal")
    refused = misfit(game, table, proposal.corrects, proposal.moves)
    if refused:
        return refused
    net: Counter[str] = Counter()
    for move in proposal.moves:
        net[move.origin] -= move.amount
        net[move.to] += move.amount
    changes = tuple(
        Change(table.chips.get(place, 0) + n, table.chips.get(place, 0), owner(game, table, place), place)
        for place, n in sorted(net.items())
    )
    return [
        CorrectionApproved(
            approvals=(proposal.by, by),
            by=by,
            changes=changes,
            corrects=proposal.corrects,
            kind=proposal.kind,
            proposal=proposal.seq,
            reason=proposal.reason,
        ),
        *grouped("correction", proposal.moves),
    ]
