"""Banco: to play alone against the whole bank, and «con la mesa» against half of it (R-69 to R-72, R-75).

Before the stakes the croupier announces the bank; whoever wants it says so while the window is open. When the
call came does not matter for people who sit: their order does, or in two paños a lot.
"""

from collections.abc import Sequence

from msgspec import UNSET

from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.betting import place
from dealer.rules.bacara.coverage import Covered, Stake, cover, split_a_cheval
from dealer.rules.bacara.state import BANK, Called, play_of, to_the_right
from dealer.rules.frame import lot
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import LotDrawn, Move
from dealer.rules.frame.game import Act, Decided, Due, Option
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import STANDING, Table

PHASE = "banco"
PURPOSE = "banco"
"""What a lot drawn here decides."""
_SINGLE = "single"


def _lying(table: Table, seat: int) -> list[Stake]:
    return [stake for stake in play_of(table).stakes.values() if stake.seat == seat]


def _has(table: Table, seat: int) -> int:
    """Chips a seat could play banco with: what a push left on the cloth is its own again (R-45)."""
    return table.stack(seat) + sum(stake.amount for stake in _lying(table, seat))


def half_of(bank: int) -> int:
    """What somebody who plays with the table takes; an odd unit is his (R-72)."""
    return bank - bank // 2


def _played_for(table: Table, half: bool) -> int:
    """What a call is for: the bank, or with the table half of it."""
    bank = table.chips.get(BANK, 0)
    return half_of(bank) if half else bank


def able(table: Table) -> list[int]:
    """Who could say something now: people who are there and have the chips; a bot never plays banco."""
    least = _played_for(table, table.options["con_la_mesa"])
    banker = play_of(table).banker
    return [
        n
        for n, seat in table.seats.items()
        if n != banker and not seat.bot and n not in table.absent and _has(table, n) >= least
    ]


def possible(table: Table) -> bool:
    """Whether a window opens before the next stakes (R-69, R-70, R-75)."""
    rule = table.options["banco"]
    if rule == "off" or not play_of(table).banker or not table.chips.get(BANK, 0):
        return False
    return not (rule == "new_bank" and play_of(table).banco.used) and bool(able(table))


def awaited(table: Table) -> list[int]:
    """Who could speak and has not."""
    banco = play_of(table).banco
    spoken = banco.passed.union(each.seat for each in banco.calls)
    return [n for n in sorted(able(table)) if n not in spoken]


def due(table: Table) -> list[Due]:
    """The window's clock."""
    ms = table.options["banco_ms"]
    until = table.since + ms if ms else None
    return [Due(table.decision(), "timeout", tuple(awaited(table)), until, table.since)]


def say(table: Table, chance: Chance, act: Act) -> Decided:
    """«Banco», «con la mesa», or neither (R-69, R-70, R-72, R-75)."""
    command = act.command
    play, options = play_of(table), table.options
    half = isinstance(command, cmd.ConLaMesa)
    if options["banco"] == "off" or (half and not options["con_la_mesa"]):
        return Refusal("banco_not_available")
    if table.phase != PHASE:
        late = table.playing and play.banco.called
        if not late and not possible(table):
            return Refusal("banco_not_available")
        return Refusal("wrong_phase", {"phase": table.phase})
    if act.seat == play.banker:
        return Refusal("banker_may_not_stake")
    if act.seat in play.banco.passed or any(each.seat == act.seat for each in play.banco.calls):
        return Refusal("decision_over")
    if isinstance(command, cmd.PassBanco):
        return [ev.BancoPassed(by=act.by, seat=act.seat, source=act.source)]
    named = command.on if isinstance(command, cmd.Banco) else UNSET
    on = _SINGLE if named is UNSET else named
    if on not in _cloths(table):
        return Refusal("bet_not_offered")
    if _has(table, act.seat) < _played_for(table, half):
        return Refusal("banco_insufficient_chips", {"bank": table.chips.get(BANK, 0)})
    return [ev.BancoCalled(by=act.by, half=half, on=on, seat=act.seat, source=act.source)]


def _cloths(table: Table) -> Sequence[str]:
    return (_SINGLE,) if table.options["panos"] == 1 else ("right", "left", "a_cheval")


