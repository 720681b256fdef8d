"""Which combinations of báciga's fields no log leads to, as a table stands between two commands."""

from collections.abc import Iterator

from dealer.rules.baciga import state
from dealer.rules.baciga.cards import PACK, packs
from dealer.rules.baciga.melds import MELDS
from dealer.rules.baciga.state import HAND, Play, play_of
from dealer.rules.frame.state import Table
from dealer.rules.matches import reachable
from dealer.rules.matches.state import TRICK, everybody, hand_of


def flaws(table: Table) -> Iterator[str]:
    """All that does not fit together, each in a few words; nothing for a state that can be."""
    yield from reachable.flaws(table, HAND)
    play = play_of(table)
    if any(points % 10 for points in (*play.scores, *play.gained)):
        yield "a score is not a multiple of 10"
    if table.playing:
        yield from _hand(table, play)


def _hand(table: Table, play: Play) -> Iterator[str]:
    if table.phase == "dealing":
        if play.scored:
            yield "something was declared before the deal"
        return
    every = everybody(table)
    names = {TRICK, state.TRUMP, state.EXCHANGED}
    names |= {name for seat in every for name in (hand_of(seat), state.laid_by(seat))}
    if not table.hands.keys() <= names:
        yield "a card lies where none belongs"
    yield from reachable.trick_flaws(table)
    if play.trump not in {"C", "D", "H", "S"}:
        yield f"{play.trump} is trump"
    left = state.stock_left(table)
    if (table.phase == "last_tricks") == bool(left):
        yield f"{left} cards are in the stock in phase {table.phase}"
    out = len(state.lying(table)) - len(table.hands.get(state.TRUMP, ()))
    if out + len(every) * sum(play.won) + left != PACK * packs(table.options):
        yield "the cards of the deck are not all there"
    if any(each.meld not in MELDS or each.seat not in every for each in play.scored):
        yield "something was declared that is no combination"
