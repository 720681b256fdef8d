"""Bacará as a game of the frame: the hooks the table calls, phase by phase (R-22, glossary section 3)."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec

from dealer.rules.bacara import (
    auction,
    banking,
    betting,
    clocks,
    closing,
    croupier,
    dealing,
    history,
    lottery,
    modes,
    offers,
    reachable,
    seeking,
    showing,
    speaking,
)
from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.bots import POLICIES
from dealer.rules.bacara.evolvers import EVOLVERS
from dealer.rules.bacara.state import BANK, SPEAKING, Play, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Command
from dealer.rules.frame.event import Data, Event
from dealer.rules.frame.game import Act, Decided, Decider, Due, Option, Source
from dealer.rules.frame.profile import Profile, read
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import MOST_WITHOUT_SEAT, Table
from shoe.cards import Deck

_PROFILES = files("dealer.rules.bacara") / "profiles"
_LEFT = 10
"""Seats of the left paño are numbered from 11 on (glossary, section 2)."""


class Bacara:
    """See `dealer.rules.frame.game.Game` for what each hook means."""

    id = "bacara"
    label = "Bacará"
    events = ev.EVENTS
    upcasts = ev.UPCASTS
    evolvers = EVOLVERS
    policies = POLICIES
    state_type: type[msgspec.Struct] = Play

    def __init__(self) -> None:
        self.commands: Mapping[type[Command], Decider] = {
            cmd.OfferBank: offers.offer,
            cmd.Consent: offers.consent,
            cmd.BidBank: auction.bid,
            cmd.EnterLot: lottery.enter,
            cmd.AcceptBank: lottery.answer,
            cmd.DeclineBank: lottery.answer,
            cmd.EndBank: banking.end_bank,
            cmd.Stake: betting.stake,
            cmd.Unstake: betting.unstake,
            cmd.Draw: speaking.speak,
            cmd.Stand: speaking.speak,
            cmd.LayDown: speaking.speak,
            cmd.Call: croupier.call,
            cmd.AnnounceBank: croupier.chore,
            cmd.Deal: croupier.chore,
            cmd.Show: croupier.chore,
            cmd.Settle: croupier.chore,
            cmd.NextRound: betting.next_round,
        }
        found = [read(p.read_bytes()) for p in _PROFILES.iterdir() if p.name.endswith(".toml")]
        self.profiles: Mapping[str, Profile] = {p.id: p for p in found}

    def check_options(self, options: Mapping[str, Any]) -> Refusal | None:
        """Refuse a table whose stakes could never be played, or bank constituted (R-08, R-25, R-56)."""
        most = options.get("max_stake")
        if most is not None and most < options["min_stake"]:
            return Refusal("options_conflict", {"options": ["max_stake", "min_stake"]})
        least = options.get("min_bank", options["min_stake"])
        if least < options["min_stake"]:
            return Refusal("options_conflict", {"options": ["min_bank", "min_stake"]})
        if options.get("max_bank", least) < least:
            return Refusal("options_conflict", {"options": ["max_bank", "min_bank"]})
        if options["house_bank"] < options["min_stake"] and modes.HOUSE in options["bank_modes"]:
            return Refusal("options_conflict", {"options": ["house_bank", "min_stake"]})
        if options["stop_card"] >= 52 * options["packs"]:
            return Refusal("options_conflict", {"options": ["packs", "stop_card"]})
        contributors = 2 * options["seats_per_pano"] + MOST_WITHOUT_SEAT
        if options["corte"] == "required" and options["min_contributors"] > contributors:
            return Refusal("options_conflict", {"options": ["min_contributors", "seats_per_pano"]})
        return None

    def seat_numbers(self, table: Table) -> Sequence[int]:
        """Right paño from 1, left from 11 (R-12)."""
        n = table.options["seats_per_pano"]
        return [*range(1, n + 1), *range(_LEFT + 1, _LEFT + n + 1)]

    def reserved(self, table: Table, seat: int) -> bool:
        """The banker's seat is kept for him while he banks (R-15)."""
        return seat == play_of(table).banker

    def cards(self, options: Mapping[str, Any]) -> Deck:
        """French packs, all alike in use (R-01)."""
        return Deck("fr52", options["packs"])

    def deck(self, table: Table) -> Deck | None:
        """A new shoe as soon as a bank stands without one (R-01, R-09)."""
        if table.shoe is not None or not play_of(table).bank_mode:
            return None
        return self.cards(table.options)

    def cut_order(self, table: Table) -> Sequence[int]:
        """Right and left in turn from the first seats on; the banker does not cut (R-05)."""
        n = table.options["seats_per_pano"]
        order = (seat for k in range(1, n + 1) for seat in (k, _LEFT + k))
        return [seat for seat in order if seat != play_of(table).banker]

    def advance(self, table: Table, chance: Chance, now: int) -> list[Data]:
        """The next step towards a bank, or of a coup, that needs nobody's word."""
        phase = table.phase
        if phase == "no_bank":
            return seeking.advance(table, chance)
        if phase in SPEAKING:
            return speaking.unasked(table, chance)
        idle = phase in betting.OPEN and not play_of(table).stakes
        if phase == "closed" or (idle and table.status == "closing"):
            return dealing.close(table)
        if phase == "between_rounds":
            ended = closing.after_round(table, chance)
            if ended or not clocks.overdue(table, now):
                return ended
        if phase in croupier.CHORES and croupier.unasked(table):
            return croupier.step(table, chance, "automation")
        return []

    def due(self, table: Table) -> Sequence[Due]:
        """See `clocks.due`."""
        return clocks.due(table)

    def expire(self, table: Table, chance: Chance, act: Act) -> Decided:
        """The croupier's call or chore, or what silence means of whoever is awaited (R-22, section 12)."""
        host = act.source == "host"
        silence: Source = "host" if host else "timeout"
        unasked: Source = "host" if host else "automation"
        if table.phase == "no_bank":
            return seeking.expire(table, chance, unasked, act.by)
        away = banking.away(table)
        if away and isinstance(act.command, Command) and act.command.decision == away.decision:
            return banking.ended(table, "absent", silence, act.by)
        source = silence if table.phase in SPEAKING else unasked
        return croupier.step(table, chance, source, act.by) or Refusal("wrong_phase", {"phase": table.phase})

    def may_leave(self, table: Table, seat: int) -> bool:
        """Whoever has no stake in play, and no bank, may go; what a push left goes along (R-45, R-57)."""
        play = play_of(table)
        staked = table.playing and any(s.seat == seat for s in play.stakes.values())
        return seat != play.banker and not staked

    def owner(self, table: Table, place: str) -> int:
        """The bank is the banker's; commissions are the house's."""
        return play_of(table).banker if place == BANK else 0

    def house_bank(self, table: Table) -> int:
        """See `clocks.house_bank`."""
        return clocks.house_bank(table)

    def received(self, table: Table, act: Act) -> list[Data]:
        """The house's chips constitute its bank (R-50, R-55)."""
        return [ev.BankConstituted(amount=self.house_bank(table), banker=0, mode=modes.HOUSE)]

    def holds(self, table: Table, seat: int) -> tuple[str, ...]:
        """The hands a seat holds and may look at (R-18, R-34)."""
        play = play_of(table)
        own = tuple(pano for pano, holder in play.holders.items() if holder == seat and seat)
        return (*own, BANK) if seat and seat == play.banker else own

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

    def history(self, events: Sequence[Event]) -> dict[str, Any]:
        """See `history.history`."""
        return history.history(events)


BACARA = Bacara()
"""The one object of this game."""
