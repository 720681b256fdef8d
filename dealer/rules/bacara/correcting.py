"""What a coup could have moved, and what a correction of it does to the bank (R-45, R-60, R-74)."""

from msgspec.structs import replace

from dealer.rules.bacara.punto.limits import pays
from dealer.rules.bacara.settlement import commission_on
from dealer.rules.bacara.shares import shared
from dealer.rules.bacara.state import BANK, keeps_history, play_of
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import CorrectionApproved
from dealer.rules.frame.state import Table


def at_stake(table: Table) -> dict[int, int]:
    """How many chips another result of this coup could have moved, by seat, 0 for the house (R-45, R-102).

    A stake lies between its loss and its gain; the bank is on the other side of all of them.
    """
    play, options = play_of(table), table.options
    found: dict[int, int] = {}
    for each in play.covered:
        if each.covered:
            span = each.covered * (1 + pays(each.on, options))
            found[each.seat] = found.get(each.seat, 0) + span
    every = sum(found.values())
    if every:
        found[play.banker] = every
    most = commission_on(every, options["commission_bp"], options["commission_unit"])
    return {0: most, **found} if most else found


def bank_corrected(t: Table, e: Event) -> Table:
    """What a correction brings the bank is a gain of it, and its associates', as a coup's is (R-60, R-74)."""
    d: CorrectionApproved = e.data
    bank = next((each for each in d.changes if each.place == BANK), None)
    if bank is None or not keeps_history(t.options):
        return t
    play, net = play_of(t), bank.after - bank.before
    holding = replace(
        play.holding,
        gains=max(0, play.holding.gains + net),
        shares=shared(play.holding.shares, bank.before, net) if bank.before else play.holding.shares,
    )
    return replace(t, play=replace(play, holding=holding))
