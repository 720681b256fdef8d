"""Back from an event to the command that may have brought it: what a log is decided again with.

A log tells what was decided, not what was asked; but among the events of an act there is one that names all
that decided it. Of the opening and of seeds, whose commands hold secrets, a reader makes the command himself.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame.commands import MAX_CHIPS
from dealer.rules.frame.event import Data
from dealer.rules.frame.state import STANDING, Table
from dealer.table.cashier import room

Given = cmd.Command | cmd.Internal


def _seated(d: ev.SeatTaken) -> Sequence[Given]:
    return [cmd.SeatBot(seat=d.seat, policy=d.bot) if d.bot else cmd.Sit(seat=d.seat)]


def _left(d: ev.SeatLeft | ev.PersonLeft) -> Sequence[Given]:
    return [cmd.Leave(seat=d.seat)]


def _moved(d: ev.ChipsMoved, table: Table) -> Sequence[Given]:
    """Chips on their way out; who brings some in is told by the next event, unless the log ends here."""
    first = d.moves[0]
    seat = int(first.origin.rpartition(":")[2]) if first.origin.startswith(("stack:", "stake:")) else 0
    match d.cause:
        case "cash_out" if seat:
            return [cmd.Leave(seat=seat), cmd.CashOut(seat=seat)]
        case "cashed_out":
            return [cmd.CashedOut(first.origin)]
        case "buy_in":
            return _received(first.amount, first.to, f"x_{MAX_CHIPS}_", table)
        case _:
            return []


def _received(amount: int, place: str, x: str, table: Table) -> Sequence[Given]:
    held = table.seats.get(int(place.rpartition(":")[2])) if place.startswith("stack:") else None
    return [cmd.Receive(amount, place, held.pid if held else "house", x)]


def _revealed(d: ev.CorteRevealed) -> Sequence[Given]:
    return [cmd.CutReveal(seat=d.seat, cut=d.cut, reveal=d.reveal)]


def _proposed(d: ev.CorrectionProposed) -> Sequence[Given]:
    named = {"moves": msgspec.to_builtins(d.moves), "reason": d.reason, "round": d.corrects}
    whole = {"type": "propose_correction", "kind": d.kind, **(named if d.corrects else {})}
    return [msgspec.convert(whole, cmd.ProposeCorrection)]


_WORDS: Mapping[type[Data], Callable[[Any], Sequence[Given]]] = {
    ev.SeatTaken: _seated,
    ev.PersonJoined: lambda _: [cmd.Join()],
    ev.SeatLeft: _left,
    ev.PersonLeft: _left,
    ev.ChipsCashedOut: lambda d: [cmd.CashedOut(d.x)],
    ev.SeatWilling: lambda d: [cmd.SetCutWilling(seat=d.seat, willing=d.willing)],
    ev.CorteCommitted: lambda d: [cmd.CutCommit(seat=d.seat, commit=d.commit)],
    ev.CorteDeclined: lambda d: [cmd.CutDecline(seat=d.seat)],
    ev.CorteRevealed: _revealed,
    ev.TablePaused: lambda _: [cmd.Pause()],
    ev.TableResumed: lambda _: [cmd.Resume()],
    ev.TableClosing: lambda d: [cmd.CloseTable(now=d.now)],
    ev.CorrectionProposed: _proposed,
    ev.CorrectionApproved: lambda d: [
        cmd.ApproveCorrection(kind=d.kind, proposal=d.proposal or msgspec.UNSET)
    ],
    ev.CorrectionRejected: lambda _: [cmd.RejectCorrection()],
}


def commands_of(data: Data, table: Table) -> Sequence[Given]:
    """The commands of the frame that may have brought this event; none if nobody's word brings it."""
    match data:
        case ev.ChipsMoved():
            return _moved(data, table)
        case ev.ChipsBoughtIn():
            return _received(data.amount, data.place, data.x, table)
        case ev.ChipsRejected():
            return _rejected(data, table)
        case _:
            words = _WORDS.get(type(data))
            return words(data) if words else ()


def _rejected(d: ev.ChipsRejected, table: Table) -> Sequence[Given]:
    """What was rejected is not told, so whatever it could have been; or it had waited for too long."""
    nobody = f"stack:{STANDING - 1}"
    return [
        cmd.Receive(1, nobody, "", d.x),
        cmd.Receive(room(table) + 1, nobody, "", d.x),
        cmd.Receive(1, "bank", "house", d.x),
        cmd.Receive(2, "bank", "house", d.x),
        cmd.Resolve(d.x),
    ]
