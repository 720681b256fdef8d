"""Back from an event to the command that may have brought it: what a log is decided again with.

An event that says who decided names all that his command named. Where two commands leave the same event, both
are given; what they would bring further tells them apart.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.banking import least_bank
from dealer.rules.bacara.state import play_of
from dealer.rules.frame import events as frame
from dealer.rules.frame.commands import Command
from dealer.rules.frame.event import Data
from dealer.rules.frame.state import Table

Words = Callable[[Any], Sequence[Command]]


def _staked(d: ev.StakePlaced) -> list[Command]:
    """On one paño, or on the line, where the right one has got the odd unit (R-27)."""
    line = [2 * d.amount, 2 * d.amount - 1] if d.on == "right" else []
    plain: Any = d.on
    return [
        cmd.Stake(seat=d.seat, on=plain, amount=d.amount),
        *(cmd.Stake(seat=d.seat, on="a_cheval", amount=amount) for amount in line),
    ]


def _withdrawn(d: ev.StakeWithdrawn) -> list[Command]:
    plain: Any = d.on
    return [cmd.Unstake(seat=d.seat, on=plain, amount=d.amount)]


def _constituted(d: ev.BankConstituted) -> list[Command]:
    return [cmd.AcceptBank(seat=d.banker, amount=d.amount), cmd.OfferBank(seat=d.banker, amount=d.amount)]


def _called(d: ev.BancoCalled) -> list[Command]:
    on: Any = d.on
    return [cmd.ConLaMesa(seat=d.seat)] if d.half else [cmd.Banco(seat=d.seat, on=on)]


def _opening(d: Data) -> list[Command]:
    return [cmd.NextRound()]


def _settling(d: Data) -> list[Command]:
    return [cmd.Settle()]


_WORDS: Mapping[type[Data], Words] = {
    ev.BankOffered: lambda d: [cmd.OfferBank(seat=d.seat, amount=d.amount)],
    ev.BankConsented: lambda d: [cmd.Consent(seat=d.seat, yes=True)],
    ev.BankRefused: lambda d: [cmd.Consent(seat=d.seat, yes=False)],
    ev.BankBid: lambda d: [cmd.BidBank(seat=d.seat, amount=d.amount)],
    ev.BankEntered: lambda d: [cmd.EnterLot(seat=d.seat)],
    ev.BankDeclined: lambda d: [cmd.DeclineBank(seat=d.seat)],
    ev.BankConstituted: _constituted,
    ev.BankEnded: lambda d: [cmd.EndBank(seat=d.banker), cmd.PassBank(seat=d.banker)] if d.banker else [],
    ev.BankReplenished: lambda d: [cmd.ReplenishBank(seat=d.seat, amount=d.amount)],
    ev.NewShoeRequested: lambda d: [cmd.RequestNewShoe(seat=d.seat)],
    ev.GarageSetAside: lambda d: [cmd.SetAside(seat=d.seat, amount=d.amount)],
    ev.ShareAsked: lambda d: [cmd.AskShare(seat=d.seat, amount=d.amount)],
    ev.BancoCalled: _called,
    ev.BancoPassed: lambda d: [cmd.PassBanco(seat=d.seat)],
    ev.StakesAccepted: lambda d: [cmd.AcceptAllStakes(seat=d.seat)],
    ev.StakePlaced: _staked,
    ev.StakeWithdrawn: _withdrawn,
    ev.HandDrew: lambda d: [cmd.Draw(seat=d.seat)] if d.seat else [],
    ev.HandStood: lambda d: [cmd.Stand(seat=d.seat)] if d.seat else [],
    ev.HandLaidDown: lambda d: [cmd.LayDown(seat=d.seat)] if d.seat else [],
    frame.CardBurned: _opening,
    frame.RoundStarted: _opening,
    ev.StakesClosed: lambda _: [cmd.Call(call="no_more_bets")],
    frame.CardDealt: lambda _: [cmd.Deal()],
    frame.CardExposed: lambda _: [cmd.Show()],
    ev.HandShown: lambda _: [cmd.Show()],
    ev.PanoSettled: _settling,
    ev.RoundSettled: _settling,
    frame.ChipsMoved: _settling,
}


def commands_of(data: Data, table: Table) -> Sequence[Command]:
    """The commands of bacará that may have brought this event; none if nobody's word brings it."""
    match data:
        case ev.ShareGranted() | ev.ShareRefused():
            yes = isinstance(data, ev.ShareGranted)
            return [_for(cmd.AnswerShare(associate=data.seat, yes=yes), play_of(table).banker)]
        case ev.StakesLastCalled():
            ends = (cmd.EndBank(), cmd.PassBank())
            return [cmd.Call(call="last_call"), *(_for(end, play_of(table).banker) for end in ends)]
        case ev.BankSought():
            return [word for seat in table.seats for word in _first_words(table, seat)]
        case ev.StakeWithdrawn(source="automation"):
            return _first_words(table, data.seat)
        case ev.SeatsExchanged() | ev.BankConstituted(mode="follow_on") | frame.ChipsMoved(cause="moved"):
            seeking = play_of(table).seeking
            return [cmd.AcceptBank(seat=seeking.candidate, amount=seeking.amount)]
        case frame.ChipsMoved(cause="bank"):
            seat, amount = int(data.moves[0].origin.rpartition(":")[2]), data.moves[0].amount
            return [cmd.AcceptBank(seat=seat, amount=amount), cmd.OfferBank(seat=seat, amount=amount)]
        case _:
            words = _WORDS.get(type(data))
            return words(data) if words else ()


def _for(command: Command, seat: int) -> Command:
    return replace(command, seat=seat) if seat else command


def _first_words(table: Table, seat: int) -> list[Command]:
    """What may follow, where a log ends before that is told: the least that the seat could have said."""
    amount = play_of(table).seeking.amount or least_bank(table)
    return [
        cmd.OfferBank(seat=seat, amount=amount),
        cmd.BidBank(seat=seat, amount=amount),
        cmd.AcceptBank(seat=seat, amount=amount),
        cmd.EnterLot(seat=seat),
    ]
