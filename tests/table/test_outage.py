"""Time that nobody watched: what an outage gives back, with and without a pause beside it (design 5)."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dealer.rules.frame import commands as cmd
from dealer.rules.frame.events import DeadlineMoved
from dealer.table.outage import LEAST_MS
from tests.table.rig import BY_HAND, HOST, STEP_MS, Rig, by_hand, opened, stake

SPEAK_MS = 15_000
Gap = tuple[int, int]


def until(rig: Rig) -> int:
    """When the decision now open ends."""
    ends = rig.clock().until
    assert ends is not None
    return ends


def dark(rig: Rig, *gaps: Gap) -> None:
    """The lights are on again after these gaps, given from the moment the decision was opened."""
    since = rig.clock().since
    told = tuple((since + start, since + end) for start, end in gaps)
    rig.now = max(rig.now, told[-1][1])
    rig.send(cmd.MoveDeadlines(told))


@pytest.mark.parametrize(
    ("gap", "ends"),
    [
        ((4_000, 60_000), 60_000 + SPEAK_MS - 4_000),
        ((-9_000, 60_000), 60_000 + SPEAK_MS),
        ((12_000, 60_000), 60_000 + LEAST_MS),
        ((SPEAK_MS - 1, SPEAK_MS), SPEAK_MS + LEAST_MS),
        ((10_000, 60_000), 60_000 + LEAST_MS),
        ((9_999, 60_000), 60_000 + LEAST_MS + 1),
    ],
)
def test_a_decision_keeps_the_time_it_had(gap: Gap, ends: int) -> None:
    """New until = to + max(5 s, until - max(opened, from)), as an event that names the gap (design 5)."""
    rig = by_hand("speak_right", speak_ms=SPEAK_MS)
    since, asked = rig.table.since, rig.table.decision()
    dark(rig, gap)
    assert rig.of(DeadlineMoved) == [DeadlineMoved(decision=asked, gap=since + gap[1], until=since + ends)]
    assert until(rig) == since + ends
    rig.expire()
    assert rig.table.at == since + ends + STEP_MS


@pytest.mark.parametrize("phase", BY_HAND)
def test_every_clock_is_moved(phase: str) -> None:
    """Whatever the table waits for, people's words or a host's chores, keeps its time (design 5)."""
    rig = by_hand(phase, last_call_ms=9_000, between_rounds_ms=9_000)
    ends = until(rig)
    dark(rig, (2_000, 90_000))
    assert until(rig) == ends + 88_000


@pytest.mark.parametrize("gap", [(-60_000, -1), (-60_000, 0), (SPEAK_MS, 60_000), (SPEAK_MS + 1, 60_000)])
def test_a_gap_that_caught_nothing_is_refused(gap: Gap) -> None:
    """Over before the decision was opened, or begun when its time was up: `decision_over`, no event."""
    rig = by_hand("speak_right", speak_ms=SPEAK_MS)
    since = rig.clock().since
    assert rig.refusal(cmd.MoveDeadlines(((since + gap[0], since + gap[1]),))).code == "decision_over"


def test_each_gap_counts_once() -> None:
    """Told again, alone or with a later one, a gap moves nothing a second time (design 5)."""
    rig = by_hand("speak_right")
    ends = until(rig)
    first, second = (1_000, 20_000), (21_000, 30_000)
    dark(rig, first)
    since = rig.clock().since
    again = cmd.MoveDeadlines(((since + first[0], since + first[1]),))
    assert rig.refusal(again).code == "decision_over"
    dark(rig, first, second)
    assert until(rig) == ends + 19_000 + 9_000
    both = cmd.MoveDeadlines(tuple((since + start, since + end) for start, end in (first, second)))
    assert rig.refusal(both).code == "decision_over"
    assert len(rig.of(DeadlineMoved)) == 2


def test_gaps_add_up() -> None:
    """Two outages told at once move a decision as far as one after the other, in one event."""
    rig = by_hand("speak_right")
    ends = until(rig)
    dark(rig, (1_000, 20_000), (21_000, 30_000))
    assert until(rig) == ends + 28_000
    assert len(rig.of(DeadlineMoved)) == 1


def test_who_waits_for_ever_is_not_moved() -> None:
    """A decision without a time, an idle table, and the house's own chores have nothing to lose."""
    waiting = by_hand("speak_right", speak_ms=0)
    idle = opened({1: 100})
    resting = Rig()
    resting.sit(1)
    for rig in (waiting, idle, resting):
        gap = (rig.now + 1_000, rig.now + 90_000)
        rig.now = gap[1]
        assert rig.refusal(cmd.MoveDeadlines((gap,))).code == "decision_over"
    idle.play(1, stake("right", 5))
    assert until(idle) == idle.table.at + 20_000


