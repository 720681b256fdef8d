"""Showing the hands, settling, and what ends with the coup: the shoe, the bank (R-44 ... R-49, R-58)."""

from dealer.rules.bacara import banking
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.betting import place
from dealer.rules.bacara.coverage import PANOS
from dealer.rules.bacara.holders import pointer_after
from dealer.rules.bacara.points import is_natural_of_cards, total_of_cards
from dealer.rules.bacara.settlement import Settlement, from_stack, result, settle
from dealer.rules.bacara.speaking import cards_of, expose
from dealer.rules.bacara.state import BANK, funds, goes_round, is_open, play_of, seats_of
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
    if BANK not in table.hands:
        return {}
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
    before = table.chips.get(BANK, 0)
    settled = _settled(table, outcome)
    bank_points = total_of_cards(_faces(table, BANK))
    steps: list[Data] = []
    for pano, how in outcome.items():
        stakes = tuple(
            ev.SettledStake(c.seat, c.covered, settled.won[place(pano, c.seat)])
            for c in play.covered
            if c.on == pano and c.covered
        )
        points = total_of_cards(_faces(table, pano))
        steps += [
            ev.PanoSettled(bank_points, pano, points, how, stakes[i : i + LISTED_AN_EVENT])
            for i in range(0, len(stakes), LISTED_AN_EVENT)
        ]
    steps += grouped("settlement", settled.moves)
    steps += _moved_on(table, outcome)
    if settled.house:
        steps.append(ev.CommissionTaken(settled.house, sum(settled.won.values()) * -1))
    steps.append(ev.RoundSettled(settled.bank, settled.bank - before))
    steps.append(RoundEnded(check_total(table.chips)))
    return steps


def _settled(table: Table, outcome: dict[str, str]) -> Settlement:
    """Who gets what; an open bank pays with all its banker has (R-29)."""
    play, options = play_of(table), table.options
    opened = is_open(table)
    settled = settle(
        "before" if opened else options["coverage"],
        funds(table),
        play.covered,
        outcome,
        options["commission_bp"],
        options["commission_unit"],
    )
    return from_stack(settled, table.chips.get(BANK, 0), play.banker) if opened else settled


def _moved_on(table: Table, outcome: dict[str, str]) -> list[Data]:
    """The manos after the coup: two paños have one each, which a banco does not move (R-17, R-68, R-75)."""
    play = play_of(table)
    steps: list[Data] = []
    if play.banco.called or table.options["panos"] == 1:
        return steps
    for pano, how in outcome.items():
        old = play.pointers.get(pano, 0)
        new = pointer_after(table.options["holder_rule"], how, seats_of(pano, table), old)
        if new != old:
            steps.append(ev.HolderMoved(pano, "beaten", new))
    return steps


def after_round(table: Table, chance: Chance) -> list[Data]:
    """What a finished coup ends: a shoe at its stop card (R-08), a bank (R-09, R-58, R-64)."""
    steps: list[Data] = []
    shoe, options = table.shoe, table.options
    play = play_of(table)
    stopped = shoe is not None and shoe.remaining <= options["stop_card"]
    if shoe is not None and stopped:
        steps += [StopCardReached(shoe.size - options["stop_card"], shoe.shuffle), *chance.end(shoe)]
    if not play.bank_mode:
        return steps
    if goes_round(options) and results(table).get("single") == "pano":
        alone = play.banco.called and not play.banco.called.half
        return steps + banking.ended(table, "banco" if alone else "loss")
    if stopped and 0 < options["shoes_per_bank"] <= play.holding.shoes + 1:
        return steps + banking.ended(table, "shoe")
    if funds(table) < options["min_stake"] and not (play.banker and options["replenish"]):
        steps += banking.ended(table, "exhausted")
    return steps
