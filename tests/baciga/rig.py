"""A báciga table with people around it, from its opening on."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from dealer.rules.baciga.state import play_of
from dealer.rules.frame.commands import Command
from dealer.rules.frame.event import Event
from dealer.rules.frame.game import Option
from dealer.rules.registry import GAMES
from tests.table.rig import Rig, pid

POLICY = GAMES["baciga"].policies["steady"]


class Baciga(Rig):
    """An open báciga table; seats fill up from 1.

    Args:
        profile: which rules.
        laid: cards on top of the first shoe.
        luck: which seeds.
        chosen: options of the table.
    """

    def __init__(self, profile: str = "seed", laid: Sequence[str] = (), luck: int = 0, **chosen: Any) -> None:
        self.GAME = ("baciga", profile, "")
        super().__init__(laid, luck=luck, **chosen)

    @property
    def turn(self) -> int:
        """The seat on turn."""
        return play_of(self.table).turn

    def command(self, option: Option) -> Any:
        """An option as the command it stands for."""
        kind = next(k for k in self.game.commands if k.__struct_config__.tag == option.type)
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
        command = POLICY(self.view(), self.hand(seat), self.options(seat))
        assert command is not None
        return self.play(seat, command)

    def plainly(self) -> list[Event]:
        """The seat on turn shows and declares what it can, and then draws, or plays its last card."""
        wishes = ("exchange_seven", "show_seven", "declare", "draw_stock", "play")
        found = self.choices(self.turn)
        kind = next(wish for wish in wishes if any(option.type == wish for option in found))
        return self.play(self.turn, self.command([option for option in found if option.type == kind][-1]))

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


def started(profile: str = "seed", chips: int = 0, luck: int = 0, **chosen: Any) -> Baciga:
    """A table in the first trick of a match, everybody seated, seat 1 to deal."""
    rig = Baciga(profile, luck=luck, **{"first_dealer": 1, **chosen})
    rig.fill(chips)
    assert rig.table.playing
    return rig
