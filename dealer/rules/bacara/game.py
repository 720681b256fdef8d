"""Bacará as a game of the frame: the hooks the table calls, phase by phase (R-22, glossary section 3)."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from dealer.rules.bacara import betting, closing, dealing, history, showing, speaking
from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.bots import POLICIES
from dealer.rules.bacara.evolvers import EVOLVERS
from dealer.rules.bacara.state import BANK, SPEAKING, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Command
from dealer.rules.frame.event import Data, Event
from dealer.rules.frame.game import Act, Decided, Decider, Due, Option, Source
from dealer.rules.frame.profile import Profile, read
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from shoe.cards import Deck

_PROFILES = files("dealer.rules.bacara") / "profiles"
_LEFT = 10
"""Seats of the left paño are numbered from 11 on (glossary, section 2)."""


class Bacara:
    """See `dealer.rules.frame.game.Game` for what each hook means."""

    id = "bacara"
    label = "Bacará"
    events = ev.EVENTS
    evolvers = EVOLVERS
    policies = POLICIES

    def __init__(self) -> None:
        self.commands: Mapping[type[Command], Decider] = {
            cmd.Stake: betting.stake,
            cmd.Unstake: betting.unstake,
            cmd.Draw: speaking.speak,
            cmd.Stand: speaking.speak,
            cmd.NextRound: betting.next_round,
        }
        found = [read(p.read_bytes()) for p in _PROFILES.iterdir() if p.name.endswith(".toml")]
        self.profiles: Mapping[str, Profile] = {p.id: p for p in found}

    def check_options(self, options: Mapping[str, Any]) -> Refusal | None:
        """Refuse a table whose stakes could never be played (R-08, R-25)."""
        most = options.get("max_stake")
        if most is not None and most < options["min_stake"]:
            return Refusal("options_conflict", {"options": ["max_stake", "min_stake"]})
        if options["house_bank"] < options["min_stake"]:
            return Refusal("options_conflict", {"options": ["house_bank", "min_stake"]})
        if options["stop_card"] >= 52 * options["packs"]:
            return Refusal("options_conflict", {"options": ["packs", "stop_card"]})
        return None

    def seat_numbers(self, table: Table) -> Sequence[int]:
        """Right paño from 1, left from 11 (R-12)."""
        n = table.options["seats_per_pano"]
        return [*range(1, n + 1), *range(_LEFT + 1, _LEFT + n + 1)]

    def cards(self, options: Mapping[str, Any]) -> Deck:
        """French packs, all alike in use (R-01)."""
        return Deck("fr52", options["packs"])

    def deck(self, table: Table) -> Deck | None:
        """A new shoe as soon as a bank stands without one (R-01, R-09)."""
        if table.shoe is not None or not play_of(table).bank_mode:
            return None
        return self.cards(table.options)

    def advance(self, table: Table, chance: Chance, now: int) -> list[Data]:
        """The next step of a coup that needs nobody's word."""
        phase = table.phase
        if phase in SPEAKING:
            return speaking.unasked(table, chance)
        match phase:
            case "closed":
                return dealing.close(table)
            case "dealing":
                return dealing.deal(table)
            case "showdown":
                return closing.show(table, chance)
            case "settling":
                return closing.settlement(table)
            case "preparing":
                return betting.opening(table, "automation") if betting.may_open(table) else []
            case "between_rounds":
                return closing.after_round(table, chance) or self._next(table, now)
            case _:
                return []

    def _next(self, table: Table, now: int) -> list[Data]:
        """A coup that was due while nobody could play begins as soon as somebody can."""
        wait = table.options["between_rounds_ms"]
        if not wait or now < table.since + wait or not betting.may_open(table):
            return []
        return betting.opening(table, "automation")

    def due(self, table: Table) -> Sequence[Due]:
        """The clock of the phase, the bots on turn, and the bank the house owes."""
        opts, phase, since = table.options, table.phase, table.since
        play = play_of(table)
        clock: list[Due] = []

        def wait(ms: int, seats: tuple[int, ...] = (), start: int = since) -> None:
            until = start + ms if ms and start else None
            clock.append(Due(table.decision(), "timeout", seats, until))

        if phase == "betting":
            wait(opts["betting_ms"], start=play.first_stake)
        elif phase == "last_call":
            wait(opts["last_call_ms"])
        elif phase in SPEAKING:
            key = "banker_ms" if phase == "speak_bank" else "speak_ms"
            wait(opts[key], (speaking.speaker(table),))
        elif phase == "between_rounds" and betting.may_open(table):
            wait(opts["between_rounds_ms"])
        elif self.house_bank(table):
            clock.append(Due(f"house:{table.opened}", "chore", (), since))
        return [*clock, *self._bots(table)]

    def _bots(self, table: Table) -> list[Due]:
        """Bots who have something to do in this phase; each has its own decision, so it acts once."""
        play = play_of(table)
        if table.phase in betting.OPEN:
            staked = {s.seat for s in play.stakes.values()}
            least = table.options["min_stake"]
            turn = [n for n in table.seats if n not in staked and table.stack(n) >= least]
        elif table.phase in SPEAKING:
            turn = [speaking.speaker(table)]
        else:
            return []
        think = table.options["bot_think_ms"]
        bots = [n for n in sorted(turn) if n in table.seats and table.seats[n].bot]
        return [
            Due(f"bot:{n}:{table.opened}", "bot", (n,), table.since + think * (i + 1))
            for i, n in enumerate(bots)
        ]

    def expire(self, table: Table, chance: Chance, act: Act) -> Decided:
        """The croupier's call, or the tableau's act for a silent holder (R-22, section 12)."""
        source = "host" if act.source == "host" else "automation"
        match table.phase:
            case "betting":
                return [ev.StakesLastCalled(source=source, by=act.by)]
            case "last_call":
                return [ev.StakesClosed(source=source, by=act.by)]
            case "between_rounds":
                return betting.opening(table, source, act.by)
            case _:
                silent: Source = "host" if act.source == "host" else "timeout"
                return speaking.by_tableau(table, chance, silent, act.by)

    def may_leave(self, table: Table, seat: int) -> bool:
        """Whoever has no stake in play may go; what a push left standing goes along (R-45)."""
        return not table.playing or all(s.seat != seat for s in play_of(table).stakes.values())

    def house_bank(self, table: Table) -> int:
        """The house banks as soon as somebody can play against it (R-50)."""
        if table.phase != "no_bank" or not betting.players_ready(table):
            return 0
        amount: int = table.options["house_bank"]
        return amount

    def received(self, table: Table, act: Act) -> list[Data]:
        """The house's chips constitute its bank (R-50, R-55)."""
        return [ev.BankConstituted(self.house_bank(table), 0, "house")]

    def holds(self, table: Table, seat: int) -> tuple[str, ...]:
        """The hands a seat holds and may look at (R-18, R-34)."""
        play = play_of(table)
        own = tuple(pano for pano, holder in play.holders.items() if holder == seat and seat)
        return (*own, BANK) if seat and seat == play.banker else own

    def options(self, table: Table, chance: Chance, seat: int) -> Sequence[Option]:
        """See `showing.options`."""
        return showing.options(table, chance, seat)

    def view(self, table: Table) -> dict[str, Any]:
        """See `showing.view`."""
        return showing.view(table)

    def history(self, events: Sequence[Event]) -> dict[str, Any]:
        """See `history.history`."""
        return history.history(events)


BACARA = Bacara()
"""The one object of this game."""
