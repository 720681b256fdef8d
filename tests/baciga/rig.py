"""A báciga table with people around it, from its opening on."""

from typing import Any

from dealer.rules.frame.event import Event
from dealer.rules.registry import GAMES
from tests.matches.rig import MatchRig

POLICY = GAMES["baciga"].policies["steady"]


class Baciga(MatchRig):
    """An open báciga table."""

    PLAYED = "baciga"

    def plainly(self) -> list[Event]:
        """The seat on turn shows and declares what it can, and then draws, or plays its last card."""
        wishes = ("exchange_seven", "show_seven", "declare", "draw_stock", "play")
        found = self.choices(self.turn)
        kind = next(wish for wish in wishes if any(option.type == wish for option in found))
        return self.play(self.turn, self.command([option for option in found if option.type == kind][-1]))


def started(profile: str = "seed", chips: int = 0, luck: int = 0, **chosen: Any) -> Baciga:
    """A table in the first trick of a match, everybody seated, seat 1 to deal."""
    rig = Baciga(profile, luck=luck, **{"first_dealer": 1, **chosen})
    rig.fill(chips)
    assert rig.table.playing
    return rig
