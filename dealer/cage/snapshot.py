"""A book of the cage as it is kept in a snapshot, and which combinations of its fields no log leads to."""

from collections.abc import Iterator

from dealer.cage.ledger import HOUSE, TRANSIT, Cage
from dealer.rules.frame.form import Form

FORM = Form(Cage)
"""How books are written down."""


def flaw(cage: Cage) -> str:
    """Why no log leads to this book, in a few words; empty if one may (design 7)."""
    return next(_flaws(cage), "")


def _flaws(cage: Cage) -> Iterator[str]:
    total = sum(cage.balances.values())
    if total:
        yield f"the accounts sum to {total}"
    overdrawn = next((name for name, n in cage.balances.items() if n < 0 and name != HOUSE), "")
    if overdrawn:
        yield f"the account {overdrawn} is overdrawn"
    if cage.balances.get(TRANSIT, 0) != sum(held.amount for held in cage.holds.values()):
        yield "what is in transit is not what is held"
    for x, held in cage.holds.items():
        if held.amount < 1 or held.at > cage.at:
            yield f"the hold {x} is of {held.amount} chips, or of a time to come"
    if not cage.returned.keys() <= cage.balances.keys():
        yield "chips came back from a table that never had any"