def over(table: Table) -> bool:
    """Whether nobody is waited for any more."""
    return not awaited(table) or table.status == "closing"


def resolve(table: Table, chance: Chance, source: str, by: str) -> list[Data]:
    """The window closes: somebody has it, and alone is dealt at once; or the stakes are opened (R-73)."""
    drawn, called = _winner(table, chance)
    if called is None:
        return [ev.StakesOpened(by=by, source=source)]
    steps = [*drawn, *_award(table, called)]
    if called.half:
        return [*steps, ev.StakesOpened(by=by, source=source)]
    return [*steps, ev.StakesClosed(by=by, source=source)]


def _winner(table: Table, chance: Chance) -> tuple[list[Data], Called | None]:
    """Who has it: by seat from the banker's right on, or by lot in two paños (R-71, R-72, R-75).

    A call counts while its caller has the chips for it: he may have cashed out since.
    """
    banco = play_of(table).banco
    good = [each for each in banco.calls if _has(table, each.seat) >= _played_for(table, each.half)]
    calls = [each for each in good if not each.half] or good
    if len(calls) < 2:
        return [], calls[0] if calls else None
    if table.options["panos"] == 2 and lot.possible(table):
        drawn = lot.draw(table, chance, [each.seat for each in calls], PURPOSE)
        (winner,) = (step.winner for step in drawn if isinstance(step, LotDrawn))
        return drawn, next(each for each in calls if each.seat == winner)
    order = [banco.first, *to_the_right(table)]
    return [], min(calls, key=lambda each: order.index(each.seat) if each.seat in order else STANDING)


def _award(table: Table, called: Called) -> list[Data]:
    """What a push has left of the caller's goes back, and his stake against the bank is placed."""
    seat, stack = called.seat, f"stack:{called.seat}"
    amount = _played_for(table, called.half)
    lying = _lying(table, seat)
    back = [
        ev.StakeWithdrawn(amount=each.amount, on=each.on, seat=seat, source="automation", total=0)
        for each in lying
    ]
    parts = split(called.on, amount)
    return [
        ev.BancoAwarded(amount=amount, half=called.half, on=called.on, seat=seat),
        *back,
        *grouped("unstake", [Move(each.amount, place(each.on, seat), stack) for each in lying]),
        *(ev.StakePlaced(amount=n, on=on, seat=seat, source="automation", total=n) for on, n in parts),
        *grouped("stake", [Move(n, stack, place(on, seat)) for on, n in parts]),
    ]


def split(on: str, amount: int) -> list[tuple[str, int]]:
    """The stakes that so many chips on a paño, or on the line, are stored as (R-27)."""
    if on != "a_cheval":
        return [(on, amount)]
    right, left = split_a_cheval(amount)
    return [(pano, n) for pano, n in (("right", right), ("left", left)) if n]


def covered(table: Table, called: Called, pointers: dict[str, int]) -> tuple[Covered, ...]:
    """Banco's own stake first; the others share what the table was left, nothing of a whole bank."""
    stakes = tuple(play_of(table).stakes.values())
    own = [stake for stake in stakes if stake.seat == called.seat]
    others = [stake for stake in stakes if stake.seat != called.seat]
    taken = sum(stake.amount for stake in own)
    rest = table.chips.get(BANK, 0) - taken if called.half else 0
    return (*cover(taken, own, pointers), *cover(rest, others, pointers))


def in_play(table: Table, seat: int) -> bool:
    """Whether banco keeps this seat from staking or taking back now (R-69, R-75)."""
    called = play_of(table).banco.called
    return called is not None and table.playing and (not called.half or seat == called.seat)


def options(table: Table, seat: int) -> list[Option]:
    """What a seat may say in the window."""
    if seat not in awaited(table):
        return []
    decision, found = table.decision(), []
    bank = table.chips.get(BANK, 0)
    if _has(table, seat) >= bank:
        cloths = _cloths(table)
        found += [Option("banco", decision, {"on": on}) for on in cloths]
    if table.options["con_la_mesa"]:
        found.append(Option("con_la_mesa", decision))
    return [*found, Option("pass_banco", decision)]
