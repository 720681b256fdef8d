"""What a seat holds, with its hidden faces: only for deciding, never for the log or a view."""

from collections.abc import Iterable, Sequence

from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import CardExposed
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.matches.state import TRICK, hand_of
from shoe.cards import Deck
from shoe.shoe import Shoe


def shoe_of(table: Table, chance: Chance) -> Shoe:
    """The shoe a hand is played from.

    Raises:
        ValueError: there is none.
    """
    if table.shoe is None:
        raise ValueError("a hand is held without a shoe")
    return chance.current(table.shoe)


def faces_of(table: Table, chance: Chance, positions: Iterable[int]) -> dict[int, int]:
    """The cards that lie at these positions: position by physical card."""
    card = shoe_of(table, chance).card
    return {card(pos): pos for pos in positions}


def in_hand(table: Table, chance: Chance, seat: int) -> dict[int, int]:
    """The cards in the hand of a seat: position by physical card."""
    return faces_of(table, chance, table.hands.get(hand_of(seat), ()))


def open_trick(table: Table) -> list[int]:
    """The physical cards of the open trick, the one led first."""
    return [table.faces[pos] for pos in table.hands.get(TRICK, ())]


def exposed(table: Table, chance: Chance, positions: Sequence[int]) -> list[Data]:
    """The cards among these that nobody has seen are turned up."""
    shoe = shoe_of(table, chance)
    number = shoe.transcript.shuffle
    return [
        CardExposed(shoe.card(pos), shoe.nonce(pos), pos, number)
        for pos in positions
        if pos not in table.faces
    ]


def parsed(deck: Deck, codes: Iterable[str]) -> list[int] | Refusal:
    """The physical cards that a command names; refuses `no_such_card`."""
    try:
        return [deck.parse(code) for code in codes]
    except ValueError:
        return Refusal("no_such_card")