def test_the_last_round_of_a_closing_table_is_moved_too() -> None:
    """People who play it out lose no time by an outage; afterwards nothing is open (design 5, 7)."""
    rig = by_hand("speak_right")
    ends = until(rig)
    rig.host(cmd.CloseTable())
    dark(rig, (2_000, 90_000))
    assert until(rig) == ends + 88_000
    while rig.table.playing:
        rig.expire()
    assert rig.refusal(cmd.MoveDeadlines(((rig.now - 10_000, rig.now),))).code == "decision_over"


def test_an_outage_within_a_pause_costs_and_gives_nothing() -> None:
    """While the clocks stand nobody loses time, whenever the gap is told (design 5, 7)."""
    rig = by_hand("speak_right")
    since = rig.table.since
    rig.now = since + 14_000
    rig.host(cmd.Pause())
    had = since + SPEAK_MS - rig.table.at
    gap = cmd.MoveDeadlines(((since + 20_000, since + 80_000),))
    rig.now = since + 80_000
    assert rig.refusal(gap).code == "decision_over"
    rig.now = since + 100_000
    rig.host(cmd.Resume())
    assert until(rig) - rig.table.at == had
    assert rig.refusal(gap).code == "decision_over"
    assert until(rig) - rig.table.at == had


def test_closing_ends_a_pause_for_outages_too() -> None:
    """A gap within a pause that ended with the closing gives nothing either (design 5, 7)."""
    rig = by_hand("speak_right")
    rig.host(cmd.Pause())
    gap = (rig.now + 10_000, rig.now + 60_000)
    rig.now += 90_000
    rig.host(cmd.CloseTable())
    ends = until(rig)
    assert rig.refusal(cmd.MoveDeadlines((gap,))).code == "decision_over"
    assert until(rig) == ends


def test_a_decision_of_after_the_pause_is_moved_as_ever() -> None:
    """A pause that is over has no part in a later outage (design 5)."""
    rig = by_hand("speak_right")
    rig.host(cmd.Pause())
    rig.now += 50_000
    rig.host(cmd.Resume())
    rig.obey()
    ends = until(rig)
    dark(rig, (4_000, 60_000))
    assert until(rig) == ends + 56_000


def test_a_decision_that_is_overdue_is_moved_beside_others() -> None:
    """A pause before an outage is told: bots that are moved too make nobody's clock go back (design 5)."""
    rig = opened({1: 100})
    for seat in (2, 3):
        rig.host(cmd.SeatBot(seat=seat, policy="steady"), f"pid_bot_{seat}")
        rig.buy_in(seat, 100)
    rig.play(1, stake("right", 5))
    since, ends = rig.clock().since, until(rig)
    gap = (since + 4_000, since + 90_000)
    rig.now = gap[1]
    rig.host(cmd.Pause())
    stopped = rig.table.at
    rig.now += 50_000
    rig.host(cmd.Resume())
    resumed = rig.table.at
    assert until(rig) == ends + resumed - stopped < resumed
    rig.send(cmd.MoveDeadlines((gap,)))
    assert until(rig) == ends + resumed - stopped + gap[1] - gap[0]


