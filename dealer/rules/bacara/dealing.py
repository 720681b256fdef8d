"""From «no va más» to two cards in every hand (R-19, R-20, R-30, R-33)."""

import msgspec

from dealer.rules.bacara import banco
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.betting import place
from dealer.rules.bacara.coverage import PANOS, Covered, cover, dealt_panos
from dealer.rules.bacara.holders import choose_holder, first_holder
from dealer.rules.bacara.state import BANK, funds, is_open, panos_of, play_of, seats_of, to_the_right
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import LISTED_AN_EVENT, check_total, grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import CardDealt, Move, RoundEnded
from dealer.rules.frame.state import Table


def close(table: Table) -> list[Data]:
    """Fix the manos, cover the stakes, return what is not covered; none, no coup (R-19, R-24, R-30, R-32)."""
    if not play_of(table).stakes:
        return [RoundEnded(check_total(table.chips))]
    fixed = _manos(table)
    covered = _covered(table, fixed.pointers)
    playing = {pano: _holder(table, fixed, covered, pano) for pano in sorted(dealt_panos(covered))}
    steps = list(fixed.steps)
    for group in _groups(covered):
        stakes = tuple(ev.CoveredStake(c.amount, c.covered, c.on, c.seat) for c in group)
        steps.append(ev.StakesCovered(table.chips.get(BANK, 0), playing, stakes))
    back = [Move(c.amount - c.covered, place(c.on, c.seat), f"stack:{c.seat}") for c in covered]
    steps += grouped("uncovered", back)
    return steps


class _Manos(msgspec.Struct):
    """Who would hold each paño, and the seat each list of stakes starts from."""

    pointers: dict[str, int]
    holders: dict[str, int]
    steps: list[Data]


def _manos(table: Table) -> _Manos:
    """The pointers at «no va más» (R-19). At a ring there are none, and a banco moves none (R-68, R-75)."""
    play = play_of(table)
    if table.options["panos"] == 1:
        return _Manos({"single": (to_the_right(table) or [0])[0]}, {}, [])
    found = _Manos({}, {}, [])
    for pano in panos_of(table.options):
        seats = seats_of(pano, table)
        ready = {n for n in seats if f"{pano}:{n}" in play.stakes and n not in table.absent}
        old = play.pointers.get(pano, 0)
        holder, pointer = choose_holder(old or first_holder(seats), seats, ready)
        if play.banco.called:
            pointer = old
        found.holders[pano], found.pointers[pano] = holder, pointer
        if pointer != old:
            found.steps.append(ev.HolderMoved(pano, "skipped" if old else "first", pointer))
    return found


def _covered(table: Table, pointers: dict[str, int]) -> tuple[Covered, ...]:
    play = play_of(table)
    if play.banco.called:
        return banco.covered(table, play.banco.called, pointers)
    coverage = "before" if is_open(table) else table.options["coverage"]
    return cover(funds(table), tuple(play.stakes.values()), pointers, coverage)


def _holder(table: Table, fixed: _Manos, covered: tuple[Covered, ...], pano: str) -> int:
    """Who holds a paño that is dealt: its mano, at a ring R-68's, or whoever made banco (R-18)."""
    called = play_of(table).banco.called
    if called:
        return called.seat
    if pano in fixed.holders:
        return fixed.holders[pano]
    at_risk = {c.seat: c.covered for c in covered if c.covered}
    present = [n for n in to_the_right(table) if n in at_risk and n not in table.absent]
    if table.options["holder_rule"] == "highest_stake":
        return max(present, key=lambda n: at_risk[n], default=0)
    return next(iter(present), 0)


def _groups(covered: tuple[Covered, ...]) -> list[tuple[Covered, ...]]:
    return [covered[i : i + LISTED_AN_EVENT] for i in range(0, len(covered), LISTED_AN_EVENT)]


def deal(table: Table, chance: Chance) -> list[Data]:
    """Two cards a hand, one at a time, face down: right, left, bank (R-33)."""
    if table.shoe is None:
        raise ValueError("a coup without a shoe")
    pos, shuffle = table.shoe.pos, table.shoe.shuffle
    hands = [*(p for p in PANOS if p in play_of(table).holders), BANK]
    return [CardDealt(pos + i, shuffle, to) for i, to in enumerate(hands * 2)]
