"""Hands as sets of bits, for the bots: what may be played and what it counts, fast enough for many hands.

A card is the number of its bit, 12 times its suit plus its strength; a trump is the number of a suit or
`NO_TRUMP`. Seats are counted from 0. `duties` says the same for one hand, and a test holds the two together.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from dealer.rules.butifarra import cards
from dealer.rules.butifarra.cards import DECK, SUITS, TABLES

RANKS = 12
SEATS = 4
NO_TRUMP = 4
"""Butifarra."""
PACK = (1 << DECK.size) - 1
SUIT = (*(((1 << RANKS) - 1) << RANKS * n for n in range(len(SUITS))), 0)
"""The cards of a suit, and of none."""
SUIT_OF = tuple(card // RANKS for card in range(DECK.size))
ABOVE = tuple(SUIT[card // RANKS] & ~((2 << card) - 1) for card in range(DECK.size))
"""The cards that beat one in its own suit."""


class Rules(NamedTuple):
    """The rules of a table as far as a hand is played by them.

    Attributes:
        points: what each card counts.
        half: the raw points above which a side scores.
        undertrump: void in the suit led, a trump has to be played even if it cannot win (7).
        lowest: who cannot or need not win plays low, or loads (8, `obligada`).
        counting: the cards that count.
        values: the table of section 9.
    """

    points: tuple[int, ...]
    half: int
    undertrump: bool
    lowest: bool
    counting: int
    values: str


class Trick(NamedTuple):
    """What lies in a trick.

    Attributes:
        led: the suit led.
        best: the card that wins so far.
        ahead: the seat that has played it.
        lying: how many cards lie there.
        points: what they count.
    """

    led: int
    best: int
    ahead: int
    lying: int
    points: int


def rules_of(options: Mapping[str, Any]) -> Rules:
    """The rules under a table's options."""
    return _rules(options["card_values"], options.get("undertrump") == "forced", options["duties"])


@lru_cache(maxsize=16)
def _rules(values: str, undertrump: bool, duties: str) -> Rules:
    table = TABLES[values]
    points = tuple(table.points.get(rank, 0) for rank in table.order) * len(SUITS)
    counting = sum(1 << card for card, count in enumerate(points) if count)
    return Rules(points, table.half, undertrump, duties == "obligada", counting, values)


@lru_cache(maxsize=8)
def _bits(values: str) -> tuple[int, ...]:
    played = (cards.played(card, values) for card in range(DECK.size))
    return tuple(RANKS * SUITS.index(each.suit) + each.strength for each in played)


def bit_of(card: int, values: str) -> int:
    """The bit of a physical card."""
    return _bits(values)[card]


def card_of(bit: int, values: str) -> int:
    """The physical card of a bit."""
    return _bits(values).index(bit)


def members(hand: int) -> list[int]:
    """The cards of a set, the lowest bit first."""
    found = []
    while hand:
        low = hand & -hand
        found.append(low.bit_length() - 1)
        hand ^= low
    return found


def added(rules: Rules, trump: int, trick: Trick | None, seat: int, card: int) -> Trick:
    """The trick with one more card."""
    count = rules.points[card]
    if trick is None:
        return Trick(SUIT_OF[card], card, seat, 1, count)
    led, best, ahead, lying, points = trick
    if ABOVE[best] >> card & 1 or (SUIT_OF[card] == trump != SUIT_OF[best]):
        best, ahead = card, seat
    return Trick(led, best, ahead, lying + 1, points + count)


def legal(rules: Rules, trump: int, hand: int, trick: Trick | None, seat: int) -> int:
    """The cards of a seat's hand that may be played to the trick (7, 8)."""
    if trick is None:
        return hand
    led, best, ahead, _, _ = trick
    suit = hand & SUIT[led]
    if ahead ^ seat == 2:
        pool = suit or hand
        return _lowest(pool) | pool & rules.counting if rules.lowest else pool
    if suit:
        beating = suit & ABOVE[best] if SUIT_OF[best] == led else 0
    else:
        beating = hand & (SUIT[trump] if SUIT_OF[best] == led else ABOVE[best])
    if beating:
        return beating
    pool = suit or (rules.undertrump and hand & SUIT[trump]) or hand
    return _lowest(pool) if rules.lowest else pool


def _lowest(pool: int) -> int:
    found = 0
    for suit in SUIT:
        held = pool & suit
        found |= held & -held
    return found
