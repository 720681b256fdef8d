"""From «no va más» to two cards in every hand (R-19, R-20, R-30, R-33)."""

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.betting import place
from dealer.rules.bacara.coverage import Covered, cover, dealt_panos
from dealer.rules.bacara.holders import choose_holder, first_holder
from dealer.rules.bacara.state import BANK, PANOS, play_of, seats_of
from dealer.rules.frame.chips import LISTED_AN_EVENT, check_total, grouped
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import CardDealt, Move, RoundEnded
from dealer.rules.frame.state import Table


def close(table: Table) -> list[Data]:
    """Fix the manos, cover the stakes, return what is not covered; none, no coup (R-19, R-24, R-30, R-32)."""
    play = play_of(table)
    if not play.stakes:
        return [RoundEnded(check_total(table.chips))]
    pointers: dict[str, int] = {}
    holders: dict[str, int] = {}
    steps: list[Data] = []
    for pano in PANOS:
        seats = seats_of(pano, table)
        ready = {n for n in seats if f"{pano}:{n}" in play.stakes and n not in table.absent}
        old = play.pointers.get(pano, 0)
        holders[pano], pointers[pano] = choose_holder(old or first_holder(seats), seats, ready)
        if pointers[pano] != old:
            steps.append(ev.HolderMoved(pano, "skipped" if old else "first", pointers[pano]))
    bank = table.chips.get(BANK, 0)
    covered = cover(bank, tuple(play.stakes.values()), pointers, table.options["coverage"])
    playing = {p: holders[p] for p in sorted(dealt_panos(covered))}
    for group in _groups(covered):
        stakes = tuple(ev.CoveredStake(c.amount, c.covered, c.on, c.seat) for c in group)
        steps.append(ev.StakesCovered(bank, playing, stakes))
    back = [Move(c.amount - c.covered, place(c.on, c.seat), f"stack:{c.seat}") for c in covered]
    steps += grouped("uncovered", back)
    return steps


def _groups(covered: tuple[Covered, ...]) -> list[tuple[Covered, ...]]:
    return [covered[i : i + LISTED_AN_EVENT] for i in range(0, len(covered), LISTED_AN_EVENT)]


def deal(table: Table) -> list[Data]:
    """Two cards a hand, one at a time, face down: right, left, bank (R-33)."""
    if table.shoe is None:
        raise ValueError("a coup without a shoe")
    pos, shuffle = table.shoe.pos, table.shoe.shuffle
    hands = [*(p for p in PANOS if p in play_of(table).holders), BANK]
    return [CardDealt(pos + i, shuffle, to) for i, to in enumerate(hands * 2)]
