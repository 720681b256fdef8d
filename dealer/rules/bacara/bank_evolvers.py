"""How the bank, its history and banco follow from events (R-58 to R-75)."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.modes import FOLLOW_ON, TURN, at_first
from dealer.rules.bacara.shares import shared
from dealer.rules.bacara.state import (
    Banco,
    Called,
    Holding,
    Play,
    Seeking,
    enter,
    goes_round,
    keeps_history,
    play_of,
)
from dealer.rules.frame.event import Data, Event
from dealer.rules.frame.events import ShoeClosed, ShoeVoided, StopCardReached
from dealer.rules.frame.state import Table


def anew(play: Play) -> Play:
    """Before a coup nobody has said banco."""
    banco = replace(play.banco, called=None, calls=(), passed=frozenset())
    return replace(play, banco=banco, holding=replace(play.holding, renewed=False))


def left(play: Play, gone: int) -> Play:
    """What somebody who has left has said of banco, shares and turns counts no more."""
    banco, holding = play.banco, play.holding
    named = banco.called
    return replace(
        play,
        barred=play.barred - {gone},
        turn=0 if play.turn == gone and play.seeking.mode == FOLLOW_ON else play.turn,
        declines={seat: n for seat, n in play.declines.items() if seat != gone},
        banco=replace(
            banco,
            called=None if named and named.seat == gone else named,
            calls=tuple(each for each in banco.calls if each.seat != gone),
            passed=banco.passed - {gone},
            first=0 if banco.first == gone else banco.first,
        ),
        holding=replace(holding, asking={seat: n for seat, n in holding.asking.items() if seat != gone}),
    )


def after_result(t: Table, d: ev.PanoSettled) -> Play:
    """A winner makes the bank an old one; who lost or pushed banco may have the next first word (R-71)."""
    play, options = play_of(t), t.options
    if options["banco"] == "off":
        return play
    banco = play.banco
    first = banco.first
    if banco.called:
        again = d.result == "push" or (d.result == "bank" and options["banco_suivi"])
        first = banco.called.seat if again else 0
    return replace(play, banco=replace(banco, first=first, used=banco.used or d.result != "push"))


def _constituted(t: Table, e: Event) -> Table:
    """Where it goes round it will go on from its banker, or from whoever passed it to him (R-64, R-67)."""
    d: ev.BankConstituted = e.data
    play = play_of(t)
    bought = play.seeking.amount or play.seeking.mode == "auction"
    play = replace(
        play,
        banker=d.banker,
        bank_mode=d.mode,
        pointers={},
        seeking=Seeking(),
        away=0,
        turn=d.banker if goes_round(t.options) and not bought else play.turn,
        declines={seat: n for seat, n in play.declines.items() if seat != d.banker},
        banco=Banco(),
        holding=Holding(put=d.amount) if keeps_history(t.options) else Holding(),
    )
    return enter(t, e, "preparing", play)


def _exchanged(t: Table, e: Event) -> Table:
    """What goes with a person goes along (R-59)."""
    d: ev.SeatsExchanged = e.data
    one, other = d.seats
    to, play = {one: other, other: one}, play_of(t)
    return replace(
        t,
        seats={to.get(seat, seat): held for seat, held in t.seats.items()},
        absent=frozenset(to.get(seat, seat) for seat in t.absent),
        play=replace(play, barred=frozenset(to.get(seat, seat) for seat in play.barred)),
    )


def _ended(t: Table, e: Event) -> Table:
    d: ev.BankEnded = e.data
    play = play_of(t)
    takes = d.reason == "banco" and t.options["banco_takes_bank"]
    deposited = play.holding.put + play.holding.added
    leaves_winning = t.options.get("bank_end") == "regulation" and d.reason == "will" and d.amount > deposited
    play = replace(
        play,
        banker=0,
        bank_mode="",
        seeking=_next(t, d),
        turn=d.banker if d.reason == "passed" or t.options["follow_on"] else play.turn,
        barred=play.barred | {d.banker} if leaves_winning else play.barred,
        banco=Banco(called=play.banco.called) if takes else Banco(),
        holding=Holding(),
    )
    return enter(t, e, "no_bank", play)


def _next(t: Table, d: ev.BankEnded) -> Seeking:
    """How the next banker is looked for: as at first, or the bank is offered onward (R-59, R-67, R-69)."""
    options = t.options
    if goes_round(options):
        if d.reason == "passed" and options["passed_bank"] == "same_amount" and d.amount:
            return Seeking(TURN, "offered", amount=d.amount)
        if d.reason == "banco" and options["banco_takes_bank"]:
            return Seeking(TURN, "offered")
    elif options["follow_on"] and d.banker and t.shoe is not None:
        if d.reason == "will" and d.amount:
            return Seeking(FOLLOW_ON, "offered", amount=d.amount)
        if d.reason == "exhausted":
            return Seeking("auction", "auction")
    return at_first(t)


def _banco(t: Table, banco: Banco) -> Table:
    return replace(t, play=replace(play_of(t), banco=banco))


def _opened(t: Table, e: Event) -> Table:
    return enter(t, e, "banco", play_of(t))


def _called(t: Table, e: Event) -> Table:
    d: ev.BancoCalled = e.data
    banco = play_of(t).banco
    return _banco(t, replace(banco, calls=(*banco.calls, Called(d.on, d.seat, d.half))))


def _passed(t: Table, e: Event) -> Table:
    d: ev.BancoPassed = e.data
    banco = play_of(t).banco
    return _banco(t, replace(banco, passed=banco.passed | {d.seat}))


def _awarded(t: Table, e: Event) -> Table:
    d: ev.BancoAwarded = e.data
    return _banco(t, replace(play_of(t).banco, called=Called(d.on, d.seat, d.half), first=0))


def _holding(t: Table, holding: Holding) -> Table:
    return replace(t, play=replace(play_of(t), holding=holding))


def _replenished(t: Table, e: Event) -> Table:
    d: ev.BankReplenished = e.data
    if not d.seat:  # the house's: no time of a banker's begins anew
        return t
    holding = play_of(t).holding
    with_deposit = replace(holding, added=holding.added + d.amount, renewed=True)
    return enter(t, e, "between_rounds", replace(play_of(t), holding=with_deposit))


def _accepted(t: Table, e: Event) -> Table:
    return _holding(t, replace(play_of(t).holding, accepted=True))


def _asked(t: Table, e: Event) -> Table:
    d: ev.ShareAsked = e.data
    holding = play_of(t).holding
    return _holding(t, replace(holding, asking={**holding.asking, d.seat: d.amount}))


def _answered(t: Table, e: Event) -> Table:
    d: ev.ShareGranted | ev.ShareRefused = e.data
    holding = play_of(t).holding
    asking = {seat: n for seat, n in holding.asking.items() if seat != d.seat}
    shares = holding.shares
    if isinstance(d, ev.ShareGranted):
        shares = {**shares, d.seat: shares.get(d.seat, 0) + d.amount}
    return _holding(t, replace(holding, asking=asking, shares=shares))


def _settled(t: Table, e: Event) -> Table:
    """The bank has had a coup: its gains, and what of them is whose (R-60, R-74)."""
    d: ev.RoundSettled = e.data
    holding = play_of(t).holding
    if not keeps_history(t.options):
        return t
    return _holding(
        t,
        replace(
            holding,
            coups=holding.coups + 1,
            gains=holding.gains + max(0, d.net),
            shares=shared(holding.shares, d.bank - d.net, d.net),
        ),
    )


def _stopped(t: Table, e: Event) -> Table:
    holding = play_of(t).holding
    return _holding(t, replace(holding, shoes=holding.shoes + 1)) if keeps_history(t.options) else t


def _shoe_over(t: Table, e: Event) -> Table:
    """Whoever left winning may bank again from the next shoe (R-57)."""
    return replace(t, play=replace(play_of(t), barred=frozenset()))


EVOLVERS: Mapping[type[Data], Callable[[Table, Event], Table]] = {
    ev.BankConstituted: _constituted,
    ev.SeatsExchanged: _exchanged,
    ev.BankEnded: _ended,
    ev.BankReplenished: _replenished,
    ev.BancoOpened: _opened,
    ev.BancoCalled: _called,
    ev.BancoPassed: _passed,
    ev.BancoAwarded: _awarded,
    ev.StakesAccepted: _accepted,
    ev.ShareAsked: _asked,
    ev.ShareGranted: _answered,
    ev.ShareRefused: _answered,
    ev.RoundSettled: _settled,
    StopCardReached: _stopped,
    ShoeClosed: _shoe_over,
    ShoeVoided: _shoe_over,
}
"""By event type."""
