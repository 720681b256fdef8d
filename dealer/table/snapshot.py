"""A table as it is kept in a snapshot, and which combinations of its fields no log leads to.

Everything in a state is public, so everything in a snapshot is. What is checked holds between two commands,
when the croupier has come to rest.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain

import msgspec

from dealer.rules.frame.chips import CAGE, TRANSIT, check_total
from dealer.rules.frame.form import Form
from dealer.rules.frame.game import Game
from dealer.rules.frame.refusal import ChipsBroken
from dealer.rules.frame.state import SPECTATORS, STANDING, Cut, ShoeState, Table

STATUSES = frozenset({"open", "paused", "closing", "closed"})


def form(game: Game) -> Form[Table]:
    """How tables of this game are written down."""
    return _form(game.state_type)


@cache
def _form(play: type[msgspec.Struct]) -> Form[Table]:
    return Form(Table, {"play": play})


def flaw(game: Game, table: Table) -> str:
    """Why no log leads to this state, in a few words without a face; empty if one may."""
    return next(_flaws(game, table), "")


def _flaws(game: Game, table: Table) -> Iterator[str]:
    yield from _course(game, table)
    yield from _people(game, table)
    yield from _chips(table)
    if table.cut is not None:
        yield from _cut(game, table, table.cut)
    if table.shoe is not None:
        yield from _shoe(table, table.shoe)
    yield from _shuffles(table)
    yield from _cards(table)
    own = game.check_state(table)
    if own:
        yield own


def _course(game: Game, table: Table) -> Iterator[str]:
    if table.game != game.id or table.profile not in game.profiles:
        yield f"profile {table.profile} of {table.game} is not played here"
    if table.status not in STATUSES:
        yield f"there is no status {table.status}"
    if not 0 <= table.opened <= table.seq or table.since > table.at:
        yield f"phase {table.phase} was opened by event {table.opened} of {table.seq}"
    if (table.status == "paused") != (table.paused_at > 0 and table.resumed_at == 0):
        yield f"the clocks of a table that is {table.status} stand, or run"
    pauses = [*chain.from_iterable(table.pauses), table.paused_at]
    if table.pauses and pauses != sorted(pauses):
        yield "a pause began before the one before it was over"
    if table.status == "closed" and (table.playing or table.chips or table.commitments):
        yield "a closed table has chips, seeds or a round"
    if table.playing and not table.round:
        yield "a round without a number is played"
    if table.proposal and (table.proposal.at > table.at or table.proposal.round > table.round):
        yield "a proposal comes from the future"
    rounds = [each.round for each in table.settled]
    if rounds != sorted(set(rounds)) or any(n > table.round for n in (*rounds, *table.corrected)):
        yield "a round is kept that was not settled, or out of its order"
    if any(claim.at > table.at for claim in table.claims.values()):
        yield "a hold of the cage comes from the future"


def _people(game: Game, table: Table) -> Iterator[str]:
    seats = frozenset(game.seat_numbers(table))
    for number, seat in table.seats.items():
        if (number not in seats and number < STANDING) or not 0 <= seat.taken <= table.seq:
            yield f"somebody has the number {number}"
    if len({seat.pid for seat in table.seats.values()}) < len(table.seats):
        yield "somebody is at the table twice"
    if not table.absent <= table.seats.keys():
        yield "somebody is absent who has no place"


def _chips(table: Table) -> Iterator[str]:
    try:
        check_total(table.chips)
    except ChipsBroken as broken:
        yield str(broken)
    owners = {str(number) for number in table.seats}
    for place, n in table.chips.items():
        if n == 0 or (n < 0) != (place == CAGE):
            yield f"{n} chips stand at {place}"
        kind, _, owner = place.partition(":")
        if kind == "stack" and owner not in owners:
            yield f"a stack stands at {owner}, where nobody is"
        if place.startswith(TRANSIT) and not 0 < int(owner.rpartition(":")[2]) <= table.seq:
            yield f"chips wait at {place}"


def _shuffles(table: Table) -> Iterator[str]:
    unused = table.commitments.keys() - ({table.cut.shuffle} if table.cut else set())
    if unused != set(range(table.shuffles + 1, table.shuffles + 1 + len(unused))):
        yield f"after {table.shuffles} shuffles the next seeds are not committed to one after the other"
    if table.aborts.count < bool(table.aborts.barred):
        yield "somebody is barred from a cut that was never aborted"


def _shoe(table: Table, shoe: ShoeState) -> Iterator[str]:
    transcript = shoe.transcript
    if not 0 <= shoe.pos <= shoe.size or shoe.size != transcript.deck.size or table.deck != transcript.deck:
        yield f"{shoe.pos} of {shoe.size} cards have left the shoe"
    if shoe.shuffle != transcript.shuffle or not 0 < shoe.shuffle <= table.shuffles:
        yield f"shuffle {shoe.shuffle} lies on the table after {table.shuffles}"
    if transcript.table != table.log:
        yield "the shoe is another table's"


def _cut(game: Game, table: Table, cut: Cut) -> Iterator[str]:
    numbers = {*game.seat_numbers(table), *SPECTATORS}
    if table.shoe is not None or cut.shuffle not in table.commitments or cut.shuffle > table.shuffles:
        yield f"shuffle {cut.shuffle} is being cut"
    for number, one in cut.contributors.items():
        if number not in numbers and number < STANDING:
            yield f"the number {number} cuts"
        opened = bool(one.reveal)
        if opened != bool(one.cut) or (opened and not (cut.revealing and one.cut < cut.deck.size)):
            yield f"the contribution of {number} is open too early, or by half"


def _cards(table: Table) -> Iterator[str]:
    dealt = list(chain.from_iterable(table.hands.values()))
    size = table.deck.size if table.deck else 0
    out = table.shoe.pos if table.shoe and table.playing else size
    left = all(0 <= pos < (size if pos in table.faces else out) for pos in dealt)
    if len(set(dealt)) < len(dealt) or not left:
        yield "a card was dealt twice, or before it left the shoe"
    if not table.faces.keys() <= set(dealt):
        yield "a card is open that was not dealt"
    cards = set(table.faces.values())
    if len(cards) < len(table.faces) or not all(0 <= card < size for card in cards):
        yield "a card is open twice, or is not of this deck"
    if table.playing and (table.shoe is None or not table.shoe.ready):
        yield "a round is played without a shoe"
