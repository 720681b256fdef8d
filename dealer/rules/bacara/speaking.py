"""Looking, laying down, «carta» and «me planto» (R-34 ... R-43)."""

from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara import house
from dealer.rules.bacara.coverage import PANOS
from dealer.rules.bacara.points import is_natural_of_cards, total_of_cards, value_of_card
from dealer.rules.bacara.state import BANK, SPEAKING, play_of
from dealer.rules.bacara.tableau import (
    DRAW,
    LAY_DOWN,
    STAND,
    banker_default,
    banker_may,
    punter_default,
    punter_may,
)
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import CardDealt, CardExposed
from dealer.rules.frame.game import Act, Decided, Source
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table

_WORDS: dict[type, str] = {cmd.Draw: DRAW, cmd.Stand: STAND, cmd.LayDown: LAY_DOWN}


def hand_on_turn(table: Table) -> str:
    """The hand that is to speak, empty outside the speaking phases."""
    return table.phase.removeprefix("speak_") if table.phase in SPEAKING else ""


def speaker(table: Table) -> int:
    """The seat that speaks now: a paño's holder or the banker; 0 when the croupier does."""
    hand = hand_on_turn(table)
    play = play_of(table)
    return play.banker if hand == BANK else play.holders.get(hand, 0)


def next_phase(table: Table, said: dict[str, str]) -> str:
    """Where the coup goes when the hands in `said` have spoken (R-36, R-39, R-40)."""
    if BANK in said:
        return "showdown"
    holders = play_of(table).holders
    for pano in PANOS:
        if pano in holders and pano not in said:
            return f"speak_{pano}"
    every_pano_won = all(said[p] == "natural" for p in holders)
    return "showdown" if every_pano_won else f"speak_{BANK}"


def third_cards(table: Table) -> tuple[int | None, ...]:
    """What each paño that spoke has shown: the value of its third card, None where it stood (R-38, R-41)."""
    said = play_of(table).said
    return tuple(
        value_of_card(table.faces[table.hands[pano][2]]) if said[pano] == "drew" else None
        for pano in PANOS
        if said.get(pano) in {"drew", "stood"}
    )


def cards_of(table: Table, chance: Chance, hand: str) -> list[int]:
    """The physical cards of a hand, open or not."""
    if table.shoe is None:
        raise ValueError("a hand without a shoe")
    shoe = chance.current(table.shoe)
    return [shoe.card(p) for p in table.hands.get(hand, ())]


def expose(table: Table, chance: Chance, positions: tuple[int, ...]) -> list[Data]:
    """Turn up the cards at these positions that still lie face down."""
    if table.shoe is None:
        raise ValueError("a card without a shoe")
    shoe = chance.current(table.shoe)
    number = table.shoe.shuffle
    hidden = [p for p in positions if p not in table.faces]
    return [CardExposed(shoe.card(p), shoe.nonce(p), p, number) for p in hidden]


def unasked(table: Table, chance: Chance) -> list[Data]:
    """What the croupier does by himself: naturals, hands without a holder, the house's own hand."""
    play = play_of(table)
    hand = hand_on_turn(table)
    if not play.said and is_natural_of_cards(cards_of(table, chance, BANK)):
        return lay_down(table, chance, BANK, play.banker, "automation")
    seat = speaker(table)
    if hand != BANK and is_natural_of_cards(cards_of(table, chance, hand)):
        unasked_for = not seat or bool(table.seats[seat].bot) or "lay_down" in table.automations
        return lay_down(table, chance, hand, seat, "automation") if unasked_for else []
    if seat:
        return []
    return by_tableau(table, chance, "automation")


def lay_down(table: Table, chance: Chance, hand: str, seat: int, source: Source, by: str = "") -> list[Data]:
    """A natural is laid down: the bank's at once, a paño's when it is on turn (R-35, R-36, A-43)."""
    points = total_of_cards(cards_of(table, chance, hand))
    return [
        ev.HandLaidDown(by=by, hand=hand, points=points, seat=seat, source=source),
        *expose(table, chance, table.hands[hand]),
    ]


def by_tableau(table: Table, chance: Chance, source: Source, by: str = "") -> list[Data]:
    """The act of the tableau for the hand on turn: nobody holds it, or its time is up (R-19, R-37, R-41)."""
    hand = hand_on_turn(table)
    points = total_of_cards(cards_of(table, chance, hand))
    if hand != BANK:
        return _speak(table, chance, punter_default(points), source, by)
    act = banker_default(table.options["banker_rule"], points, third_cards(table))
    if not play_of(table).banker and table.options.get("house_banker") == "best":
        act = house.best(table, cards_of(table, chance, BANK))
    return _speak(table, chance, act, source, by)


def speak(table: Table, chance: Chance, act: Act) -> Decided:
    """«Carta» or «me planto» from the seat on turn; an act against the rule changes nothing (R-43)."""
    hand = hand_on_turn(table)
    if not hand:
        return Refusal("wrong_phase", {"phase": table.phase})
    play = play_of(table)
    if act.seat != play.banker and act.seat not in play.holders.values():
        return Refusal("not_holder")
    if act.seat != speaker(table):
        return Refusal("not_your_turn")
    word = _WORDS[type(act.command)]
    if word not in may(table, chance):
        return Refusal("illegal_action")
    return _speak(table, chance, word, act.source, act.by)


def may(table: Table, chance: Chance) -> frozenset[str]:
    """What the hand on turn may do, `draw` or `stand` (R-37, R-41)."""
    hand = hand_on_turn(table)
    points = total_of_cards(cards_of(table, chance, hand))
    options = table.options
    if hand == BANK:
        return banker_may(options["banker_rule"], points, third_cards(table))
    return punter_may(points, options["five"]) or frozenset({LAY_DOWN})


def _speak(table: Table, chance: Chance, word: str, source: Source, by: str) -> list[Data]:
    hand, seat = hand_on_turn(table), speaker(table)
    if word == LAY_DOWN:
        return lay_down(table, chance, hand, seat, source, by)
    if word == STAND:
        return [ev.HandStood(hand=hand, seat=seat, source=source, by=by)]
    if table.shoe is None:
        raise ValueError("a card without a shoe")
    pos = table.shoe.pos
    return [
        ev.HandDrew(hand=hand, seat=seat, source=source, by=by),
        CardDealt(pos, table.shoe.shuffle, hand),
        *expose(table, chance, (pos,)),
    ]
