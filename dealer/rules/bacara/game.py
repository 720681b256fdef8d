"""Bacará as a game of the frame: the hooks the table calls, phase by phase (R-22, glossary section 3)."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec

from dealer.rules.bacara import (
    auction,
    banco,
    banking,
    betting,
    clocks,
    closing,
    croupier,
    deposits,
    garage,
    given,
    history,
    layout,
    lottery,
    offers,
    opening,
    reachable,
    seeking,
    shares,
    showing,
    speaking,
    staking,
    styles,
    turns,
)
from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.bots import POLICIES
from dealer.rules.bacara.evolvers import EVOLVERS
from dealer.rules.bacara.modes import HOUSE
from dealer.rules.bacara.punto.limits import is_punto
from dealer.rules.bacara.settlement import HOUSE_BOX
from dealer.rules.bacara.state import BANK, SPEAKING, Play, is_open, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Command, Receive
from dealer.rules.frame.event import Data, Event
from dealer.rules.frame.game import Act, Decided, Decider, Due, Option, Source
from dealer.rules.frame.profile import Profile, read
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from shoe.cards import Deck

_PROFILES = files("dealer.rules.bacara") / "profiles"


class Bacara:
    """See `dealer.rules.frame.game.Game` for what each hook means."""

    id = "bacara"
    label = "Bacará"
    events = ev.EVENTS
    upcasts = ev.UPCASTS
    evolvers = EVOLVERS
    policies = POLICIES
    state_type: type[msgspec.Struct] = Play
    places = frozenset({BANK, banking.GARAGE, HOUSE_BOX})

    def __init__(self) -> None:
        self.commands: Mapping[type[Command], Decider] = {
            cmd.OfferBank: offers.offer,
            cmd.Consent: offers.consent,
            cmd.BidBank: auction.bid,
            cmd.EnterLot: lottery.enter,
            cmd.AcceptBank: turns.answer,
            cmd.DeclineBank: turns.answer,
            cmd.EndBank: banking.end_bank,
            cmd.PassBank: banking.end_bank,
            cmd.ReplenishBank: deposits.replenish,
            cmd.RequestNewShoe: deposits.renew,
            cmd.AcceptAllStakes: deposits.accept_all,
            cmd.SetAside: garage.set_aside,
            cmd.AskShare: shares.ask,
            cmd.AnswerShare: shares.answer,
            cmd.Banco: banco.say,
            cmd.ConLaMesa: banco.say,
            cmd.PassBanco: banco.say,
            cmd.Stake: staking.stake,
            cmd.Unstake: staking.unstake,
            cmd.Draw: speaking.speak,
            cmd.Stand: speaking.speak,
            cmd.LayDown: speaking.speak,
            cmd.Call: croupier.call,
            cmd.AnnounceBank: croupier.chore,
            cmd.Deal: croupier.chore,
            cmd.Show: croupier.chore,
            cmd.Settle: croupier.chore,
            cmd.NextRound: opening.next_round,
        }
        found = [read(p.read_bytes()) for p in _PROFILES.iterdir() if p.name.endswith(".toml")]
        self.profiles: Mapping[str, Profile] = {p.id: p for p in found}

    def check_options(self, options: Mapping[str, Any]) -> Refusal | None:
        """See `layout.conflict`."""
        return layout.conflict(options)

    def seat_numbers(self, table: Table) -> Sequence[int]:
        """See `layout.seat_numbers`."""
        return layout.seat_numbers(table.options)

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
        """See `layout.cut_order`; the banker does not cut (R-05)."""
        return [seat for seat in layout.cut_order(table.options) if seat != play_of(table).banker]

    def advance(self, table: Table, chance: Chance, now: int) -> list[Data]:
        """The next step towards a bank, or of a coup, that needs nobody's word."""
        phase = table.phase
        if phase == "no_bank":
            return seeking.advance(table, chance)
        if phase in SPEAKING:
            return speaking.unasked(table, chance)
        idle = phase in betting.OPEN and not play_of(table).stakes
        if phase == "closed" or (idle and table.status == "closing"):
            return styles.of(table).close(table)
        if phase == banco.PHASE and banco.over(table):
            return banco.resolve(table, chance, "automation", "")
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
        if deposits.broken(table):
            return deposits.given_up(table, silence, act.by)
        source = silence if table.phase in SPEAKING else unasked
        return croupier.step(table, chance, source, act.by) or Refusal("wrong_phase", {"phase": table.phase})

    def may_leave(self, table: Table, seat: int) -> bool:
        """Whoever has no stake in play, and no bank, may go; what a push left goes along (R-45, R-57)."""
        play = play_of(table)
        staked = table.playing and any(s.seat == seat for s in play.stakes.values())
        return seat != play.banker and seat not in play.holding.shares and not staked

    def may_replace(self, table: Table, seat: int) -> bool:
        """Never: a coup is short, and played by the rule for whoever is silent."""
        return False

    def may_move(self, table: Table, seat: int) -> bool:
        """See `turns.may_sit`."""
        return turns.may_sit(table, seat)

    def stack_answers(self, table: Table, seat: int) -> bool:
        """The stack of an open bank's banker answers for the stakes it was counted for (R-29)."""
        return (
            bool(seat)
            and seat == play_of(table).banker
            and bool(play_of(table).covered)
            and (table.playing and is_open(table))
        )

    def owner(self, table: Table, place: str) -> int:
        """The bank and what is aside are the banker's; commissions are the house's."""
        return play_of(table).banker if place in {BANK, banking.GARAGE} else 0

    def correctable(self, table: Table) -> Sequence[str]:
        """The bank, while there is one, and the box of the commissions."""
        return (BANK, HOUSE_BOX) if play_of(table).bank_mode else (HOUSE_BOX,)

    def winding_up(self, table: Table) -> list[Data]:
        """A bank with associates is divided first: all of its chips stand at one place (R-60)."""
        return banking.ended(table, "closed") if play_of(table).holding.shares else []

    def house_bank(self, table: Table) -> int:
        """See `clocks.house_bank`."""
        return clocks.house_bank(table)

    def house_adds(self, table: Table) -> bool:
        """At punto y banca, between two coups (R-96); elsewhere only between two banks (A-21)."""
        return table.phase == deposits.BETWEEN and is_punto(table.options)

    def received(self, table: Table, act: Act) -> list[Data]:
        """The house's chips constitute its bank, or are added to it (R-50, R-55, R-96)."""
        if play_of(table).bank_mode and isinstance(act.command, Receive):
            amount = act.command.amount
            return [ev.BankReplenished(amount=amount, by=act.by, seat=0, source=act.source)]
        return [ev.BankConstituted(amount=self.house_bank(table), banker=0, mode=HOUSE)]

    def holds(self, table: Table, seat: int) -> tuple[str, ...]:
        """The hands a seat holds and may look at (R-18, R-34)."""
        play = play_of(table)
        own = tuple(pano for pano, holder in play.holders.items() if holder == seat and seat)
        return (*own, BANK) if seat and seat == play.banker else own

    def recalled(self, table: Table) -> dict[str, Any]:
        """Nothing: what is seen of a coup stays on the table until its end."""
        return {}

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
        return given.commands_of(data, table)

    def history(self, events: Sequence[Event]) -> dict[str, Any]:
        """See `history.history`."""
        return history.history(events)


BACARA = Bacara()
"""The one object of this game."""
