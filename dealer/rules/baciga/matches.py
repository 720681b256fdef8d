"""The course of a match: its beginning, its hands one after the other, the end of their decks (4, 10, 13)."""

from dealer.rules.baciga import cards, pairing, scoring, state
from dealer.rules.baciga import events as ev
from dealer.rules.baciga.state import play_of, players
from dealer.rules.frame import lot
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import CardDealt, CardExposed, LotDrawn, Move, RoundStarted
from dealer.rules.frame.state import Table
from dealer.rules.tricks import events as tricks
from dealer.rules.tricks import seats

FIRST_DEALER = "first_dealer"
"""What the lot drawn here decides."""
_RESTS = ("preparing", "match_over")


def complete(table: Table) -> bool:
    """Whether everybody a match needs is here and can pay for it: all seats, a person among them.

    Who did not answer when last asked begins no further match, and bots alone play none (design 3, "Rest").
    """
    everybody = seats.from_seat(1, players(table))
    if not all(seat in table.seats and seat not in table.absent for seat in everybody):
        return False
    if all(table.seats[seat].bot for seat in everybody):
        return False
    return all(table.stack(seat) >= buy_in(table) for seat in everybody)


def buy_in(table: Table) -> int:
    """Chips that every player puts up for a match; none where it is played for points."""
    chips: int = table.options["match_buy_in"] if table.options["play_for"] == "chips" else 0
    return chips


def spent(table: Table) -> bool:
    """Whether no hand is dealt from the shoe any more: each has its own, cut for its own dealer."""
    return table.shoe is not None and (table.shoe.pos > 0 or not play_of(table).running)


def may_start(table: Table) -> bool:
    """Whether a match may begin now."""
    return not play_of(table).running and table.phase in _RESTS and complete(table)


def prepared(table: Table) -> bool:
    """Whether a hand can begin: the match goes on, and its cards lie ready."""
    ready = table.shoe is not None and table.shoe.ready and not spent(table)
    return play_of(table).running and not table.playing and ready


def may_deal(table: Table) -> bool:
    """Whether the next hand may begin now by itself: it can, and somebody is there."""
    play = play_of(table)
    there = any(
        not held.bot and seat not in table.absent and seat not in play.conceded
        for seat, held in table.seats.items()
    )
    return prepared(table) and there


def laid(table: Table) -> bool:
    """Whether the first shoe is to come, with cards laid by hand: then no lot can be drawn (design 6)."""
    return table.stacked and not table.shuffles


def start(table: Table, chance: Chance) -> list[Data]:
    """A match begins: pairs, first dealer, buy-ins (4.4, 10); nothing while a lot lacks its seed."""
    if pairing.wanted(table) and not laid(table):
        return pairing.made(table, chance)
    number = players(table)
    steps: list[Data] = []
    dealer = table.options["first_dealer"]
    if dealer == "lot" and laid(table):
        dealer = 1
    elif dealer == "lot":
        if not lot.possible(table):
            return []
        steps = lot.draw(table, chance, seats.from_seat(1, number), FIRST_DEALER)
        dealer = next(step.winner for step in steps if isinstance(step, LotDrawn))
    stakes = [Move(buy_in(table), f"stack:{n}", scoring.pot(n)) for n in seats.from_seat(1, number)]
    return [*steps, tricks.MatchStarted(dealer, play_of(table).match + 1), *grouped("match_buy_in", stakes)]


def begin(table: Table) -> list[Data]:
    """The next hand begins."""
    if table.shoe is None:
        raise ValueError("a hand without a shoe")
    return [RoundStarted(table.shoe.shuffle)]


def deal(table: Table, chance: Chance) -> list[Data]:
    """The cards in packets from the seat after the dealer, and the trump card (4.2, 12.1)."""
    if table.shoe is None:
        raise ValueError("a hand without a shoe")
    shoe, options = table.shoe, table.options
    order = seats.from_seat(play_of(table).leader, players(table))
    left, packets = options["hand_size"], []
    for packet in options["packets"]:
        packets.append(min(packet, left))
        left -= packets[-1]
    to = [seat for packet in packets for seat in order for _ in range(packet)]
    dealt: list[Data] = [
        CardDealt(shoe.pos + place, shoe.shuffle, state.hand_of(seat)) for place, seat in enumerate(to)
    ]
    pos = shoe.size - 1 if options["trump_card"] == "last_of_pack" else shoe.pos + len(to)
    opened = chance.current(shoe)
    card = opened.card(pos)
    face = cards.face(card)
    turned = [
        CardExposed(card, opened.nonce(pos), pos, shoe.shuffle),
        tricks.TrumpTurned(pos, shoe.shuffle, face[1]),
    ]
    bonus = options["seven_bonus"]
    if not bonus or face[0] != "7":
        return [*dealt, *turned]
    dealer = play_of(table).dealer
    seven = ev.SevenShown(card=card, how="turned", points=bonus, seat=dealer, source="automation")
    return [*dealt, *turned, seven]
