"""A table in this process alone, driven step by step: for simulations, which need neither node nor journal.

Its chance comes from a number, by a derivation no table of a service can reach (design 6).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from dealer.rules.frame import commands as cmd
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import CROUPIER, Event
from dealer.rules.frame.game import Act, Game, Option, Source
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.table import shoes, view
from dealer.table.aggregate import due, handle
from shoe.entropy import simulation_seed


class Practice:
    """See `dealer.rules.frame.practice.PracticeTable` for what each method means.

    Args:
        game: what is played; everybody it has a seat for sits down.
        profile: and by which rules.
        mode: of the profile.
        options: single switches.
        seed: number of the simulation.

    Raises:
        ValueError: such a table cannot be opened.
    """

    def __init__(self, game: Game, profile: str, mode: str, options: Mapping[str, Any], seed: int) -> None:
        self._game = game
        self._seed = seed
        self._chance = Chance({})
        self._now = 0
        self._table = Table(log=f"simulate/{game.id}")
        self._send(cmd.OpenTable(game.id, profile, mode, dict(options), self._seeds(1)))
        for seat in game.seat_numbers(self._table):
            self._send(cmd.Sit(seat=seat), "player", seat)

    def view(self) -> Mapping[str, Any]:
        """What everybody sees, and what a bot recalls of the round."""
        return view.recalled(self._game, self._table)

    def hand(self, seat: int) -> Sequence[Mapping[str, Any]]:
        """What a seat alone sees."""
        return view.hand(self._game, self._table, self._chance, seat)

    def options(self, seat: int) -> Sequence[Option]:
        """What a seat may do in the game."""
        return self._game.options(self._table, self._chance, seat)

    def give(self, seat: int, command: cmd.Command) -> Sequence[Event]:
        """A seat gives a command that has to be legal."""
        return self._send(command, "player", seat)

    def wait(self) -> Sequence[Event]:
        """Time passes until the croupier goes on; seeds that run low are replaced first."""
        every = due(self._game, self._table)
        for chore in every:
            if chore.kind == "chore":
                fresh = self._seeds(shoes.next_uncommitted(self._table))
                return self._send(cmd.CommitSeeds(chore.decision, fresh))
        clock = next(each for each in every if each.kind == "timeout" and each.until is not None)
        self._now = max(self._now, clock.until or 0)
        return self._send(cmd.Expire(decision=clock.decision))

    def _seeds(self, first: int) -> tuple[bytes, ...]:
        label = self._game.id
        return tuple(simulation_seed(label, self._seed, n) for n in range(first, first + shoes.BATCH))

    def _send(
        self, command: cmd.Command | cmd.Internal, source: Source = "automation", seat: int = 0
    ) -> list[Event]:
        pid = f"pid_{seat}" if seat else CROUPIER
        act = Act(command, pid, source, pid, seat, self._now)
        outcome = handle(self._game, self._table, self._chance, act)
        if isinstance(outcome, Refusal):
            raise ValueError(f"{outcome.code} {outcome.params}")  # noqa: TRY004 - a refusal is no wrong type
        self._table = outcome.table
        return outcome.events
