"""Everything that can be read at a decision point, and every command that can be tried there."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import inspect

from dealer.rules.frame.commands import PUBLIC, Command
from dealer.rules.frame.game import Game
from tests.secrecy.guest import Guest
from tests.secrecy.trial import Body

Asked = tuple[str, str, object]

OF_TABLE = (
    "/events?limit=500",
    "/rounds",
    "/rounds/{round}",
    "/shoes",
    "/shoes/1",
    "/shoes/2",
)
"""What everybody with a key may read of a table, besides itself and his own moves."""
OF_HOUSE = ("/v1/tables", "/v1/accounts", "/v1/transfers")
OF_ALL: tuple[Asked, ...] = tuple(("GET", path, None) for path in ("/metrics", "/readyz", "/healthz"))
"""What may be read without a key."""
COURSE = frozenset({"close_table", "pause", "resume", "propose_correction", "approve_correction"})
"""What a host is never refused for a card, and what would change the script."""


def first(path: str) -> list[Asked]:
    """A table, and what one may do there."""
    return [("GET", path, None), ("GET", f"{path}/options", None)]


def others(path: str, view: Any, hidden: Iterable[int]) -> list[Asked]:
    """What else is told of a table; `hidden` are positions to ask proofs of."""
    asked: list[Asked] = [("GET", path + each.format(round=max(1, view["round"])), None) for each in OF_TABLE]
    return asked + [("GET", f"{path}/shoes/1/proofs?pos={pos}", None) for pos in hidden]


def of_house(path: str, view: Any) -> list[Asked]:
    """What a host or an auditor may read besides."""
    seats: list[Asked] = [("GET", f"{path}/options?seat={each['seat']}", None) for each in view["seats"]]
    return seats + [("GET", each, None) for each in OF_HOUSE]


def tries(
    game: Game, path: str, told: Iterable[Body], seat: int = 0, also: Iterable[str] = ()
) -> list[Asked]:
    """Every command that a table of the game knows, but for what one has been told is legal.

    Args:
        game: what is played there.
        path: of the table.
        told: the options.
        seat: in whose name; nobody's if 0.
        also: further commands that are legal.
    """
    legal = {option["type"] for option in told} | COURSE | set(also)
    named = {"seat": seat} if seat else {}
    tried = [_sample(kind) for kind in (*PUBLIC, *game.commands)]
    return [("POST", f"{path}/commands", {**each, **named}) for each in tried if each["type"] not in legal]


async def pause_and_propose(path: str, one: Guest, other: Guest) -> None:
    """What two hosts may do at any time, and take back: it is the same whatever the cards are."""
    for guest, command in (
        (one, {"type": "pause"}),
        (other, {"type": "propose_correction", "kind": "void_round"}),
        (other, {"type": "approve_correction"}),
        (one, {"type": "reject_correction"}),
        (one, {"type": "resume"}),
    ):
        await guest.ask("POST", f"{path}/commands", command)


def _sample(kind: type[Command]) -> Body:
    """A command of this kind as it might be sent."""
    body: Body = {"type": kind.__struct_config__.tag}
    for field in msgspec.structs.fields(kind):
        if field.required:
            body[field.encode_name] = _value(inspect.type_info(field.type))
    return body


def _value(kind: inspect.Type) -> Any:
    match kind:
        case inspect.Metadata():
            return _value(kind.type)
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.IntType():
            return kind.ge or 1
        case inspect.BoolType():
            return True
        case inspect.StrType(pattern=str(pattern)) if ":" in pattern:
            return "no:1"
        case inspect.VarTupleType():
            return [_value(kind.item_type)]
        case inspect.StrType(max_length=4):
            return "QS1"
        case _:
            return "0" * 64
