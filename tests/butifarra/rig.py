"""A butifarra table with people around it, from its opening on."""

from typing import Any

from dealer.rules.frame.event import Event
from tests.butifarra.positions import word
from tests.matches.rig import MatchRig


class Butifarra(MatchRig):
    """An open butifarra table."""

    PLAYED = "butifarra"
    BOT = "quick"

    def say(self, *words: str) -> list[Event]:
        """Whoever is on turn says each word, `contest:O` with its offer; the events of the last one."""
        events: list[Event] = []
        for text in words:
            name, _, offer = text.partition(":")
            events = self.play(self.turn, word(name, offer))
        return events

    def plainly(self) -> list[Event]:
        """The seat on turn says the last thing it may, or plays its last legal card."""
        found = self.choices(self.turn)
        return self.play(self.turn, self.command(found[-1]))

    def hand_played(self) -> None:
        """The hand is played to its end, without thinking."""
        while self.table.playing:
            self.plainly()


def started(profile: str = "seed", chips: int = 0, luck: int = 0, **chosen: Any) -> Butifarra:
    """A table in the bidding of the first hand, everybody seated, seat 1 to deal."""
    rig = Butifarra(profile, luck=luck, **{"first_dealer": 1, **chosen})
    rig.fill(chips)
    assert rig.table.phase == "bidding"
    return rig
