"""A hand played to its end by somebody quick, who counts cards but guesses nothing.

He goes by his own hand and by what is still held by others, never by who of them holds it, so that he may
stand for a player in a hand that was only thought up, or sit at a table himself.
"""

from collections.abc import Sequence

from dealer.rules.butifarra.bots.bits import (
    ABOVE,
    NO_TRUMP,
    RANKS,
    SEATS,
    SUIT,
    SUIT_OF,
    Rules,
    Trick,
    added,
    legal,
    members,
)

_SAFE = (0, 0, 0, 0, 0, 1, 2, 2, 3, 3, 3, 3, 3)
"""How good a winner of a suit is to lead while others may trump, by the cards of the suit they hold."""


def choose(rules: Rules, trump: int, hand: int, others: int, trick: Trick | None, seat: int) -> int:
    """The card that a seat plays.

    Args:
        rules: as far as the hand is played by them.
        trump: a suit or `NO_TRUMP`.
        hand: what the seat holds.
        others: what all others hold together.
        trick: what lies there, None to lead.
        seat: who plays.
    """
    found = legal(rules, trump, hand, trick, seat)
    if not found & (found - 1):
        return found.bit_length() - 1
    if trick is None:
        return _lead(rules, trump, hand, others)
    best, last = trick.best, trick.lying == SEATS - 1
    if trick.ahead ^ seat == 2:
        if last or not (ABOVE[best] & others or (SUIT_OF[best] != trump and SUIT[trump] & others)):
            return _load(rules, trump, found, others)
        top = (found & SUIT[trick.led]).bit_length() - 1
        if top >= 0 and SUIT_OF[best] == trick.led and not ABOVE[top] & others:
            return top
        return _least(rules, trump, found, hand)
    top = found.bit_length() - 1
    if ABOVE[best] >> top & 1 or (SUIT_OF[top] == trump != SUIT_OF[best]):
        if not last and SUIT_OF[top] == trick.led and not ABOVE[top] & others:
            return top
        return (found & -found).bit_length() - 1
    return _least(rules, trump, found, hand)


def finish(rules: Rules, trump: int, hands: Sequence[int], trick: Trick | None, seat: int) -> int:
    """The raw points that seats 0 and 2 make of the rest, the open trick included.

    Args:
        rules: as far as the hand is played by them.
        trump: a suit or `NO_TRUMP`.
        hands: what each seat holds.
        trick: what lies there, None to lead.
        seat: who plays next.
    """
    held, everything, made = list(hands), 0, 0
    for hand in held:
        everything |= hand
    while everything or trick:
        hand = held[seat]
        card = choose(rules, trump, hand, everything ^ hand, trick, seat)
        held[seat] ^= 1 << card
        everything ^= 1 << card
        trick = added(rules, trump, trick, seat, card)
        seat = seat + 1 & 3
        if trick.lying == SEATS:
            seat = trick.ahead
            if not seat & 1:
                made += trick.points + 1
            trick = None
    return made


def _load(rules: Rules, trump: int, found: int, others: int) -> int:
    """The card to put in a trick that is ours: one that counts, unless it will win one of its own."""
    ruffs = SUIT[trump] & others
    chosen, worth = -1, 0
    for card in members(found & rules.counting):
        own = 0 if ABOVE[card] & others else 1 if ruffs and SUIT_OF[card] != trump else 4
        count = 2 * rules.points[card] - own - 2 * (SUIT_OF[card] == trump)
        if count > worth:
            chosen, worth = card, count
    return chosen if chosen >= 0 else _least(rules, trump, found, found)


def _least(rules: Rules, trump: int, found: int, hand: int) -> int:
    """The card that is missed least: cheap, low, no trump, and of a short suit while there are trumps."""
    chosen, cost = -1, 1_000
    trumps = hand & SUIT[trump]
    for number, suit in enumerate(SUIT[:4]):
        pool = found & suit
        if pool:
            card = (pool & -pool).bit_length() - 1
            count = 8 * rules.points[card] + card % RANKS
            if number == trump:
                count += 30
            elif trumps:
                count += (hand & suit).bit_count()
            if count < cost:
                chosen, cost = card, count
    return chosen


def _lead(rules: Rules, trump: int, hand: int, others: int) -> int:
    """A winner that nobody will trump, trumps while they pay, or else something small."""
    ruffs = (SUIT[trump] & others).bit_count()
    chosen, worth = -1, -1_000
    for number, suit in enumerate(SUIT[:4]):
        pool = hand & suit
        if not pool:
            continue
        length = pool.bit_count()
        top = pool.bit_length() - 1
        if not ABOVE[top] & others:
            if number == trump:
                count = 40 if ruffs else 5
            elif ruffs:
                count = 10 * _SAFE[(others & suit).bit_count()] + rules.points[top]
            else:
                count = 20 + length
            if count > worth:
                chosen, worth = top, count
        low = (pool & -pool).bit_length() - 1
        count = -4 * rules.points[low] - low % RANKS + (length if trump == NO_TRUMP else -length)
        if number == trump:
            count -= 10
        if count > worth:
            chosen, worth = low, count
    return chosen
