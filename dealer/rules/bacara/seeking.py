"""Phase `no_bank`: what the croupier does unasked, whom he waits for, and what silence means (section 12)."""

from typing import Any

from dealer.rules.bacara import auction, banking, lottery, modes, offers, turns
from dealer.rules.bacara.state import play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Due, Option, Source
from dealer.rules.frame.state import STANDING, Table

_WAITS = {
    "offers": ("bank_offer_ms", 1),
    "consent": ("consent_ms", 1),
    "auction": ("auction_call_ms", auction.CALLS),
    "lot": ("bank_offer_ms", 1),
    "offered": ("bank_offer_ms", 1),
}
"""The waiting time of each step, and how often it passes before the step is over."""


def advance(table: Table, chance: Chance) -> list[Data]:
    """The next step that needs nobody's word; a table without enough players writes nothing."""
    seeking = play_of(table).seeking
    match seeking.step:
        case "" if not seeking.mode and modes.enough(table):
            return modes.go_on(table, "automation")
        case "consent":
            return offers.counted(table)
        case "offered" if not seeking.candidate:
            if turns.is_on(table):
                return turns.offer(table)
            return lottery.draw(table, chance) or modes.go_on(table, "automation")
        case _:
            return []


def due(table: Table) -> list[Due]:
    """The clock of the present step; at rest there is none."""
    seeking = play_of(table).seeking
    if not seeking.mode or not seeking.step:
        return []
    wait, times = _WAITS[seeking.step]
    ms = times * table.options[wait]
    seats = sorted(seeking.awaited) if seeking.step == "consent" else [seeking.candidate]
    until = table.since + ms if ms else None
    return [Due(table.decision(), "timeout", tuple(n for n in seats if n), until, table.since)]


def expire(table: Table, chance: Chance, source: Source, by: str) -> list[Data]:
    """The time of the present step is up, or a host ends it; a host's end is his, a silence the seat's."""
    silence: Source = "host" if source == "host" else "timeout"
    match play_of(table).seeking.step:
        case "consent":
            return offers.silent(table, silence, by)
        case "offered":
            decline = turns.declined if turns.is_on(table) else lottery.declined
            return decline(table, silence, by)
        case "auction":
            found = auction.hammer(table)
        case "lot":
            found = lottery.draw(table, chance)
        case _:
            found = []
    return found or modes.go_on(table, source, by)


def options(table: Table, seat: int) -> list[Option]:
    """What a seat may say about the bank now. Who stands is not asked (A-42)."""
    seeking = play_of(table).seeking
    if turns.is_on(table):
        return turns.options(table, seat)
    if seat >= STANDING or seat in play_of(table).barred:
        return []
    match seeking.step:
        case "consent" if seat in seeking.awaited:
            said = [Option("consent", table.decision(), {"yes": yes}) for yes in (True, False)]
        case "offered" if seat == seeking.candidate:
            take = _amount(table, seat, "accept_bank", banking.least_bank(table), table.decision())
            said = [*take, Option("decline_bank", table.decision())]
        case _:
            said = []
    return [*said, *_first_words(table, seat)]


def _first_words(table: Table, seat: int) -> list[Option]:
    """The words by which somebody says that he wants to bank: of the mode that is on, at rest of all."""
    seeking = play_of(table).seeking
    found: list[Option] = []
    if (seeking.mode == "volunteer" and not offers.stands(table, seat)) or modes.begins(table, "volunteer"):
        least = banking.least_bank(table)
        found += _amount(table, seat, "offer_bank", least) if offers.may_offer(table, seat) else []
    if seeking.mode == "registered" or modes.begins(table, "registered"):
        found += _amount(table, seat, "offer_bank", banking.least_bank(table))
    if modes.begins(table, modes.TURN):
        found += _amount(table, seat, "accept_bank", banking.least_bank(table))
    if seeking.mode == "auction" or modes.begins(table, "auction"):
        found += _amount(table, seat, "bid_bank", auction.least_bid(table))
    entering = seeking.step == "lot" and all(each.seat != seat for each in seeking.queue)
    if (entering or modes.begins(table, "lot")) and table.stack(seat) >= banking.least_bank(table):
        found.append(Option("enter_lot"))
    return found


def _amount(table: Table, seat: int, word: str, least: int, decision: str = "") -> list[Option]:
    most = banking.most_bank(table, seat)
    return [Option(word, decision, min=least, max=most)] if least <= most else []


def view(table: Table) -> dict[str, Any]:
    """Who wants the bank, with how much, and who has agreed; the clock is in `due`."""
    seeking = play_of(table).seeking
    return {
        "mode": seeking.mode,
        "candidate": seeking.candidate,
        "amount": seeking.amount,
        "awaited": sorted(seeking.awaited),
        "consented": sorted(seeking.consented),
        "queue": [{"amount": each.amount, "seat": each.seat} for each in seeking.queue],
    }
