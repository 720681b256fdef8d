"""The course of a match: its beginning, its hands one after the other, the end of their decks.

Baciga 4, 10, 13; butifarra 4, 12.
"""

from dealer.rules.frame import lot
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import CardDealt, LotDrawn, Move, RoundStarted
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.matches import pairing
from dealer.rules.matches.ending import pot
from dealer.rules.matches.state import everybody, hand_of, match_of, players
from dealer.rules.tricks import seats
from dealer.rules.tricks.events import MatchStarted

FIRST_DEALER = "first_dealer"
"""What the lot drawn here decides."""
_RESTS = ("preparing", "match_over")


def complete(table: Table) -> bool:
    """Whether everybody a match needs is here and can pay for it: all seats, a person among them.

    Who did not answer when last asked begins no further match, and bots alone play none (design 3, "Rest").
    """
    every = everybody(table)
    if not all(seat in table.seats and seat not in table.absent for seat in every):
        return False
    if all(table.seats[seat].bot for seat in every):
        return False
    return all(table.stack(seat) >= buy_in(table) for seat in every)


def buy_in(table: Table) -> int:
    """Chips that every player puts up for a match; none where it is played for points."""
    chips: int = table.options["match_buy_in"] if table.options["play_for"] == "chips" else 0
    return chips


def at_stake(table: Table) -> dict[int, int]:
    """How many chips another winner of the match would have moved, by seat of who is still here (10)."""
    if not buy_in(table):
        return {}
    most = buy_in(table) * seats.sides(players(table))
    return {seat: most for seat in seats.from_seat(1, players(table)) if seat in table.seats}


def spent(table: Table) -> bool:
    """Whether no hand is dealt from the shoe any more: each has its own, cut for its own dealer."""
    return table.shoe is not None and (table.shoe.pos > 0 or not match_of(table).running)


def may_start(table: Table) -> bool:
    """Whether a match may begin now."""
    return not match_of(table).running and table.phase in _RESTS and complete(table)


def prepared(table: Table) -> bool:
    """Whether a hand can begin: the match goes on, and its cards lie ready."""
    ready = table.shoe is not None and table.shoe.ready and not spent(table)
    return match_of(table).running and not table.playing and ready


def may_deal(table: Table) -> bool:
    """Whether the next hand may begin now by itself: it can, and somebody is there.

    Who has conceded counts where bots alone are left: they play the match to its end (baciga 13.2).
    """
    people = [seat for seat, held in table.seats.items() if not held.bot]
    left = [seat for seat in people if seat not in match_of(table).conceded]
    return prepared(table) and any(seat not in table.absent for seat in left or people)


def laid(table: Table) -> bool:
    """Whether the first shoe is to come, with cards laid by hand: then no lot can be drawn (design 6)."""
    return table.stacked and not table.shuffles


def following(table: Table, chance: Chance) -> list[Data]:
    """The next match or hand, as soon as everybody and everything it needs is there."""
    if may_start(table):
        return start(table, chance)
    return begin(table) if may_deal(table) else []


def on_word(table: Table, chance: Chance) -> list[Data]:
    """The same on a host's word, who need not wait for anybody to be there."""
    return following(table, chance) or (begin(table) if prepared(table) else [])


def asked(table: Table, seat: int) -> Refusal | None:
    """Why a player may not have the next hand begin now; whoever asks is there, even if he was not."""
    match = match_of(table)
    if not match.running and match.match:
        return Refusal("match_over")
    if seat in match.conceded:
        return Refusal("already_conceded")
    if table.phase == "between_rounds" and prepared(table):
        return None
    return Refusal("wrong_phase", {"phase": table.phase})


def start(table: Table, chance: Chance) -> list[Data]:
    """A match begins: pairs, first dealer, buy-ins; nothing while a lot lacks its seed."""
    if pairing.wanted(table) and not laid(table):
        return pairing.made(table, chance)
    steps: list[Data] = []
    dealer = table.options["first_dealer"]
    if dealer == "lot" and laid(table):
        dealer = 1
    elif dealer == "lot":
        if not lot.possible(table):
            return []
        steps = lot.draw(table, chance, everybody(table), FIRST_DEALER)
        dealer = next(step.winner for step in steps if isinstance(step, LotDrawn))
    stakes = [Move(buy_in(table), f"stack:{n}", pot(n)) for n in everybody(table)]
    return [*steps, MatchStarted(dealer, match_of(table).match + 1), *grouped("match_buy_in", stakes)]


def begin(table: Table) -> list[Data]:
    """The next hand begins."""
    if table.shoe is None:
        raise ValueError("a hand without a shoe")
    return [RoundStarted(table.shoe.shuffle)]


def hands_dealt(table: Table) -> list[Data]:
    """Everybody's cards in packets, the seat after the dealer first."""
    if table.shoe is None:
        raise ValueError("a hand without a shoe")
    shoe, options = table.shoe, table.options
    number = players(table)
    order = seats.from_seat(seats.following(match_of(table).dealer, number), number)
    left, packets = options["hand_size"], []
    for packet in options["packets"]:
        packets.append(min(packet, left))
        left -= packets[-1]
    to = [seat for packet in packets for seat in order for _ in range(packet)]
    return [CardDealt(shoe.pos + place, shoe.shuffle, hand_of(seat)) for place, seat in enumerate(to)]
