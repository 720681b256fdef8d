"""Who may send what: from a caller and a command to an act, or a refusal (design 8)."""

from typing import Literal

import msgspec

from dealer.rules.frame.commands import Command, Expire, Internal
from dealer.rules.frame.game import Act
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import SPECTATORS, Table

Role = Literal["player", "host", "bot", "system"]


class Caller(msgspec.Struct, frozen=True, gc=False):
    """Who sends a command, by the pseudonyms of this table.

    Attributes:
        pid: of the sender; `croupier` for the system.
        person: of whom a host names in `sit` or `join`; the sender's own otherwise.
    """

    pid: str
    role: Role
    person: str


def to_act(table: Table, caller: Caller, command: Command | Internal, now: int) -> Act | Refusal:
    """The act a caller may make of a command.

    Refuses `forbidden` (a foreign seat, a host's word, a hidden hand), `not_seated`, `no_such_seat`,
    `version_conflict` (a host's precondition is stale).
    """
    if caller.role == "system" or not isinstance(command, Command):
        source = "automation" if caller.role == "system" else caller.role
        return Act(command, caller.pid, source, caller.person, 0, now)
    if command.ON_REQUEST and caller.role == "player":
        return _request(table, caller, command, now)
    hosts = caller.role == "host"
    if (command.HOST_ONLY and not hosts) or (hosts and (command.HIDDEN or command.PERSONAL)):
        return Refusal("forbidden")
    if command.if_seq is not msgspec.UNSET:
        if not hosts:
            return Refusal("forbidden")
        if command.if_seq != table.seq:
            return Refusal("version_conflict", {"seq": table.seq})
    wanted = 0 if command.seat is msgspec.UNSET else command.seat
    if command.NAMES_SEAT or (command.FOR_HOUSE and hosts and not wanted):
        return Act(command, caller.pid, caller.role, caller.person, wanted, now)
    if type(command) is Expire:
        return Act(command, caller.pid, caller.role, caller.person, 0, now)
    seat = wanted if hosts else table.seat_of(caller.pid)
    if command.SPECTATORS and not seat and wanted in SPECTATORS:
        return Act(command, caller.pid, caller.role, caller.person, wanted, now)
    if not hosts and wanted not in {0, seat}:
        return Refusal("forbidden")
    held = table.seats.get(seat)
    if held is None:
        return Refusal("not_seated")
    return Act(command, caller.pid, caller.role, held.pid, seat, now)


def _request(table: Table, caller: Caller, command: Command, now: int) -> Act | Refusal:
    """What is a host's to do, asked for by somebody at the table: for himself, and without preconditions."""
    own = table.seat_of(caller.pid)
    if not own or command.seat not in {msgspec.UNSET, own} or command.if_seq is not msgspec.UNSET:
        return Refusal("forbidden")
    return Act(command, caller.pid, "player", caller.person, own, now)
