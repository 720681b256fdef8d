"""Chips between the cage and the table (design 7).

On the way in a hold `x` of the cage becomes chips once; on the way out chips wait in transit
until the cage has posted them.
"""

from collections.abc import Iterable

from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import CAGE, TRANSIT, grouped, to_cage
from dealer.rules.frame.commands import MAX_CHIPS, CashedOut, Receive, Resolve
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import ChipsBoughtIn, ChipsCashedOut, ChipsRejected, Move
from dealer.rules.frame.game import Act, Decided, Due, Game
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table

HOLD_LIFE_MS = 5_000
"""A table takes a hold this long after it was made; later the cage gives the chips back."""


def hold_time(x: str) -> int:
    """When a hold was made, ms UTC: its id is `x_<time>_<hash>`.

    Raises:
        ValueError: `x` is not the id of a hold.
    """
    return int(x.split("_")[1])


def receive(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """A hold arrives. It always ends in exactly one of `chips.bought_in` and `chips.rejected`."""
    command = act.command
    if not isinstance(command, Receive):
        return Refusal("unknown_command")
    if command.x in table.claims:
        return Refusal("decision_over", {"taken": table.claims[command.x].taken})
    reason = _unwelcome(game, table, command, act.now)
    if reason:
        return [ChipsRejected(reason, command.x)]
    arrived: list[Data] = [
        *grouped("buy_in", [Move(command.amount, CAGE, command.place)]),
        ChipsBoughtIn(amount=command.amount, by=act.by, place=command.place, x=command.x),
    ]
    if command.place.startswith("stack:"):
        return arrived
    return arrived + game.received(table, act)


def resolve(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """A hold that has waited too long is rejected, unless its fate is known (design 7)."""
    command = act.command
    if not isinstance(command, Resolve):
        return Refusal("unknown_command")
    if command.x in table.claims:
        return Refusal("decision_over", {"taken": table.claims[command.x].taken})
    return [ChipsRejected("hold_expired", command.x)]


def room(table: Table) -> int:
    """How many more chips the table takes."""
    return MAX_CHIPS + table.chips.get(CAGE, 0)


def _unwelcome(game: Game, table: Table, command: Receive, now: int) -> str:
    """Why these chips cannot stay, empty if they can."""
    if table.status == "paused":
        return "table_paused"
    if table.status in {"closing", "closed"}:
        return "table_closed"
    if now - hold_time(command.x) > HOLD_LIFE_MS:
        return "hold_expired"
    if command.amount > room(table):
        return "amount_out_of_range"
    if command.place.startswith("stack:"):
        seat = int(command.place.removeprefix("stack:"))
        held = table.seats.get(seat)
        return "" if held is not None and held.pid == command.pid else "not_seated"
    wanted = command.amount == game.house_bank(table) or game.house_adds(table)
    return "" if wanted else "wrong_phase"


def pay_out(table: Table, seat: int, places: Iterable[str]) -> list[Data]:
    """All chips of these places leave for the cage, on the account of whoever holds the seat."""
    return [*to_cage(table, table.seats[seat].pid, {p: table.chips.get(p, 0) for p in places})]


def cash_out(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """A person takes the stack to the cage and keeps the place at the table."""
    if not table.stack(act.seat):
        return Refusal("insufficient_chips", {"stack": 0})
    if game.stack_answers(table, act.seat):
        return Refusal("wrong_phase", {"phase": table.phase})
    return pay_out(table, act.seat, [f"stack:{act.seat}"])


def cash_outs_due(table: Table) -> list[Due]:
    """Chips that wait for the cage to post them: the house's own work, due at once."""
    waiting = [place for place in table.chips if place.startswith(TRANSIT)]
    if not waiting:
        return []
    return [Due(place, "chore", (), table.at) for place in sorted(waiting, key=transit_order)]


def transit_order(place: str) -> tuple[int, str]:
    """Returns are posted in this order; the cage takes none that comes before one it has posted."""
    _, owner, n = place.split(":")
    return int(n), owner


def cashed_out(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """The cage has posted what waited; it leaves the table for good."""
    command = act.command
    if (
        not isinstance(command, CashedOut)
        or command.x not in table.chips
        or not command.x.startswith(TRANSIT)
    ):
        return Refusal("decision_over")
    amount = table.chips[command.x]
    return [
        *grouped("cashed_out", [Move(amount, command.x, CAGE)]),
        ChipsCashedOut(amount, command.x),
    ]
