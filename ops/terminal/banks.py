"""What is said of a bank while it stands: banco, new deposits, garage, associates, commission."""

from collections.abc import Callable, Mapping
from typing import Any

from dealer.rules.bacara import events as ev
from dealer.rules.frame import events as frame
from ops.terminal.coup import face
from ops.terminal.pieces import Pieces


def _line(name: str) -> Callable[[Pieces, Any], str]:
    """The line of this name with the seat and the amount of the event, as far as it has them."""

    def told(pieces: Pieces, data: Any) -> str:
        words = pieces.words
        amounts = {key: words.number(getattr(data, key, 0)) for key in ("amount", "bank", "total")}
        return words.line(name, seat=pieces.seat(getattr(data, "seat", 0)), **amounts)

    return told


def _beside(name: str) -> Callable[[Pieces, Any], str]:
    """The line of this name, or the one for whoever takes half and leaves the table the rest (R-72)."""
    alone, half = _line(name), _line(f"{name}_half")
    return lambda pieces, data: half(pieces, data) if data.half else alone(pieces, data)


def _replenished(pieces: Pieces, data: ev.BankReplenished) -> str:
    """A banker's deposit, or what the house adds (R-58, R-96)."""
    return _line("bank_replenished" if data.seat else "bank_added")(pieces, data)


def _exchanged(pieces: Pieces, data: ev.SeatsExchanged) -> str:
    one, other = map(pieces.seat, data.seats)
    return pieces.words.line("seats_exchanged", seat=one, other=other)


def _burned(pieces: Pieces, data: frame.CardBurned) -> str:
    """Only the card that is turned up is told (R-105)."""
    return pieces.words.line("card_burned", card=pieces.card(face(data.card))) if data.nonce else ""


TOLD: Mapping[type, Callable[[Pieces, Any], str]] = {
    ev.BancoOpened: _line("banco_opened"),
    ev.BancoCalled: _beside("banco_called"),
    ev.BancoPassed: _line("banco_passed"),
    ev.BancoAwarded: _beside("banco_awarded"),
    ev.BankReplenished: _replenished,
    ev.SeatsExchanged: _exchanged,
    ev.NewShoeRequested: _line("shoe_requested"),
    ev.GarageSetAside: _line("garage_set_aside"),
    ev.GarageReturned: _line("garage_returned"),
    ev.ShareAsked: _line("share_asked"),
    ev.ShareGranted: _line("share_granted"),
    ev.ShareRefused: _line("share_refused"),
    ev.StakesAccepted: _line("stakes_accepted"),
    ev.CommissionTaken: _line("commission_taken"),
    frame.CardBurned: _burned,
}
"""The line of each of these events, empty for one that says nothing new."""

ADDS: Mapping[type, int] = {ev.BankReplenished: 1, ev.ShareGranted: 1, ev.GarageSetAside: -1}
"""Whether the amount of an event joins the bank or leaves it."""


def asked(pieces: Pieces, data: ev.BankOffered) -> str:
    """The bank is offered to a seat, for one amount or for any (R-63 to R-67)."""
    name = "bank_asked_amount" if data.amount else "bank_asked"
    return pieces.words.line(name, seat=pieces.seat(data.seat), amount=pieces.words.number(data.amount))
