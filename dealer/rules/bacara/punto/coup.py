"""A coup of punto y banca from «no va más» to its chips (R-96 to R-104)."""

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.betting import place
from dealer.rules.bacara.points import total_of_cards, value_of_card
from dealer.rules.bacara.punto.limits import PUNTO, cover
from dealer.rules.bacara.punto.payments import paid
from dealer.rules.bacara.settlement import result
from dealer.rules.bacara.state import BANK, play_of
from dealer.rules.bacara.tableau import DRAW, banker_default, punter_default
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import LISTED_AN_EVENT, check_total, grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import CardDealt, CardExposed, Move, RoundEnded
from dealer.rules.frame.state import Table

_ORDER = (PUNTO, BANK, PUNTO, BANK)
_RULE = "punto_y_banca"


def next_hand(values: dict[str, list[int]]) -> str:
    """Whose the next card is, empty when the coup has all of its cards (R-98 to R-101).

    Args:
        values: what the cards of each hand count so far.
    """
    punto, bank = values.get(PUNTO, []), values.get(BANK, [])
    dealt = len(punto) + len(bank)
    if dealt < len(_ORDER):
        return _ORDER[dealt]
    own, other = sum(bank[:2]) % 10, sum(punto[:2]) % 10
    if max(own, other) >= 8 or len(bank) > 2:
        return ""
    if len(punto) == 2 and punter_default(other, "draw") == DRAW:
        return PUNTO
    third = punto[2] if len(punto) > 2 else None
    return BANK if banker_default(_RULE, own, (third,)) == DRAW else ""


def open_values(table: Table) -> dict[str, list[int]]:
    """What the cards count that lie open, by hand."""
    faces = table.faces
    return {
        hand: [value_of_card(faces[p]) for p in cards if p in faces] for hand, cards in table.hands.items()
    }


def close(table: Table) -> list[Data]:
    """The stakes are covered, so that nobody is paid short (R-96); without any no coup is dealt (R-24)."""
    stakes = play_of(table).stakes.values()
    if not stakes:
        return [RoundEnded(check_total(table.chips))]
    bank = table.chips.get(BANK, 0)
    covered = cover(stakes, bank, table.options["tie_pays"])
    listed = tuple(ev.CoveredStake(c.amount, c.covered, c.on, c.seat) for c in covered)
    back = [Move(c.amount - c.covered, place(c.on, c.seat), f"stack:{c.seat}") for c in covered]
    return [
        *(
            ev.StakesCovered(bank, {PUNTO: 0}, listed[i : i + LISTED_AN_EVENT])
            for i in range(0, len(listed), LISTED_AN_EVENT)
        ),
        *grouped("uncovered", back),
    ]


def deal(table: Table, chance: Chance) -> list[Data]:
    """All cards of the coup, each turned up as it comes (R-97 to R-101)."""
    if table.shoe is None:
        raise ValueError("a coup without a shoe")
    shoe, number = chance.current(table.shoe), table.shoe.shuffle
    values: dict[str, list[int]] = {PUNTO: [], BANK: []}
    steps: list[Data] = []
    pos = table.shoe.pos
    while to := next_hand(values):
        card = shoe.card(pos)
        values[to].append(value_of_card(card))
        steps += [CardDealt(pos, number, to), CardExposed(card, shoe.nonce(pos), pos, number)]
        pos += 1
    return steps


def settlement(table: Table) -> list[Data]:
    """Losing stakes collected, commission, winners paid; a returned stake is its owner's again (R-102)."""
    cards = {hand: [table.faces[p] for p in table.hands[hand]] for hand in (PUNTO, BANK)}
    points = {hand: total_of_cards(ids) for hand, ids in cards.items()}
    naturals = {hand: len(ids) == 2 and points[hand] >= 8 for hand, ids in cards.items()}
    how = result(points[PUNTO], naturals[PUNTO], points[BANK], naturals[BANK])
    before = table.chips.get(BANK, 0)
    at_risk = tuple(each for each in play_of(table).covered if each.covered)
    settled = paid(at_risk, how, cards, table.options)
    steps: list[Data] = []
    for bet in dict.fromkeys(each.on for each in at_risk):
        listed = tuple(
            ev.SettledStake(each.seat, each.covered, settled.won[place(bet, each.seat)])
            for each in at_risk
            if each.on == bet
        )
        steps += [
            ev.PanoSettled(points[BANK], bet, points[PUNTO], how, listed[i : i + LISTED_AN_EVENT])
            for i in range(0, len(listed), LISTED_AN_EVENT)
        ]
    steps += grouped("settlement", settled.moves)
    if settled.commission:
        steps.append(ev.CommissionTaken(settled.commission, settled.on_bank))
    bank = before + settled.bank
    return [*steps, ev.RoundSettled(bank, settled.bank), RoundEnded(check_total(table.chips))]
