"""Playing a card, and what a complete trick brings about (baciga 5 to 7, 12.4, 14)."""

from dealer.rules.baciga import cards, hands, scoring, state
from dealer.rules.baciga import events as ev
from dealer.rules.baciga.state import play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import CardDealt
from dealer.rules.frame.game import Act, Decided, Source
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.matches.cards import exposed, open_trick, parsed
from dealer.rules.matches.state import TRICK, added, for_side, hand_of, players, side_of
from dealer.rules.tricks import commands as cmd
from dealer.rules.tricks import events as tricks
from dealer.rules.tricks import seats, trick

CARDS = ("stock", "last_tricks")
"""The phases in which cards are played."""


def out_of_hand(table: Table, seat: int) -> str:
    """Why a seat has no part in a hand now: no match, it has conceded, no hand; empty if it has (14)."""
    play = play_of(table)
    if not play.running:
        return "match_over" if play.match else "wrong_phase"
    if seat in play.conceded:
        return "already_conceded"
    return "" if table.playing else "round_over"


def play(table: Table, chance: Chance, act: Act) -> Decided:
    """A card to the trick; refused in the order of section 14."""
    command = act.command
    if not isinstance(command, cmd.Play):
        return Refusal("unknown_command")
    named = parsed(hands.deck_of(table), (command.card,))
    if isinstance(named, Refusal):
        return named
    barred = out_of_hand(table, act.seat)
    if barred:
        return Refusal(barred, {"phase": table.phase} if barred == "wrong_phase" else {})
    if table.phase not in CARDS:
        return Refusal("wrong_phase", {"phase": table.phase})
    if act.seat != play_of(table).turn:
        return Refusal("not_your_turn")
    held = hands.held(table, chance, act.seat)
    if named[0] not in held:
        return Refusal("card_not_owned")
    if named[0] not in hands.legal(table, list(held)):
        lying = [cards.played(card) for card in open_trick(table)]
        own = [cards.played(card) for card in held]
        return Refusal(trick.refusal(cards.played(named[0]), own, lying, play_of(table).trump))
    return put(table, chance, (named[0], held[named[0]]), act.source, act.by)


def forced(table: Table, chance: Chance, source: Source, by: str = "") -> list[Data]:
    """The card that is played for the seat on turn: its lowest legal one (13.1)."""
    held = hands.held(table, chance, play_of(table).turn)
    card = cards.lowest(hands.legal(table, list(held)), play_of(table).trump)
    return put(table, chance, (card, held[card]), source, by)


def put(table: Table, chance: Chance, held: tuple[int, int], source: Source, by: str) -> list[Data]:
    """The seat on turn plays a card it may play, given with its place; a seven of trumps may score (12.4)."""
    seat, bonus = play_of(table).turn, table.options["seven_bonus"]
    card, pos = held
    steps: list[Data] = [
        *exposed(table, chance, [pos]),
        tricks.CardPlayed(by=by, card=card, pos=pos, seat=seat, source=source),
    ]
    if bonus and table.phase == "stock" and unscored_seven(table, card):
        steps.append(ev.SevenShown(card=card, how="played", points=bonus, seat=seat, source="automation"))
    return steps


def unscored_seven(table: Table, card: int) -> bool:
    """Whether a card is a seven of trumps that has not scored in this hand."""
    return cards.face(card) == f"7{play_of(table).trump}" and card not in play_of(table).sevens


def complete(table: Table) -> list[Data]:
    """What follows when everybody has played to the trick; nothing before (5, 6.2, 6.3, 9.3)."""
    number = players(table)
    if len(table.hands.get(TRICK, ())) < number:
        return []
    lying, current = open_trick(table), play_of(table)
    place = trick.winner([cards.played(card) for card in lying], current.trump)
    seat = seats.from_seat(current.leader, number)[place]
    side = side_of(table, seat)
    steps: list[Data] = [tricks.TrickWon(seat, side)]
    if table.phase == "stock":
        rests = table.options["declare_when"] == "trick_winner"
        return steps if rests else [*steps, *drawn(table, seat)]
    if any(state.owned(table, each) for each in seats.from_seat(1, number)):
        return steps
    found = for_side(table, side, cards.briscas(lying))
    return [*steps, *scoring.hand_over(table, seat, added(current.briscas, found))]


def drawn(table: Table, first: int) -> list[Data]:
    """All draw, the winner of the trick first; the last card of the stock is the one turned up (6.2, 6.3)."""
    if table.shoe is None:
        raise ValueError("cards are drawn without a shoe")
    number, shuffle, pos = players(table), table.shoe.shuffle, table.shoe.pos
    hidden, turned = state.hidden_left(table), table.hands.get(state.TRUMP, ())
    taken = table.hands.get(state.EXCHANGED, ())
    steps: list[Data] = [CardDealt(each, shuffle, hand_of(first)) for each in taken]
    order = seats.from_seat(first, number)
    top = [*range(pos, pos + min(hidden, number)), *turned]
    steps += [CardDealt(each, shuffle, hand_of(seat)) for each, seat in zip(top, order, strict=False)]
    return [*steps, ev.TableCardsReturned()] if hidden + len(turned) <= number else steps
