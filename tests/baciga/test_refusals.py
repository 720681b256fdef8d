"""What is refused, and in which order (baciga 8.2, 12.5, 14)."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from dealer.rules.baciga.commands import Declare, DrawStock, ExchangeSeven, ShowSeven
from dealer.rules.baciga.state import play_of
from dealer.rules.frame.commands import Command
from dealer.rules.tricks.commands import Concede, Play
from tests.baciga.positions import Position
from tests.matches.positions import with_play

THREE: dict[str, Any] = {
    "players": 3,
    "trump": "H",
    "tricks": [1, 1, 1],
    "turn": 0,
    "hands": [["9C1", "KC1", "QC1", "QS1", "JD1"], ["AS1", "8C1"], ["TC1", "7D1"]],
    "stock": ["9S1", "8D1", "7S1", "8S1", "9D1", "7H1"],
}
STANDARD: dict[str, Any] = {
    "profile": "standard",
    "players": 2,
    "trump": "H",
    "tricks": [1, 0],
    "turn": 0,
    "hands": [["AC1", "KC1", "QC1", "7H1", "7S1"], ["AS1", "8C1", "9C1", "TC1", "7H2"]],
    "stock": ["9S1", "8D1", "7D1", "8H1"],
}

Change = Callable[[Position], None]


def _play(**changed: Any) -> Change:
    def change(position: Position) -> None:
        position.table = with_play(position.table, **changed)

    return change


def _table(**changed: Any) -> Change:
    def change(position: Position) -> None:
        position.table = replace(position.table, **changed)

    return change


OVER = _play(running=False)
CONCEDED = _play(conceded=(1,))
BETWEEN = _table(playing=False, phase="between_rounds")
DEALING = _table(phase="dealing")
LAST = _table(phase="last_tricks")
LOST = _play(won=(0, 1, 1))
_ALONE = (OVER, BETWEEN, DEALING, LAST)
"""What cannot stand beside the others."""

PLAY_ORDER = [
    (Play(card="9C9"), "no_such_card", None),
    (Play(card="8C1"), "match_over", OVER),
    (Play(card="8C1"), "already_conceded", CONCEDED),
    (Play(card="8C1"), "round_over", BETWEEN),
    (Play(card="8C1"), "wrong_phase", DEALING),
    (Play(card="8C1"), "not_your_turn", _play(turn=2)),
    (Play(card="8C1"), "card_not_owned", None),
]


def _in_order(
    example: dict[str, Any], ladder: Sequence[tuple[Command, str, Change | None]], seat: int = 1
) -> None:
    """Each step of a ladder is refused as it says, although every later obstacle stands in the way too."""
    for n, (command, expected, own) in enumerate(ladder):
        position = Position(example)
        for _, _, change in reversed(ladder[n + 1 :]):
            if change is not None and change not in _ALONE:
                change(position)
        if own is not None:
            own(position)
        assert position.give(seat, command) == expected


def test_order_of_refusals_of_a_card() -> None:
    """Section 14: request, match, conceding, hand, phase, turn, card; the duties come last (BC-13, BC-55)."""
    _in_order(THREE, PLAY_ORDER)


def test_order_of_refusals_of_a_declaration() -> None:
    """8.2: match and hand, stock, type, a trick won, owned, the right cards, and then rule R."""
    pair = ("KC1", "QC1")
    _in_order(
        THREE,
        [
            (Declare(meld="four_trump_aces", cards=("KC9",)), "no_such_card", None),
            (Declare(meld="four_trump_aces", cards=("8C1",)), "match_over", OVER),
            (Declare(meld="four_trump_aces", cards=("8C1",)), "already_conceded", CONCEDED),
            (Declare(meld="four_trump_aces", cards=("8C1",)), "round_over", BETWEEN),
            (Declare(meld="four_trump_aces", cards=("8C1",)), "meld_stock_exhausted", LAST),
            (Declare(meld="four_trump_aces", cards=("8C1",)), "meld_not_available", None),
            (Declare(meld="trump_marriage", cards=("8C1",)), "meld_no_trick_won", LOST),
            (Declare(meld="trump_marriage", cards=("8C1",)), "card_not_owned", None),
            (Declare(meld="trump_marriage", cards=pair), "meld_wrong_cards", None),
        ],
    )
    position = Position(THREE)
    assert position.give(1, Declare(meld="plain_marriage", cards=pair)) == ""
    assert position.give(1, Declare(meld="plain_marriage", cards=pair)) == "meld_rebuild"
    assert position.give(1, Declare(meld="plain_marriage", cards=("KC1", "KC1"))) == "card_not_owned"


def test_where_only_the_winner_declares() -> None:
    """12.5: a trick in progress, somebody else's, a second one: each before the type is looked at."""
    position = Position(STANDARD)
    no_type = Declare(meld="four_trump_aces", cards=("KC1",))
    assert position.give(1, no_type) == "wrong_phase"
    for seat, card in ((1, "AC1"), (2, "8C1")):
        assert position.give(seat, Play(card=card)) == ""
    assert position.table.phase == "declaring"
    assert position.give(2, no_type) == "meld_not_trick_winner"
    assert position.give(1, no_type) == "meld_not_available"
    assert position.give(1, Declare(meld="plain_marriage", cards=("KC1", "QC1"))) == ""
    assert position.give(1, no_type) == "meld_one_per_trick"


