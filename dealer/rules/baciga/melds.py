"""Combinations: what they are made of, and what may be declared again (baciga 8, 11, 12.6)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, Literal

import msgspec

from dealer.rules.baciga.cards import face

Name = Literal[
    "baciga",
    "baciga_double",
    "baciga_triple",
    "baciga_quadruple",
    "trump_sequence",
    "plain_sequence",
    "trump_marriage",
    "plain_marriage",
    "four_aces",
    "four_kings",
    "four_queens",
    "four_jacks",
    "four_trump_aces",
    "four_trump_kings",
    "four_trump_queens",
    "four_trump_jacks",
]
"""The combinations of all profiles (glossary, section 7)."""

TRIPLE: Name = "baciga_triple"
LARGEST = 8
"""Cards of the largest combination."""


class Meld(msgspec.Struct, frozen=True, gc=False):
    """One type of combination.

    Attributes:
        ranks: of its cards, in any order.
        suits: `trump`, `plain` (one suit that is not trump), `any`, or `baciga`: every Q of spades, every J
            of diamonds.
        group: class A (marriages, sequences), B (bacigas) or C (fours) of 12.6.
    """

    name: Name
    points: int
    ranks: str
    suits: str
    group: str


_NINE = (
    Meld("baciga", 40, "QJ", "baciga", "B"),
    Meld("baciga_double", 500, "QJ" * 2, "baciga", "B"),
    Meld("trump_sequence", 250, "ATKQJ", "trump", "A"),
    Meld("four_aces", 100, "A" * 4, "any", "C"),
    Meld("four_kings", 80, "K" * 4, "any", "C"),
    Meld("four_queens", 60, "Q" * 4, "any", "C"),
    Meld("four_jacks", 40, "J" * 4, "any", "C"),
    Meld("trump_marriage", 40, "KQ", "trump", "A"),
    Meld("plain_marriage", 20, "KQ", "plain", "A"),
)
_TRIPLE = Meld(TRIPLE, 1_500, "QJ" * 3, "baciga", "B")
_CHINA = (
    Meld("baciga_quadruple", 4_500, "QJ" * 4, "baciga", "B"),
    Meld("four_trump_aces", 1_000, "A" * 4, "trump", "C"),
    Meld("four_trump_kings", 800, "K" * 4, "trump", "C"),
    Meld("four_trump_queens", 600, "Q" * 4, "trump", "C"),
    Meld("four_trump_jacks", 400, "J" * 4, "trump", "C"),
    Meld("plain_sequence", 150, "ATKQJ", "plain", "A"),
)
MELDS: Mapping[str, Meld] = {meld.name: meld for meld in (*_NINE, _TRIPLE, *_CHINA)}
"""Every combination there is, by name."""


class Scored(msgspec.Struct, frozen=True, gc=False):
    """A combination that was scored in this hand: its physical cards, its name, whose it is."""

    cards: tuple[int, ...]
    meld: str
    seat: int


class Owned(msgspec.Struct, frozen=True, gc=False):
    """The physical cards of one player: in the hand, and lying on the table; and what he has scored."""

    hand: Collection[int]
    laid: Collection[int]
    scored: Sequence[Scored]

    def has(self, card: int) -> bool:
        """Whether the card is his: table cards are like those in the hand (8.1)."""
        return card in self.hand or card in self.laid


def offered(options: Mapping[str, Any]) -> Mapping[str, Meld]:
    """The combinations of a table by name (8.1, 10, 11)."""
    if options["melds"] == "china":
        return MELDS
    triple = (_TRIPLE,) if options["players"] > 2 else ()
    return {meld.name: meld for meld in (*_NINE, *triple)}


def made_of(meld: Meld, cards: Sequence[int], trump: str) -> bool:
    """Whether these physical cards are exactly those of the type."""
    faces = [face(card) for card in cards]
    if sorted(each[0] for each in faces) != sorted(meld.ranks):
        return False
    if meld.suits == "baciga":
        return set(faces) == {"QS", "JD"}
    suits = {each[1] for each in faces}
    if meld.suits == "any":
        return True
    return len(suits) == 1 and (trump in suits) == (meld.suits == "trump")


def refusal(options: Mapping[str, Any], meld: Meld, cards: Sequence[int], own: Owned, trump: str) -> str:
    """Why these cards may not be declared as this type, conditions 5 to 8 of 8.2; empty if they may."""
    if len(set(cards)) < len(cards) or not all(own.has(card) for card in cards):
        return "card_not_owned"
    if not made_of(meld, cards, trump):
        return "meld_wrong_cards"
    if from_hand(options, meld) and any(card in own.laid for card in cards):
        return "meld_not_from_hand"
    if any(card in spent(options, meld, own) for card in cards):
        return "meld_rebuild"
    return _by_class(meld, cards, own) if options["reuse"] == "by_class" else ""


def from_hand(options: Mapping[str, Any], meld: Meld) -> bool:
    """Whether all cards of the type have to come from the hand (8.2, condition 7)."""
    return meld.name == TRIPLE and bool(options["triple_from_hand"])


def spent(options: Mapping[str, Any], meld: Meld, own: Owned) -> set[int]:
    """The cards that may not serve for this type any more: by rule R, or for now by rule RC."""
    same = [each.cards for each in own.scored if each.meld == meld.name]
    if options["reuse"] == "while_whole":
        same = [cards for cards in same if all(own.has(card) for card in cards)]
    return {card for cards in same for card in cards}


def _by_class(meld: Meld, cards: Sequence[int], own: Owned) -> str:
    """The classes of `standard` (12.6)."""
    before = [
        MELDS[each.meld].points
        for each in own.scored
        if MELDS[each.meld].group == meld.group and set(each.cards).intersection(cards)
    ]
    if any(points >= meld.points for points in before):
        return "meld_lower_in_class"
    if before and not any(card in own.hand for card in cards):
        return "meld_no_new_card"
    return ""


def declarable(options: Mapping[str, Any], own: Owned, trump: str) -> Iterator[tuple[Meld, tuple[int, ...]]]:
    """Everything that these cards would let their owner declare, the dearest first."""
    for meld in sorted(offered(options).values(), key=lambda meld: -meld.points):
        barred = spent(options, meld, own)
        cards = own.hand if from_hand(options, meld) else (*own.hand, *own.laid)
        free = sorted(card for card in cards if card not in barred)
        for chosen in _choices(meld, free, trump):
            if not refusal(options, meld, chosen, own, trump):
                yield meld, chosen


def _choices(meld: Meld, cards: Sequence[int], trump: str) -> Iterator[tuple[int, ...]]:
    """All ways to make a type of these cards."""
    for faces in _patterns(meld, trump):
        copies = [
            combinations([card for card in cards if face(card) in kinds], count) for kinds, count in faces
        ]
        for parts in product(*copies):
            yield tuple(card for part in parts for card in part)


def _patterns(meld: Meld, trump: str) -> Iterator[list[tuple[tuple[str, ...], int]]]:
    """What a type is made of: so many cards out of each group of faces."""
    count = {rank: meld.ranks.count(rank) for rank in meld.ranks}
    if meld.suits == "baciga":
        yield [(("QS",), count["Q"]), (("JD",), count["J"])]
    elif meld.suits == "any":
        yield [(tuple(rank + suit for suit in "CDHS"), n) for rank, n in count.items()]
    else:
        for suit in "CDHS":
            if (suit == trump) == (meld.suits == "trump"):
                yield [((rank + suit,), n) for rank, n in count.items()]
