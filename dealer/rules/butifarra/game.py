"""Butifarra as a game of the frame: the hooks the table calls (butifarra 12)."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec

from dealer.rules.butifarra import (
    cards,
    clocks,
    croupier,
    given,
    history,
    playing,
    reachable,
    showing,
    speaking,
)
from dealer.rules.butifarra import events as ev
from dealer.rules.butifarra.bots.policies import POLICIES
from dealer.rules.butifarra.evolvers import EVOLVERS
from dealer.rules.butifarra.state import Play, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Command, Deal, NextRound
from dealer.rules.frame.event import Data, Event
from dealer.rules.frame.game import Act, Decided, Decider, Due, Option
from dealer.rules.frame.profile import Profile
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.matches import conceding, course
from dealer.rules.matches import game as matches
from dealer.rules.tricks import commands as tricks
from dealer.rules.tricks.seats import partner
from shoe.cards import Deck

_PROFILES = files("dealer.rules.butifarra") / "profiles"


class Butifarra(matches.MatchGame):
    """See `dealer.rules.frame.game.Game` for what each hook means."""

    id = "butifarra"
    label = "Butifarra"
    events = ev.EVENTS
    upcasts = ev.UPCASTS
    evolvers = EVOLVERS
    policies = POLICIES
    state_type: type[msgspec.Struct] = Play

    def __init__(self) -> None:
        self.commands: Mapping[type[Command], Decider] = {
            **dict.fromkeys(speaking.WORDS, speaking.say),
            tricks.Play: playing.play,
            tricks.Concede: conceding.concede,
            Deal: self.chore,
            NextRound: self.chore,
        }
        self.profiles: Mapping[str, Profile] = matches.profiles(_PROFILES)

    def check_options(self, options: Mapping[str, Any]) -> Refusal | None:
        """Refuse a target beyond the cap, and a way to end ties where there is no last hand (11)."""
        if not options["deals"] and 0 < options["score_cap"] < options["target"]:
            return Refusal("options_conflict", {"options": ["score_cap", "target"]})
        if not options["deals"] and options["tie"] != "draw":
            return Refusal("options_conflict", {"options": ["deals", "tie"]})
        return matches.check_options(options)

    def cards(self, options: Mapping[str, Any]) -> Deck:
        """One Spanish pack of 48 (4.1)."""
        return cards.DECK

    def deal(self, table: Table, chance: Chance) -> list[Data]:
        """Packets of four from the seat after the dealer (4.4)."""
        return course.hands_dealt(table)

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
        """The cards in a seat's hand; the dealer's partner may have to wait for the dealer's word (6)."""
        play = play_of(table)
        blind = table.options["partner_blind"] and play.bidding.step == "open"
        waits = blind and table.phase == "bidding" and seat == partner(play.dealer)
        return () if waits else super().holds(table, seat)

    def recalled(self, table: Table) -> dict[str, Any]:
        """See `showing.recalled`."""
        return showing.recalled(table)

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


BUTIFARRA = Butifarra()
"""The one object of this game."""
