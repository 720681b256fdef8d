"""Báciga as a game of the frame: the hooks the table calls (baciga 13)."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec

from dealer.rules.baciga import (
    cards,
    clocks,
    croupier,
    dealing,
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
from dealer.rules.baciga.state import Play
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Command, Deal, NextRound
from dealer.rules.frame.event import Data, Event
from dealer.rules.frame.game import Act, Decided, Decider, Due, Option
from dealer.rules.frame.profile import Profile
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.matches import conceding
from dealer.rules.matches import game as matches
from dealer.rules.matches.state import hand_of
from dealer.rules.tricks import commands as tricks
from shoe.cards import MAX_CARDS, Deck

_PROFILES = files("dealer.rules.baciga") / "profiles"


class Baciga(matches.MatchGame):
    """See `dealer.rules.frame.game.Game` for what each hook means."""

    id = "baciga"
    label = "Báciga"
    events = ev.EVENTS
    upcasts = ev.UPCASTS
    evolvers = EVOLVERS
    policies = POLICIES
    state_type: type[msgspec.Struct] = Play

    def __init__(self) -> None:
        self.commands: Mapping[type[Command], Decider] = {
            tricks.Play: playing.play,
            tricks.Concede: conceding.concede,
            cmd.Declare: declaring.declare,
            cmd.ExchangeSeven: declaring.exchange_seven,
            cmd.ShowSeven: declaring.show_seven,
            cmd.DrawStock: declaring.draw_stock,
            Deal: self.chore,
            NextRound: self.chore,
        }
        self.profiles: Mapping[str, Profile] = matches.profiles(_PROFILES)

    def check_options(self, options: Mapping[str, Any]) -> Refusal | None:
        """Refuse a stock that does not come out even, and switches that need another (11, 12.10)."""
        number, stock = options["players"], cards.stock_size(options)
        if stock < number or stock % number or cards.packs(options) * cards.PACK > MAX_CARDS:
            return Refusal("options_conflict", {"options": ["packs", "players"]})
        for switch in ("one_meld_per_trick", "seven_bonus"):
            if options[switch] and options["declare_when"] != "trick_winner":
                return Refusal("options_conflict", {"options": ["declare_when", switch]})
        return matches.check_options(options)

    def cards(self, options: Mapping[str, Any]) -> Deck:
        """Packs of 32 (4.1)."""
        return cards.deck(cards.packs(options))

    def deal(self, table: Table, chance: Chance) -> list[Data]:
        """See `dealing.deal`."""
        return dealing.deal(table, chance)

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

    def holds(self, table: Table, seat: int) -> tuple[str, ...]:
        """The cards in a seat's hand, and those it has laid on the table."""
        return (hand_of(seat), state.laid_by(seat))

    def options(self, table: Table, chance: Chance, seat: int) -> Sequence[Option]:
        """See `showing.options`."""
        return showing.options(table, chance, seat)

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
