"""Playing a card, and what follows a complete trick and the last one (butifarra 7, 8, 10, 11, 13)."""

from dealer.rules.butifarra import cards, duties, scoring
from dealer.rules.butifarra import events as ev
from dealer.rules.butifarra.state import play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Act, Decided, Source
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.matches import ending
from dealer.rules.matches.cards import exposed, in_hand, open_trick, parsed
from dealer.rules.matches.state import added, players, side_of
from dealer.rules.tricks import commands as cmd
from dealer.rules.tricks import events as tricks
from dealer.rules.tricks import seats


def barred(table: Table, seat: int) -> Refusal | None:
    """Why a seat may play no card at all now, None if it may; in the order of section 13."""
    play = play_of(table)
    if not play.running and play.match:
        return Refusal("match_over")
    if table.phase == "bidding":
        return Refusal("bidding_open")
    if play.running and not table.playing:
        return Refusal("round_over")
    if table.phase != "tricks":
        return Refusal("wrong_phase", {"phase": table.phase})
    return None if seat == play.turn else Refusal("not_your_turn")


def play(table: Table, chance: Chance, act: Act) -> Decided:
    """A card to the trick; a card not held is refused alike, whoever holds it."""
    command = act.command
    if not isinstance(command, cmd.Play):
        return Refusal("unknown_command")
    named = parsed(cards.DECK, (command.card,))
    if isinstance(named, Refusal):
        return named
    refused = barred(table, act.seat)
    if refused:
        return refused
    held = in_hand(table, chance, act.seat)
    if named[0] not in held:
        return Refusal("card_not_owned")
    code = duties.refusal(table.options, named[0], list(held), open_trick(table), play_of(table).trump)
    return Refusal(code) if code else _put(table, chance, named[0], held[named[0]], act.source, act.by)


def legal(table: Table, chance: Chance, seat: int) -> list[int]:
    """The cards that the seat on turn may play now."""
    held = list(in_hand(table, chance, seat))
    return duties.legal(table.options, held, open_trick(table), play_of(table).trump)


def silent(table: Table, chance: Chance, source: Source, by: str) -> list[Data]:
    """The card that is played for the seat on turn when its time is up (12.1)."""
    seat = play_of(table).turn
    card = cards.least(legal(table, chance, seat), table.options["card_values"])
    return _put(table, chance, card, in_hand(table, chance, seat)[card], source, by)


def _put(table: Table, chance: Chance, card: int, pos: int, source: Source, by: str) -> list[Data]:
    played = tricks.CardPlayed(by=by, card=card, pos=pos, seat=play_of(table).turn, source=source)
    return [*exposed(table, chance, [pos]), played]


def complete(table: Table) -> list[Data]:
    """What follows when everybody has played to a trick, and when there is no card left to play."""
    lying, number, current = open_trick(table), players(table), play_of(table)
    if len(lying) == number:
        place = duties.winner(lying, current.trump, table.options["card_values"])
        seat = seats.from_seat(current.leader, number)[place]
        return [tricks.TrickWon(seat, side_of(table, seat))]
    return [] if any(table.hands.values()) else _scored(table)


def _scored(table: Table) -> list[Data]:
    """The points of the hand, and the end of the match if that is it (10, 11)."""
    play, options = play_of(table), table.options
    if play.contract is None:
        raise ValueError("a hand is scored that has no contract")
    points = scoring.score(options, play.raw, play.contract.multiplier)
    noted = scoring.noted(options, play.scores, points)
    totals = added(play.scores, noted)
    over, side = scoring.verdict(options, totals, play.hands + 1)
    steps: list[Data] = [ev.RoundScored(noted, play.raw)]
    if not over:
        return [*steps, *ending.hand_over(table)]
    if not side:
        return [*steps, ev.MatchDrawn(totals), *ending.given_back(table)]
    return [*steps, *ending.won(table, side, totals, "deals" if options["deals"] else "target")]
