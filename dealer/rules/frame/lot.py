"""A provable lot, beside whatever shoe is open (design 3, "Lots"; A-26).

One pack `fr52` is shuffled under the next shuffle number, whose seed was committed long before; each
candidate gets a card in seat order, and the seed is everybody's in the same append.
"""

from collections.abc import Sequence

from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import LotDrawn, SeedRevealed
from dealer.rules.frame.state import Table
from shoe.cards import Deck
from shoe.shoe import Shoe, make_transcript

PACK = Deck("fr52", 1)
_RANKS = len(PACK.ranks)


def strength(card: int) -> tuple[int, int]:
    """What a card counts in a lot: by rank from the two to the ace, then clubs, diamonds, hearts, spades.

    That an ace is high here, as whenever people draw for something, is a decision: no sheet says it (A-26).
    """
    suit, rank = divmod(card, _RANKS)
    return (rank - 1) % _RANKS, suit


def possible(table: Table) -> bool:
    """Whether a lot can be drawn now: a seed is committed, and it is not that of cards laid by hand."""
    laid = table.stacked and not table.shuffles
    return not laid and table.shuffles + 1 in table.commitments


def draw(table: Table, chance: Chance, candidates: Sequence[int], purpose: str) -> list[Data]:
    """Draw among these seats, at least one and at most 52.

    The purpose, for whoever reads the log, says what the lot decides.

    Raises:
        KeyError: no seed is committed for the next shuffle; see `possible`.
    """
    shuffle = table.shuffles + 1
    seed = chance.seed(shuffle)
    shoe = Shoe(make_transcript(table.log, shuffle, PACK, seed), seed)
    seats = sorted(candidates)
    cards = tuple(shoe.opening(pos) for pos in range(len(seats)))
    winner = max(range(len(seats)), key=lambda pos: strength(cards[pos].card))
    return [
        LotDrawn(tuple(seats), cards, purpose, shuffle, shoe.transcript, seats[winner]),
        SeedRevealed(seed=seed.hex(), shuffle=shuffle),
    ]
