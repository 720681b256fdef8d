"""A table where a match is played, with people around it, from its opening on."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from dealer.rules.frame.commands import Command
from dealer.rules.frame.event import Event
from dealer.rules.frame.game import Option
from dealer.rules.matches.state import match_of
from dealer.rules.registry import GAMES
from tests.table.rig import Rig, pid


class MatchRig(Rig):
    """An open table of a game whose own class names it; seats fill up from 1.

    Args:
        profile: which rules.
        laid: cards on top of the first shoe.
        luck: which seeds.
        chosen: options of the table.
    """

    PLAYED = ""
    """Id of the game."""
    BOT = "steady"
    """Who plays where it does not matter how."""

    def __init__(self, profile: str = "seed", laid: Sequence[str] = (), luck: int = 0, **chosen: Any) -> None:
        self.GAME = (self.PLAYED, profile, "")
        super().__init__(laid, luck=luck, **chosen)

    @property
    def turn(self) -> int:
        """The seat on turn."""
        return match_of(self.table).turn

    @classmethod
    def command(cls, option: Option) -> Any:
        """An option as the command it stands for."""
        kind = next(k for k in GAMES[cls.PLAYED].commands if k.__struct_config__.tag == option.type)
        decision = {"decision": option.decision} if option.decision else {}
        return msgspec.convert({"type": option.type, **option.fields, **decision}, kind)

    def play(self, seat: int, command: Command) -> list[Event]:
        """Whoever sits there gives a command that is taken; a lot may have seated people anew."""
        sitting = self.table.seats.get(seat)
        return self.send(command, sitting.pid if sitting else pid(seat), "player")

    def fill(self, chips: int = 0) -> None:
        """Everybody sits down."""
        for seat in self.game.seat_numbers(self.table):
            self.sit(seat, chips)

    def choices(self, seat: int) -> list[Option]:
        """What a seat may do in the game, without giving up."""
        kinds = {k.__struct_config__.tag for k in self.game.commands} - {"concede"}
        return [option for option in self.options(seat) if option.type in kinds]

    def best(self) -> list[Event]:
        """The seat on turn does what the house's bot would."""
        seat = self.turn
        policy = self.game.policies[self.BOT]
        shown = {**self.view(), **self.game.recalled(self.table)}
        command = policy(shown, self.hand(seat), self.options(seat))
        assert command is not None
        return self.play(seat, command)

    def some(self, luck: random.Random) -> list[Event]:
        """Somebody does something legal."""
        found = [(seat, o) for seat in sorted(self.table.seats) for o in self.choices(seat)]
        seat, option = luck.choice(found)
        return self.play(seat, self.command(option))

    def forwards(self) -> None:
        """The hand, or what comes before it, goes on by one step as bots would play it."""
        if self.turn:
            self.best()
        else:
            self.expire()

    def to_the_end(self) -> None:
        """Bots play until the match is over."""
        while self.table.phase != "match_over":
            self.forwards()
