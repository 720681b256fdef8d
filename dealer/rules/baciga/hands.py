"""What a seat owns, in hand and on the table: only for deciding, never for the log or a view."""

from dealer.rules.baciga import cards
from dealer.rules.baciga.melds import Owned
from dealer.rules.baciga.state import laid_by, owned, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.state import Table
from dealer.rules.matches.cards import faces_of, in_hand, open_trick
from dealer.rules.tricks import trick
from shoe.cards import Deck


def deck_of(table: Table) -> Deck:
    """The deck of this table."""
    return cards.deck(cards.packs(table.options))


def held(table: Table, chance: Chance, seat: int) -> dict[int, int]:
    """All cards of a seat, hand and table alike: position by physical card."""
    return faces_of(table, chance, owned(table, seat))


def own(table: Table, chance: Chance, seat: int) -> Owned:
    """A player's cards as far as declaring is concerned."""
    hand = in_hand(table, chance, seat)
    laid = [table.faces[pos] for pos in table.hands.get(laid_by(seat), ())]
    return Owned(tuple(hand), laid, [each for each in play_of(table).scored if each.seat == seat])


def legal(table: Table, cards_of: list[int]) -> list[int]:
    """Those of a seat's cards that may be played now (6.1, 7)."""
    if table.phase != "last_tricks":
        return cards_of
    must = trick.Duties(beat=table.options["must_beat"], undertrump=not table.options["must_beat"])
    lying = [cards.played(card) for card in open_trick(table)]
    found = trick.playable([cards.played(card) for card in cards_of], lying, play_of(table).trump, must)
    return [cards_of[place] for place in found]
