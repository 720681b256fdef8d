"""How bacará's state follows from events (design 3): total, and only from faces that were given."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from dealer.rules.bacara import bank_evolvers, seeking_evolvers
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.correcting import at_stake, bank_corrected
from dealer.rules.bacara.coverage import Covered, Stake
from dealer.rules.bacara.modes import at_first
from dealer.rules.bacara.punto.coup import next_hand, open_values
from dealer.rules.bacara.punto.limits import PAIRS, PUNTO, TIE
from dealer.rules.bacara.speaking import next_phase
from dealer.rules.bacara.state import BANK, Play, enter, play_of
from dealer.rules.frame.event import Data, Event
from dealer.rules.frame.events import (
    CardDealt,
    CardExposed,
    ChipsMoved,
    CorrectionApproved,
    PersonLeft,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    SeatLeft,
    ShoeReady,
    TableClosed,
    TableOpened,
)
from dealer.rules.frame.settled import noted
from dealer.rules.frame.state import Table


def _table_opened(t: Table, e: Event) -> Table:
    return enter(t, e, "no_bank", Play(seeking=at_first(t)))


def _ready(t: Table, e: Event) -> Table:
    """Whoever opens the first coup by hand has his time from here on: before, there was no shoe for it."""
    return enter(t, e, t.phase, play_of(t)) if t.phase == "preparing" else t


def _round_started(t: Table, e: Event) -> Table:
    return replace(t, play=bank_evolvers.anew(replace(play_of(t), covered=(), holders={}, said={})))


def _opened(t: Table, e: Event) -> Table:
    play = play_of(t)
    if t.phase == "banco":
        play = replace(play, banco=replace(play.banco, first=0))
    return enter(t, e, "betting", replace(play, first_stake=e.at if play.stakes else 0))


def _last_called(t: Table, e: Event) -> Table:
    return enter(t, e, "last_call", play_of(t))


def _closed(t: Table, e: Event) -> Table:
    return enter(t, e, "closed", play_of(t))


def _placed(t: Table, e: Event) -> Table:
    d: ev.StakePlaced = e.data
    play = play_of(t)
    key = f"{d.on}:{d.seat}"
    lying = play.stakes.get(key)
    stake = Stake(d.total, d.on, lying.order if lying else e.seq, d.seat)
    stakes = {**play.stakes, key: stake}
    return replace(t, play=replace(play, stakes=stakes, first_stake=play.first_stake or e.at))


def _withdrawn(t: Table, e: Event) -> Table:
    d: ev.StakeWithdrawn = e.data
    play = play_of(t)
    key = f"{d.on}:{d.seat}"
    stakes = {k: s for k, s in play.stakes.items() if k != key}
    if d.total:
        stakes = {**play.stakes, key: replace(play.stakes[key], amount=d.total)}
    if stakes:
        return replace(t, play=replace(play, stakes=stakes))
    # The betting clock stands again, also if a pause or an outage had moved its end.
    moved = {decision: until for decision, until in t.moved.items() if decision != t.decision()}
    return replace(t, moved=moved, play=replace(play, stakes=stakes, first_stake=0))


def _covered(t: Table, e: Event) -> Table:
    d: ev.StakesCovered = e.data
    play = play_of(t)
    stakes = dict(play.stakes)
    for c in d.stakes:
        key = f"{c.on}:{c.seat}"
        if c.covered:
            stakes[key] = replace(stakes[key], amount=c.covered)
        else:
            del stakes[key]
    covered = (*play.covered, *(Covered(c.amount, c.covered, c.on, c.seat) for c in d.stakes))
    return enter(t, e, "dealing", replace(play, stakes=stakes, covered=covered, holders=d.holders))


def _holder_moved(t: Table, e: Event) -> Table:
    d: ev.HolderMoved = e.data
    play = play_of(t)
    return replace(t, play=replace(play, pointers={**play.pointers, d.pano: d.seat}))


def _dealt(t: Table, e: Event) -> Table:
    """The right paño is asked first as soon as every hand has two cards; nothing hidden decides that."""
    play = play_of(t)
    hands = [*play.holders, BANK]
    if PUNTO in play.holders:
        return t
    if t.phase != "dealing" or any(len(t.hands.get(h, ())) < 2 for h in hands):
        return t
    return enter(t, e, next_phase(t, {}), play)


def _exposed(t: Table, e: Event) -> Table:
    """At punto y banca every card is turned up as it comes, and the last one ends the deal (R-97)."""
    if t.phase != "dealing" or PUNTO not in play_of(t).holders or next_hand(open_values(t)):
        return t
    return enter(t, e, "showdown", play_of(t))


def _spoke(how: str) -> Callable[[Table, Event], Table]:
    def evolve(t: Table, e: Event) -> Table:
        hand: str = e.data.hand
        play = play_of(t)
        said = {**play.said, hand: how}
        away = play.away
        if hand == BANK and e.data.source == "timeout" and not (away and play.banker in t.absent):
            away = e.at
        return enter(t, e, next_phase(t, said), replace(play, away=away, said=said))

    return evolve


def _shown(t: Table, e: Event) -> Table:
    d: ev.HandShown = e.data
    return enter(t, e, "settling", play_of(t)) if d.hand == BANK else t


def _pano_settled(t: Table, e: Event) -> Table:
    """A push leaves its stakes on the cloth, their owners' again (R-45); others are gone."""
    d: ev.PanoSettled = e.data
    play = bank_evolvers.after_result(t, d)
    if d.result == "push" and d.pano not in {TIE, *PAIRS}:
        return replace(t, play=play)
    gone = {f"{d.pano}:{s.seat}" for s in d.stakes}
    return replace(t, play=replace(play, stakes={k: s for k, s in play.stakes.items() if k not in gone}))


