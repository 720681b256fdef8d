"""Combinations and sevens on the table (baciga 8, 12.2 to 12.5, 14)."""

from dealer.rules.baciga import cards, hands, melds, state
from dealer.rules.baciga import commands as cmd
from dealer.rules.baciga import events as ev
from dealer.rules.baciga.playing import drawn, out_of_hand, unscored_seven
from dealer.rules.baciga.state import play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Act, Decided, Source
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.matches.cards import exposed, in_hand, parsed
from dealer.rules.matches.state import side_of

STOCK = ("stock", "declaring")
"""The phases in which there are cards in the stock."""


def barred(table: Table, seat: int) -> str:
    """Why a seat may declare nothing at all now, conditions 1, 2 and 4 of 8.2 and those of 12.5."""
    play = play_of(table)
    out = out_of_hand(table, seat)
    if out:
        return out
    if table.phase == "last_tricks":
        return "meld_stock_exhausted"
    if table.phase == "dealing":
        return "wrong_phase"
    if table.options["declare_when"] == "trick_winner":
        if table.phase == "stock":
            return "wrong_phase"
        if seat != play.turn:
            return "meld_not_trick_winner"
        if play.melded and table.options["one_meld_per_trick"]:
            return "meld_one_per_trick"
    return ""


def declare(table: Table, chance: Chance, act: Act) -> Decided:
    """A combination; refused in the order of 8.2, with 12.5."""
    command = act.command
    if not isinstance(command, cmd.Declare):
        return Refusal("unknown_command")
    named = parsed(hands.deck_of(table), command.cards)
    if isinstance(named, Refusal):
        return named
    refused = barred(table, act.seat)
    meld = melds.offered(table.options).get(command.meld)
    side = side_of(table, act.seat)
    if refused:
        return Refusal(refused, {"phase": table.phase} if refused == "wrong_phase" else {})
    if meld is None:
        return Refusal("meld_not_available")
    if not play_of(table).won[side - 1]:
        return Refusal("meld_no_trick_won")
    own = hands.own(table, chance, act.seat)
    wrong = melds.refusal(table.options, meld, named, own, play_of(table).trump)
    if wrong:
        return Refusal(wrong)
    held = hands.held(table, chance, act.seat)
    positions = [held[card] for card in named]
    declared = ev.MeldDeclared(
        by=act.by,
        cards=tuple(named),
        meld=meld.name,
        points=meld.points,
        pos=tuple(positions),
        seat=act.seat,
        source=act.source,
    )
    return [*exposed(table, chance, positions), declared]


def _not_on_turn(table: Table, seat: int) -> Refusal | None:
    """Why a seat may neither use a seven nor draw now (14)."""
    out = out_of_hand(table, seat)
    if out or table.phase != "declaring":
        return (
            Refusal(out) if out not in {"", "wrong_phase"} else Refusal("wrong_phase", {"phase": table.phase})
        )
    return None if seat == play_of(table).turn else Refusal("not_your_turn")


def exchangeable(table: Table, chance: Chance, seat: int) -> int | None:
    """The seven of trumps that a seat may exchange now, the lower copy of two; None without one (12.3)."""
    turned = table.hands.get(state.TRUMP, ())
    if not table.options["seven_bonus"] or not turned or cards.face(table.faces[turned[0]])[0] == "7":
        return None
    return min(showable(table, chance, seat), default=None)


def showable(table: Table, chance: Chance, seat: int) -> list[int]:
    """The sevens of trumps in the hand of a seat that have not scored (12.4)."""
    if not table.options["seven_bonus"]:
        return []
    return [card for card in in_hand(table, chance, seat) if unscored_seven(table, card)]


def exchange_seven(table: Table, chance: Chance, act: Act) -> Decided:
    """A seven for the card turned up (12.3)."""
    refused = _not_on_turn(table, act.seat)
    if refused:
        return refused
    card = exchangeable(table, chance, act.seat)
    if card is None:
        return Refusal("seven_not_allowed")
    points = table.options["seven_bonus"]
    pos = in_hand(table, chance, act.seat)[card]
    exchanged = ev.SevenExchanged(
        by=act.by,
        card=card,
        points=points,
        pos=pos,
        seat=act.seat,
        source=act.source,
        taken=table.hands[state.TRUMP][0],
    )
    return [*exposed(table, chance, [pos]), exchanged]


def show_seven(table: Table, chance: Chance, act: Act) -> Decided:
    """A seven is shown and stays in the hand (12.4)."""
    command = act.command
    if not isinstance(command, cmd.ShowSeven):
        return Refusal("unknown_command")
    named = parsed(hands.deck_of(table), (command.card,))
    if isinstance(named, Refusal):
        return named
    refused = _not_on_turn(table, act.seat)
    if refused:
        return refused
    hand, points = in_hand(table, chance, act.seat), table.options["seven_bonus"]
    if named[0] not in hands.held(table, chance, act.seat):
        return Refusal("card_not_owned")
    if named[0] not in showable(table, chance, act.seat):
        return Refusal("seven_not_allowed")
    shown = ev.SevenShown(
        by=act.by, card=named[0], how="shown", points=points, seat=act.seat, source=act.source
    )
    return [*exposed(table, chance, [hand[named[0]]]), shown]


def draw_stock(table: Table, chance: Chance, act: Act) -> Decided:
    """The winner of the trick has nothing further to declare (12.2)."""
    return _not_on_turn(table, act.seat) or draw(table, act.source, act.by)


def draw(table: Table, source: Source, by: str = "") -> list[Data]:
    """`declaring` ends, and all draw."""
    seat = play_of(table).turn
    return [ev.StockDrawn(by=by, seat=seat, source=source), *drawn(table, seat)]
