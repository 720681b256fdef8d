"""What a seat holds, with its hidden faces: only for deciding, never for the log or a view."""

from dealer.rules.baciga import cards
from dealer.rules.baciga.melds import Owned
from dealer.rules.baciga.state import TRICK, hand_of, laid_by, owned, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import CardExposed
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.tricks import trick
from shoe.cards import Deck
from shoe.shoe import Shoe


def deck_of(table: Table) -> Deck:
    """The deck of this table."""
    return Deck(cards.KIND, cards.packs(table.options))


def _shoe(table: Table, chance: Chance) -> Shoe:
    if table.shoe is None:
        raise ValueError("a hand is held without a shoe")
    return chance.current(table.shoe)


def held(table: Table, chance: Chance, seat: int) -> dict[int, int]:
    """All cards of a seat, hand and table alike: position by physical card."""
    card = _shoe(table, chance).card
    return {card(pos): pos for pos in owned(table, seat)}


def in_hand(table: Table, chance: Chance, seat: int) -> dict[int, int]:
    """The cards in the hand alone: position by physical card."""
    card = _shoe(table, chance).card
    return {card(pos): pos for pos in table.hands.get(hand_of(seat), ())}


def own(table: Table, chance: Chance, seat: int) -> Owned:
    """A player's cards as far as declaring is concerned."""
    hand = in_hand(table, chance, seat)
    laid = [table.faces[pos] for pos in table.hands.get(laid_by(seat), ())]
    return Owned(tuple(hand), laid, [each for each in play_of(table).scored if each.seat == seat])


def open_trick(table: Table) -> list[int]:
    """The physical cards of the open trick, the one led first."""
    return [table.faces[pos] for pos in table.hands.get(TRICK, ())]


def legal(table: Table, cards_of: list[int]) -> list[int]:
    """Those of a seat's cards that may be played now (6.1, 7)."""
    if table.phase != "last_tricks":
        return cards_of
    must = trick.Duties(beat=table.options["must_beat"], undertrump=not table.options["must_beat"])
    lying = [cards.played(card) for card in open_trick(table)]
    found = trick.playable([cards.played(card) for card in cards_of], lying, play_of(table).trump, must)
    return [cards_of[place] for place in found]


def exposed(table: Table, chance: Chance, positions: list[int]) -> list[Data]:
    """The cards among these that nobody has seen are turned up."""
    if table.shoe is None:
        raise ValueError("a card is turned up without a shoe")
    shoe, number = _shoe(table, chance), table.shoe.shuffle
    return [
        CardExposed(shoe.card(pos), shoe.nonce(pos), pos, number)
        for pos in positions
        if pos not in table.faces
    ]


def parsed(table: Table, codes: tuple[str, ...]) -> list[int] | Refusal:
    """The physical cards that a command names; refuses `no_such_card`."""
    deck = deck_of(table)
    try:
        return [deck.parse(code) for code in codes]
    except ValueError:
        return Refusal("no_such_card")
