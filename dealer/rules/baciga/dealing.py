"""The deal of a hand, and the trump card (baciga 4.2, 12.1)."""

from dealer.rules.baciga import cards
from dealer.rules.baciga import events as ev
from dealer.rules.baciga.state import play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import CardExposed
from dealer.rules.frame.state import Table
from dealer.rules.matches.cards import shoe_of
from dealer.rules.matches.course import hands_dealt
from dealer.rules.tricks import events as tricks


def deal(table: Table, chance: Chance) -> list[Data]:
    """The cards in packets from the seat after the dealer, and the trump card."""
    shoe = shoe_of(table, chance)
    dealt, shuffle = hands_dealt(table), shoe.transcript.shuffle
    last = table.options["trump_card"] == "last_of_pack"
    pos = shoe.deck.size - 1 if last else len(dealt)
    card = shoe.card(pos)
    face = cards.face(card)
    turned = [
        CardExposed(card, shoe.nonce(pos), pos, shuffle),
        tricks.TrumpTurned(pos, shuffle, face[1]),
    ]
    bonus = table.options["seven_bonus"]
    if not bonus or face[0] != "7":
        return [*dealt, *turned]
    dealer = play_of(table).dealer
    seven = ev.SevenShown(card=card, how="turned", points=bonus, seat=dealer, source="automation")
    return [*dealt, *turned, seven]