def test_order_of_refusals_of_sevens_and_the_draw() -> None:
    """Section 14: match, hand, phase, turn, card, and only then whether a seven may be used."""
    for command in (ExchangeSeven(), ShowSeven(card="7S1"), DrawStock()):
        position = Position(STANDARD)
        assert position.give(1, command) == "wrong_phase"
        for change, expected in (
            (OVER, "match_over"),
            (BETWEEN, "round_over"),
            (CONCEDED, "already_conceded"),
        ):
            other = Position(STANDARD)
            change(other)
            assert other.give(1, command) == expected
        for seat, card in ((1, "AC1"), (2, "8C1")):
            position.give(seat, Play(card=card))
        assert position.give(2, command) == "not_your_turn"


def test_sevens_that_score_nothing() -> None:
    """12.4: one that is not his, no trump, a card of his on the table, one that has scored already."""
    position = Position({**STANDARD, "table": {"0": ["QD1"]}})
    for seat, card in ((1, "AC1"), (2, "8C1")):
        position.give(seat, Play(card=card))
    assert position.give(1, ShowSeven(card="7H2")) == "card_not_owned"
    assert position.give(1, ShowSeven(card="7S1")) == "seven_not_allowed"
    assert position.give(1, ShowSeven(card="QD1")) == "seven_not_allowed"
    assert position.give(1, ShowSeven(card="7H1")) == ""
    assert position.give(1, ShowSeven(card="7H1")) == "seven_not_allowed"
    assert position.give(1, ExchangeSeven()) == "seven_not_allowed"
    assert play_of(position.table).gained == (10, 0)


@pytest.mark.parametrize("last_card_first", [True, False])
def test_a_race_with_the_last_card(last_card_first: bool) -> None:
    """8.2, A-06: a declaration beside the last card of the stock counts, or is refused with its reason."""
    example = {**THREE, "stock": ["9S1", "8D1", "7H1"], "hands": [["KC1", "QC1"], ["8C1"], ["7C1"]]}
    position = Position(example)
    declare = Declare(meld="plain_marriage", cards=("QC1", "KC1"))
    late = Declare(meld="baciga", cards=("QS1", "JD1"))
    assert position.give(1, Play(card="KC1")) == ""
    assert position.give(2, Play(card="8C1")) == ""
    if not last_card_first:
        assert position.give(1, declare) == "card_not_owned"
    assert position.give(3, Play(card="7C1")) == ""
    assert position.table.phase == "last_tricks"
    assert position.give(1, declare) == "meld_stock_exhausted"
    assert position.give(2, late) == "meld_stock_exhausted"


def test_two_declare_at_once() -> None:
    """9.2, 9.4: of two declarations that would both win, the first does; the other hears that it is over."""
    example = {
        **THREE,
        "scores": [1480, 1480, 0],
        "hands": [["KC1", "QC1"], ["KS1", "QS1"], ["7C1"]],
    }
    position = Position(example)
    assert position.give(2, Declare(meld="plain_marriage", cards=("KS1", "QS1"))) == ""
    assert position.give(1, Declare(meld="plain_marriage", cards=("KC1", "QC1"))) == "match_over"
    assert [event.type for event in position.events if event.type != "card.exposed"] == [
        "meld.declared",
        "target.reached",
        "match.won",
        "round.ended",
        "shoe.closed",
        "seed.revealed",
    ]
    assert play_of(position.table).winner == 2


def test_conceding_twice() -> None:
    """13.2: said again by the same seat it is refused, and whatever else a seat sends that is out."""
    position = Position(THREE)
    assert position.give(1, Concede()) == ""
    for command in (Concede(), Play(card="9C1"), Declare(meld="baciga", cards=("QS1", "JD1"))):
        assert position.give(1, command) == "already_conceded"
    assert position.give(2, Concede()) == ""
    assert position.give(3, Concede()) == "match_over"
    assert play_of(position.table).winner == 3


def test_who_is_left_above_the_target_has_won() -> None:
    """9.4, 13.2: of two who are tied above it one gives up, so the other is ahead of all who count."""
    position = Position({**THREE, "scores": [1510, 1510, 0]})
    assert play_of(position.table).winner == 0
    assert position.give(1, Concede()) == ""
    assert play_of(position.table).winner == 2