def _round_voided(t: Table, e: Event) -> Table:
    """All stakes are back; the manos stay where they are (BQ-30)."""
    play = replace(play_of(t), stakes={}, covered=(), holders={}, said={}, first_stake=0)
    play = bank_evolvers.anew(play)
    return enter(t, e, "between_rounds", play)


def _round_ended(t: Table, e: Event) -> Table:
    return enter(noted(t, at_stake(t)), e, "between_rounds", play_of(t))


def _left(t: Table, e: Event) -> Table:
    gone: int = e.data.seat
    play = play_of(t)
    stakes = {k: s for k, s in play.stakes.items() if s.seat != gone}
    play = bank_evolvers.left(replace(play, stakes=stakes), gone)
    return seeking_evolvers.left(replace(t, play=play), e)


def _went_home(t: Table, e: Event) -> Table:
    """Stakes left from a push lie on the cloth no more when their chips are on the way to the cage."""
    d: ChipsMoved = e.data
    if d.cause != "cash_out":
        return t
    play = play_of(t)
    gone = {move.origin for move in d.moves}
    return replace(
        t, play=replace(play, stakes={k: s for k, s in play.stakes.items() if f"stake:{k}" not in gone})
    )


def _table_closed(t: Table, e: Event) -> Table:
    return enter(t, e, "no_bank", Play())


EVOLVERS: Mapping[type[Data], Callable[[Table, Event], Table]] = {
    **seeking_evolvers.EVOLVERS,
    **bank_evolvers.EVOLVERS,
    ev.StakesOpened: _opened,
    ev.StakesLastCalled: _last_called,
    ev.StakesClosed: _closed,
    ev.StakePlaced: _placed,
    ev.StakeWithdrawn: _withdrawn,
    ev.StakesCovered: _covered,
    ev.HolderMoved: _holder_moved,
    ev.HandDrew: _spoke("drew"),
    ev.HandStood: _spoke("stood"),
    ev.HandLaidDown: _spoke("natural"),
    ev.HandShown: _shown,
    ev.PanoSettled: _pano_settled,
    TableOpened: _table_opened,
    TableClosed: _table_closed,
    ChipsMoved: _went_home,
    CorrectionApproved: bank_corrected,
    ShoeReady: _ready,
    RoundStarted: _round_started,
    RoundEnded: _round_ended,
    RoundVoided: _round_voided,
    CardDealt: _dealt,
    CardExposed: _exposed,
    SeatLeft: _left,
    PersonLeft: _left,
}
"""By event type; the frame's own part comes first."""
