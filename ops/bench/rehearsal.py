"""What can be said at a table whose cards are laid: found beforehand by saying it, in the pure core."""

from collections.abc import Mapping
from typing import Any

import msgspec

from dealer.http.messages import AnyCommand
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.game import Act, Game
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.registry import GAMES
from dealer.table.aggregate import handle
from dealer.table.authority import Caller, to_act
from ops.bench.processes import BenchmarkError
from shoe.entropy import simulation_seed

HOST = 0
"""Where a seat is named: the host, who has none."""

Script = tuple[tuple[int, dict[str, Any]], ...]
"""What is said at a table, in order: by which seat, or the host, and the command's body."""

_NOW = 1
"""Time of the rehearsal, ms UTC: nobody waits there."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A table of profile `seed` at which people sit.

    Attributes:
        chips: What each brings; 0 where they play without.
        game: The game's id.
        laid: Faces on top of the shoe.
        mode: Mode of the profile.
        options: Single switches.
        phase: In which the table is when all have come.
        seats: Of the people.
    """

    chips: int = 0
    game: str
    laid: tuple[str, ...]
    mode: str = ""
    options: Mapping[str, Any]
    phase: str
    seats: tuple[int, ...]


class Rehearsal:
    """A table of the pure core, at which it is found what can be said at all tables of a setting.

    Raises:
        BenchmarkError: There is no such table.
    """

    def __init__(self, setting: Setting) -> None:
        self._chance = Chance({})
        self._said: list[tuple[int, dict[str, Any]]] = []
        self.game: Game = GAMES[setting.game]
        self.table = Table(log="bench/t/rehearsal")
        seeds, options = (simulation_seed("bench", 0, 1),), dict(setting.options)
        self._house(cmd.OpenTable(setting.game, "seed", setting.mode, options, seeds, setting.laid))
        for seat in setting.seats:
            self._give(seat, cmd.Sit(seat=seat))
            if setting.chips:
                self._house(cmd.Receive(setting.chips, f"stack:{seat}", _pid(seat), f"x_{_NOW}_{seat}"))
        if bank := self.game.house_bank(self.table):
            self._house(cmd.Receive(bank, "bank", "house", f"x_{_NOW}_0"))

    @property
    def said(self) -> Script:
        """Everything that was said so far."""
        return tuple(self._said)

    def say(self, seat: int, *words: str, **fields: Any) -> None:
        """A seat, or the host, takes the first thing offered that is one of these words, with these fields.

        Raises:
            BenchmarkError: Nothing of the kind is offered, or it is refused all the same.
        """
        game, table = self.game, self.table
        offered = game.options(table, self._chance, seat) if seat else game.host_options(table)
        for option in offered:
            if option.type in words and {**option.fields, **fields}.items() >= option.fields.items():
                body = {"type": option.type, **option.fields, **fields}
                self._give(seat, msgspec.convert(body, AnyCommand))
                self._said.append((seat, body))
                return
        raise BenchmarkError(f"seat {seat} may not say {' or '.join(words)} in phase {table.phase}")

    def _give(self, seat: int, command: cmd.Command) -> None:
        """Somebody gives a command under his own key."""
        caller = Caller(_pid(seat), "player" if seat else "host", _pid(seat))
        self._act(to_act(self.table, caller, command, _NOW))

    def _house(self, command: cmd.Internal) -> None:
        self._act(Act(command, "croupier", "automation", "croupier", 0, _NOW))

    def _act(self, act: Act | Refusal) -> None:
        done = act if isinstance(act, Refusal) else handle(self.game, self.table, self._chance, act)
        if isinstance(done, Refusal):
            raise BenchmarkError(f"the benchmark's tables could not be played: {done.code}")
        self.table = done.table


def _pid(seat: int) -> str:
    return f"pid_{seat}"
