"""Showing the hands, settling, and what ends with the coup: the shoe, the bank (R-44 ... R-49, R-58)."""

from dealer.rules.bacara import banking
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.betting import place
from dealer.rules.bacara.holders import pointer_after
from dealer.rules.bacara.points import is_natural_of_cards, total_of_cards
from dealer.rules.bacara.settlement import Settlement, result, settle
from dealer.rules.bacara.speaking import cards_of, expose
from dealer.rules.bacara.state import BANK, PANOS, play_of, seats_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import LISTED_AN_EVENT, check_total, grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import RoundEnded, StopCardReached
from dealer.rules.frame.state import Table


def show(table: Table, chance: Chance) -> list[Data]:
    """All hands are turned up and announced, right paño first, the bank last (R-49, A-12)."""
    steps: list[Data] = []
    for hand in (*PANOS, BANK):
        if hand in table.hands:
            points = total_of_cards(cards_of(table, chance, hand))
            steps += [*expose(table, chance, table.hands[hand]), ev.HandShown(hand, points)]
    return steps


def _faces(table: Table, hand: str) -> list[int]:
    return [table.faces[p] for p in table.hands[hand]]


def results(table: Table) -> dict[str, str]:
    """The result of each paño that was dealt, from open cards alone (R-44)."""
    bank = _faces(table, BANK)
    return {
        pano: result(
            total_of_cards(_faces(table, pano)),
            is_natural_of_cards(_faces(table, pano)),
            total_of_cards(bank),
            is_natural_of_cards(bank),
        )
        for pano in PANOS
        if pano in play_of(table).holders
    }


def settlement(table: Table) -> list[Data]:
    """Collect, pay, move the manos on, and end the coup (R-45, R-46, R-17)."""
    play = play_of(table)
    outcome = results(table)
    options = table.options
    before = table.chips.get(BANK, 0)
    settled = settle(
        options["coverage"],
        before,
        play.covered,
        outcome,
        options["commission_bp"],
        options["commission_unit"],
    )
    bank_points = total_of_cards(_faces(table, BANK))
    won = _won(settled)
    steps: list[Data] = []
    for pano, how in outcome.items():
        stakes = tuple(
            ev.SettledStake(c.seat, c.covered, won.get(place(pano, c.seat), 0))
            for c in play.covered
            if c.on == pano and c.covered
        )
        points = total_of_cards(_faces(table, pano))
        steps += [
            ev.PanoSettled(bank_points, pano, points, how, stakes[i : i + LISTED_AN_EVENT])
            for i in range(0, len(stakes), LISTED_AN_EVENT)
        ]
    steps += grouped("settlement", settled.moves)
    for pano, how in outcome.items():
        old = play.pointers.get(pano, 0)
        new = pointer_after(options["holder_rule"], how, seats_of(pano, table), old)
        if new != old:
            steps.append(ev.HolderMoved(pano, "beaten", new))
    steps.append(ev.RoundSettled(settled.bank, settled.bank - before))
    steps.append(RoundEnded(check_total(table.chips)))
    return steps


def _won(settled: Settlement) -> dict[str, int]:
    """What each stake won (negative: lost) by its place; one that pushed is not named."""
    won = {m.origin: -m.amount for m in settled.collected}
    paid = 0
    for move in settled.paid:
        if move.origin == BANK:
            paid = move.amount
        else:
            won[move.origin] = paid
            paid = 0
    return won


def after_round(table: Table, chance: Chance) -> list[Data]:
    """What a finished coup brings to an end: a shoe at its stop card (R-08), a bank without funds (R-58)."""
    steps: list[Data] = []
    shoe = table.shoe
    if shoe is not None and shoe.remaining <= table.options["stop_card"]:
        steps += [
            StopCardReached(shoe.size - table.options["stop_card"], shoe.shuffle),
            *chance.end(shoe),
        ]
    play = play_of(table)
    bank = table.chips.get(BANK, 0)
    if play.bank_mode and bank < table.options["min_stake"]:
        steps += banking.ended(table, "exhausted")
    return steps
