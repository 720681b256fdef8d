"""A coup begins: cards laid aside from a new shoe, the window for banco, the stakes (R-22, R-69, R-105)."""

from dealer.rules.bacara import banco, betting
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.points import value_of_card
from dealer.rules.bacara.state import BANK
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import CardBurned
from dealer.rules.frame.game import Act, Decided
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table

FIRST_CARD = "first_card"


def opening(table: Table, chance: Chance, source: str, by: str = "") -> list[Data]:
    """«¡Hagan juego, señores!», or before that the bank is announced to whoever wants all of it."""
    started, opened = betting.opening(table, source, by)
    first = opened
    if banco.possible(table):
        first = ev.BancoOpened(bank=table.chips.get(BANK, 0), by=by, source=source)
    return [*burned(table, chance), started, first]


def burned(table: Table, chance: Chance) -> list[Data]:
    """The first card of a shoe is turned up, and as many as it counts go with it, courts ten (R-105)."""
    shoe = table.shoe
    if shoe is None or shoe.pos or table.options["burn"] != FIRST_CARD:
        return []
    cards = chance.current(shoe)
    counts = value_of_card(cards.card(0)) or 10
    turned = CardBurned(card=cards.card(0), nonce=cards.nonce(0), pos=0, shuffle=shoe.shuffle)
    return [turned, *(CardBurned(pos=pos, shuffle=shoe.shuffle) for pos in range(1, counts + 1))]


def next_round(table: Table, chance: Chance, act: Act) -> Decided:
    """A host opens the next coup at once; nobody else does."""
    if act.source != "host":
        return Refusal("forbidden")
    if table.phase not in {"between_rounds", "preparing"}:
        return Refusal("wrong_phase", {"phase": table.phase})
    if not betting.may_open(table):
        return Refusal("shoe_not_ready" if table.shoe is None else "wrong_phase", {"phase": table.phase})
    return opening(table, chance, act.source, act.by)