@given(
    st.integers(0, 14_000),
    st.integers(0, 200_000),
    st.integers(-20_000, 14_000),
    st.integers(1, 200_000),
    st.booleans(),
)
@example(3_000, 100_000, 1_000, 150_000, True)
@example(14_000, 100_000, 13_000, 500, False)
def test_a_pause_and_an_outage_together(
    stop: int, pause: int, dark_from: int, dark_for: int, told_late: bool
) -> None:
    """Whichever comes first, overlaps or holds the other, only the time that was really there is used up.

    Time runs while the table is neither paused nor unwatched. The decision ends when 15 s of it are over, or
    5 s after the lights came on and the clocks ran again, if that is later.
    """
    rig = by_hand("speak_right", speak_ms=SPEAK_MS)
    since = rig.table.since
    gap = (since + dark_from, since + dark_from + dark_for)
    told = cmd.MoveDeadlines((gap,))
    rig.now = since + stop
    rig.host(cmd.Pause())
    stopped = rig.table.at
    if not told_late:
        rig.now = max(rig.now, gap[1])
        rig.attempt(told, "croupier", "system")
    rig.now = max(rig.now, stopped + pause)
    rig.host(cmd.Resume())
    resumed = rig.table.at
    if told_late:
        rig.now = max(rig.now, gap[1])
        rig.attempt(told, "croupier", "system")

    lost = resumed - stopped
    unwatched = [t for t in (_within(gap, (since, stopped)), _within(gap, (resumed, 2**60))) if t]
    ends = since + SPEAK_MS + lost + sum(unwatched)
    if unwatched:
        again = resumed if stopped <= gap[1] <= resumed else gap[1]
        least = again + LEAST_MS + (lost if gap[1] < stopped else 0)
        ends = max(ends, least)
    assert until(rig) == ends


MOMENTS = st.lists(st.integers(0, 40_000), min_size=2, max_size=8, unique=True).map(sorted)
"""Of a decision, after its opening: the clocks stand between the first two, the next two, ..."""


@settings(max_examples=50, deadline=None)
@given(MOMENTS, st.integers(0, 60_000), st.integers(1, 60_000), st.integers(1, 8))
@example([2_000, 30_000, 32_000, 40_000], 4_000, 16_000, 4)
@example([20_000, 30_000, 34_000, 36_000], 3_000, 10_000, 4)
@example([20_000, 30_000], 16_000, 2_000, 2)
def test_an_outage_is_given_back_whenever_it_is_told(
    moments: list[int], dark_from: int, dark_for: int, late: int
) -> None:
    """However many pauses a decision meets before or after an outage, the gap counts outside of them alone.

    Told as soon as the lights are on, or after further pauses, it leads to the same end.
    """
    gap = (dark_from, dark_from + dark_for)
    assert len({_ends(moments, gap, told) for told in (gap[1], max(gap[1], moments[-1] + late))}) == 1


def _ends(moments: list[int], gap: Gap, told_at: int) -> int:
    """How long after its opening a decision ends that meets all this."""
    rig = by_hand("speak_right", speak_ms=SPEAK_MS)
    since = rig.table.since
    told = cmd.MoveDeadlines(((since + gap[0], since + gap[1]),))
    toggles: list[tuple[int, cmd.Command | cmd.Internal]] = [
        (moment, cmd.Resume() if number % 2 else cmd.Pause()) for number, moment in enumerate(moments)
    ]
    if len(moments) % 2:
        toggles.append((moments[-1] + 1, cmd.Resume()))
    for moment, command in sorted([*toggles, (told_at, told)], key=lambda each: each[0]):
        rig.now = since + moment - STEP_MS
        rig.attempt(command, HOST, "system" if command is told else "host")
    return until(rig) - since


def _within(gap: Gap, span: Gap) -> int:
    """How much of a gap lies in a span."""
    return max(0, min(gap[1], span[1]) - max(gap[0], span[0]))
