"""Mode `volunteer`: who wishes to bank, with the consent of all others who sit (R-51, A-24, A-42)."""

from dealer.rules.bacara import banking, modes
from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.state import play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Act, Decided, Source
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import STANDING, Table


def may_offer(table: Table, seat: int) -> bool:
    """Whether a seat may still become a candidate: it sits, and was not refused in this attempt."""
    return seat < STANDING and seat not in play_of(table).seeking.refused


def stands(table: Table, seat: int) -> bool:
    """Whether a seat is a candidate already, voted on or waiting."""
    seeking = play_of(table).seeking
    return seat in {seeking.candidate, *(each.seat for each in seeking.queue)}


def offer(table: Table, chance: Chance, act: Act) -> Decided:
    """Somebody offers to bank; candidates are voted on in the order of their offers.

    Where bankers are registered, the first who is there with his deposit banks, and nobody is asked (R-54).
    """
    command = act.command
    if not isinstance(command, cmd.OfferBank):
        return Refusal("unknown_command")
    registers = "registered" in table.options["bank_modes"]
    begun = modes.begin(table, act, "registered" if registers else "volunteer")
    if isinstance(begun, Refusal):
        return begun
    if registers and act.seat < STANDING:
        misfit = banking.misfit(table, act.seat, command.amount)
        banks = banking.constitute(table, act.seat, command.amount, "registered", act.source, act.by)
        return misfit or [*begun, *banks]
    if not may_offer(table, act.seat):
        return Refusal("not_candidate")
    if not begun and stands(table, act.seat):
        return Refusal("decision_over")
    misfit = banking.misfit(table, act.seat, command.amount)
    offered = ev.BankOffered(amount=command.amount, by=act.by, seat=act.seat, source=act.source)
    return misfit or [*begun, offered]


def consent(table: Table, chance: Chance, act: Act) -> Decided:
    """One of the others says yes or no; one no is enough."""
    command, seeking = act.command, play_of(table).seeking
    if not isinstance(command, cmd.Consent):
        return Refusal("unknown_command")
    if seeking.step != "consent":
        return Refusal("wrong_phase", {"phase": table.phase})
    if act.seat in seeking.consented:
        return Refusal("decision_over")
    if act.seat not in seeking.awaited:
        return Refusal("not_your_turn")
    said = ev.BankConsented if command.yes else ev.BankRefused
    return [said(by=act.by, candidate=seeking.candidate, seat=act.seat, source=act.source)]


def silent(table: Table, source: Source, by: str) -> list[Data]:
    """Who has not answered has not consented (section 12, Absence)."""
    seeking = play_of(table).seeking
    return [
        ev.BankRefused(by=by, candidate=seeking.candidate, seat=seat, source=source)
        for seat in sorted(seeking.awaited)
    ]


def counted(table: Table) -> list[Data]:
    """What follows when everybody has consented, or the candidate no longer has what he offered."""
    seeking = play_of(table).seeking
    if table.stack(seeking.candidate) < seeking.amount:
        return [ev.BankDeclined(seat=seeking.candidate, source="automation")]
    if seeking.awaited:
        return []
    return banking.constitute(table, seeking.candidate, seeking.amount, "volunteer")
