"""What is true at a bacará table whatever people do (rules/baccarat.md, section 15.4; fairness S-20)."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.rules.bacara.commands import Draw, Stand
from dealer.rules.bacara.events import StakesCovered
from dealer.rules.bacara.points import total
from dealer.rules.frame.refusal import Refusal
from tests.table.rig import Rig, opened, pid, stake
from tests.table.walk import KINDS, Walk

pytestmark = pytest.mark.usefixtures("uncounted")

STEPS = st.lists(
    st.tuples(st.integers(0, KINDS), st.integers(0, 4), st.integers(1, 70)), min_size=10, max_size=60
)
OPTIONS = st.sampled_from(
    [
        {},
        {"house_bank": 40, "min_stake": 5, "stop_card": 140, "max_stake": 30},
        {"house_bank": 25, "coverage": "after", "stop_card": 155, "between_rounds_ms": 0},
        {"holder_rule": "fixed", "betting_ms": 0, "speak_ms": 0},
        {"automations": [], "stop_card": 150},
        {"automations": ["call", "deal", "settle"]},
    ]
)


@settings(max_examples=60, deadline=None)
@given(STEPS, OPTIONS, st.integers(0, 10**6))
def test_whatever_people_do_the_table_holds(
    steps: list[tuple[int, int, int]], chosen: dict[str, Any], luck: int
) -> None:
    """Chips add up at every event, a refusal changes nothing, no hidden card shows (R-00, 15.4)."""
    walk = Walk(luck, **chosen)
    for step in steps:
        walk.step(step)
        walk.check_shown()
    walk.check_log()
    walk.check_coups()


@settings(max_examples=40, deadline=None)
@given(STEPS, OPTIONS, st.integers(0, 10**6), st.integers(0, 99))
def test_what_is_offered_is_taken_and_no_other_word_is(
    steps: list[tuple[int, int, int]], chosen: dict[str, Any], luck: int, pick: int
) -> None:
    """`options` and the rules agree on every seat in every state (R-25, R-26, R-37, R-43)."""
    walk = Walk(luck, **chosen)
    for number, step in enumerate(steps):
        walk.step(step)
        if number % 3 == 0:
            walk.check_options(pick)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from([1, 2, 11, 1001]), st.integers(1, 60)), max_size=8), st.integers(1, 90)
)
def test_a_bank_never_answers_for_more_than_it_has(stakes: list[tuple[int, int]], bank: int) -> None:
    """What is covered is the bank at most, and nobody wins or loses more (15.4 property 2, R-28, R-30)."""
    rig = opened({1: 481, 2: 480, 11: 480, 1001: 480}, house_bank=bank)
    rig.play(1, stake("left", 1))
    for seat, amount in stakes:
        rig.play(seat, stake("right" if amount % 2 else "left", amount))
    rig.expire_until("last_call")
    total_before = {seat: rig.total(seat) for seat in (1, 2, 11, 1001)}
    rig.expire_until("between_rounds", "no_bank")
    (covered,) = rig.of(StakesCovered)
    assert sum(c.covered for c in covered.stakes) <= bank
    for seat, before in total_before.items():
        risked = sum(c.covered for c in covered.stakes if c.seat == seat)
        assert abs(rig.total(seat) - before) <= risked


def _of_two(points: int, suits: str) -> st.SearchStrategy[list[str]]:
    """Two cards of these suits with so many points, as faces."""
    pairs = [
        [first + suits[0], second + suits[1]]
        for first in "A23456789TJQK"
        for second in "A23456789TJQK"
        if total([first, second]) == points
    ]
    return st.sampled_from(pairs)


def _class(draws: bool, suits: str) -> st.SearchStrategy[list[str]]:
    return st.sampled_from(range(5) if draws else range(5, 8)).flatmap(lambda p: _of_two(p, suits))


def _deal(right: list[str], left: list[str], bank: list[str], thirds: list[str]) -> list[str]:
    """The shoe in which these hands come out."""
    return [hand[card] for card in (0, 1) for hand in (right, left, bank)] + thirds


def _what_others_see(rig: Rig, seats: tuple[int, ...]) -> dict[str, Any]:
    """All that reaches anybody but the holder of the hidden hand, less what is bound to differ: the root."""
    view = rig.view()
    root = view["shoe"].pop("root")
    log = [stored.replace(root.encode(), b"") for stored in rig.stored]
    private = {
        seat: [{k: v for k, v in card.items() if k != "path"} for card in rig.hand(seat)] for seat in seats
    }
    return {
        "view": json.dumps(view),
        "log": log,
        "private": private,
        "options": {seat: rig.options(seat) for seat in (0, *seats)},
        "due": rig.due(),
    }


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_hidden_hand_changes_nothing_that_others_see(data: st.DataObject) -> None:
    """Two shoes that differ in one hand alone look equal until that hand is shown (S-20 a, 15.4 property 9).

    The bank's two cards are exchanged, or the right mano's, for others that the tableau treats alike. What
    everybody else is sent, told and offered is compared after each step, up to the first face of the end.
    """
    whose = data.draw(st.sampled_from(["right", "bank"]))
    draws = data.draw(st.booleans())
    one, other = data.draw(_class(draws, "SS")), data.draw(_class(draws, "SS"))
    left = data.draw(_class(data.draw(st.booleans()), "HH"))
    still = data.draw(_class(data.draw(st.booleans()), "DD"))
    thirds = [data.draw(st.sampled_from("A23456789TJQK")) + "C" for _ in range(3)]
    rigs = []
    for hidden in (one, other):
        right, bank = (hidden, still) if whose == "right" else (still, hidden)
        rigs.append(opened({1: 50, 2: 50, 11: 50}, _deal(right, left, bank, thirds)))
    seats = (2, 11) if whose == "right" else (1, 2, 11)
    for rig in rigs:
        rig.play(1, stake("right", 5))
        rig.play(11, stake("left", 5))
    for _ in range(2):
        for rig in rigs:
            rig.expire()
    while rigs[0].table.phase in {"speak_right", "speak_left"}:
        assert _what_others_see(rigs[0], seats) == _what_others_see(rigs[1], seats)
        for rig in rigs:
            _others_try(rig, seats)
            rig.obey()
    for rig in rigs:
        shown = next(i for i, e in enumerate(rig.events) if e.type == "hand.shown")
        first_face = next(
            i for i, e in enumerate(rig.events) if e.type == "card.exposed" and e.data.pos < 6 and i < shown
        )
        del rig.events[first_face:], rig.stored[first_face:]
    masked = [[s.replace(r.view()["shoe"]["root"].encode(), b"") for s in r.stored] for r in rigs]
    assert masked[0] == masked[1]


def _others_try(rig: Rig, seats: tuple[int, ...]) -> None:
    """Whoever does not hold the hand on turn is refused alike, whatever the hand is."""
    (speaker,) = rig.clock().seats
    for seat in seats:
        if seat != speaker:
            for word in (Draw(), Stand()):
                answer = rig.refusal(word, pid(seat), "player")
                assert answer == Refusal("not_holder" if seat == 2 else "not_your_turn")
