"""The rounds that can still be corrected, and what has been put right of them (fairness S-25, S-26)."""

from collections.abc import Mapping

from msgspec.structs import replace

from dealer.rules.frame.chips import HOUSE
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import CorrectionApproved
from dealer.rules.frame.state import Settled, Table

RECENT = 4
"""So many rounds with chips at stake can be corrected, counted from the last one back."""


def noted(table: Table, parts: Mapping[int, int]) -> Table:
    """The table after a round; nothing is noted of one in which nothing was at stake.

    Args:
        table: as the round has left it, with everybody still in his place.
        parts: by seat, 0 for the house, how many chips another result could have moved to or from it.
    """
    if not parts:
        return table
    most = {table.seats[seat].pid if seat else HOUSE: n for seat, n in parts.items()}
    return replace(table, settled=(*table.settled, Settled(table.round, most))[-RECENT:])


def find(table: Table, number: int) -> Settled | None:
    """A round that can still be corrected."""
    return next((each for each in table.settled if each.round == number), None)


def corrected(table: Table, event: Event) -> Table:
    """The table after a correction was approved; a void, or the end of a pause, has no round to name."""
    approved: CorrectionApproved = event.data
    round_ = find(table, approved.corrects)
    if round_ is None:
        return table
    changed = dict(round_.changed)
    for each in approved.changes:
        changed[each.owner] = changed.get(each.owner, 0) + each.after - each.before
    after = replace(round_, changed=changed)
    seqs = (*table.corrected.get(approved.corrects, ()), event.seq)
    return replace(
        table,
        settled=tuple(after if each is round_ else each for each in table.settled),
        corrected={**table.corrected, approved.corrects: seqs},
    )
