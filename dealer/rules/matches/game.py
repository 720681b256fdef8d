"""The hooks of the frame that do not depend on which game is played in matches."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import Any

from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Deal, NextRound
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Act, Decided, Option
from dealer.rules.frame.profile import Profile, read
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import MOST_WITHOUT_SEAT, Table
from dealer.rules.matches import course
from dealer.rules.matches.ending import pot
from dealer.rules.matches.state import everybody, hand_of, match_of, players
from dealer.rules.tricks import seats
from shoe.cards import Deck


class MatchGame(ABC):
    """See `dealer.rules.frame.game.Game` for what each hook means; a game adds the others."""

    places = frozenset({"pot"})

    @abstractmethod
    def cards(self, options: Mapping[str, Any]) -> Deck:
        """The deck of a hand."""

    @abstractmethod
    def deal(self, table: Table, chance: Chance) -> list[Data]:
        """A whole hand is dealt."""

    def seat_numbers(self, table: Table) -> Sequence[int]:
        """From 1 to the number of players, in order of play."""
        return everybody(table)

    def reserved(self, table: Table, seat: int) -> bool:
        """A seat that has conceded and gone is nobody's until the match is over (baciga 13.2)."""
        return match_of(table).running and seat not in table.seats

    def deck(self, table: Table) -> Deck | None:
        """A fresh shuffle for every hand of a match."""
        wanted = match_of(table).running and not table.playing and table.shoe is None
        return self.cards(table.options) if wanted else None

    def cut_order(self, table: Table) -> Sequence[int]:
        """The seat before the dealer, and nobody in its stead (baciga 4.6, butifarra 4.3)."""
        return [seats.previous(match_of(table).dealer, players(table))]

    def may_leave(self, table: Table, seat: int) -> bool:
        """Between matches, and whoever has conceded (baciga 13.2)."""
        match = match_of(table)
        return not match.running or seat in match.conceded

    def may_replace(self, table: Table, seat: int) -> bool:
        """In a match, who did not answer when last asked, and who would give up while his partner would not.

        So nobody who wants to play is put off his seat (design 3).
        """
        match, held = match_of(table), table.seats.get(seat)
        person = held is not None and not held.bot and seat not in match.conceded
        return match.running and person and (seat in table.absent or seat in match.offered)

    def may_move(self, table: Table, seat: int) -> bool:
        """Nobody changes his place."""
        return False

    def stack_answers(self, table: Table, seat: int) -> bool:
        """What is in play lies in the pot."""
        return False

    def correctable(self, table: Table) -> Sequence[str]:
        """None: what was won lies in the stacks, and what is in the pots is not settled yet."""
        return ()

    def winding_up(self, table: Table) -> list[Data]:
        """A match that is cut short has returned its buy-ins by then."""
        return []

    def owner(self, table: Table, place: str) -> int:
        """A buy-in is its player's while nobody has won it; of one who has gone, the next one's."""
        first = next(seat for seat in everybody(table) if pot(seat) == place)
        there = [seat for seat in seats.from_seat(first, players(table)) if seat in table.seats]
        return there[0] if there else 0

    def house_bank(self, table: Table) -> int:
        """The house plays no part in a match."""
        return 0

    def house_adds(self, table: Table) -> bool:
        """The house has no bank here."""
        return False

    def received(self, table: Table, act: Act) -> list[Data]:
        """Nothing: chips come to stacks alone."""
        return []

    def holds(self, table: Table, seat: int) -> tuple[str, ...]:
        """The cards in a seat's hand."""
        return (hand_of(seat),)

    def recalled(self, table: Table) -> dict[str, Any]:
        """Nothing, unless a game keeps more than it shows."""
        return {}

    def chore(self, table: Table, chance: Chance, act: Act) -> Decided:
        """A host deals, or has the next hand begin without waiting; a player may ask for it between hands."""
        if act.source == "player":
            return course.asked(table, act.seat) or course.begin(table)
        wanted = isinstance(act.command, Deal)
        if table.playing:
            steps = self.deal(table, chance) if wanted and table.phase == "dealing" else []
        else:
            steps = [] if wanted else course.on_word(table, chance)
        return steps or Refusal("wrong_phase", {"phase": table.phase})

    def host_options(self, table: Table) -> Sequence[Option]:
        """What a host may do of this now."""
        if table.phase == "dealing":
            return [Option(str(Deal.__struct_config__.tag))]
        waits = not table.playing and (course.may_start(table) or course.prepared(table))
        return [Option(str(NextRound.__struct_config__.tag))] if waits else []


def check_options(options: Mapping[str, Any]) -> Refusal | None:
    """Refuse a dealer whom the table does not seat, and a cut that needs more people than it may hold."""
    number = options["players"]
    if options["first_dealer"] != "lot" and options["first_dealer"] > number:
        return Refusal("options_conflict", {"options": ["first_dealer", "players"]})
    if options["corte"] == "required" and options["min_contributors"] > number + MOST_WITHOUT_SEAT:
        return Refusal("options_conflict", {"options": ["min_contributors", "players"]})
    return None


def profiles(folder: Traversable) -> dict[str, Profile]:
    """The profiles that lie in a game's folder, by id."""
    found = [read(path.read_bytes()) for path in folder.iterdir() if path.name.endswith(".toml")]
    return {profile.id: profile for profile in found}
