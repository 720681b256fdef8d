"""Báciga as a game of the frame: the hooks the table calls (baciga 13)."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec

from dealer.rules.baciga import (
    cards,
    clocks,
    conceding,
    croupier,
    declaring,
    given,
    history,
    playing,
    reachable,
    showing,
    state,
)
from dealer.rules.baciga import commands as cmd
from dealer.rules.baciga import events as ev
from dealer.rules.baciga.bots import POLICIES
from dealer.rules.baciga.evolvers import EVOLVERS
from dealer.rules.baciga.scoring import pot
from dealer.rules.baciga.state import Play, play_of, players
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Command, Deal, NextRound
from dealer.rules.frame.event import Data, Event
from dealer.rules.frame.game import Act, Decided, Decider, Due, Option
from dealer.rules.frame.profile import Profile, read
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import MOST_WITHOUT_SEAT, Table
from dealer.rules.tricks import commands as tricks
from dealer.rules.tricks import seats
from shoe.cards import MAX_CARDS, Deck

_PROFILES = files("dealer.rules.baciga") / "profiles"


class Baciga:
    """See `dealer.rules.frame.game.Game` for what each hook means."""

    id = "baciga"
    label = "Báciga"
    events = ev.EVENTS
    upcasts = ev.UPCASTS
    evolvers = EVOLVERS
    policies = POLICIES
    state_type: type[msgspec.Struct] = Play
    places = frozenset({"pot"})

    def __init__(self) -> None:
        self.commands: Mapping[type[Command], Decider] = {
            tricks.Play: playing.play,
            tricks.Concede: conceding.concede,
            cmd.Declare: declaring.declare,
            cmd.ExchangeSeven: declaring.exchange_seven,
            cmd.ShowSeven: declaring.show_seven,
            cmd.DrawStock: declaring.draw_stock,
            Deal: croupier.chore,
            NextRound: croupier.chore,
        }
        found = [read(p.read_bytes()) for p in _PROFILES.iterdir() if p.name.endswith(".toml")]
        self.profiles: Mapping[str, Profile] = {p.id: p for p in found}

    def check_options(self, options: Mapping[str, Any]) -> Refusal | None:
        """Refuse a stock that does not come out even, and switches that need another (11, 12.10)."""
        number, stock = options["players"], cards.stock_size(options)
        if stock < number or stock % number or cards.packs(options) * cards.PACK > MAX_CARDS:
            return Refusal("options_conflict", {"options": ["packs", "players"]})
        if options["first_dealer"] != "lot" and options["first_dealer"] > number:
            return Refusal("options_conflict", {"options": ["first_dealer", "players"]})
        for switch in ("one_meld_per_trick", "seven_bonus"):
            if options[switch] and options["declare_when"] != "trick_winner":
                return Refusal("options_conflict", {"options": ["declare_when", switch]})
        if options["corte"] == "required" and options["min_contributors"] > number + MOST_WITHOUT_SEAT:
            return Refusal("options_conflict", {"options": ["min_contributors", "players"]})
        return None

    def seat_numbers(self, table: Table) -> Sequence[int]:
        """From 1 to the number of players, in order of play (2)."""
        return seats.from_seat(1, players(table))

    def reserved(self, table: Table, seat: int) -> bool:
        """A seat that has conceded and gone is nobody's until the match is over (13.2)."""
        return play_of(table).running and seat not in table.seats

    def cards(self, options: Mapping[str, Any]) -> Deck:
        """Packs of 32 (4.1)."""
        return Deck(cards.KIND, cards.packs(options))

    def deck(self, table: Table) -> Deck | None:
        """A fresh shuffle for every hand of a match (4)."""
        wanted = play_of(table).running and not table.playing and table.shoe is None
        return self.cards(table.options) if wanted else None

    def cut_order(self, table: Table) -> Sequence[int]:
        """The seat before the dealer, and nobody in its stead (4.6)."""
        return [seats.previous(play_of(table).dealer, players(table))]

    def advance(self, table: Table, chance: Chance, now: int) -> list[Data]:
        """See `croupier.unasked`."""
        return croupier.unasked(table, chance, now)

    def due(self, table: Table) -> Sequence[Due]:
        """See `clocks.due`."""
        return clocks.due(table)

    def expire(self, table: Table, chance: Chance, act: Act) -> Decided:
        """See `croupier.expire`."""
        host = act.source == "host"
        return croupier.expire(table, chance, "host" if host else "timeout", act.by)

    def may_leave(self, table: Table, seat: int) -> bool:
        """Between matches, and whoever has conceded (13.2)."""
        play = play_of(table)
        return not play.running or seat in play.conceded

    def may_move(self, table: Table, seat: int) -> bool:
        """Nobody changes his place."""
        return False

    def stack_answers(self, table: Table, seat: int) -> bool:
        """What is in play lies in the pot."""
        return False

    def winding_up(self, table: Table) -> list[Data]:
        """A match that is cut short has returned its buy-ins by then."""
        return []

    def owner(self, table: Table, place: str) -> int:
        """A buy-in is its player's while nobody has won it; of one who has gone, the next one's."""
        order = seats.from_seat(1, players(table))
        first = next(seat for seat in order if pot(seat) == place)
        there = [seat for seat in seats.from_seat(first, players(table)) if seat in table.seats]
        return there[0] if there else 0

    def house_bank(self, table: Table) -> int:
        """The house plays no part in a match."""
        return 0

    def received(self, table: Table, act: Act) -> list[Data]:
        """Nothing: chips come to stacks alone."""
        return []

    def holds(self, table: Table, seat: int) -> tuple[str, ...]:
        """The cards in a seat's hand, and those it has laid on the table."""
        return (state.hand_of(seat), state.laid_by(seat))

    def options(self, table: Table, chance: Chance, seat: int) -> Sequence[Option]:
        """See `showing.options`."""
        return showing.options(table, chance, seat)

    def host_options(self, table: Table) -> Sequence[Option]:
        """See `croupier.options`."""
        return croupier.options(table)

    def view(self, table: Table) -> dict[str, Any]:
        """See `showing.view`."""
        return showing.view(table)

    def check_state(self, table: Table) -> str:
        """See `reachable.flaws`."""
        return next(reachable.flaws(table), "")

    def commands_of(self, data: Data, table: Table) -> Sequence[Command]:
        """See `given.commands_of`."""
        return given.commands_of(data)

    def history(self, events: Sequence[Event]) -> dict[str, Any]:
        """See `history.history`."""
        return history.history(events)


BACIGA = Baciga()
"""The one object of this game."""
