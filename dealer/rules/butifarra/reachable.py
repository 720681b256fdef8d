"""Which combinations of butifarra's fields no log leads to, as a table stands between two commands."""

from collections.abc import Iterator

from dealer.rules.butifarra import bidding
from dealer.rules.butifarra.cards import DECK, TABLES, TRICKS
from dealer.rules.butifarra.state import HAND, Play, play_of
from dealer.rules.frame.state import Table
from dealer.rules.matches import reachable
from dealer.rules.matches.state import TRICK, everybody, hand_of
from dealer.rules.tricks.seats import PAIRS


def flaws(table: Table) -> Iterator[str]:
    """All that does not fit together, each in a few words; nothing for a state that can be."""
    yield from reachable.flaws(table, HAND)
    play = play_of(table)
    if table.options["players"] != PAIRS or play.hands < 0:
        yield f"{play.hands} hands have been played"
    if play.match and sum(play.raw) > 2 * TABLES[table.options["card_values"]].half:
        yield "there are more points than in the pack"
    if any(len(taken.cards) != PAIRS for taken in play.taken) or len(play.taken) > TRICKS:
        yield "a trick was taken that cannot be"
    if table.phase in {"bidding", "tricks"}:
        yield from _hand(table, play)


def _hand(table: Table, play: Play) -> Iterator[str]:
    names = {TRICK, *map(hand_of, everybody(table))}
    if not table.hands.keys() <= names:
        yield "a card lies where none belongs"
    played = [card for taken in play.taken for card in taken.cards]
    lying = sum(map(len, table.hands.values()))
    if lying + len(played) != DECK.size or len(set(played)) < len(played) or sum(play.won) != len(play.taken):
        yield "the cards of the pack are not all there"
    if table.phase == "bidding":
        if play.contract or play.turn != bidding.turn(play.bidding) or play.taken:
            yield f"seat {play.turn} is on turn in step {play.bidding.step} of the bidding"
        return
    if play.contract is None or play.contract.trump != play.trump or play.trump not in bidding.OFFERS:
        yield f"{play.trump} is trump"
    yield from reachable.trick_flaws(table)
