"""Sitting down, standing by, getting up (R-12, R-13, R-15)."""

from dealer.rules.frame import commands as cmd
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import Move, PersonJoined, PersonLeft, SeatLeft, SeatTaken
from dealer.rules.frame.game import Act, Decided, Game
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import STANDING, Table
from dealer.table.cashier import pay_out

MAX_STANDING = 1_000
"""How many may play standing at one table at a time."""


def free(game: Game, table: Table) -> list[int]:
    """The seats on which somebody may sit down."""
    return [n for n in game.seat_numbers(table) if n not in table.seats and not game.reserved(table, n)]


def standing_room(table: Table) -> int:
    """The lowest free number for somebody who plays standing, 0 if there is none."""
    return next((n for n in range(STANDING, STANDING + MAX_STANDING) if n not in table.seats), 0)


def replaceable(game: Game, table: Table) -> list[int]:
    """The seats on which a bot may go on for whoever holds them."""
    return [seat for seat in table.seats if game.may_replace(table, seat)]


def _refuse_seat(game: Game, table: Table, seat: int, pid: str) -> Refusal | None:
    if seat not in game.seat_numbers(table):
        return Refusal("no_such_seat", {"seat": seat})
    held = table.seat_of(pid)
    if held and not game.may_move(table, held):
        return Refusal("already_seated", {"seat": held})
    if game.reserved(table, seat):
        return Refusal("seat_reserved", {"seat": seat})
    if seat in table.seats:
        return Refusal("seat_taken", {"seat": seat})
    return None


def sit(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """A person takes a free seat."""
    refused = _refuse_seat(game, table, act.seat, act.person)
    return refused or [
        SeatTaken(pid=act.person, seat=act.seat, source=act.source, by=act.by),
        *_moved(table, act),
    ]


def _moved(table: Table, act: Act) -> list[Data]:
    """Somebody who stood leaves that number for the seat, and all his chips come along (R-69)."""
    old = table.seat_of(act.person)
    if not old:
        return []
    own = [
        p for p in table.chips if p == f"stack:{old}" or (p.startswith("stake:") and p.endswith(f":{old}"))
    ]
    chips = [Move(table.chips[place], place, f"stack:{act.seat}") for place in own]
    return [*grouped("moved", chips), PersonLeft(seat=old, source=act.source, by=act.by)]


def seat_bot(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """A bot of the house takes a free seat, or goes on for somebody; it says so in the log.

    It plays for the house's chips. Whoever it goes on for gets up with his stack; what he has in play stays.
    """
    command = act.command
    if not isinstance(command, cmd.SeatBot) or command.policy not in game.policies:
        return Refusal("option_not_allowed", {"option": "policy"})
    gone: list[Data] = []
    if act.seat in replaceable(game, table):
        gone = [
            *pay_out(table, act.seat, [f"stack:{act.seat}"]),
            SeatLeft(seat=act.seat, source=act.source, by=act.by),
        ]
    refused = None if gone else _refuse_seat(game, table, act.seat, act.person)
    return refused or [
        *gone,
        SeatTaken(
            pid=act.person, seat=act.seat, source=act.source, bot=command.policy, by=act.by, house=True
        ),
    ]


def join(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """A person plays standing, under the lowest free number from 1001 on."""
    if not table.options["standing"]:
        return Refusal("option_not_allowed", {"option": "standing"})
    if table.seat_of(act.person):
        return Refusal("already_seated", {"seat": table.seat_of(act.person)})
    free = standing_room(table)
    if not free:
        return Refusal("seat_taken", {"seat": STANDING + MAX_STANDING - 1})
    return [PersonJoined(pid=act.person, seat=free, source=act.source, by=act.by)]


def leave(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """Get up with everything, stakes left standing by a push included, unless something is in play."""
    if not game.may_leave(table, act.seat):
        return Refusal("wrong_phase", {"phase": table.phase})
    gone = SeatLeft if act.seat < STANDING else PersonLeft
    standing = [p for p in table.chips if p.startswith("stake:") and p.endswith(f":{act.seat}")]
    chips = pay_out(table, act.seat, [f"stack:{act.seat}", *standing])
    return [*chips, gone(seat=act.seat, source=act.source, by=act.by)]
