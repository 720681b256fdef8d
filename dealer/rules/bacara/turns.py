"""The bank offered from one seat to the next: where the players bank in turn, and as continuation.

In the tournant it goes to the right of whoever lost or passed it (R-62 to R-66); the winner of a banco may
have it first (R-69). A passed hand is offered for its amount, then auctioned, then begins anew (R-67). A bank
that its banker has ended may be continued with the same amount, in the order of the seats (R-59).
"""

from dealer.rules.bacara import banking, lottery, modes
from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.holders import around
from dealer.rules.bacara.modes import FOLLOW_ON, TURN
from dealer.rules.bacara.state import play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import to_cage
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import SeatLeft
from dealer.rules.frame.game import Act, Decided, Option, Source
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import STANDING, Table


def order(table: Table) -> list[int]:
    """The seats in the order in which they are asked, a banco's winner before them (R-59, R-64, R-69)."""
    play = play_of(table)
    sitting = [n for n in table.seats if n < STANDING]
    if play.seeking.mode == FOLLOW_ON:
        return sorted((n for n in sitting if n != play.turn), key=lambda n: (n % 10, n))
    won = [play.banco.called.seat] if play.banco.called else []
    return [*won, *around(sitting, play.turn + 1)]


def asked_next(table: Table) -> int:
    """Whom the bank is offered to now, 0 for nobody. Who is away, or has too little, declines (R-65)."""
    play = play_of(table)
    least = play.seeking.amount or banking.least_bank(table)
    for seat in order(table):
        if seat in play.seeking.refused | table.absent | play.barred or seat not in table.seats:
            continue
        if seat >= STANDING and not free_seats(table):
            continue
        if not table.seats[seat].bot and table.stack(seat) >= least:
            return seat
    return 0


def free_seats(table: Table) -> list[int]:
    """The seats of the ring that nobody has."""
    return [n for n in range(1, table.options["seats"] + 1) if n not in table.seats]


def offer(table: Table) -> list[Data]:
    """The bank is offered to the next one; if there is none, it is looked for otherwise."""
    seat = asked_next(table)
    if not seat:
        return modes.go_on(table, "automation")
    return [ev.BankOffered(amount=play_of(table).seeking.amount, seat=seat, source="automation")]


def is_on(table: Table) -> bool:
    """Whether a seat is asked in its turn, or is about to be."""
    return table.phase == "no_bank" and play_of(table).seeking.mode in {TURN, FOLLOW_ON}


def answer(table: Table, chance: Chance, act: Act) -> Decided:
    """Whom the bank is offered to takes it or does not; at rest anybody who sits may take it (R-65)."""
    seeking, command = play_of(table).seeking, act.command
    begun: list[Data] = []
    if not is_on(table):
        if not modes.begins(table, TURN) or not isinstance(command, cmd.AcceptBank):
            return lottery.answer(table, chance, act)
        begun = modes.go_on_with(TURN, act)
    elif act.seat != seeking.candidate:
        return Refusal("not_candidate")
    if not isinstance(command, cmd.AcceptBank):
        return declined(table, act.source, act.by)
    if act.seat >= STANDING:
        return Refusal("not_candidate")
    if not begun and seeking.amount and command.amount != seeking.amount:
        if command.amount < seeking.amount:
            return Refusal("bank_below_minimum", {"min": seeking.amount})
        return Refusal("bank_above_maximum", {"max": seeking.amount})
    misfit = banking.misfit(table, act.seat, command.amount)
    mode = TURN if begun else seeking.mode
    return misfit or [
        *begun,
        *banking.constitute(table, act.seat, command.amount, mode, act.source, act.by),
    ]


def declined(table: Table, source: Source, by: str) -> list[Data]:
    """He does not want it; whoever declines too often running loses his seat (R-65)."""
    play = play_of(table)
    seat, most = play.seeking.candidate, table.options.get("refusals_allowed", 0)
    steps: list[Data] = [ev.BankDeclined(by=by, seat=seat, source=source)]
    counts = most and not play.seeking.amount and seat < STANDING
    if counts and play.declines.get(seat, 0) + 1 >= most:
        lying = [place for place in table.chips if place.startswith("stake:") and place.endswith(f":{seat}")]
        chips = {place: table.chips.get(place, 0) for place in (f"stack:{seat}", *lying)}
        steps += [*to_cage(table, table.seats[seat].pid, chips), SeatLeft(seat=seat, source="automation")]
    return steps


def options(table: Table, seat: int) -> list[Option]:
    """What the seat that is asked may say; somebody who stands has to sit down first (R-69)."""
    seeking, decision = play_of(table).seeking, table.decision()
    if seat != seeking.candidate:
        return []
    decline = Option("decline_bank", decision)
    if seat >= STANDING:
        return [*(Option("sit", fields={"seat": n}) for n in free_seats(table)), decline]
    least = seeking.amount or banking.least_bank(table)
    most = seeking.amount or banking.most_bank(table, seat)
    take = [Option("accept_bank", decision, min=least, max=most)] if least <= most else []
    return [*take, decline]


def may_sit(table: Table, seat: int) -> bool:
    """Whether somebody who stands may take a free seat now: the winner of a banco, to bank there (R-69)."""
    return is_on(table) and seat >= STANDING and seat == play_of(table).seeking.candidate
